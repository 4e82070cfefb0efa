"""What the page of a hand shows: its boards step by step, its moves and its settlement."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ofc_hub.clubs.models import Alias, Club, Tournament
from ofc_hub.clubs.selectors import Viewer
from ofc_hub.hands.models import Hand
from ofc_hub.hands.quarantine import identities_in
from ofc_hub.hands.reading import load_events
from ofc_hub.hands.rulesets import rules_of
from ofc_hub.hands.visibility import seen_by
from ofc_hub.web.boards import Board, Person, boards_of, last_step
from ofc_hub.web.correction_notices import correction_notices
from ofc_hub.web.figures_text import amount_text, signed_text
from ofc_hub.web.hand_lines import after, before, local_time, newest_first, state_word
from ofc_hub.web.ledger import Entry, differences_of, ledger_of
from ofc_hub.web.moves import ShownMove, moves_of
from ofc_hub.web.words.refusals import problem_text
from scoring.domain.errors import Problem
from scoring.domain.hand import BOARDS, RESULT, HandState
from scoring.domain.replay import replay
from scoring.domain.rulesets import shorthand
from scoring.domain.scored import HandScore, score_hand


@dataclass(frozen=True, slots=True)
class Total:
    """What a hand came to for one seat; `ruled` is what a director added or took, "" for nothing."""

    player_id: int
    name: str
    word: str
    royalties: int | None
    points: int
    chips: int | None
    ruled: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence above the boards; `warns` if something is wrong with the hand."""

    text: str
    warns: bool


@dataclass(frozen=True, slots=True)
class HandPage:
    """`before` and `after` are the ids of the hands beside this one in the club's order."""

    title: str
    facts: tuple[str, ...]
    notices: tuple[Notice, ...]
    boards: list[Board]
    moves: list[ShownMove]
    last_step: int
    ledger: list[Entry]
    totals: list[Total]
    differences: list[str]
    settled_how: str
    in_chips: bool
    result_text: str
    why_unscored: str
    before: int | None
    after: int | None

    @property
    def scored(self) -> bool:
        return bool(self.totals)

    @property
    def boards_known(self) -> bool:
        return any(board.has_cards for board in self.boards)

    @property
    def has_result_step(self) -> bool:
        return self.last_step > len(self.moves)

    @property
    def rulings(self) -> bool:
        return any(total.ruled for total in self.totals)


def hand_page(viewer: Viewer, club: Club, hand_id: int) -> HandPage | None:
    """The page, or None where the club has no such hand."""
    hand = newest_first(club).select_related("stream", "correction").filter(pk=hand_id).first()
    if hand is None:
        return None
    state, problem, people = _replayed(club, hand)
    score = _scored(state, problem)
    return _page(viewer, club, hand, state, problem, score, people)


def _replayed(club: Club, hand: Hand) -> tuple[HandState, Problem | None, dict[str, Person]]:
    events = load_events(hand.pk)
    people = _people(club, identities_in(events[0].data) if events else [])
    names = {alias: person.name for alias, person in people.items()}
    rules = rules_of(hand.rule_set_id)
    state, problem = replay(events, rules, hand.stream.source, hand.stream.key, names)
    strangers = [seat.alias for seat in state.start.seats if seat.alias not in people]
    if strangers:
        message = _("The club knows nobody by the identity %(alias)s.") % {"alias": strangers[0]}
        state, problem = replay([], rules)[0], Problem("bad-event", "seats", message)
    return state, problem, people


def _people(club: Club, named: Iterable[str]) -> dict[str, Person]:
    """Who sits at the seats now, by alias: a merge of two players shows at once."""
    aliases = Alias.objects.filter(club=club, uuid__in=list(named)).select_related("player")
    return {str(alias.uuid): Person(alias.player_id, str(alias.player)) for alias in aliases}


def _scored(state: HandState, problem: Problem | None) -> HandScore | None:
    if problem or state.voided or not state.complete:
        return None
    score = score_hand(state)
    return None if isinstance(score, Problem) else score


def _page(
    viewer: Viewer,
    club: Club,
    hand: Hand,
    state: HandState,
    problem: Problem | None,
    score: HandScore | None,
    people: Mapping[str, Person],
) -> HandPage:
    sight = seen_by(
        viewer, club, state, {seat.seat: people[seat.alias].player_id for seat in state.start.seats}
    )
    boards = boards_of(state, score, people, sight)
    names = seat_names(boards)
    order = newest_first(club).values_list("pk", flat=True)
    return HandPage(
        title=_("Hand %(key)s") % {"key": hand.key},
        facts=_facts(club, hand, state),
        notices=_notices(state, problem, correction_notices(hand, names)),
        boards=boards,
        moves=moves_of(state, names, sight),
        last_step=last_step(state),
        ledger=ledger_of(state, score, names) if score else [],
        totals=_totals(state, score, boards, names) if score else [],
        differences=differences_of(score.differences, names) if score else [],
        settled_how=_settled_how(state),
        in_chips=score is not None and all(seat.chips is not None for seat in score.seats),
        result_text=_result_text(score, names) if score else _why_unscored(hand, problem),
        why_unscored=_why_unscored(hand, problem),
        before=order.filter(before(hand)).first(),
        after=order.filter(after(hand)).reverse().first(),
    )


