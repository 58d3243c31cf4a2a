"""The dates of posts: what comes first stands first, and nothing is of the future."""

from datetime import datetime

import pytest
from msgspec.structs import replace

from feeds.formats.rss import WordPressRssFormat
from feeds.programme import Programme
from tests.feeds import parsers
from tests.feeds.selections import build_listing
from tests.feeds.strategies import NOONS
from tests.programmes import utc


def read_dates(programme: Programme, now: datetime = NOONS[0]) -> dict[str, datetime]:
    body = WordPressRssFormat().write_events(build_listing(programme, "", now))
    return {each["id"]: each["dated"] for each in parsers.parse_rss(body)}


PUBLISHED = utc(2026, 6, 1, 7, 0, 0, 500000)


@pytest.mark.parametrize(
    ("start", "published", "expected"),
    [
        # From 1 January 2026 in Stockholm to 29 July, 16:00 there: 210 days less 9 hours, 301,860 minutes.
        (utc(2026, 7, 29, 14), {2026: PUBLISHED}, utc(2026, 5, 28, 19, 9)),
        (utc(2026, 7, 29, 14, 0, 59), {2026: PUBLISHED}, utc(2026, 5, 28, 19, 9)),
        (utc(2026, 7, 29, 14, 1), {2026: PUBLISHED}, utc(2026, 5, 28, 19, 8, 59)),
        # The first minute of the year, by the festival's clock.
        (utc(2025, 12, 31, 23), {2026: PUBLISHED}, utc(2026, 6, 1, 7)),
        # Published in the year before, and after it.
        (utc(2025, 12, 31, 23, 1), {2026: utc(2025, 12, 31, 22, 0)}, utc(2025, 12, 25, 19, 59, 59)),
        (utc(2026, 1, 1, 23), {2026: utc(2027, 2, 1)}, utc(2027, 1, 31, 23, 36)),
    ],
)
def test_a_second_for_each_minute_of_the_year(
    sample_programme: Programme, start: datetime, published: dict[int, datetime], expected: datetime
) -> None:
    occasion = replace(sample_programme.by_id[8001], start=start)
    programme = replace(sample_programme, occasions=(occasion,), published_years=published)
    assert list(read_dates(programme).values()) == [expected]
