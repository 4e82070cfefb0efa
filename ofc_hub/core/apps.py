from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "ofc_hub.core"
    label = "core"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ofc_hub.core import checks  # noqa: F401 - importing registers them
