"""GET /health: may requests be sent here? One `SELECT 1` and, for a network broker, one connection."""

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection

import ofc_hub

_BROKER_SECONDS = 1


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 with `status: ok`, or 503 naming what does not answer."""
    parts = {"database": _database()}
    if not settings.CELERY_BROKER_URL.startswith("filesystem"):
        parts["broker"] = _broker()
    good = all(state == "ok" for state in parts.values())
    body = {"status": "ok" if good else "unavailable", **parts, "version": ofc_hub.__version__}
    return JsonResponse(body, status=200 if good else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unavailable"
    return "ok"


def _broker() -> str:
    # kombu wraps each transport's own errors; whichever it is, the answer is the same.
    try:
        with Connection(settings.CELERY_BROKER_URL, connect_timeout=_BROKER_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, timeout=_BROKER_SECONDS)
    except Exception:
        return "unavailable"
    return "ok"
