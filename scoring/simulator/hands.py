"""The stream of hands: as many as are asked for, in memory that does not grow with them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from scoring.domain.errors import Problem
from scoring.domain.scored import score_hands
from scoring.simulator.evenings import HANDS_OF_A_CIRCLE, Evening, evenings
from scoring.simulator.people import THE_EIGHT
from scoring.simulator.playing import play
from scoring.simulator.sitting import Sitting

#: Evenings that are played at once: a hand of each in turn, so that they share the work of numpy.
_TOGETHER: Final = 64
#: The source that the hands name; with another seed than 1 the seed follows.
SOURCE: Final = "demo"


def hands(count: int, seed: int = 1, players: int | None = None) -> Iterator[bytes]:
    """`count` hands as lines of `ofc-hand/1`, circle by circle and evening by evening.

    Without `players` there are eight for every 24,000 hands or part of them; else as many, in eights.
    The same arguments give the same bytes; more hands hold the same evenings and earlier ones.
    """
    source = SOURCE if seed == 1 else f"{SOURCE}-{seed}"
    circles = -(-players // len(THE_EIGHT)) if players else -(-count // HANDS_OF_A_CIRCLE)
    for circle in range(circles):
        share = count // circles + (circle < count % circles)
        yield from islice(_of_circle(source, evenings(seed, circle, share)), share)


def _of_circle(source: str, all_evenings: Iterator[Evening]) -> Iterator[bytes]:
    while together := list(islice(all_evenings, _TOGETHER)):
        for sitting in _play_evenings(source, together):
            yield from sitting.lines


def _play_evenings(source: str, together: Sequence[Evening]) -> list[Sitting]:
    sittings = [Sitting(source, evening) for evening in together]
    going = [(sitting, sitting.next_deal()) for sitting in sittings]
    while going := [(sitting, deal) for sitting, deal in going if deal is not None]:
        deals = [deal for _, deal in going if deal is not None]
        told = [
            sitting.played(deal, moves)
            for (sitting, _), deal, moves in zip(going, deals, play(deals), strict=True)
        ]
        scores = score_hands([hand.state for hand in told])
        for (sitting, _), score in zip(going, scores, strict=True):
            assert not isinstance(score, Problem), score
            sitting.settle(score)
        going = [(sitting, sitting.next_deal()) for sitting, _ in going]
    return sittings
