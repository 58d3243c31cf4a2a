"""Content negotiation: RFC 9110, section 12.5.1, and ties in the interface's order."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.formats import FORMATS
from programme.api.negotiation import _read_ranges, choose_media_type, offer_types

# Of the interface, in its order; Atom's generic ones come last.
OFFERED = [
    *("application/json", "text/json", "application/atom+xml", "application/rss+xml"),
    *("application/rss+xml+wp", "text/calendar", "text/plain", "text/plain", "text/html", "application/xml"),
    "text/xml",
]


def test_media_types_are_offered_in_the_interfaces_order() -> None:
    assert [media_type for media_type, _ in offer_types(FORMATS) if media_type in OFFERED] == OFFERED


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        # Everything will do.
        ("", "application/json"),
        ("*/*", "application/json"),
        # One type, in any case and with blanks.
        ("text/calendar", "text/calendar"),
        ("TEXT/Calendar", "text/calendar"),
        ("application/rss+xml+wp", "application/rss+xml+wp"),
        # Wildcards.
        ("application/*", "application/json"),
        ("text/*", "text/json"),
        ("text/*;q=0.5, text/html", "text/html"),
        # Weights.
        ("application/json;q=0.5,text/html;q=0.5", "application/json"),
        ("text/html, application/atom+xml", "application/atom+xml"),
        ("text/html ; q=0.9 , application/json ; q=0.8", "text/html"),
        ('text/html;q="0.9", application/json;q=0.8', "text/html"),
        ("text/html;Q=0.1, application/json;q=0.2", "application/json"),
        # The most specific range decides, wherever it stands.
        ("*/*, application/json;q=0", "text/json"),
        ("application/*;q=0.1, */*;q=0.9", "text/json"),
        ("text/*;q=0.9, text/html;q=0.1, application/json;q=0.5", "text/json"),
        ("text/html;q=0.1, text/*, application/json;q=0.5", "text/json"),
        ("text/plain;charset=utf-8;q=0.1, text/plain, text/html;q=0.5", "text/html"),
        # What is not acceptable.
        ("image/png", None),
        ("application/xml", "application/xml"),
        ("application/json;q=0", None),
        ("*/*;q=0", None),
        ("application/*;q=0, text/json;q=0.000, image/*", None),
        # A range that is said more than once has the highest of its weights.
        ("text/html;q=0.1, text/html;q=0.5, text/html;q=0.2, application/json;q=0.4", "text/html"),
        ("text/html;q=0.5, text/html;charset=utf-8;q=0, application/json;q=0.1", "application/json"),
        # Parameters.
        ("text/plain; charset=utf-8", "text/plain"),
        ('text/plain; charset="UTF-8"', "text/plain"),
        ("text/plain; charset=iso-8859-1", None),
        ("text/html;level=1", None),
        # Of Atom (RFC 5023, section 12.1): there are feeds, and no entries.
        ("application/atom+xml;type=feed", "application/atom+xml"),
        ('application/atom+xml; Type="Feed"; charset=utf-8, text/html;q=0.9', "application/atom+xml"),
        ("application/atom+xml;type=feed;q=0.1, application/atom+xml, text/html;q=0.5", "text/html"),
        ("application/atom+xml;type=entry", None),
        ("text/html;type=feed", None),
        ("text/html;level=1, text/html;q=0.1, application/json;q=0.2", "application/json"),
        ('text/html;x="a,b;q=0", text/calendar', "text/calendar"),
        # Parameters behind the weight belong to no media type.
        ("text/html;q=0.5;level=1", "text/html"),
        # What browsers send.
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "text/html"),
        ("application/json, text/plain, */*", "application/json"),
        # Of equals, one that is named goes before what only a wildcard matches.
        ("*/*, text/calendar;charset=utf-8", "text/calendar"),
        ("text/*, application/rss+xml", "application/rss+xml"),
        ("text/*, */*", "application/json"),
        ("text/html, text/calendar, */*", "text/calendar"),
        ("text/html;q=0.9, */*", "application/json"),
        ("application/xml, text/html", "text/html"),
        ("application/xml, */*", "application/xml"),
        # Weights that are none count as if none were stated; ranges that are none are not there.
        ("text/html;q=high, application/json;q=0.9", "text/html"),
        ("text/html;q=2, application/json;q=0.9", "text/html"),
        ("*/json, text/html", "text/html"),
        ("json, text/html", "text/html"),
    ],
)
def test_a_header_prefers(accept: str, expected: str | None) -> None:
    assert choose_media_type(accept, OFFERED) == expected


pieces = st.sampled_from(
    [
        *("text", "application", "/", "*", "json", "html", "plain", "charset", "utf-8", "text/html", "*/*"),
        *(";", ",", "q", "=", "0", "1", ".", "5", '"', "\\", " ", "\t", "é", "\x00", ";q=0.5", ", "),
    ]
)


@given(accept=st.lists(pieces, max_size=30).map("".join) | st.text())
# Time that grows with the square of the length would be minutes here.
@example('"' * 60_000)
@example(";" * 60_000)
@example("text/html;a   " * 5_000)
@example("a/b;" + " " * 60_000)
def test_no_header_is_an_error(accept: str) -> None:
    assert choose_media_type(accept, OFFERED) in {None, *OFFERED}


qualities = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)


@given(wanted=st.dictionaries(st.sampled_from(sorted(set(OFFERED))), qualities, min_size=1))
def test_the_highest_weight_wins_and_the_first_of_equals(wanted: dict[str, float]) -> None:
    accept = ", ".join(f"{media_type};q={quality:.3f}" for media_type, quality in wanted.items())
    best = max(wanted.values())
    equals = [media_type for media_type in OFFERED if wanted.get(media_type) == best]
    assert choose_media_type(accept, OFFERED) == (equals[0] if best else None)


def test_of_ranges_by_the_thousand_only_those_are_compared_that_can_match() -> None:
    header = ",".join(f"{kind};q=0.{number:04}" for kind in ("text/html", "a/b") for number in range(5_000))
    assert _read_ranges(header, OFFERED) == {"text/html": (0, 0.4999)}
