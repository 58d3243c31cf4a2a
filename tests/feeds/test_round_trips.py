"""Whatever a programme holds, parsers of others read back from each format what was written."""

import json

from hypothesis import given, note
from hypothesis import strategies as st

from feeds.formats import BY_EXTENSION
from feeds.listing import Listing
from tests.feeds import parsers
from tests.feeds.expectations import expect_occasions
from tests.feeds.selections import build_listing
from tests.feeds.strategies import NOONS, programmes

queries = st.sampled_from(["", "language=en"])
nows = st.sampled_from(NOONS)


def write(extension: str, listing: Listing) -> bytes:
    body = BY_EXTENSION[extension]().write_events(listing)
    note(body.decode())
    return body


@given(programme=programmes(), query=queries, now=nows)
def test_atom_is_read_back(programme, query, now):
    listing = build_listing(programme, query, now)
    body = write("atom", listing)
    assert parsers.parse_atom(body) == [each.atom for each in expect_occasions(listing)]
    expected = [(each.atom["id"], each.atom["title"], each.url) for each in expect_occasions(listing)]
    assert [(entry.id, entry.title, entry.link) for entry in parsers.parse_feed(body).entries] == expected


@given(programme=programmes(), query=queries, now=nows)
def test_rss_is_read_back(programme, query, now):
    listing = build_listing(programme, query, now)
    plain = [each.rss for each in expect_occasions(listing)]
    posts = [each.rss_wp for each in expect_occasions(listing)]
    for extension, expected in (("rss", plain), ("rss-wp", posts)):
        body = write(extension, listing)
        assert parsers.parse_rss(body) == expected
        shown = [
            {
                "id": each["id"],
                "url": each["url"],
                "category": each["category"].strip(),
                "published": each["dated"],
            }
            for each in expected
        ]
        assert parsers.parse_feed_entries(body) == shown


@given(programme=programmes(), query=queries, now=nows)
def test_a_calendar_is_read_back(programme, query, now, ical_js):
    listing = build_listing(programme, query, now)
    expected = [each.ics for each in expect_occasions(listing)]
    for extension in ("ics", "ics-text"):
        body = write(extension, listing)
        assert parsers.parse_ics(body) == expected
        assert str(parsers.parse_calendar(body)["DESCRIPTION"]) == listing.description
        # ical.js takes the comma after an escaped backslash for an escaped one.
        if not any(category.endswith("\\") for each in expected for category in each["categories"][:-1]):
            assert parsers.parse_jcal(ical_js(body)) == expected


@given(programme=programmes(), query=queries, now=nows)
def test_bbcode_is_read_back(programme, query, now):
    listing = build_listing(programme, query, now)
    found = parsers.parse_bbcode(write("bbcode", listing))
    expected = [each.bbcode for each in expect_occasions(listing)]
    # Some quotation marks after a bracket become typographic ones: tests/feeds/test_bbcode.py.
    assert with_straight_quotes(found) == with_straight_quotes(expected)


def with_straight_quotes(facts: list[parsers.Facts]) -> str:
    return json.dumps(facts, ensure_ascii=False).replace("’", "'").replace("”", '\\"')


@given(programme=programmes(), query=queries, now=nows)
def test_html_is_read_back(programme, query, now):
    listing = build_listing(programme, query, now)
    assert parsers.parse_qx1(write("qx1", listing)) == [each.qx1 for each in expect_occasions(listing)]
