"""News for readers with each way to move or cancel: in forms, in rows, and with the actions of lists."""

from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from feeds.vocabulary import Text
from programme.backoffice.forms.news import News, NewsFields, Tell
from programme.models import Event, Location, Occasion, Status
from tests.conftest import NOW
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import (
    list_errors,
    list_messages,
    parse,
    row_fields,
    send,
    submission,
)
from tests.programmes import utc

OCCASIONS = "/admin/programme/occasion/"
NOTHING = ("", None, None)
OLD = ("Ny sal", utc(2026, 7, 1), None)
# The occasions of Jazz start at 14:00 on two days.
FIRST, SECOND = utc(2026, 7, 29, 12), utc(2026, 7, 30, 12)


@pytest.fixture
def two(jazz: Event) -> list[Occasion]:
    """The occasions of Jazz, which is published; the second one is marked as changed."""
    Event.objects.update(status=Status.PUBLISHED)
    Occasion.objects.create(
        event=jazz, start=SECOND, end=utc(2026, 7, 30, 13), change_info=OLD[0], changed_at=OLD[1]
    )
    return list(Occasion.objects.all())


def read_marks() -> list[tuple[Any, ...]]:
    """Return the marks of the occasions in order, and that of the event."""
    own = Occasion.objects.order_by("pk").values_list("change_info", "changed_at", "previous_start")
    return [*own, Event.objects.values_list("change_info", "changed_at").get()]


def edit_address(occasion: Occasion) -> str:
    return f"{OCCASIONS}{occasion.pk}/change/"


def act(office: Client, address: str, action: str, rows: list[Any], **typed: str) -> list[str]:
    """Choose an action, and confirm it on its page; return the messages but for links (test_deleting.py)."""
    chosen = {"_selected_action": [row.pk for row in rows]}
    page = office.post(address, {"action": action, **chosen})
    done = office.post(address, submission(page) | chosen | typed, follow=True)
    return [each.partition(" Readers see it:")[0] for each in list_messages(done)]


TOLD = [
    ({"start_time": "13"}, [("", NOW, FIRST), OLD, ("", None)]),
    ({"start_time": "13", "note": "Åska"}, [("Åska", NOW, FIRST), OLD, ("", None)]),
    ({"start_time": "13", "tell": "nothing"}, [NOTHING, OLD, ("", None)]),
    ({"start_time": "13", "tell": "occasions", "note": "Åska"}, [("Åska", NOW, FIRST), OLD, ("", None)]),
    ({"start_time": "13", "tell": "event", "note": "Åska"}, [("", None, FIRST), OLD, ("Åska", NOW)]),
    ({"cancelled": "on"}, [("", NOW, None), OLD, ("", None)]),
]


@pytest.mark.parametrize("in_its_event", [False, True])
@pytest.mark.parametrize(("typed", "marks"), TOLD)
def test_an_occasion_is_saved_with_the_news_that_was_chosen(office, two, typed, marks, in_its_event):
    if in_its_event:
        of_rows = typed.keys() - {"tell", "note"}
        sent = {f"occasions-0-{name}" if name in of_rows else name: typed[name] for name in typed}
        send(office, change_address(two[0].event), **sent)
    else:
        send(office, edit_address(two[0]), **typed)
    assert read_marks() == marks


def test_the_news_about_an_occasion_is_removed_in_its_form(office, two):
    Event.objects.update(change_info="Åska", changed_at=NOW)
    # It was moved, too.
    Occasion.objects.filter(pk=two[1].pk).update(start=SECOND.replace(minute=30))
    assert Occasion.objects.get(pk=two[1].pk).previous_start == SECOND
    send(office, edit_address(two[1]), tell="clear")
    assert read_marks() == [NOTHING, NOTHING, ("Åska", NOW)]
    send(office, change_address(two[0].event), tell="clear", **{"occasions-0-start_time": "13"})
    assert read_marks() == [NOTHING, NOTHING, ("", None)]


