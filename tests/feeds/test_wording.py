"""The words of days and times in both languages."""

from datetime import date, datetime, time, timedelta
from pathlib import Path
from unicodedata import bidirectional
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from feeds import wording
from feeds.festival_time import FestivalTime
from feeds.vocabulary import LanguageCode, Text
from tests.feeds.derived_events import DAYS, MONTHS
from tests.tables import read_table

STOCKHOLM = ZoneInfo("Europe/Stockholm")
TODAY = date(2026, 7, 29)
FOLDER = Path(__file__).parent


def local(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=STOCKHOLM)


SHORT = {
    "sv": "tor 1 jan, sön 1 feb, sön 1 mar, ons 1 apr, fre 1 maj, mån 1 jun, ons 1 jul, lör 1 aug, tis 1 sep",
    "en": "Thu 1 Jan, Sun 1 Feb, Sun 1 Mar, Wed 1 Apr, Fri 1 May, Mon 1 Jun, Wed 1 Jul, Sat 1 Aug, Tue 1 Sep",
}


@pytest.mark.parametrize("language", ["sv", "en"])
def test_days_and_months(language):
    week = [date(2026, 7, 27) + timedelta(days=offset) for offset in range(7)]
    assert [wording.format_day(day, language).split()[0] for day in week] == DAYS[language]
    months = [date(2026, month, 1) for month in range(1, 13)]
    assert [wording.format_day(day, language).split()[2] for day in months] == MONTHS[language]
    short = [wording.format_relative_day(day, TODAY, language) for day in months]
    assert ", ".join(short[:9]) == SHORT[language]
    assert (
        " ".join(short[9:]).lower()
        == {"sv": "tor 1 okt sön 1 nov tis 1 dec", "en": "thu 1 oct sun 1 nov tue 1 dec"}[language]
    )
    assert wording.format_date(months[0], language) == f"1 {MONTHS[language][0]} 2026"


@pytest.mark.parametrize(("day", "today", "swedish", "english"), read_table(FOLDER / "relative_days.md"))
def test_a_day_is_called_by_how_near_it_is(day, today, swedish, english):
    days = date.fromisoformat(day), date.fromisoformat(today)
    assert wording.format_relative_day(*days, "sv") == swedish
    assert wording.format_relative_day(*days, "en") == english


@pytest.mark.parametrize(
    ("start", "end", "first_hour", "swedish", "english"), read_table(FOLDER / "time_spans.md")
)
def test_a_time_span(start, end, first_hour, swedish, english):
    instants = (datetime.fromisoformat(each).replace(tzinfo=STOCKHOLM) for each in (start, end))
    span = FestivalTime(first_hour=int(first_hour)).span(*instants)
    assert wording.format_time_span(span, TODAY, "sv") == swedish
    assert wording.format_time_span(span, TODAY, "en") == english


def test_a_span_that_stays_true_has_the_year():
    short = FestivalTime(first_hour=5).span(local(2026, 7, 29, 2), local(2026, 7, 29, 15))
    long = FestivalTime().span(local(2026, 7, 31, 22), local(2026, 8, 2, 4))
    assert wording.format_dated_span(short, "sv") == "ons 29 jul 2026 02:00–15:00"
    assert wording.format_dated_span(long, "en") == "Fri 31 Jul 2026 22:00–Sun 2 Aug 2026 04:00"
    assert wording.format_full_span(short, "en") == "Wednesday 29 July 2026 02:00–15:00"
    assert wording.format_full_span(long, "sv") == "fredag 31 juli 2026 22:00–söndag 2 augusti 2026 04:00"


@pytest.mark.parametrize(
    ("opens", "closes", "expected"),
    [
        (time(10), time(18), "10:00–18:00"),
        (time(9, 30), time(3), "09:30–03:00"),
        (None, time(18), None),
        (time(10), None, None),
        (None, None, None),
        (time(0), time(0), "00:00–00:00"),
    ],
)
def test_opening_hours_are_told_where_both_ends_are_known(opens, closes, expected):
    assert wording.format_opening_hours(opens, closes) == expected


