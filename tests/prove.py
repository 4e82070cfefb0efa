"""How far the tests of the log's promises go: a short version always, the full one under OFC_PROVE=1."""

import os

PROVING = os.environ.get("OFC_PROVE", "") not in ("", "0")


class Scale(int):
    """A number of hands, rounds, kills, ...: an int that the report of `make prove` finds and names."""


def scale(short: int, full: int) -> int:
    """`full` under OFC_PROVE=1, else `short`, which takes a few seconds.

    Kept in a constant of the test module, the number stands beside the test's outcome in docs/proofs.md.
    """
    return Scale(full if PROVING else short)
