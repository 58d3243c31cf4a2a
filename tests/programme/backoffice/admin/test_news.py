"""News for readers with each way to move or cancel: in forms, in rows, and with the actions of lists."""

from typing import Any

import pytest
from django.test import Client

from feeds.vocabulary import Text
from programme.backoffice.forms.news import NewsFields
from programme.models import Event, Occasion, Status
from programme.models.telling import Telling
from tests.conftest import NOW
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.marks import list_told, read_mark
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programmes import mark_changed, utc

OCCASIONS = "/admin/programme/occasion/"
OLD = utc(2026, 7, 1)
# The occasions of Jazz start at 14:00 on two days.
FIRST, SECOND = utc(2026, 7, 29, 12), utc(2026, 7, 30, 12)


@pytest.fixture
def two(jazz: Event) -> list[Occasion]:
    """The occasions of Jazz, which is published; the second one is marked as changed."""
    Event.objects.update(status=Status.PUBLISHED)
    second = Occasion.objects.create(event=jazz, start=SECOND, end=utc(2026, 7, 30, 13))
    mark_changed(Occasion.objects.filter(pk=second.pk), Text("Ny sal"), OLD)
    return list(Occasion.objects.order_by("pk"))


def act(office: Client, address: str, action: str, rows: list[Any], **typed: str) -> list[str]:
    """Choose an action, and confirm it on its page; return the messages but for links (test_deleting.py)."""
    chosen = {"_selected_action": [row.pk for row in rows]}
    page = office.post(address, {"action": action, **chosen})
    done = office.post(address, submission(page) | chosen | typed, follow=True)
    return [each.partition(" Readers see it:")[0] for each in list_messages(done)]


def list_kinds() -> list[tuple[str, str]]:
    """Return what is told now, in the order of occasions: of which kind, and why."""
    return [(kind, note) for kind, _key, note in list_told(NOW)]


TOLD = [
    ({"start_time": "13"}, [("moved", "")]),
    ({"start_time": "13", "note": "Åska"}, [("moved", "Åska")]),
    ({"start_time": "13", "tell": "no"}, []),
    ({"cancelled": "on", "note": "Åska"}, [("cancelled", "Åska")]),
    # A note alone is about the whole event.
    ({"note": "Ny artist"}, [("changed", "Ny artist")] * 2),
    ({"booking": "needed"}, []),
]


@pytest.mark.parametrize(("typed", "told"), TOLD)
def test_an_occasion_is_saved_with_the_news_that_was_chosen(office, two, typed, told):
    of_rows = typed.keys() - {"tell", "note"}
    sent = {f"occasions-0-{name}" if name in of_rows else name: typed[name] for name in typed}
    send(office, change_address(two[0].event), **sent)
    assert list_kinds() == told


@pytest.mark.parametrize(
    ("sent", "telling", "errors"),
    [
        ({}, Telling(), []),
        ({"tell": "yes", "note": " Åska "}, Telling(note=Text("Åska"), about=[1]), []),
        ({"note": "Åska", "note_en": "Thunder "}, Telling(note=Text("Åska", "Thunder"), about=[1]), []),
        ({"tell": "no"}, Telling(tells=False), []),
        ({"tell": "no", "note": "Åska"}, None, ["tell"]),
        ({"tell": "no", "note_en": "Thunder"}, None, ["tell"]),
        ({"tell": "event"}, None, ["tell"]),
        ({"note": "x" * 501}, None, ["note"]),
    ],
)
def test_readers_are_told_unless_the_editor_says_no_and_a_note_is_for_readers(sent, telling, errors):
    form = NewsFields(sent)
    form.is_valid()
    assert list(form.errors) == errors
    assert errors or form.build_telling([1]) == telling


def test_a_note_beside_what_is_no_news_is_about_the_rows_that_were_changed(office, jazz, two):
    send(office, change_address(jazz), **{"occasions-1-booking": "full"}, note="Fullt på fredag")
    assert list_told(NOW) == [("changed", two[1].pk, "Fullt på fredag")]


