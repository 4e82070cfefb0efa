"""Logging: one JSON object a line for machines, columns for a terminal; the request id is in every line."""

from typing import Any

import structlog


def shared_processors() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def configure(level: str, as_json: bool) -> dict[str, Any]:
    """Set structlog up and return the dictionary for Django's LOGGING."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared_processors(),
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _formatter(as_json)},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # `request_finished` of django-structlog already says what these two would say again.
            "django.server": {"level": "WARNING", "propagate": True, "handlers": []},
            "django.request": {"level": "ERROR"},
            # And Celery itself tells of each task; the request's id is bound to its lines all the same.
            "django_structlog.celery": {"level": "WARNING"},
        },
    }


def _formatter(as_json: bool) -> dict[str, Any]:
    last: list[Any] = [structlog.dev.ConsoleRenderer()]
    if as_json:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        "foreign_pre_chain": shared_processors(),
    }
