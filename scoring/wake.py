"""Tell the workers that statistics are to be recomputed. Only a hint: the to-do rows are the truth."""

import logging
import time

from celery import current_app
from django.db import transaction

RECOMPUTE = "analytics.recompute"
# A hint that nobody has taken by then is no better than the next sweep, so that hints do not pile up.
HINT_SECONDS = 60
# A broker that does not answer is left alone for so long, and is tried once: kombu would try for 6 s.
AWAY_SECONDS = 10
CONNECT_SECONDS = 1
ONCE = {"max_retries": 1, "interval_start": 0, "interval_step": 0}

logger = logging.getLogger(__name__)
_away_until = 0.0


def wake_statistics() -> None:
    """Send the message once the transaction at hand, if any, has been committed."""
    transaction.on_commit(send_wake_up, robust=True)


def send_wake_up() -> None:
    """Send the message now. A broker that is away costs the hint, never the caller's work."""
    global _away_until
    if time.monotonic() < _away_until:
        return
    try:
        with current_app.connection_for_write(
            connect_timeout=CONNECT_SECONDS, transport_options=ONCE
        ) as broker:
            current_app.send_task(
                RECOMPUTE, connection=broker, expires=HINT_SECONDS, retry=False, ignore_result=True
            )
    except Exception as error:  # each transport has errors of its own, and none of them concerns the caller
        _away_until = time.monotonic() + AWAY_SECONDS
        logger.warning("statistics wait for a worker's next sweep: no message sent (%s)", error)
