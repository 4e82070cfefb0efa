"""The files of a backup: names, digests, and the manifest."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

FORMAT = "ofc-backup/1"
SUFFIXES: Mapping[str, str] = {"sqlite": ".sqlite3", "postgresql": ".pgdump"}


class BackupError(Exception):
    """Why a backup was not made or not restored, in words for whoever asked for it."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup must be: `rows` by table, `migrations` as app.name, all as of one instant."""

    format: str
    made_at: str
    database: str  # the vendor: sqlite, postgresql
    file: str
    size: int
    sha256: str
    migrations: tuple[str, ...]
    rows: dict[str, int]

    @property
    def row_count(self) -> int:
        return sum(self.rows.values())


def new_name(vendor: str) -> str:
    """`ofc-hub-2026-11-29T201500Z.sqlite3`: sorts by time."""
    return f"ofc-hub-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}{SUFFIXES[vendor]}"


def manifest_of(data: Path) -> Path:
    return data.with_name(data.name + ".json")


def sha256_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_manifest(data: Path, manifest: Manifest) -> None:
    manifest_of(data).write_text(json.dumps(asdict(manifest), indent=1) + "\n")


def read_checked(data: Path) -> Manifest:
    """The manifest of a backup whose data is what was written. Raises BackupError."""
    if not data.is_file():
        raise BackupError(f"{data} is not a file.")
    try:
        read = json.loads(manifest_of(data).read_bytes())
        if read["format"] != FORMAT:
            raise BackupError(f"{manifest_of(data)} has the format {read['format']!r} instead of {FORMAT!r}.")
        manifest = Manifest(**{**read, "migrations": tuple(read["migrations"])})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(
            f"{manifest_of(data)}, the manifest of {data}, cannot be read: {error!r}"
        ) from error
    size = data.stat().st_size
    if size != manifest.size:
        raise BackupError(f"{data} is damaged: {size} bytes instead of {manifest.size}. Nothing was changed.")
    if sha256_of(data) != manifest.sha256:
        raise BackupError(f"{data} is damaged: its SHA-256 is not the manifest's. Nothing was changed.")
    return manifest


def settle(draft: Path, final: Path) -> None:
    """Give a whole file its final name, such that both survive a power cut. Refuses to replace a file."""
    descriptor = os.open(draft, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(draft, final)
    except FileExistsError as error:
        raise BackupError(f"{final} is there already.") from error
    draft.unlink()
    folder = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
