"""Lines of files of any size, one after the other: plain or gzip, from disk or standard input."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, cast

from scoring.domain.errors import Problem

from .refused import LONGEST_LINE, Line, is_refused_line, repaired_text

STANDARD_INPUT = "-"
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Reader:
    """Iterate over the lines of `files`; `position` is how many bytes of them have been read so far."""

    files: Sequence[str]
    position: int = 0
    _finished: int = field(default=0, init=False)

    @property
    def size(self) -> int | None:
        """Bytes to read in all, None when standard input or a pipe is among the files."""
        if any(not os.path.isfile(file) for file in self.files):
            return None
        return sum(os.path.getsize(file) for file in self.files)

    def __iter__(self) -> Iterator[Line]:
        for file in self.files:
            yield from self._lines_of(file)

    def _lines_of(self, file: str) -> Iterator[Line]:
        raw = sys.stdin.buffer if file == STANDARD_INPUT else open(file, "rb")  # noqa: SIM115
        number = 0
        try:
            for number, text in enumerate(_whole_lines(_unpacked(raw)), 1):
                self._advance(raw, len(text))
                if line := _line(file, number, text):
                    yield line
        except (EOFError, OSError, zlib.error) as error:
            yield Line(file, number + 1, b"", Problem("file-broken", "", f"The file breaks off: {error}."))
        finally:
            self._finished = self.position
            if file != STANDARD_INPUT:
                raw.close()

    def _advance(self, raw: BinaryIO, length: int) -> None:
        try:
            self.position = self._finished + raw.tell()
        except OSError:
            self.position += length


def _unpacked(raw: BinaryIO) -> BinaryIO:
    """Packed or not is seen in the first bytes, so that it works for standard input and any name."""
    packed = raw.peek(2)[:2] == GZIP_MAGIC  # type: ignore[attr-defined]
    return cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Every line; of one beyond LONGEST_LINE only the beginning, one byte too long, the rest is skipped."""
    while text := stream.readline(LONGEST_LINE + 1):
        part = text
        while len(part) > LONGEST_LINE and not part.endswith(b"\n"):
            part = stream.readline(LONGEST_LINE + 1)
        yield text


def _line(file: str, number: int, text: bytes) -> Line | None:
    if number == 1:
        text = text.removeprefix(BYTE_ORDER_MARK)
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST_LINE:
        message = "The line is longer than any that can be read."
        return Line(file, number, text, Problem("line-too-long", "", message, None, LONGEST_LINE))
    if is_refused_line(text):
        repaired = repaired_text(text)
        if isinstance(repaired, Problem):
            return Line(file, number, text, repaired)
        return Line(file, number, repaired)
    return Line(file, number, text)