@pytest.mark.parametrize(
    ("sent", "news", "errors"),
    [
        ({}, News(), []),
        ({"tell": "occasions", "note": " Åska "}, News(Tell.OCCASIONS, Text("Åska"), is_typed=True), []),
        (
            {"tell": "occasions", "note": "Åska", "note_en": "Thunder "},
            News(Tell.OCCASIONS, Text("Åska", "Thunder"), is_typed=True),
            [],
        ),
        ({"tell": "event"}, News(Tell.EVENT), []),
        ({"note": "Åska"}, News(note=Text("Åska"), is_typed=True), []),
        ({"note": "Åska", "tell": "nothing"}, News(note=Text("Åska"), is_typed=True), ["tell"]),
        ({"note_en": "Thunder", "tell": "nothing"}, News(note=Text(en="Thunder"), is_typed=True), ["tell"]),
        # Nobody has offered it.
        ({"tell": "clear"}, News(), ["tell"]),
        ({"tell": "event", "note": "x" * 501}, News(Tell.EVENT, is_typed=True), ["note"]),
    ],
)
def test_a_note_says_what_it_is_about(sent, news, errors):
    form = NewsFields(sent)
    form.is_valid()
    assert (form.sent_news, list(form.errors)) == (news, errors)


def test_a_new_row_may_be_news_too(office, jazz, two):
    new = row_fields("occasions", 2, id="", day="2026-08-01", start_time="19", end_time="20", end_date="")
    typed = {"occasions-TOTAL_FORMS": "3", "tell": "occasions", "note": "Extra"}
    send(office, change_address(jazz), **typed, **new)
    assert read_marks() == [NOTHING, OLD, ("Extra", NOW, None), ("", None)]


def test_news_about_occasions_that_are_not_changed_is_refused(office, jazz, two):
    refused = send(office, edit_address(two[0]), start_time="13", tell="nothing", note="Åska")
    assert list_errors(refused) == {"tell": ["Choose what the note is about, or leave it empty."]}
    assert submission(refused)["note"] == "Åska"
    refused = send(office, change_address(jazz), title="Storband", tell="occasions", note="Åska")
    assert list_errors(refused) == {
        "occasions": ["You change no occasion here. Tell readers about the whole event, or nothing."]
    }
    assert submission(refused)["note"] == "Åska"
    assert read_marks() == [NOTHING, OLD, ("", None)]


def test_a_note_alone_is_about_the_whole_event_and_stays(office, jazz, two):
    send(office, change_address(jazz), note="Ta med mössa")
    assert read_marks() == [NOTHING, OLD, ("Ta med mössa", NOW)]
    # Who comes again finds it filled in, and keeps it.
    send(office, change_address(jazz), price="50 kr")
    assert read_marks()[2] == ("Ta med mössa", NOW)


def test_the_form_shows_what_readers_see(office, jazz, two):
    Event.objects.update(change_info="Åska <över>", changed_at=NOW)
    Occasion.objects.filter(pk=two[0].pk).update(changed_at=NOW)
    Occasion.objects.filter(pk=two[0].pk).update(start=FIRST.replace(hour=10))

    def read(address: str) -> list[str]:
        page = parse(office.get(address))
        return [each.get_text() for each in page.select(".news .marks li")]

    assert read(change_address(jazz)) == [
        "the whole event, 2026-07-29 14:00: Åska <över>",
        "Wed 2026-07-29 12:00, 2026-07-29 14:00: moved from 14:00",
        "Thu 2026-07-30 14:00, 2026-07-01 02:00: Ny sal",
    ]
    # The later of both.
    assert read(edit_address(two[1])) == ["the whole event, 2026-07-29 14:00: Åska <över>"]
    assert read(edit_address(two[0])) == ["Wed 2026-07-29 12:00, 2026-07-29 14:00: moved from 14:00"]


