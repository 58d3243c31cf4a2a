"""What the check of the running service has found; the last report is kept in a file, not in the database."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path

import msgspec
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_noop

Values = dict[str, str | int]

# Feeds are called by their extensions.
LABELS = {
    "service": gettext_noop("The service"),
    "certificate": gettext_noop("Certificate"),
    "clock": gettext_noop("Clock"),
    "backup": gettext_noop("Backup"),
}


class Level(StrEnum):
    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


# In the order of their exit codes.
LEVELS = list(Level)


class Finding(msgspec.Struct, frozen=True):
    """What one check says: an English sentence with values, so that each reader gets it in their language."""

    check: str
    level: Level
    sentence: str
    values: Values = {}

    @property
    def text(self) -> str:
        return translation.gettext(self.sentence) % self.values

    @property
    def label(self) -> str:
        return translation.gettext(LABELS[self.check]) if self.check in LABELS else self.check


class Report(msgspec.Struct, frozen=True):
    """The findings of one run, which ended at `at`; which checks the last e-mail called red, and when."""

    at: datetime
    seconds: float
    base_url: str
    findings: list[Finding]
    alerted: list[str] = []
    alerted_at: datetime | None = None

    @property
    def level(self) -> Level:
        return max((each.level for each in self.findings), key=LEVELS.index, default=Level.GREEN)

    @property
    def red(self) -> list[Finding]:
        return [each for each in self.findings if each.level is Level.RED]


def save(report: Report) -> None:
    """Replace the last report. Raises OSError."""
    path = Path(settings.DATA_DIR) / "check.json"
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(report))
    new.replace(path)


def read_last() -> Report | None:
    """Return the last report; None if there is none that this version can read."""
    try:
        return msgspec.json.decode((Path(settings.DATA_DIR) / "check.json").read_bytes(), type=Report)
    except (OSError, msgspec.MsgspecError):
        return None
