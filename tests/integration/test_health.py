from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test import Client

import ofc_hub

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


@contextmanager
def _database_down() -> Iterator[None]:
    def refuse(*_: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.django_db
def test_a_healthy_process_answers_200_with_its_version(client: Client) -> None:
    response = client.get("/health")
    assert response.status_code == 200
    assert response.json()["status"] == "ok"
    assert response.json()["database"] == "ok"
    assert response.json()["version"] == ofc_hub.__version__
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_without_database_it_answers_503(client: Client) -> None:
    with _database_down():
        response = client.get("/health")
    assert response.status_code == 503
    assert response.json()["status"] == "unavailable"
    assert response.json()["database"] == "unavailable"


@pytest.mark.django_db
def test_without_network_broker_it_answers_503(client: Client, settings: LazySettings) -> None:
    settings.CELERY_BROKER_URL = NOBODY_LISTENS
    response = client.get("/health")
    assert (response.status_code, response.json()["broker"]) == (503, "unavailable")


@pytest.mark.django_db
def test_health_is_one_query(client: Client, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        client.get("/health")


def test_only_reading_is_allowed(client: Client) -> None:
    assert client.post("/health").status_code == 405


@pytest.mark.django_db
def test_the_policy_allows_no_inline_code(client: Client) -> None:
    policy = client.get("/health")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