def test_a_draft_is_asked_nothing_and_a_published_event_is_offered_news(office, jazz):
    def find(address: str) -> list[bool]:
        page = parse(office.get(address))
        return [page.select_one(each) is not None for each in ("select[name=tell]", "#news-words")]

    occasion = Occasion.objects.get()
    addresses = [change_address(jazz), edit_address(occasion), f"{EVENTS}add/", f"{OCCASIONS}add/"]
    assert [find(address) for address in addresses] == [[False, False]] * 4
    Event.objects.update(status=Status.PUBLISHED)
    assert [find(address) for address in addresses[:2]] == [[True, True]] * 2
    # What a draft is marked with can be removed.
    Event.objects.update(status=Status.DRAFT, change_info="Åska")
    assert find(addresses[0]) == [True, False]


@pytest.mark.parametrize(
    ("typed", "marks"),
    [
        # Who types no note leaves what is there.
        ({}, [("", NOW, None), ("Ny sal", NOW, None), ("", None)]),
        ({"note": "Åska"}, [("Åska", NOW, None), ("Åska", NOW, None), ("", None)]),
        ({"tell": "event", "note": "Åska"}, [NOTHING, OLD, ("Åska", NOW)]),
        ({"tell": "nothing"}, [NOTHING, OLD, ("", None)]),
    ],
)
def test_occasions_are_cancelled_with_news(office, two, typed, marks):
    assert act(office, OCCASIONS, "cancel", two, **typed) == ["Cancelled occasions: 2."]
    assert read_marks() == marks
    assert set(Occasion.objects.values_list("cancelled", flat=True)) == {True}


def test_only_what_is_cancelled_just_now_and_lies_ahead_is_news(office, two):
    event = two[0].event
    over = Occasion.objects.create(event=event, start=utc(2026, 7, 28, 12), end=utc(2026, 7, 28, 13))
    already = Occasion.objects.create(
        event=event, start=utc(2026, 8, 1, 12), end=utc(2026, 8, 1, 13), cancelled=True
    )
    assert act(office, OCCASIONS, "cancel", [two[0], over, already]) == ["Cancelled occasions: 2."]
    assert read_marks() == [("", NOW, None), OLD, NOTHING, NOTHING, ("", None)]


def test_the_occasions_of_an_event_are_cancelled_with_news_and_reinstated_without(office, jazz, two):
    assert act(office, EVENTS, "cancel", [jazz], note="Åska") == ["Cancelled occasions: 2."]
    assert read_marks() == [("Åska", NOW, None)] * 2 + [("", None)]
    assert act(office, EVENTS, "reinstate", [jazz], tell="clear") == ["Reinstated occasions: 2."]
    assert read_marks() == [NOTHING, NOTHING, ("", None)]
    assert not Occasion.objects.filter(cancelled=True).exists()


@pytest.mark.parametrize("count", [1, 30])
def test_cancelling_with_news_takes_as_many_queries_however_many(
    office, jazz, count, django_assert_num_queries
):
    Event.objects.update(status=Status.PUBLISHED)
    park = Location.objects.create(name="Parken")
    Occasion.objects.all().delete()
    for day in range(1, count + 1):
        start, end = utc(2026, 8, day, 12), utc(2026, 8, day, 13)
        Occasion.objects.create(event=jazz, start=start, end=end, location=park)
    rows = list(Occasion.objects.all())
    page = office.post(OCCASIONS, {"action": "cancel", "_selected_action": [row.pk for row in rows]})
    sent = submission(page) | {"_selected_action": [row.pk for row in rows], "note": "Åska"}
    # A process asks for it once.
    ContentType.objects.get_for_model(Occasion)
    # Who edits and why, the rows and their events, what is news, marks, changes, the log of each, the revision.
    with django_assert_num_queries(35):
        office.post(OCCASIONS, sent)
    assert Occasion.objects.filter(cancelled=True, change_info="Åska").count() == count
