"""The Celery application; every setting of it is in `ofc_hub.settings` under CELERY_."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")

app = Celery("ofc_hub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The request's id travels with its tasks into the worker's log lines.
app.steps["worker"].add(DjangoStructLogInitStep)


@worker_ready.connect
def _stop_within_a_second(sender: Any, **_: Any) -> None:
    # The timer's thread sleeps until its next entry is due, and a worker that is asked to end waits for it.
    sender.timer.call_repeatedly(1.0, bool)
