from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "ofc_hub.clubs"
    label = "clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ofc_hub.clubs import guards  # noqa: F401
