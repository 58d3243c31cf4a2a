"""Occasions as rows, and dates, times and counts in the words of the active language."""

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from datetime import date, datetime, time
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.facts import list_marks, list_urgent
from feeds.festival_time import FestivalTime
from feeds.memoization import memoize
from feeds.names import fold
from feeds.selection import Days, find_days
from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, LanguageCode, Occasion, Place, build_occasion_path
from feeds.wording import (
    EN_DASH,
    format_clock,
    format_day,
    format_full_date,
    format_move,
    format_near_day,
    format_opening_hours,
    format_relative_day,
    list_news,
)
from pages.calendars import shorten
from programme.models.image_sizes import list_cut


def format_moment(local: datetime, language: LanguageCode) -> str:
    """Return `fredag 31 juli 2026 kl. 14:00`."""
    return _("{day}, {time}").format(day=format_full_date(local.date(), language), time=format_clock(local))


def describe_opening_hours(opens: time | None, closes: time | None) -> str:
    """Return `10:00–18:00`, `från 10:00` or `till 18:00`; '' if neither is known."""
    if opens and not closes:
        return _("from {}").format(format_clock(opens))
    if closes and not opens:
        return _("until {}").format(format_clock(closes))
    return format_opening_hours(opens, closes) or ""


def count_occasions(count: int) -> str:
    return ngettext("%(count)s event", "%(count)s events", count) % {"count": count}


# The most characters of a row's text.
TEXT_WIDTH = 72
MARKS_JOINT = " · "
# Language tags (BCP 47) of titles. Codes of three letters are excluded: among them are sign languages and
# `zxx`, no language.
WRITTEN_LANGUAGE = re.compile(r"[A-Za-z]{2}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")


def render_row(template: str, row: NamedTuple, facts: "OccasionRow") -> SafeString:
    """Render a row, unless the last of its kind was equal: most do not change between snapshots."""
    kind, values = f"{type(row).__name__} {facts.language}", (facts[1:], row[1:])
    kept: tuple[Any, SafeString] = vars(facts.occasion).get(kind, ((), SafeString()))
    if kept[0] != values:
        # Overriding takes twice as long as this check, and within a page the language is active.
        is_active = translation.get_language() == facts.language
        with nullcontext() if is_active else translation.override(facts.language):
            kept = values, render_to_string(f"pages/{template}.html", {"row": row})
        vars(facts.occasion)[kind] = kept
    return kept[1]


