"""The worker that other tests rely on does start, answers, and stops warmly."""

import pytest
from celery import current_app


@pytest.mark.worker
@pytest.mark.django_db(transaction=True)
def test_a_real_worker_answers_and_stops(celery_worker_process) -> None:
    worker = celery_worker_process()
    replies = current_app.control.ping(timeout=5, limit=1)
    assert [next(iter(reply.values())) for reply in replies] == [{"ok": "pong"}]
    worker.terminate()
    assert worker.wait(timeout=20) == 0
