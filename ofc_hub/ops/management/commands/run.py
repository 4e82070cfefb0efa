"""`manage.py run`: everything one person needs, in one terminal."""

import io
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from ofc_hub.hands.models import Stream
from ofc_hub.ops.demo import HANDS, SLUG, bring_in, demo_club, shipped_hands
from ofc_hub.ops.processes import Child, first_to_end, port_problem, python_module, stop
from scoring.simulator.hands import SOURCE

START_SECONDS = 60


class Command(BaseCommand):
    help = "Migrate, import the sample hands, then serve the pages and run one worker until Ctrl-C."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.began = time.monotonic()
        self.bind, self.port = settings.BIND, settings.PORT
        if problem := port_problem(self.bind, self.port):
            raise CommandError(
                f"cannot listen on {self.bind}:{self.port}: {problem}. Stop what uses it, or set OFC_PORT."
            )
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGINT, _interrupt)
        try:
            self._prepare()
            self._serve()
        except KeyboardInterrupt:
            self._say("Stopped.")

    def _say(self, text: str) -> None:
        self.stdout.write(f"[{time.monotonic() - self.began:5.1f} s] {text}")
        self.stdout.flush()

    # --- before serving

    def _prepare(self) -> None:
        self._say(f"Database {_database_name()}: migrating ...")
        call_command("migrate", interactive=False, verbosity=0)
        call_command("check", databases=["default"], stdout=io.StringIO())
        if settings.SAMPLES:
            self._import_samples()
        connection.close()

    def _import_samples(self) -> None:
        stored = Stream.objects.filter(club__slug=SLUG, source=SOURCE).count()
        # Counted and not merely looked for: a first start may have been broken off in the middle.
        if stored >= HANDS:
            self._say(f"Club {SLUG!r}: {stored} hands are there.")
            return
        self._say(f"Club {SLUG!r}: importing {HANDS} sample hands ...")
        summary = bring_in(demo_club(SLUG), shipped_hands(), HANDS)
        if not summary.clean:
            raise CommandError(f"not all sample hands could be stored: {summary}")
        self._say(f"Club {SLUG!r}: {summary.stored} hands stored.")

    # --- serving

    def _serve(self) -> None:
        logs = settings.VAR_DIR / "log"
        self._say(f"Starting one worker and the pages (logs in {_short(logs)}/) ...")
        children = [self._worker(logs / "worker.log"), self._web(logs / "web.log")]
        try:
            self._wait_until_ready(children)
            self._say(f"Ready: {self._address()}  (Ctrl-C stops)")
            self._fail(first_to_end(children))
        except KeyboardInterrupt:
            self._say("Stopping ...")
            raise
        finally:
            for name in stop(children):
                self._say(f"The {name} did not stop by itself and was killed.")

    def _worker(self, log: Path) -> Child:
        options = ["--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle"]
        return python_module("worker", ["celery", "-A", "ofc_hub", "worker", *options], log, os.environ)

    def _web(self, log: Path) -> Child:
        bind = f"[{self.bind}]:{self.port}" if ":" in self.bind else f"{self.bind}:{self.port}"
        options = ["--worker-class=gthread", "--threads=8", f"--bind={bind}", "--no-control-socket"]
        return python_module("web server", ["gunicorn", "ofc_hub.wsgi", *options], log, os.environ)

    def _wait_until_ready(self, children: list[Child]) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if ended := first_to_end(children, seconds=0.2):
                self._fail(ended)
            if _healthy(f"{self._address()}health"):
                return
        self._fail(children[-1])

    def _fail(self, child: Child | None) -> None:
        assert child is not None
        raise CommandError(
            f"the {child.name} ended or did not start; the end of {_short(child.log)}:\n{child.last_lines()}"
        )

    def _address(self) -> str:
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - compared with, not bound to
        host = everywhere.get(self.bind, f"[{self.bind}]" if ":" in self.bind else self.bind)
        return f"http://{host}:{self.port}/"


def _interrupt(signal_number: int, frame: object) -> None:
    # TERM ends as Ctrl-C does; a second of either must not cut the stopping short.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own http address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _database_name() -> str:
    name = str(connection.settings_dict["NAME"])
    return _short(Path(name)) if connection.vendor == "sqlite" else f"{name} ({connection.vendor})"


def _short(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR)) if path.is_relative_to(settings.BASE_DIR) else str(path)
