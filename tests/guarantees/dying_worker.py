"""A worker for one task: killed (-9) when that is committed and before it is acknowledged.

Started as `celery -A tests.guarantees.dying_worker worker`. Tasks that found nothing to do spare it.
"""

import os
import signal
from pathlib import Path
from typing import Any

from celery.signals import task_postrun

from ofc_hub.celery import app

__all__ = ["app"]


@task_postrun.connect
def _die(retval: Any = None, **_: Any) -> None:
    """The task has returned, and who acknowledges it has not heard of it."""
    if type(retval) is int and retval > 0:
        Path(os.environ["LAST_WILL"]).write_text(f"{retval}\n")
        # The group that was made for this worker.
        os.killpg(os.getsid(0), signal.SIGKILL)
