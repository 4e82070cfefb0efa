"""Django's SQLite, but writers who wait for their turn all have the same chance to get it.

SQLite's own waiting doubles its pauses up to 100 ms: whoever has waited longest looks least often, and beside
busy writers he may find the file locked at every look until his time is up.
"""

import random
import time

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

LONGEST_PAUSE_SECONDS = 0.004
BUSY = "database is locked"


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        """BEGIN, tried every few milliseconds for the seconds of the option `timeout`."""
        seconds = float(self.settings_dict["OPTIONS"].get("timeout", 5.0))
        end = time.monotonic() + seconds
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            while not self._began():
                if time.monotonic() > end:
                    raise OperationalError(BUSY)
                time.sleep(random.uniform(0, LONGEST_PAUSE_SECONDS))  # noqa: S311
        finally:
            # Statements outside transactions, and what else SQLite waits for, wait as they did.
            self.connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")

    def _began(self) -> bool:
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as error:
            if str(error) == BUSY:
                return False
            raise
        return True
