"""No text takes more than linear time to read, clean or write, whatever it repeats.

Compared is the processor time of this thread for a text and for one four times as long, which no other process
changes much: linear work takes four times as long, quadratic work sixteen times.
"""

from collections.abc import Callable
from datetime import date
from time import thread_time
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds import fact, facts, names, negotiation, search, syndication
from feeds.festival_time import FestivalTime
from feeds.formats import FORMATS
from feeds.links import link_addresses
from feeds.programme import Programme
from feeds.vocabulary import Text
from programme.exchange.readers import fields
from programme.exchange.readers.ical.lines import parse_calendars
from programme.exchange.readers.sheet import grids, mapping, values
from programme.exchange.readers.sheet.date_cells import parse_cell
from programme.exchange.readers.sheet.reader import read_sheet as read_rows
from programme.exchange.text import lines, plain, times, when
from programme.exchange.values import ImportDefaults
from programme.models import cleaning, coordinates
from tests.feeds.selections import build_listing
from tests.programme.exchange.readers.sheet.sheets import read_facts as read_sheet

DEFAULTS = ImportDefaults(FestivalTime("Europe/Stockholm", 0), today=date(2026, 7, 1))
# Characters of the shorter text. Below so many seconds other things than the text take the time.
LENGTH, TIMES, FLOOR = 5_000, 4, 0.005


class LongText(NamedTuple):
    """What a text begins with, what it repeats, and what it ends with."""

    begin: str
    unit: str
    end: str = ""

    def build(self, length: int) -> str:
        return f"{self.begin}{self.unit * (length // len(self.unit))}{self.end}"


BEGINNINGS = (
    "",
    *["http://a", "www.a", "a@", "[", "[a=", "<s>", "<p>"],
    "# ",
    "```\n",
    "kl 18",
    "från ",
    "\n",
    "a\u0301",
)
ENDS = ("", "x", "!", "\n", ">", "1", ":")
long_texts = st.builds(
    LongText,
    st.sampled_from(BEGINNINGS),
    st.text(" \n\t\r-–,.:;/()[]{}<>\"'*_=&@#%!|+`~\\a1wåA\u0301\u0323", min_size=1, max_size=3),
    st.sampled_from(ENDS),
)


def measure(call: Callable[[str], Any], text: str) -> float:
    began = thread_time()
    call(text)
    return thread_time() - began


def find_growth(call: Callable[[str], Any], text: LongText) -> float:
    """Return how many times as long the longer text takes, in the best of several attempts."""
    best = float("inf")
    # Others than before: some are cached.
    for length in range(LENGTH, LENGTH + 4 * 12, 12):
        short = measure(call, text.build(length))
        best = min(best, measure(call, text.build(length * TIMES)) / max(short, FLOOR))
        if best < 2 * TIMES:
            break
    return best


READERS: dict[str, Callable[[str], Any]] = {
    "clean_prose": cleaning.clean_prose,
    "clean_line": cleaning.clean_line,
    "complete_address": cleaning.complete_address,
    "fold": names.fold,
    "order_name": names.order_name,
    "split_words": search.split_words,
    "coordinates": coordinates.parse_coordinates,
    "plain text": plain.to_plain_text,
    "plain text with tags": lambda text: plain.to_plain_text(f"{text}<br>{text}</s>"),
    "title": lines.read_title,
    "names": lambda text: lines.truncate_names(text.split(" "), 200),
    "times": times.list_times,
    "times of a cell": times.list_cell_times,
    "a suggested time": times.suggest_time,
    "duration": times.parse_duration,
    "days": when.split_days,
    "moment": when.split_moment,
    "a suggested day": when.suggest_day,
    "cell of a date": parse_cell,
    "cell with occasions": grids.divide,
    "several values": lambda text: mapping._part(text, mapping.Part.SEVERAL),
    "an address": values.ADDRESS.search,
    "language": lambda text: fields.parse_language(text, str),
    "web address": fields.parse_web_address,
    "ages": facts.AGE.parse,
    "range": fact._parse_range,
    "coding": negotiation.choose_coding,
    "lines of a calendar": lambda text: parse_calendars(
        f"BEGIN:VCALENDAR\r\nA:b\r\n{text}\r\nEND:VCALENDAR".encode()
    ),
    "excerpt": syndication.excerpt,
    "links": link_addresses,
    "markup": syndication.escape_markup,
}
EXAMPLES = (
    LongText("http://a", ")"),
    LongText("http://a", "#"),
    LongText("[", " ", "1"),
    LongText("# ", " ", "x"),
    LongText("", "```a\n"),
    LongText("", "<s>"),
    LongText("<p>", "<!--"),
    LongText("<p>", "<a href=http://a>"),
    LongText("", "\n", "x"),
    LongText("", "18-"),
    LongText("", "1", " "),
    LongText("från", " ", "x"),
    LongText("a", " ", "x"),
    LongText("", "a"),
    LongText("", "a\n"),
    LongText("", "\r"),
    LongText("a", "\u0301\u0323"),
    LongText("a", "\u0323", "\u0301" * 5_000),
    LongText("", "a "),
    LongText("", "["),
    LongText("", "*a"),
)


def with_long_texts(test: Any) -> Any:
    test = settings(max_examples=8)(given(text=long_texts)(test))
    for each in EXAMPLES:
        test = example(text=each)(test)
    return test


@pytest.mark.parametrize("name", READERS)
@with_long_texts
def test_reading_takes_linear_time(name, text):
    assert find_growth(READERS[name], text) < 2 * TIMES


@with_long_texts
def test_a_sheet_is_read_in_linear_time(text):
    def read(cell: str) -> None:
        quoted = '"' + cell.replace('"', '""') + '"'
        read_sheet("Beskrivning;Plats;Arrangör;Pris;Ålder;Språk;Typ", f"Jazz;{';'.join([quoted] * 7)}")
        read_sheet("Beskrivning;Plats", f"{quoted};{quoted};Parken", quoted)
        for column in range(3):
            row = ["2026-09-01", "18", "20"]
            row[column] = quoted
            lines = ["Datum;Start;Slut;Titel", "2026-09-02;18;20;Rock", f"{';'.join(row)};Jazz"]
            read_rows("\n".join(lines).encode(), DEFAULTS)

    assert find_growth(read, text) < 2 * TIMES


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.extension)
@with_long_texts
def test_writing_takes_linear_time(sample_programme: Programme, kind, text):
    occasion = sample_programme.by_id[8003]

    def write(long: str) -> None:
        event = replace(occasion.event, intro=Text(sv=long), description=Text(sv=long, en=long))
        shown = replace(occasion, event=event, change_info=Text(long))
        kind().write_events(build_listing(replace(sample_programme, occasions=(shown,))))

    assert find_growth(write, text) < 2 * TIMES
