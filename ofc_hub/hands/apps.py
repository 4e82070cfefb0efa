from django.apps import AppConfig


class HandsConfig(AppConfig):
    name = "ofc_hub.hands"
    label = "hands"
    default_auto_field = "django.db.models.BigAutoField"