@pytest.mark.parametrize(
    ("mark", "cancellation", "change"),
    [
        ({}, ("", ""), ("", "")),
        ({"cancelled": True}, ("INSTÄLLT.", "CANCELLED."), ("INSTÄLLT.", "CANCELLED.")),
        (
            {"change_info": Text("Ny sal"), "changed_at": local(2026, 7, 1)},
            *(("", ""), ("ÄNDRAT. Ny sal", "CHANGED. Ny sal")),
        ),
        ({"changed_at": local(2026, 7, 1)}, ("", ""), ("ÄNDRAT.", "CHANGED.")),
        (
            {"changed_at": local(2026, 7, 1), "previous_start": local(2026, 7, 29, 12)},
            ("", ""),
            ("ÄNDRAT. Flyttad från 12:00.", "CHANGED. Moved from 12:00."),
        ),
        # The note of each language, and where it is absent the other's.
        (
            {
                "change_info": Text("Åska", "Thunder"),
                "changed_at": local(2026, 7, 1),
                "previous_start": local(2026, 7, 29, 12),
            },
            ("", ""),
            ("ÄNDRAT. Flyttad från 12:00. Åska", "CHANGED. Moved from 12:00. Thunder"),
        ),
        (
            {"cancelled": True, "change_info": Text(en="Rain"), "changed_at": local(2026, 7, 1)},
            *[("INSTÄLLT. Rain", "CANCELLED. Rain")] * 2,
        ),
        # From another place, and from another time and place.
        (
            {"changed_at": local(2026, 7, 1), "previous_place": "Parken, Stora scenen"},
            ("", ""),
            ("ÄNDRAT. Flyttad från Parken, Stora scenen.", "CHANGED. Moved from Parken, Stora scenen."),
        ),
        (
            {
                "change_info": Text("Åska", "Thunder"),
                "changed_at": local(2026, 7, 1),
                "previous_start": local(2026, 7, 28, 15),
                "previous_place": "Stora scenen",
            },
            ("", ""),
            (
                "ÄNDRAT. Flyttad från tis 28 jul 15:00, Stora scenen. Åska",
                "CHANGED. Moved from Tue 28 Jul 15:00, Stora scenen. Thunder",
            ),
        ),
        ({"cancelled": True, "previous_place": "Stora scenen"}, *[("INSTÄLLT.", "CANCELLED.")] * 2),
        # Where it had been moved from is of no use any more.
        (
            {
                "cancelled": True,
                "change_info": Text("Regn"),
                "changed_at": local(2026, 7, 1),
                "previous_start": local(2026, 7, 29, 12),
            },
            *[("INSTÄLLT. Regn", "CANCELLED. Regn")] * 2,
        ),
    ],
)
def test_what_is_cancelled_or_changed_is_said_in_words(sample_programme, mark, cancellation, change):
    occasion = replace(sample_programme.by_id[8005], **mark)
    languages: tuple[LanguageCode, ...] = ("sv", "en")
    assert tuple(wording.format_cancellation(occasion, each) for each in languages) == cancellation
    assert tuple(wording.format_change(occasion, FestivalTime(), each) for each in languages) == change


@pytest.mark.parametrize(
    ("previous", "start", "sv", "en"),
    [
        (local(2026, 7, 28, 15), local(2026, 7, 28, 17), "flyttad från 15:00", "moved from 15:00"),
        # Days are calendar dates, whenever the festival day begins.
        (
            local(2026, 7, 28, 23, 30),
            local(2026, 7, 29, 0, 15),
            "flyttad från tis 28 jul 23:30",
            "moved from Tue 28 Jul 23:30",
        ),
        (
            local(2026, 12, 31, 22),
            local(2027, 1, 1, 22),
            "flyttad från tor 31 dec 2026 22:00",
            "moved from Thu 31 Dec 2026 22:00",
        ),
    ],
)
def test_the_former_start_has_its_day_where_that_is_another(previous, start, sv, en):
    assert wording.format_former(previous, "", start, FestivalTime(), "sv") == sv
    assert wording.format_former(previous, "", start, FestivalTime(), "en") == en


@pytest.mark.parametrize("title", ["Jazz i parken", "世界 🎷", "Läsning på 18:e"])
def test_texts_that_turn_nothing_stay_as_they_are(title):
    assert wording.isolate(title) == title


@pytest.mark.parametrize("title", ["شعر", "Dikter från שלום"])
def test_a_text_from_right_to_left_does_not_turn_what_follows(title):
    assert wording.isolate(title) == f"\u2068{title}\u2069"


def test_every_letter_from_right_to_left_is_isolated():
    turning = {each for each in map(chr, range(0x110000)) if bidirectional(each) in {"R", "AL"}}
    assert {each for each in turning if wording.isolate(each) == each} == set()
