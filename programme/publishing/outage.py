"""Since when the database has not answered, and what the log says of it."""

import logging
import time

from feeds.programme import Programme

logger = logging.getLogger(__name__)

# In seconds.
LOG_INTERVAL = 60.0


class Outage:
    """Whether the database is unavailable; logs it once a minute, however often it comes and goes.

    `since` is in monotonic seconds, None while it answers; `reason` is the last one.
    """

    def __init__(self) -> None:
        self.since: float | None = None
        self.reason = ""
        self._quiet_until = 0.0
        self._is_logged = False

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._quiet_until

    def begin(self, reason: str, programme: Programme | None) -> None:
        """Note that the database has not answered, and that readers get a programme, if there is one."""
        self.since = self.since or time.monotonic()
        self.reason = reason
        if not self.is_due:
            return
        self._quiet_until = time.monotonic() + LOG_INTERVAL
        self._is_logged = True
        source = "there is no programme to answer from"
        if programme:
            source = f"readers get the programme of {programme.revision.moved_at:%Y-%m-%d %H:%M:%S %Z}"
        logger.error("The database does not answer (%s); %s.", reason, source)

    def end(self) -> None:
        """Note that the database has answered."""
        self.since = None
        if self._is_logged:
            self._is_logged = False
            logger.warning("The database answers again.")
