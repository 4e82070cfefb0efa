"""The Celery application; every setting of it is in `ofc_hub.settings` under CELERY_."""

import os

from celery import Celery
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")

app = Celery("ofc_hub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# The request's id travels with its tasks into the worker's log lines.
app.steps["worker"].add(DjangoStructLogInitStep)
