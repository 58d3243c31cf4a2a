"""A row for each occasion, which a reader of CSV reads back, and no spreadsheet program runs."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.columns import restore_formula
from feeds.facts import FACTS, split_token
from feeds.formats.csv import CsvFormat
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.wording import format_news
from tests.feeds.expectations import ExpectedOccasion, expect_occasions
from tests.feeds.selections import build_listing
from tests.feeds.strategies import NOONS, programmes

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api.md"
YES = {"sv": "ja", "en": "yes"}


def read(listing: Listing) -> list[dict[str, str]]:
    text = CsvFormat().write_events(listing).decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:], newline=""), strict=True))


PRODUCTION = {
    "sv": ("", "av festivalen", "tillsammans med andra", "av andra"),
    "en": ("", "by the festival", "together with others", "by others"),
}


def expect(each: ExpectedOccasion) -> list[str]:
    event, place, language = each.event, each.place, each.language
    zone = each.listing.site.time.zone
    start, end = (instant.astimezone(zone) for instant in (each.occasion.start, each.occasion.end))
    opens = each.occasion.booking_from
    location, room = (place.location, place.room) if place else (None, None)
    accessibility = [each.localize(part.accessibility) for part in (location, room) if part]
    flags = (each.occasion.cancelled, event.highlighted, "access:sign-language" in each.occasion.facts)
    cancelled, highlighted, signed = (YES[language] if flag else "" for flag in flags)
    return [
        *(str(each.occasion.id), str(event.id), event.title),
        *(f"{start:%Y-%m-%d}", f"{start:%H:%M}", f"{end:%Y-%m-%d}", f"{end:%H:%M}"),
        *(cancelled, format_news(each.occasion, each.listing.site.time, language)),
        *((location.name, location.address) if location else ("", "")),
        *(("", "") if each.position is None else (f"{degrees:.6f}" for degrees in each.position)),
        *((room.name, room.floor) if room else ("", "")),
        "\n".join(filter(None, accessibility)),
        location.public_transport_station if location else "",
        *(event.area.name, event.sub_area.name if event.sub_area else ""),
        *(
            "; ".join(each.localize(kind.name) for kind in event.types),
            each.organizer,
            PRODUCTION[language][event.production],
            event.language.code if event.language else "",
        ),
        *(each.intro, each.description, event.price),
        *(
            "; ".join(
                each.localize(fact.label(split_token(token)[1]))
                for token in each.occasion.facts
                if split_token(token)[0] == fact.name
            )
            for fact in FACTS
        ),
        *(each.occasion.booking_url, f"{opens.astimezone(zone):%Y-%m-%d %H:%M}" if opens else ""),
        *(event.ticket_url, event.external_url, each.url),
        each.occasion.stream.url if each.occasion.stream else "",
        *(event.image_url, event.image_caption, highlighted, signed),
    ]


@given(programme=programmes(), query=st.sampled_from(["", "language=en"]), now=st.sampled_from(NOONS))
def test_csv_is_read_back(programme: Programme, query: str, now: Any) -> None:
    listing = build_listing(programme, query, now)
    rows = [[restore_formula(cell) for cell in row.values()] for row in read(listing)]
    assert rows == [expect(each) for each in expect_occasions(listing)]


@pytest.mark.parametrize("title", ["=1+1", "+46", "-1", "@SUM(A1)", "＝1", "'=1"])
@settings(max_examples=10)
@given(programme=programmes())
def test_no_cell_is_a_formula(title: str, programme: Programme) -> None:
    occasions = tuple(replace(each, event=replace(each.event, title=title)) for each in programme.occasions)
    rows = read(build_listing(replace(programme, occasions=occasions)))
    assert {row["Titel"] for row in rows} == ({f"'{title}"} if occasions else set())


@pytest.mark.usefixtures("sample", "at")
def test_the_documentation_lists_the_columns(client: Client) -> None:
    languages = ("sv", "en")
    headings = [client.get(f"/api/events.csv?language={each}").content.decode() for each in languages]
    columns = [next(csv.reader([text[1:].partition("\r\n")[0]])) for text in headings]
    table = re.search(r"<!-- csv:.*?-->\n(.*?)<!-- /csv -->", DOCUMENT.read_text(), re.DOTALL)
    assert table
    assert table[1].splitlines()[2:] == [f"| {sv} | {en} |" for sv, en in zip(*columns, strict=True)]
