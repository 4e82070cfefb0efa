"""The worker that other tests rely on does start, listens where they send, and stops warmly."""

import pytest
from celery import current_app
from django.conf import settings


def _listeners() -> list[str]:
    """The names of the workers that answer and take tasks from the queue of this run."""
    queues = current_app.control.inspect(timeout=5).active_queues() or {}
    own = settings.CELERY_TASK_DEFAULT_QUEUE
    return [name for name, taken in queues.items() if own in {queue["name"] for queue in taken}]


@pytest.mark.worker
@pytest.mark.django_db(transaction=True)
def test_real_workers_listen_and_stop(celery_worker_process) -> None:
    workers = [celery_worker_process(), celery_worker_process()]
    assert len(_listeners()) == 2
    for worker in workers:
        worker.terminate()
    assert [worker.wait(timeout=20) for worker in workers] == [0, 0]
