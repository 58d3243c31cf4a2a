"""What the start page shows: the programme at a glance, and the way to every representation."""

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from msgspec.structs import replace

from feeds.formats import FORMATS, Format
from feeds.selection import Days, Moment, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from feeds.wording import WORDS, day_name
from pages.facts import web
from pages.occasions import Line, lines
from pages.words import Words

SHOWN = 5
# What people open to look at, and what programs read.
TO_LOOK_AT, TO_READ = "qx1", "json"


class DayLine(NamedTuple):
    """A festival day, how many occasions it has, and where they are listed."""

    date: str
    name: str
    today: str
    size: str
    path: str


class FormatLine(NamedTuple):
    label: str
    extension: str
    media_types: tuple[str, ...]
    path: str


class Example(NamedTuple):
    """A selection and the address that asks for it."""

    label: str
    path: str


class StartPage:
    """The start page in one language."""

    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.programme = snapshot.programme
        self.language = language
        self.words = Words(language)

    @property
    def subtitle(self) -> str:
        return self.programme.festival.subtitle.within(self.language)

    @property
    def website(self) -> str:
        return web(self.programme.festival.website)

    @property
    def size(self) -> str:
        events, occasions = len(self.programme.by_event), len(self.programme.occasions)
        return f"{self.words.events(events)}, {self.words.occasions(occasions)}"

    @property
    def now(self) -> list[Line]:
        return self._first(Moment.NOW)

    @property
    def upcoming(self) -> list[Line]:
        return self._first(Moment.UPCOMING)

    @property
    def all_now(self) -> str:
        return self._path(TO_LOOK_AT, moments=(Moment.NOW,))

    @property
    def all_upcoming(self) -> str:
        return self._path(TO_LOOK_AT, moments=(Moment.UPCOMING,))

    @property
    def days(self) -> list[DayLine]:
        return [
            DayLine(
                date=day.isoformat(),
                name=self._day_name(day),
                today=WORDS[self.language].today if day == self.snapshot.today else "",
                size=self.words.occasions(len(places)),
                path=self._path(TO_LOOK_AT, days=(Days(day, day),)),
            )
            for day, places in sorted(self.programme.index.by_day.items())
        ]

    @property
    def formats(self) -> list[FormatLine]:
        return [self._format_line(each, self._path(each.extension)) for each in FORMATS]

    @property
    def area_formats(self) -> list[FormatLine]:
        return [
            self._format_line(each, f"/api/areas.{each.extension}") for each in FORMATS if each.write_areas
        ]

    @property
    def examples(self) -> list[Example]:
        titles = self.programme.index.titles
        examples = [
            Example(", ".join(titles(each)), _path(TO_READ, each)) for each in self._example_selections()
        ]
        other: LanguageCode = "sv" if self.language == "en" else "en"
        return [*examples, Example(self.words.in_other_language, _path(TO_READ, Selection(language=other)))]

    def _format_line(self, declared: type[Format], path: str) -> FormatLine:
        return FormatLine(
            declared.label.within(self.language), declared.extension, declared.media_types, path
        )

    def _first(self, moment: Moment) -> list[Line]:
        found = self.snapshot.find(Selection(moments=(moment,)))
        return lines(self.snapshot, found[:SHOWN], self.language)

    def _day_name(self, day: date) -> str:
        this_year = day.year == self.snapshot.today.year
        return day_name(day, self.language) if this_year else self.words.day(day)

    def _example_selections(self) -> Iterator[Selection]:
        selections = [Selection(moments=(moment,)) for moment in Moment]
        areas = [area for area in self.programme.areas if self.snapshot.counts(area).occasions]
        if areas:
            name = (areas[0].name,)
            selections += [Selection(areas=name), Selection(moments=(Moment.TODAY,), areas=name)]
        for each in (*selections, Selection(highlighted=True)):
            yield replace(each, language=self.language)

    def _path(self, extension: str, **selection: Any) -> str:
        return _path(extension, Selection(**selection, language=self.language))


def _path(extension: str, selection: Selection) -> str:
    query = selection.query
    return f"/api/events.{extension}{'?' if query else ''}{query}"
