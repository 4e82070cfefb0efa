"""One verification: what is looked at, in which order, and what it came to."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ofc_hub.clubs.models import Club
from ofc_hub.ops.corrections import CorrectedTables
from ofc_hub.ops.fresh import RuleBook, bad_rule_sets
from ofc_hub.ops.reading import Batch, batches
from ofc_hub.ops.verify.chains import chain_findings
from ofc_hub.ops.verify.findings import Finding
from ofc_hub.ops.verify.hands import correction_findings, hand_findings
from ofc_hub.ops.verify.log import homeless_findings, log_findings


@dataclass(slots=True)
class Tally:
    """What was looked at so far."""

    clubs: int = 0
    streams: int = 0
    events: int = 0
    findings: int = 0
    started: float = field(default_factory=time.monotonic)

    def as_dict(self) -> dict[str, Any]:
        seconds = time.monotonic() - self.started
        return {
            "clean": self.findings == 0,
            "findings": self.findings,
            "clubs": self.clubs,
            "streams": self.streams,
            "events": self.events,
            "seconds": round(seconds, 3),
            "events_per_second": round(self.events / seconds) if seconds else 0,
        }


def verify(clubs: Sequence[Club], tally: Tally, *, everything: bool, hands: bool = True) -> Iterator[Finding]:
    """The findings as they turn up. Call it within `reading.snapshot`, so that writers do not disturb it.

    `everything`: the clubs are all that there are, so that rows of no club are looked for as well. Without
    `hands` only the log itself is verified: positions, times, versions, digests and heads.
    """
    rule_book = RuleBook()
    for record, digest in bad_rule_sets():
        yield Finding("rule-set-differs", row=record.code, column="data", found=digest, expected=record.pk)
    if everything:
        yield from homeless_findings()
    for club in clubs:
        tally.clubs += 1
        tables = CorrectedTables()
        yield from log_findings(club.slug, club.pk)
        for batch in batches(club.pk):
            tally.streams += len(batch.streams)
            tally.events += sum(map(len, batch.events.values()))
            for stream in batch.streams:
                yield from chain_findings(club.slug, stream, batch.events[stream.id])
            if hands:
                yield from _hand_findings(club, rule_book, tables, batch)
        if hands:
            yield from correction_findings(club, tables)


def _hand_findings(
    club: Club, rule_book: RuleBook, tables: CorrectedTables, batch: Batch
) -> Iterator[Finding]:
    """One hand with unreadable rows must not hide the others: a batch that fails is taken hand by hand."""
    try:
        yield from list(hand_findings(club, rule_book, tables, batch))
    except Exception:
        for stream in batch.streams:
            alone = Batch(batch.club_id, [stream], {stream.id: batch.events[stream.id]})
            try:
                yield from list(hand_findings(club, rule_book, tables, alone))
            except Exception as error:
                yield Finding(
                    "unreadable", club.slug, None, stream.name, "", "", f"{type(error).__name__}: {error}"
                )
