"""`manage.py score`: hands in, results out, line by line and without a database."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from ofc_hub.imports.reader import STANDARD_INPUT, Line, Reader
from scoring.domain.errors import Problem
from scoring.domain.hand import HandState
from scoring.domain.interchange import play, read_hand
from scoring.domain.result_document import result_document
from scoring.domain.scored import score_hands

#: Lines that are scored together: enough that the cost of a batch is shared, few enough to stream.
BATCH = 500


class Command(BaseCommand):
    help = (
        "Score ofc-hand/1 lines and write one ofc-result/1 line for each, in order. A line that cannot be "
        'scored becomes {"line": n, "error": {...}}, and the exit status is 1. Blank lines are skipped.'
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", default=STANDARD_INPUT, help="a file, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        if file != STANDARD_INPUT and (os.path.isdir(file) or not os.access(file, os.R_OK)):
            raise CommandError(f"{file} is not a file that can be read.")
        try:
            refused = write_results(iter(Reader([file])))
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            # Whoever read the results has seen enough; the interpreter must not try to flush again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            refused = True
        if refused:
            sys.exit(1)


def write_results(lines: Iterator[Line]) -> bool:
    """Write the result of every line; whether any was refused."""
    refused = False
    while batch := list(islice(lines, BATCH)):
        for result, is_refusal in results(batch):
            sys.stdout.buffer.write(msgspec.json.encode(result) + b"\n")
            refused = refused or is_refusal
    return refused


def results(batch: Sequence[Line]) -> Iterator[tuple[dict[str, Any], bool]]:
    """For each line its result or refusal, and whether it is a refusal."""
    states = [_state(line) for line in batch]
    scores = iter(score_hands([state for state in states if isinstance(state, HandState)]))
    for line, state in zip(batch, states, strict=True):
        score = state if isinstance(state, Problem) else next(scores)
        if isinstance(state, Problem) or isinstance(score, Problem):
            assert isinstance(score, Problem)
            yield {"line": line.number, "error": score.as_dict()}, True
        else:
            yield result_document(state, score), False


def _state(line: Line) -> HandState | Problem:
    document = line.problem or read_hand(line.text)
    if isinstance(document, Problem):
        return document
    played = play(document)
    return played if isinstance(played, Problem) else played[1]
