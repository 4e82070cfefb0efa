from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "ofc_hub.api"
    label = "api"
    default_auto_field = "django.db.models.BigAutoField"
