"""What readers are answered from in this process: the programme in memory, and its present snapshot."""

import logging
import time
from datetime import datetime, timedelta
from threading import RLock

from django.conf import settings
from django.db import Error

from feeds.answers import Answers
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import Revision
from programme import loading

logger = logging.getLogger(__name__)

# A request that began before the clock passed an instant is answered as of after it; only a clock
# that was really set back makes an older snapshot.
LATE = timedelta(seconds=5)


class Present(Snapshot):
    """A snapshot with the answers given in it: they are dropped together."""

    def __init__(self, programme: Programme, now: datetime) -> None:
        super().__init__(programme, now)
        self.answers = Answers(settings.ANSWERS_MB * 1_000_000)

    def serves(self, instant: datetime) -> bool:
        """Return whether a request that began at an instant may be answered from here."""
        return self.covers(instant) or (
            self.begins is not None and self.begins - LATE <= instant < self.begins
        )


class Current:
    """Holds one process's programme and snapshot, and renews them when the revision or the clock moves."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._programme: Programme | None = None
        self._present: Present | None = None
        self._trusted_until = 0.0

    def at(self, instant: datetime) -> Present:
        """Return the snapshot of the programme as it is now, seen from an instant.

        Threads that find it outdated at the same moment make one new one between them.
        """
        present = self._present
        if present is not None and self._is_trusted() and present.serves(instant):
            return present
        with self._lock:
            programme = self._up_to_date()
            present = self._present
            if present is None or present.programme is not programme or not present.serves(instant):
                present = self._present = Present(programme, instant)
            return present

    def doubt(self) -> None:
        """Let the next reader ask for the revision, however short a time it has been trusted."""
        self._trusted_until = 0.0

    def forget(self) -> None:
        """Drop what is held; the next reader loads it anew."""
        with self._lock:
            self._programme = self._present = None
            self._trusted_until = 0.0

    def _is_trusted(self) -> bool:
        return time.monotonic() < self._trusted_until

    def _up_to_date(self) -> Programme:
        """Return the programme at the database's revision, asking for it unless it is trusted still."""
        if self._programme is None or not self._is_trusted():
            try:
                self._renew(loading.revision())
            except Error:
                # Readers are answered from memory while the database is away.
                if self._programme is None:
                    raise
                logger.exception("The database does not answer; serving the programme in memory")
            self._trusted_until = time.monotonic() + settings.REVISION_TRUST_MS / 1000
        return self._programme  # type: ignore[return-value]

    def _renew(self, revision: Revision) -> None:
        if self._programme is None or self._programme.revision != revision:
            self._programme = loading.load(self._programme)


current = Current()
