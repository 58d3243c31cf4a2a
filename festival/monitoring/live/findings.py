"""What the check of the running service finds: a level and a sentence each, in the reader's language."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from django.utils import translation
from django.utils.translation import gettext as _

from festival.monitoring.live.texts import CHECKS, TEXTS

# Of one check, so many findings are kept: a broken feed differs in every line.
MOST_OF_A_CHECK = 5


class Level(StrEnum):
    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


# The check of whether there is any response.
SERVICE = "service"
NO_RESPONSE = {"no_answer", "unreachable", "too_slow"}
SERVER_ERRORS = 500

# In the order of their exit codes.
LEVELS = list(Level)
Values = dict[str, str | int | float]


class Finding(msgspec.Struct, frozen=True):
    """What one check says: `code` names its sentence in `texts.py`, with these values."""

    check: str
    level: Level
    code: str
    values: Values = {}

    @property
    def text(self) -> str:
        template = TEXTS.get(self.code)
        try:
            return translation.gettext(template) % self.values if template else self.code
        except (KeyError, ValueError, TypeError):
            # Of another version.
            return self.code

    @property
    def label(self) -> str:
        return label_of(self.check)


def label_of(check: str) -> str:
    kind, _dot, extension = check.partition(".")
    if kind == "feed":
        return _("Feed %(extension)s") % {"extension": f".{extension}"}
    return translation.gettext(CHECKS[check]) if check in CHECKS else check


def green(check: str, code: str, **values: Any) -> Finding:
    return Finding(check, Level.GREEN, code, values)


def yellow(check: str, code: str, **values: Any) -> Finding:
    return Finding(check, Level.YELLOW, code, values)


def red(check: str, code: str, **values: Any) -> Finding:
    return Finding(check, Level.RED, code, values)


class Report(msgspec.Struct, frozen=True):
    """All findings of one run, which ended at `at` after `seconds`."""

    at: datetime
    seconds: float
    base_url: str
    findings: list[Finding]

    @property
    def level(self) -> Level:
        return worst(self.findings)

    def causes(self) -> dict[str, list[Finding]]:
        """Return the red findings by check."""
        found: dict[str, list[Finding]] = {}
        for each in self.findings:
            if each.level is Level.RED:
                found.setdefault(each.check, []).append(each)
        return found

    def levels(self) -> dict[str, Level]:
        """Return the worst level of each check."""
        checks = dict.fromkeys(each.check for each in self.findings)
        return {name: worst(each for each in self.findings if each.check == name) for name in checks}


def worst(findings: Iterable[Finding]) -> Level:
    return max((each.level for each in findings), key=LEVELS.index, default=Level.GREEN)


def attribute(finding: Finding) -> Finding:
    """Return a finding as one of the whole service if it is about no response: that is one cause, not ten."""
    status = finding.values.get("status", 0) if finding.code == "status" else 0
    if finding.code in NO_RESPONSE or int(status) >= SERVER_ERRORS:
        return Finding(SERVICE, finding.level, finding.code, finding.values)
    return finding


def merge_failures(findings: list[Finding], url: str) -> list[Finding]:
    """Return the findings on a service of which nothing answered, with one instead of all failures."""
    first = next((each for each in findings if each.code == "no_answer"), None)
    if first is None:
        return findings
    # Without a connection there is no encrypted one either.
    others = [each for each in findings if each.code not in {*NO_RESPONSE, "no_certificate"}]
    return [red(SERVICE, "nothing_answers", url=url, reason=first.values["reason"]), *others]


def limit(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield findings, at most a few of each check and level, but all green ones."""
    counts: dict[tuple[str, Level], int] = {}
    for each in findings:
        key = each.check, each.level
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= MOST_OF_A_CHECK or each.level is Level.GREEN:
            yield each
