"""Which clubs a command works on."""

from django.core.management.base import CommandError

from ofc_hub.clubs.models import Club


def chosen_clubs(slug: str | None) -> list[Club]:
    """The club of that slug, or all of them. Raises CommandError."""
    if slug is None:
        return list(Club.objects.order_by("pk"))
    clubs = list(Club.objects.filter(slug=slug))
    if not clubs:
        raise CommandError(f"There is no club {slug!r}.")
    return clubs
