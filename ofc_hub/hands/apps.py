from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured


class HandsConfig(AppConfig):
    name = "ofc_hub.hands"
    label = "hands"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Declares the guards: the system check and a test's flush must know them.
        from ofc_hub.core import checks  # noqa: F401
        from ofc_hub.hands import guards  # noqa: F401
        from ofc_hub.hands.upgrades import chain_problems

        if problems := chain_problems():
            # Commands, web processes and workers all pass here: nobody reads old events as what they are not.
            raise ImproperlyConfigured(f"Old events could not be read: {'; '.join(problems)}.")
