"""Report of refused lines: `ofc-refused/1`, one JSON object a line, to be repaired and imported again.

Keys: `format`, `file`, `line` (from 1), `code`, `path`, `message`, `found`, `expected` and the line itself
as `text`, or as `base64` when it is not UTF-8. To repair a line, mend the hand inside `text` (or put the
mended line in place of the whole object) and import the report like any other file.
"""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

import msgspec

from scoring.domain.errors import Problem

FORMAT = "ofc-refused/1"
ENDING = ".refused.ndjson"
SHOWN_OF_A_LONG_LINE = 1 << 10
"""Bytes kept of a line longer than the reader takes: the whole of it stays in its file."""
LONGEST_LINE = 8 << 20
"""Bytes of a line that is read. A refused line grows by its escapes when it is written into a report."""
_MARK = b'"ofc-refused/1"'


class Line(NamedTuple):
    """One line that is not blank. `problem` says why its text cannot be used at all."""

    file: str
    number: int
    text: bytes
    problem: Problem | None = None


class _RefusedLine(msgspec.Struct):
    format: str
    text: str | None = None
    base64: str | None = None


_decoder = msgspec.json.Decoder(_RefusedLine)


def is_refused_line(text: bytes) -> bool:
    """Whether a line comes from a report: `format` says so, wherever in the line it stands."""
    if _MARK not in text:
        return False
    try:
        return bool(_decoder.decode(text).format == FORMAT)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False


def repaired_text(text: bytes) -> bytes | Problem:
    """The line inside a line of a report."""
    line = _decoder.decode(text)
    try:
        if line.text is not None:
            return line.text.strip().encode()
        return base64.b64decode(line.base64 or "", validate=True).strip()
    except (UnicodeEncodeError, binascii.Error):
        return Problem("report-broken", "base64", "The refused line inside the report cannot be read.")


def default_report(file: str) -> Path:
    """The report of `file` in the working directory; of a report, one with another name than its own."""
    name = "stdin" if file == "-" else Path(file).name
    for ending in (".gz", ".ndjson", ".jsonl", ".json"):
        name = name.removesuffix(ending)
    return Path(name + ENDING)


class RefusedReport:
    """Writes the report beside its name and puts it there at the end; with no refused line there is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._draft = path.with_name(f"{path.name}.{os.getpid()}.part")
        self._out: BinaryIO | None = None

    def add(self, line: Line, problem: Problem) -> None:
        if self._out is None:
            self._out = self._draft.open("wb")
        entry = {"format": FORMAT, "file": line.file, "line": line.number, **problem.as_dict()}
        if len(line.text) > LONGEST_LINE:
            entry |= _readable(line.text[:SHOWN_OF_A_LONG_LINE]) | {"cut": True}
        else:
            entry |= _readable(line.text)
        self._out.write(msgspec.json.encode(entry) + b"\n")
        self.count += 1

    def __enter__(self) -> RefusedReport:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: BaseException | TracebackType | None) -> None:
        """What was refused until an error is kept as well."""
        if self._out is None:
            if kind is None:
                self.path.unlink(missing_ok=True)
            return
        self._out.close()
        self._draft.replace(self.path)


def _readable(text: bytes) -> dict[str, Any]:
    try:
        return {"text": text.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode()}
