"""What the page of a hand says of corrections: transfers that are due, and facts that no longer follow."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from ofc_hub.hands.models import Hand
from ofc_hub.web.figures_text import amount_text
from scoring.domain.continuity import BUTTON, FANTASYLAND, SET, STACK
from scoring.domain.outcomes import HOUSE
from scoring.models import Flag, Transfer


def correction_notices(hand: Hand, names: Mapping[int, str]) -> list[str]:
    """Sentences for the hand, which was read with its `correction`; `names` of its seats."""
    corrected = _corrected(hand.pk, names) if hasattr(hand, "correction") else []
    return [*corrected, *_flagged(hand.pk, names)]


def _corrected(hand_id: int, names: Mapping[int, str]) -> list[str]:
    transfers = Transfer.objects.filter(hand_id=hand_id).order_by("seat").values_list("seat", "chips")
    due = ", ".join(f"{_who(seat, names)} {amount_text(chips, signed=True)}" for seat, chips in transfers)
    if not due:
        return [_("This hand was corrected after it was settled; no chips are due for it.")]
    return [_("This hand was corrected after it was settled. Due at the table: %(due)s.") % {"due": due}]


def _flagged(hand_id: int, names: Mapping[int, str]) -> list[str]:
    flags = Flag.objects.filter(hand_id=hand_id).order_by("what", "seat")
    facts = "; ".join(_fact(flag, names) for flag in flags)
    if not facts:
        return []
    text = _("An earlier hand of this table was corrected, so that not everything here follows: %(facts)s.")
    return [text % {"facts": facts}]


def _fact(flag: Flag, names: Mapping[int, str]) -> str:
    texts = {
        BUTTON: _("button at seat %(recorded)s instead of %(follows)s"),
        SET: _("set %(recorded)s instead of %(follows)s"),
        FANTASYLAND: _("%(who)s with %(recorded)s Fantasyland cards instead of %(follows)s"),
        STACK: _("%(who)s with a stack of %(recorded)s instead of %(follows)s"),
    }
    recorded, follows = (
        amount_text(value) if flag.what == STACK else str(value) for value in (flag.recorded, flag.follows)
    )
    values = {"who": _who(flag.seat, names), "recorded": recorded, "follows": follows}
    return texts[flag.what] % values


def _who(seat: int, names: Mapping[int, str]) -> str:
    if seat == HOUSE:
        return _("the house")
    return names.get(seat) or _("seat %(seat)s") % {"seat": seat}
