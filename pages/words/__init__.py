"""The Swedish and English words of the pages, side by side; days and spans are in `feeds.wording`."""

from datetime import date, datetime, time

from feeds.wording import EN_DASH, format_clock, format_day, format_opening_hours
from pages.words.api import ApiWords
from pages.words.invalid_request import InvalidRequestWords
from pages.words.my_programme import MyProgrammeWords
from pages.words.occasion import OccasionWords
from pages.words.programme import ProgrammeWords
from pages.words.shared import ErrorWords, SharedWords
from pages.words.subscribing import SubscribeWords
from pages.words.word import Word

__all__ = ["Word", "Words"]


class Words(
    SharedWords,
    OccasionWords,
    ProgrammeWords,
    SubscribeWords,
    MyProgrammeWords,
    ApiWords,
    InvalidRequestWords,
    ErrorWords,
):
    """The words of one language."""

    def occasions(self, count: int) -> str:
        if self.language == "en":
            return f"{count} occasion" if count == 1 else f"{count} occasions"
        return f"{count} tillfälle" if count == 1 else f"{count} tillfällen"

    def events(self, count: int) -> str:
        if self.language == "en":
            return f"{count} event" if count == 1 else f"{count} events"
        return f"{count} evenemang"

    def day(self, day: date) -> str:
        """Return `fredag 31 juli 2026`."""
        return f"{format_day(day, self.language)} {day.year}"

    def moment(self, local: datetime) -> str:
        """Return `fredag 31 juli 2026 kl. 14:00`."""
        at = ", " if self.language == "en" else " kl. "
        return f"{self.day(local.date())}{at}{format_clock(local)}"

    def ending(self, start: datetime, end: datetime) -> tuple[str, str]:
        """Return what joins an end to its start, and the end: its clock time alone on the same date."""
        if start.date() == end.date():
            return EN_DASH, format_clock(end)
        return (" to " if self.language == "en" else " till "), self.moment(end)

    def hours(self, opens: time | None, closes: time | None) -> str:
        """Return `10:00–18:00`, `från 10:00` or `till 18:00`; '' where neither is known."""
        if span := format_opening_hours(opens, closes):
            return span
        known = opens or closes
        return (self.opens if opens else self.closes).format(format_clock(known)) if known else ""

    def produced(self, production: int) -> str:
        """Return how an event is produced in words, '' where it is not stated (decisions, "Values")."""
        return {1: self.by_festival, 2: self.together, 3: self.by_others}.get(production, "")
