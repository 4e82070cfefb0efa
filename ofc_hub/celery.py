"""The Celery application; every setting of it is in `ofc_hub.settings` under CELERY_."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofc_hub.settings")

app = Celery("ofc_hub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
