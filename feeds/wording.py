"""The Swedish and English words of generated texts, in tables of our own (decisions, "timeSpan")."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Generic, TypeVar
from unicodedata import bidirectional

from feeds.facts import NOT_BOOKED, list_urgent
from feeds.festival_time import FestivalTime, LocalSpan
from feeds.vocabulary import LANGUAGES, LanguageCode, Occasion, safe_url

EN_DASH = "–"

Entry = TypeVar("Entry")


class Word(Generic[Entry]):
    """A descriptor: the entry of a table of words in the table's language."""

    def __init__(self, sv: Entry, en: Entry) -> None:
        self.entries: Mapping[LanguageCode, Entry] = {"sv": sv, "en": en}

    def __get__(self, words: "Words", _owner: type["Words"]) -> Entry:
        return self.entries[words.language]


class Words:
    """A table of words in one language."""

    def __init__(self, language: LanguageCode) -> None:
        self.language = language


class FeedWords(Words):
    """The words of feeds; days from Monday, months from January."""

    days = Word(
        ("måndag", "tisdag", "onsdag", "torsdag", "fredag", "lördag", "söndag"),
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    )
    months = Word(
        (
            *("januari", "februari", "mars", "april", "maj", "juni"),
            *("juli", "augusti", "september", "oktober", "november", "december"),
        ),
        (
            *("January", "February", "March", "April", "May", "June"),
            *("July", "August", "September", "October", "November", "December"),
        ),
    )
    yesterday = Word("igår", "yesterday")
    today = Word("idag", "today")
    tomorrow = Word("imorgon", "tomorrow")
    now = Word("nu", "now")
    upcoming = Word("kommande", "upcoming")
    event = Word(("programpunkt", "programpunkter"), ("event", "events"))
    organizer = Word("Arrangör", "Organizer")
    highlighted = Word("höjdpunkter", "highlights")
    sign_interpreted = Word("teckenspråkstolkat", "sign language interpreted")
    chosen = Word("mitt program", "my programme")
    after = Word("efter {}", "after {}:00")
    quoted = Word("”{}”", "“{}”")
    no_sub_area = Word("utan delområde", "in no sub area")
    programme_of = Word("Programpunkter under", "Programme items during")
    cancelled = Word("INSTÄLLT", "CANCELLED")
    changed = Word("ÄNDRAT.", "CHANGED.")
    moved_from = Word("flyttad från {}", "moved from {}")
    price = Word("Pris", "Price")
    read_more = Word("Läs mer", "Read more")
    book = Word("Boka", "Book")
    book_from = Word("Boka från {}", "Book from {}")

    @property
    def days_short(self) -> tuple[str, ...]:
        return tuple(day[:3] for day in self.days)

    @property
    def months_short(self) -> tuple[str, ...]:
        return tuple(month[:3] for month in self.months)


WORDS: Mapping[LanguageCode, FeedWords] = {each: FeedWords(each) for each in LANGUAGES}


