"""The worker's side of the statistics: one task, and the sweep that makes messages dispensable."""

import time
from typing import Any

from celery import bootsteps, current_app, shared_task

from analytics.slices import recompute_some
from scoring.wake import RECOMPUTE, send_wake_up

SWEEP_SECONDS = 10.0
# A task that runs for long would be delivered again by some brokers; a backlog is worked off in turns.
TURN_SECONDS = 30.0


@shared_task(name=RECOMPUTE)
def recompute() -> int:
    """Work off the to-do rows, in short transactions; how many slices were recomputed."""
    done, end = 0, time.monotonic() + TURN_SECONDS
    while count := recompute_some():
        done += count
        if time.monotonic() > end:
            send_wake_up()
            break
    return done


class Sweep(bootsteps.StartStopStep):
    """Each worker asks for a recomputation when it starts and every SWEEP_SECONDS.

    A step and not the `worker_ready` signal: that comes once, while a lost broker connection clears the
    timer and starts the steps again. Through the queue, so that a busy worker is not asked twice at once.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self.entry: Any = None

    def start(self, consumer: Any) -> None:
        send_wake_up()
        self.entry = consumer.timer.call_repeatedly(SWEEP_SECONDS, send_wake_up)

    def stop(self, consumer: Any) -> None:
        if self.entry is not None:
            self.entry.cancel()


current_app.steps["consumer"].add(Sweep)
