"""The surroundings of `manage.py run`: a server of one's own that needs no service and no configuration."""

from collections.abc import MutableMapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO_DATABASE = "demo.sqlite3"
DEMO_BROKER = "demo-broker"


def choose_environment(environment: MutableMapping[str, str]) -> None:
    """Fill in what was not said: a database and a broker folder of the demo's own, a generated key.

    Where DATABASE_URL names a database, nothing of the demo goes into it (OFC_SAMPLES=1 asks for that).
    """
    folder = Path(environment.get("OFC_VAR_DIR") or ROOT / "var").resolve()
    demo = not environment.get("DATABASE_URL")
    environment["OFC_EMBEDDED"] = "1"
    environment.setdefault("OFC_SAMPLES", "1" if demo else "0")
    if demo:
        environment["DATABASE_URL"] = f"sqlite:///{folder / DEMO_DATABASE}"
        environment.setdefault("OFC_BROKER_DIR", str(folder / DEMO_BROKER))