def write_news(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> SafeString:
    """Return the former time and place of an occasion and the note of the change as HTML, '' without."""
    parts = (
        (format_html(' lang="{}"', other) if other else "", text)
        for text, other in list_news(occasion, festival, language)
    )
    return format_html_join(" ", "<bdi{}>{}</bdi>", parts)


def write_urgent(occasion: Occasion, language: LanguageCode) -> str:
    """Return the urgent marks, '' for a cancelled occasion."""
    return "" if occasion.cancelled else write_marks(occasion.facts, language)[0]


@lru_cache(4096)
def write_marks(facts: tuple[str, ...], language: LanguageCode) -> tuple[str, str]:
    """Return the marks of facts in lists: the urgent ones, and the others."""
    urgent = [*list_urgent(facts)]
    quiet = [each for each in list_marks(facts) if each not in urgent]
    joined = (MARKS_JOINT.join(each.within(language) for each in marks) for marks in (urgent, quiet))
    return next(joined), next(joined)


def find_title_language(event: Event, language: LanguageCode) -> str:
    """Return the event's language as its title's; '' if it is the page's or not a written language."""
    code = event.language.code if event.language else ""
    return code if WRITTEN_LANGUAGE.fullmatch(code) and code != language else ""


def name_place(place: Place, unsaid: frozenset[str]) -> str:
    """Return a place's name, without a location in `unsaid` before its room."""
    if place.room and fold(place.location.name) in unsaid:
        return place.room.name
    return place.full_name


class OccasionRow(NamedTuple):
    occasion: Occasion
    language: LanguageCode
    id: int
    path: str
    start: str
    times: str
    # The times with dates for printing, if they differ.
    dated: str
    title: str
    place: str
    area: str
    area_id: int
    type: str
    cancelled: bool
    changed: bool
    # `flyttad från 15:00`, if the change is recent.
    moved: str
    news: SafeString
    highlighted: bool
    # The urgent and the other marks of facts: `Fullt`, `Fri entré · För barn`.
    urgent: str
    marks: str
    # The address of its small, cropped image.
    picture: str = ""
    # The beginning of its text, and the text's language if it is not the page's.
    text: str = ""
    text_language: str = ""
    title_language: str = ""

    @property
    def as_list_item(self) -> SafeString:
        return render_row("list_row", self, self)


class PresentPart(NamedTuple):
    """The fields of a row that depend on the current time, and on the day of its heading."""

    times: str
    dated: str
    changed: bool


@memoize
def build_fields(
    occasion: Occasion,
    festival: FestivalTime,
    language: LanguageCode,
    unsaid: frozenset[str],
    present: PresentPart,
) -> tuple[Any, ...]:
    """Return the fields of a row after its occasion, memoized: most do not change between snapshots."""
    event, place = occasion.event, name_place(occasion.place, unsaid) if occasion.place else ""
    # A place such as `Hamnplan, H204` names its area, which is left out.
    is_said = place.startswith(event.area.name) and not place[len(event.area.name) :][:1].isalnum()
    picture = event.picture
    cut = list_cut(picture.width, picture.height, picture.focus)[0].name if picture else ""
    row = OccasionRow(
        occasion=occasion,
        language=language,
        id=occasion.id,
        path=build_occasion_path(occasion.id, language),
        start=festival.span(occasion.start, occasion.end).start.isoformat(timespec="minutes"),
        **present._asdict(),
        title=event.title,
        place=place,
        area="" if is_said else event.area.name,
        area_id=event.area.id,
        type=event.type.name.within(language),
        cancelled=occasion.cancelled,
        moved=format_move(occasion, festival, language) if present.changed else "",
        news=write_news(occasion, festival, language),
        highlighted=event.highlighted,
        urgent=write_urgent(occasion, language),
        marks=write_marks(occasion.facts, language)[1],
        picture=f"{picture.folder}{cut}" if picture else "",
        text=shorten(event.intro.within(language), TEXT_WIDTH),
        text_language=event.intro.find_other_language(language),
        title_language=find_title_language(event, language),
    )
    return row[1:]


class StartGroup(NamedTuple):
    """The occasions that begin at the same time; `anchor` is the target of links to it, '' without any."""

    clock: str
    rows: list[OccasionRow]
    anchor: str = ""


class DayRows(NamedTuple):
    date: str
    name: str
    rows: list[OccasionRow]


class RowBuilder:
    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.language = language

    @cached_property
    def unsaid(self) -> frozenset[str]:
        """Folded names to leave out: the festival, or the only location, as locations of rooms."""
        programme = self.snapshot.programme
        locations = {each.place.location.name for each in programme.occasions if each.place}
        common = locations if len(locations) == 1 else ()
        names = (programme.festival.name.sv, programme.festival.name.en, *common)
        return frozenset(map(fold, names))

    def build(self, occasion: Occasion, day: date | None = None) -> OccasionRow:
        """Return the row of an occasion under the heading of a festival day, by default its own."""
        times, dated = (self.format_times(occasion, day, is_dated=each) for each in (False, True))
        changed = not occasion.cancelled and self.snapshot.is_updated(occasion)
        festival = self.snapshot.programme.site.time
        present = PresentPart(times, "" if dated == times else dated, changed)
        return OccasionRow(occasion, *build_fields(occasion, festival, self.language, self.unsaid, present))

    def format_times(self, occasion: Occasion, day: date | None = None, *, is_dated: bool = False) -> str:
        """Return `14:00–15:00`, with the date if it differs from the heading's, as after midnight."""
        span = self.snapshot.programme.span(occasion)
        format_date = format_near_day if is_dated else format_relative_day

        def name(moment: datetime) -> str:
            return f"{format_date(moment.date(), self.snapshot.date, self.language)} "

        first = "" if span.start.date() == span.day == (day or span.day) else name(span.start)
        last = name(span.end) if span.is_long else ""
        return f"{first}{format_clock(span.start)}{EN_DASH}{last}{format_clock(span.end)}"

    def format_when(self, occasion: Occasion) -> str:
        """Return `idag 14:00–15:00`, or `pågår till 15:00` for a running occasion."""
        snapshot, span = self.snapshot, self.snapshot.programme.span(occasion)
        if not occasion.start <= snapshot.now < occasion.end:
            return snapshot.time_span(occasion, self.language)
        end = span.end.date()
        is_said = span.is_long and end != snapshot.date
        day = f"{format_relative_day(end, snapshot.date, self.language)} " if is_said else ""
        return _("on until {}").format(f"{day}{format_clock(span.end)}")

    def group_by_start(self, occasions: Iterable[Occasion]) -> list[StartGroup]:
        starts = groupby(occasions, key=lambda each: format_clock(self.snapshot.programme.span(each).start))
        return [StartGroup(start, [self.build(each) for each in group]) for start, group in starts]

    def group_by_day(self, occasions: Iterable[Occasion]) -> list[DayRows]:
        """Return ordered occasions by festival day."""
        return [
            DayRows(day.isoformat(), self.name_day(day), [self.build(each, day) for each in group])
            for day, group in self.split_days(occasions)
        ]

    def name_day(self, day: date) -> str:
        """Return `fredag 31 juli`, with the year if it is not the present one."""
        this_year = day.year == self.snapshot.date.year
        return format_day(day, self.language) if this_year else format_full_date(day, self.language)

    def split_days(
        self, occasions: Iterable[Occasion], during: Iterable[Days] = ()
    ) -> Iterator[tuple[date, Iterator[Occasion]]]:
        """Yield occasions by their day, or by the first of the requested days on which they continue."""
        asked = [find_days(each, self.snapshot.today) for each in during]
        span = self.snapshot.programme.span

        def find_day(occasion: Occasion) -> date:
            day = span(occasion).day
            if any(each.first <= day <= each.last for each in asked):
                return day
            return min((each.first for each in asked if day < each.first), default=day)

        return groupby(occasions, key=find_day)
