"""Numbers and cards in templates."""

from django import template

from ofc_hub.web.faces import Face
from ofc_hub.web.figures_text import amount_text, number_text, signed_text, tone_of
from ofc_hub.web.hand_lines import day_text

register = template.Library()
register.filter("points", signed_text)
register.filter("number", number_text)
register.filter("tone", tone_of)
register.filter("day", day_text)


@register.filter
def chips(units: int | None) -> str:
    """A signed amount of chips, given in units of 1/10,000."""
    return amount_text(units, signed=True)


@register.filter
def amount(units: int | None) -> str:
    """An amount without a sign for gains (a stack, a stake), given in units of 1/10,000."""
    return amount_text(units)


@register.inclusion_tag("web/parts/card.html")
def card(face: Face, size: str = "") -> dict[str, object]:
    """A card; `size` "mini" stands in a line of text."""
    return {"face": face, "mini": size == "mini"}