def seat_names(boards: list[Board]) -> dict[int, str]:
    """A name for each seat; the two hands of one player are told apart by their seats."""
    names = [board.person.name for board in boards]
    return {
        board.seat: board.person.name
        if names.count(board.person.name) == 1
        else _("%(name)s (seat %(seat)s)") % {"name": board.person.name, "seat": board.seat}
        for board in boards
    }


# --- Words around the boards ------------------------------------------------------------------------------


def _facts(club: Club, hand: Hand, state: HandState) -> tuple[str, ...]:
    start = state.start
    facts = [local_time(hand.played_at, club), _rules(state)]
    if start.tournament:
        facts.append(_tournament(club, start.tournament))
    if start.table:
        facts.append(_("table %(table)s") % {"table": start.table})
    if start.set is not None:
        facts.append(_("set %(set)s") % {"set": start.set})
    facts.append(_("stake %(stake)s a point") % {"stake": amount_text(start.stake)})
    for first, second, stake in start.pair_stakes:
        words = {"first": first, "second": second, "stake": amount_text(stake)}
        facts.append(_("seats %(first)s and %(second)s play for %(stake)s") % words)
    return (*facts, _("from %(source)s") % {"source": start.source})


def _rules(state: HandState) -> str:
    """The code of the rule set and the options that differ from it: "classic, scoring 1-4"."""
    written = shorthand(state.start.rules)
    if isinstance(written, str):
        return written
    options = (
        f"{name.replace('_', ' ')} {_option(value)}" for name, value in written.items() if name != "base"
    )
    return ", ".join([str(written["base"]), *options])


def _option(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key} {one}" for key, one in value.items())
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return str(value)


def _tournament(club: Club, code: str) -> str:
    tournament = Tournament.objects.filter(club=club, code=code).first()
    return str(tournament) if tournament else code


def _notices(state: HandState, problem: Problem | None, corrections: Iterable[str]) -> tuple[Notice, ...]:
    notices = [Notice(text, True) for text in corrections]
    if state.voided:
        notices.append(Notice(_("This hand was voided by a director: it counts for nothing."), True))
    if problem:
        text = _("The record of this hand breaks off: %(message)s Shown is the part that holds.")
        notices.append(Notice(text % {"message": problem_text(problem)}, True))
    known = {
        BOARDS: _("Only the final boards of this hand are known: there are no moves to step through."),
        RESULT: _("Only the result of this hand is known, as its source gave it; there are no cards."),
    }
    if state.completeness in known:
        notices.append(Notice(known[state.completeness], False))
    return tuple(notices)


def _why_unscored(hand: Hand, problem: Problem | None) -> str:
    if problem or hand.voided:
        return _("This hand has no result: %(reason)s.") % {"reason": state_word(hand)}
    return _("The result stands here as soon as every seat has thirteen cards or is declared dead.")


# --- Words below the boards -------------------------------------------------------------------------------


def _settled_how(state: HandState) -> str:
    rules = state.start.rules
    if state.completeness == RESULT:
        return _("points as the source gave them")
    if rules.settle == "set":
        return _("points; chips are settled at the end of the set")
    stake = {"stake": amount_text(state.start.stake)}
    caps = {
        "none": _("points times stake %(stake)s, no cap"),
        "running": _("points times stake %(stake)s, up to what both have in front at that moment"),
        "starting": _("points times stake %(stake)s, up to the stacks at the start"),
    }
    return caps[rules.cap] % stake


def _totals(state: HandState, score: HandScore, boards: list[Board], names: Mapping[int, str]) -> list[Total]:
    seats = {seat.seat: seat for seat in score.seats}
    known = state.completeness != RESULT
    return [
        Total(
            player_id=board.person.player_id,
            name=names[board.seat],
            word=_("dead") if seat.dead else _("foul") if seat.foul else "",
            royalties=sum(seat.royalties) if known else None,
            points=seat.points,
            chips=seat.chips,
            ruled=_ruled(state, board.seat),
        )
        for board in boards
        for seat in [seats[board.seat]]
    ]


def _ruled(state: HandState, seat: int) -> str:
    points = sum(ruling.points for ruling in state.rulings if ruling.seat == seat)
    chips = sum(ruling.chips for ruling in state.rulings if ruling.seat == seat)
    parts = []
    if points:
        parts.append(_("%(points)s points") % {"points": signed_text(points)})
    if chips:
        parts.append(_("%(chips)s chips") % {"chips": amount_text(chips, signed=True)})
    return ", ".join(parts)


def _result_text(score: HandScore, names: Mapping[int, str]) -> str:
    """Such as "Anna +12, Bo −12"."""
    points = {seat.seat: seat.points for seat in score.seats}
    return ", ".join(f"{name} {signed_text(points[seat])}" for seat, name in names.items())
