"""An occasion handed to calendars and to friends: addresses that say the same as the page, and no more."""

from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.snapshot import Snapshot
from pages.calendars import build_calendar_links, shorten
from programme import models
from tests.conftest import NOW
from tests.feeds.strategies import programmes
from tests.pages.reading import opened
from tests.programmes import JAZZ

TITLE = r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]"
PLACE = "Biblioteket, Sal 2, Storgatan 1, Åsunda"
# What servers commonly take of an address (RFC 9110, section 4.1, asks for 8,000).
LONGEST = 8_000


def parse_url(url: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(url)
    query = parse_qs(parts.query, strict_parsing=True)
    return f"{parts.scheme}://{parts.netloc}{parts.path}", {name: value for name, [value] in query.items()}


@pytest.mark.usefixtures("sample", "at")
def test_long_texts_are_kept_short(client):
    models.Event.objects.filter(id=JAZZ).update(title="🎷" * 300, intro_sv="å " * 5_000)
    hrefs = opened(client, "/tillfalle/8001").xpath("//details[@class='calendars']//a/@href")
    assert max(map(len, hrefs)) < LONGEST
    assert parse_url(hrefs[1])[1]["text"] == "🎷" * 79 + "…"


@given(programmes())
def test_every_calendar_gets_start_and_end(programme):
    snapshot = Snapshot(programme, NOW)
    for occasion in programme.occasions:
        _, google, *outlooks = build_calendar_links(snapshot, occasion, "sv")
        ends = [
            datetime.strptime(each, "%Y%m%dT%H%M%S%z")
            for each in parse_url(google.url)[1]["dates"].split("/")
        ]
        whole = [each.astimezone(UTC).replace(microsecond=0) for each in (occasion.start, occasion.end)]
        assert ends == whole
        for outlook in outlooks:
            expected = parse_url(outlook.url)[1]
            assert [datetime.fromisoformat(expected[name]) for name in ("startdt", "enddt")] == whole


@given(st.text(), st.integers(1, 40))
def test_a_shortened_text_is_one_line_of_at_most_so_many_characters(text, longest):
    line = shorten(text, longest)
    assert len(line) <= longest
    assert len(line.splitlines()) <= 1
    assert line == " ".join(text.split()) or line.endswith("…")
