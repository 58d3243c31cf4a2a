"""What the log says of a database that does not answer."""

import logging
import time
from threading import Lock

from feeds.programme import Programme

logger = logging.getLogger(__name__)

# In seconds.
LOG_INTERVAL = 60.0


class OutageLog:
    """Logs that the database is unavailable once a minute, however often it comes and goes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._quiet_until = 0.0
        self._is_open = False

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._quiet_until

    def report(self, reason: str, programme: Programme | None) -> None:
        with self._lock:
            if not self.is_due:
                return
            self._quiet_until = time.monotonic() + LOG_INTERVAL
            self._is_open = True
        source = "there is no programme to answer from"
        if programme:
            source = f"readers get the programme of {programme.revision.moved_at:%Y-%m-%d %H:%M:%S %Z}"
        logger.error("The database does not answer (%s); %s.", reason, source)

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            logger.warning("The database answers again.")