def test_a_note_about_what_is_over_is_told_nobody_and_said_so(office, jazz, two):
    Occasion.objects.update(start=utc(2026, 7, 28, 12), end=utc(2026, 7, 28, 13))
    saved = parse(send(office, change_address(jazz), follow=True, note="Ta med mössa"))
    assert "Readers were told nothing: it is over." in words(saved.select_one(".messagelist"))
    assert list_told(NOW) == []


def test_a_note_alone_is_about_the_whole_event_and_is_not_filled_in_again(office, jazz, two):
    over = Occasion.objects.create(event=jazz, start=utc(2026, 7, 28, 12), end=utc(2026, 7, 28, 13))
    saved = parse(send(office, change_address(jazz), follow=True, note="Ta med mössa"))
    assert "Readers were told: Changed: Jazz" in words(saved.select_one(".messagelist"))
    # What is said is no edit of the programme.
    assert saved.select(".messagelist .undo") == []
    assert [key for _kind, key, _note in list_told(NOW)] == [row.pk for row in two]
    assert over.pk not in [row.pk for row in two]
    sent = submission(office.get(change_address(jazz)))
    assert (sent["tell"], sent["note"], sent["note_en"]) == ("yes", "", "")
    send(office, change_address(jazz), price="50 kr")
    assert read_mark(two[0].pk).change_info == Text("Ta med mössa")


def test_the_form_shows_what_readers_see(office, jazz, two):
    note = {"note": "Åska <över>", "note_en": "Thunder"}
    send(office, change_address(jazz), **{"occasions-0-start_time": "12"}, **note)

    def read() -> list[str]:
        page = parse(office.get(change_address(jazz)))
        return [each.get_text() for each in page.select(".news .marks li")]

    of_first = "Wed 29 Jul 12:00, today 14:00: moved from 14:00. Åska <över> / Thunder"
    of_second = "Thu 30 Jul 14:00, Wed 1 Jul 02:00: Ny sal"
    assert read() == [of_first, of_second]
    # What was said of the move is not about a cancellation that nobody was told of.
    send(office, change_address(jazz), **{"occasions-0-cancelled": "on"}, note="Sjuk")
    assert read() == ["Wed 29 Jul 12:00, today 14:00: cancelled. Sjuk", of_second]
    Event.objects.update(status=Status.DRAFT)
    assert read() == []


def test_a_draft_is_asked_nothing_and_a_published_event_is_offered_news(office, jazz):
    def find(address: str) -> list[bool]:
        page = parse(office.get(address))
        return [page.select_one(each) is not None for each in ("select[name=tell]", "#news-words")]

    addresses = [change_address(jazz), f"{EVENTS}add/"]
    assert [find(address) for address in addresses] == [[False, False]] * 2
    Event.objects.update(status=Status.PUBLISHED)
    assert find(change_address(jazz)) == [True, True]
    assert "Save – readers see it at once" in office.get(change_address(jazz)).text
    area = office.get(f"/admin/programme/area/{jazz.area_id}/change/").text
    assert "Readers see changes at once." in area


def test_the_occasions_of_an_event_are_cancelled_with_news_and_reinstated_without(office, jazz, two):
    assert act(office, EVENTS, "cancel", [jazz], note="Åska") == ["Cancelled occasions: 2."]
    assert list_kinds() == [("cancelled", "Åska")] * 2
    assert act(office, EVENTS, "reinstate", [jazz], tell="no") == ["Reinstated occasions: 2."]
    # What was told of them is not so any more.
    assert read_mark(two[0].pk).changed_at is None
    assert (read_mark(two[1].pk).changed_at, read_mark(two[1].pk).change_info) == (OLD, Text("Ny sal"))
    assert not Occasion.objects.filter(cancelled=True).exists()


def test_the_list_says_why_only_of_what_is_still_so(office, two):
    def read() -> list[str]:
        return [each.get_text() for each in parse(office.get(OCCASIONS)).select(".field-state .note")]

    act(office, OCCASIONS, "cancel", two[:1], note="Sjuk")
    assert read() == ["Sjuk", "Ny sal"]
    Occasion.objects.update(cancelled=False)
    assert read() == ["Ny sal"]
