"""What the message after an edit says that readers get."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.template.loader import render_to_string
from django.utils import translation

from programme.backoffice.news.told import describe_news
from programme.history.news import list_untold
from programme.models import Edit
from tests import news
from tests.conftest import NOW
from tests.programme.backoffice.requests import parse, send, words
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("sample")

# Of the second row.
START, END, OFF = (f"occasions-1-{name}" for name in ("start_time", "end_time", "cancelled"))


def describe(edit, instant):
    html = render_to_string("admin/programme/news/message.html", describe_news(edit, instant))
    return words(BeautifulSoup(html, "lxml"))


def test_it_says_the_entry_and_when_it_appears() -> None:
    held = news.build_state(NOW + 48 * news.HOUR)
    appears = NOW + timedelta(minutes=5)
    news.write(1, "cancelled", held, held | {"cancelled": True}, 8012, appears_at=appears)
    entry = "Bara en titel, fre 31 jul 14:00, Stora scenen"
    with translation.override("sv"):
        assert describe(1, NOW) == f"Läsare får inom fem minuter: Inställt: {entry}"
        assert describe(1, appears) == f"Läsare har fått: Inställt: {entry}"
        assert describe(2, NOW) == ""


def test_it_says_what_readers_have_got_already_and_what_they_get_later() -> None:
    held = news.build_state(NOW + 48 * news.HOUR)
    news.write(1, "withdrawn", held, {}, edit_id=1, appears_at=NOW)
    news.write(2, "cancelled", held, held | {"cancelled": True}, edit_id=1, appears_at=NOW + news.HOUR / 12)
    with translation.override("en"):
        first, second = describe(1, NOW).split(" . ")
    assert first.startswith("Readers were told: ")
    assert second.startswith("Readers get within five minutes: Cancelled: ")


@pytest.mark.usefixtures("at")
def test_what_is_folded_into_a_pending_piece_untold_is_said_as_readers_will_get_it(office):
    form = f"/admin/programme/event/{JAZZ}/change/"
    send(office, form, tell="yes", **{START: "18:00", END: "19:00"})
    shown = parse(send(office, form, tell="no", **{START: "18:30", END: "19:00"}, follow=True))
    [said] = shown.select(".messagelist .news")
    assert words(said).startswith("Readers get within five minutes: Moved: ")
    assert words(said).endswith("16:00 to 18:30")
    edit = Edit.objects.latest("pk")
    page = parse(office.get(f"/admin/changes/{edit.pk}/"))
    assert (len(page.select(".told li")), page.select_one("#tell")) == (1, None)
    # Nor is it untold once the piece has appeared.
    assert list_untold(edit, NOW + news.HOUR) == ([], False)


def test_of_many_it_says_the_first_and_of_a_batch_how_many() -> None:
    news.write_batch(5)
    news.write_batch(12, 200)
    with translation.override("en"):
        assert describe(100, NOW).endswith(" and 2 more")
        assert describe(200, NOW).startswith("Readers were told: 12 events moved: ")


@pytest.mark.usefixtures("at")
def test_the_message_leads_to_the_entry_and_to_telling_what_was_not_told(office):
    form = f"/admin/programme/event/{JAZZ}/change/"
    shown = parse(send(office, form, **{OFF: "on"}, tell="yes", note="Sjuk", follow=True))
    link = shown.select_one(".messagelist .news a")
    assert link.text.startswith("Cancelled: ")
    assert office.get(link["href"]).status_code == 200
    shown = parse(send(office, form, **{OFF: ""}, tell="no", note="", follow=True))
    # The piece that was pending is gone, and nobody was told that it takes place.
    said = shown.select_one(".messagelist .news")
    assert words(said) == "Readers were not told. Tell them"
    assert "Tell readers now" in office.get(said.a["href"]).content.decode()
