from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "ofc_hub.ops"
    label = "ops"
    default_auto_field = "django.db.models.BigAutoField"
