"""Content negotiation: RFC 9110, section 12.5.1, and ties in the interface's order."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.formats import FORMATS
from programme.api.negotiation import _read_ranges, choose_media_type, offer_types
from tests.tables import read_table

# Of the interface, in its order; Atom's generic ones come last.
OFFERED = [
    *("application/json", "text/json", "application/atom+xml", "application/rss+xml"),
    *("application/rss+xml+wp", "text/calendar", "text/plain", "text/plain", "text/html", "application/xml"),
    "text/xml",
]


def test_media_types_are_offered_in_the_interfaces_order() -> None:
    assert [media_type for media_type, _ in offer_types(FORMATS) if media_type in OFFERED] == OFFERED


@pytest.mark.parametrize(("accept", "expected"), read_table(Path(__file__).with_name("negotiation.md")))
def test_a_header_prefers(accept: str, expected: str) -> None:
    assert (choose_media_type(accept, OFFERED) or "") == expected


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
