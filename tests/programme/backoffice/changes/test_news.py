"""What the message after an edit says that readers get."""

from datetime import timedelta

import pytest
from django.utils import translation

from programme.backoffice.changes.news import describe_news
from tests import news
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("sample")


def test_it_says_the_entry_and_when_it_appears() -> None:
    held = news.build_state(NOW + 48 * news.HOUR)
    appears = NOW + timedelta(minutes=5)
    news.write(1, "cancelled", held, held | {"cancelled": True}, 8012, appears_at=appears)
    entry = "Bara en titel, fre 31 jul 14:00, Stora scenen"
    with translation.override("sv"):
        assert describe_news(1, NOW) == f"Läsare får om fem minuter: Inställt: {entry}"
        assert describe_news(1, appears) == f"Läsare har fått: Inställt: {entry}"
        assert describe_news(2, NOW) == ""
    with translation.override("en"):
        entry = "Bara en titel, Fri 31 Jul 14:00, Stora scenen"
        assert describe_news(1, NOW) == f"Readers get in five minutes: Cancelled: {entry}"


def test_it_says_what_readers_have_got_already_and_what_they_get_later() -> None:
    held = news.build_state(NOW + 48 * news.HOUR)
    news.write(1, "withdrawn", held, {}, edit_id=1, appears_at=NOW)
    news.write(2, "cancelled", held, held | {"cancelled": True}, edit_id=1, appears_at=NOW + news.HOUR / 12)
    with translation.override("en"):
        first, second = describe_news(1, NOW).split(". ")
    assert first.startswith("Readers have got: ")
    assert second.startswith("Readers get in five minutes: Cancelled: ")


def test_of_many_it_says_the_first_and_of_a_batch_how_many() -> None:
    news.write_batch(5)
    news.write_batch(12, 200)
    with translation.override("en"):
        assert describe_news(100, NOW).endswith(" and 2 more")
        assert describe_news(200, NOW).startswith("Readers have got: 12 events moved: ")
