"""ofc-hub: hand histories and statistics for Open Face Chinese poker."""

from ofc_hub.celery import app as celery_app

__all__ = ["__version__", "celery_app"]
__version__ = "0.1.0"