# The blocks of all letters written from right to left, and the right-to-left mark.
_MAY_TURN = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def isolate(text: str) -> str:
    """Return a text after which times are not reversed to `21:00–19:00` (Unicode Standard Annex 9)."""
    turns = _MAY_TURN.search(text) and any(bidirectional(letter) in {"R", "AL"} for letter in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if turns else text


def format_clock(instant: time | datetime) -> str:
    return _clock(instant.hour, instant.minute)


@lru_cache(maxsize=24 * 60)
def _clock(hour: int, minute: int) -> str:
    return f"{hour:02}:{minute:02}"


def format_day(day: date, language: LanguageCode) -> str:
    """Return weekday, day number and month: `onsdag 29 juli`."""
    words = WORDS[language]
    return f"{words.days[day.weekday()]} {day.day} {words.months[day.month - 1]}"


@lru_cache(maxsize=1024)
def format_full_date(day: date, language: LanguageCode) -> str:
    """Return weekday, day number, month and year: `onsdag 29 juli 2026`."""
    return f"{format_day(day, language)} {day.year}"


def format_date(day: date, language: LanguageCode) -> str:
    """Return day number, month and year: `29 juli 2026`."""
    return f"{day.day} {WORDS[language].months[day.month - 1]} {day.year}"


@lru_cache(maxsize=1024)
def format_relative_day(day: date, today: date, language: LanguageCode) -> str:
    """Return `idag`, `imorgon`, `igår`, else `ons 29 jul`, with the year if it is not today's."""
    words = WORDS[language]
    near = {-1: words.yesterday, 0: words.today, 1: words.tomorrow}.get((day - today).days)
    return near or format_near_day(day, today, language)


@lru_cache(maxsize=1024)
def format_short_date(day: date, language: LanguageCode) -> str:
    """Return `ons 29 jul 2026`."""
    return f"{_format_short_day(day, language)} {day.year}"


def _format_short_day(day: date, language: LanguageCode) -> str:
    words = WORDS[language]
    return f"{words.days_short[day.weekday()]} {day.day} {words.months_short[day.month - 1]}"


def format_opening_hours(opens: time | None, closes: time | None) -> str | None:
    """Return `10:00–18:00`, or None unless both ends are known."""
    if opens is None or closes is None:
        return None
    return f"{format_clock(opens)}{EN_DASH}{format_clock(closes)}"


def format_clocks(span: LocalSpan) -> str:
    """Return the wall-clock times of a span: `22:00–04:00`."""
    return f"{format_clock(span.start)}{EN_DASH}{format_clock(span.end)}"


def format_time_span(span: LocalSpan, today: date, language: LanguageCode) -> str:
    """Return `idag 14:00–15:00`; from 24 hours on both days, `fre 31 jul 22:00–sön 2 aug 04:00`."""
    return _join_span(span, lambda day: format_relative_day(day, today, language))


def format_dated_span(span: LocalSpan, language: LanguageCode) -> str:
    """Return a span independent of the current time: `ons 29 jul 2026 14:00–15:00`."""
    return _join_span(span, lambda day: format_short_date(day, language))


def format_full_span(span: LocalSpan, language: LanguageCode) -> str:
    """Return a span without abbreviations: `onsdag 29 juli 2026 14:00–15:00`."""
    return _join_span(span, lambda day: format_full_date(day, language))


def _join_span(span: LocalSpan, format_date_of: Callable[[date], str]) -> str:
    first = format_date_of(span.start.date())
    if not span.is_long:
        return f"{first} {format_clocks(span)}"
    last = format_date_of(span.end.date())
    return f"{first} {format_clock(span.start)}{EN_DASH}{last} {format_clock(span.end)}"


def format_cancellation(occasion: Occasion, language: LanguageCode) -> str:
    """Return `INSTÄLLT.` with the note of the change, if any; '' if the occasion is not cancelled."""
    if not occasion.cancelled:
        return ""
    return f"{WORDS[language].cancelled}. {occasion.change_info.within(language)}".rstrip()


def format_change(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `INSTÄLLT.` with the note, or `ÄNDRAT.` with the news; '' for neither."""
    if occasion.cancelled or occasion.changed_at is None:
        return format_cancellation(occasion, language)
    return f"{WORDS[language].changed} {format_news(occasion, festival, language)}".rstrip()


def format_news(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `Flyttad från 15:00.` and the note of the change, each if there is one."""
    return " ".join(text for text, _ in list_news(occasion, festival, language))


def format_urgent(occasion: Occasion, language: LanguageCode) -> str:
    """Return `FULLT.` and other urgent marks; '' if there are none, or the occasion is cancelled."""
    marks = () if occasion.cancelled else list_urgent(occasion.facts)
    return " ".join(f"{mark.within(language).upper()}." for mark in marks)


def format_booking(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `Boka`, or `Boka från fre 20 aug 10:00` if that is stated; '' if booking is not possible."""
    if not safe_url(occasion.booking_url) or occasion.cancelled or not NOT_BOOKED.isdisjoint(occasion.facts):
        return ""
    if occasion.booking_from is None:
        return WORDS[language].book
    opens = festival.local(occasion.booking_from)
    day = format_near_day(opens.date(), festival.local(occasion.start).date(), language)
    return WORDS[language].book_from.format(f"{day} {format_clock(opens)}")


def format_booking_link(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `Boka: https://boka.example/`; '' if booking is not possible."""
    booking = format_booking(occasion, festival, language)
    return f"{booking}: {occasion.booking_url}" if booking else ""


def list_news(
    occasion: Occasion, festival: FestivalTime, language: LanguageCode
) -> tuple[tuple[str, str], ...]:
    """Return the parts of `format_news`, each with its language, or '' if that is the given one."""
    moved, note = format_move(occasion, festival, language), occasion.change_info
    move, text = f"{moved[:1].upper()}{moved[1:]}." if moved else "", note.within(language)
    other = note.find_other_language(language)
    parts = ((move, ""), (text, other)) if other else ((f"{move} {text}".strip(), ""),)
    return tuple(part for part in parts if part[0])


def format_move(occasion: Occasion, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `flyttad från 15:00, Stora scenen` if the mark of change is of a move, else ''."""
    if occasion.cancelled:
        return ""
    return format_former(occasion.previous_start, occasion.previous_place, occasion.start, festival, language)


def format_former(
    previous: datetime | None, place: str, start: datetime, festival: FestivalTime, language: LanguageCode
) -> str:
    """Return `flyttad från lör 28 jul 15:00, Stora scenen`, the day if it differs; '' if not moved."""
    time = ""
    if previous:
        before, after = festival.local(previous), festival.local(start)
        day = format_near_day(before.date(), after.date(), language) if before.date() != after.date() else ""
        time = f"{day} {format_clock(before)}".strip()
    former = ", ".join(filter(None, (time, place)))
    return WORDS[language].moved_from.format(former) if former else ""


def format_near_day(day: date, other: date, language: LanguageCode) -> str:
    """Return `ons 29 jul`, with the year if it differs from that of the other day."""
    return _format_short_day(day, language) if day.year == other.year else format_short_date(day, language)


def is_label_changed_on(day: date, shown: date) -> bool:
    """Return whether the label of a shown date changes when `day` begins."""
    before = day - timedelta(days=1)
    return format_relative_day(shown, before, "sv") != format_relative_day(shown, day, "sv")
