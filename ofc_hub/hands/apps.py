from django.apps import AppConfig


class HandsConfig(AppConfig):
    name = "ofc_hub.hands"
    label = "hands"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Declares the guards: the system check and a test's flush must know them.
        from ofc_hub.core import checks  # noqa: F401
        from ofc_hub.hands import guards  # noqa: F401
