"""What an edit tells readers is written with it: each piece once, true when it appears, and never changed after."""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection

from feeds.vocabulary import Text
from programme.changes import writing
from programme.changes.undo import plan_undo
from programme.history import edits
from programme.history.news import take_back
from programme.models import Area, Edit, Event, EventType, Location, News, NewsKind, Occasion, Room
from programme.models.telling import Telling
from tests.conftest import NOW

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)
START = NOW + 3 * DAY
SOON = NOW + 5 * MINUTE
Write = Callable[[], object]


@pytest.fixture(autouse=True)
def area() -> Area:
    """An area, a type, and two locations, the first of which has a room."""
    EventType.objects.create(id=1, name_sv="Konsert")
    square = Location.objects.create(id=1, name="Torget")
    Location.objects.create(id=2, name="Parken", address="Parkvägen 1")
    Room.objects.create(id=1, name="Scenen", location=square)
    return Area.objects.create(id=1, name="Staden")


def create(count: int = 1, start: dt.datetime = START, **values: Any) -> Event:
    """Create a published event with occasions an hour apart, outside any edit: readers know it already."""
    own = {"location_id": 1, "cancelled": values.pop("cancelled", False)}
    fields = {"title": "Jazz", "area_id": 1, "type_id": 1, "status": "published"}
    event = Event.objects.create(**fields | values)
    for number in range(count):
        begin = start + number * HOUR
        Occasion.objects.create(event=event, start=begin, end=begin + HOUR, **own)
    return event


def edit(*writes: Write, after: dt.timedelta = dt.timedelta(), telling: Telling | None = None) -> Edit:
    """Write in one edit, a while after NOW; return it."""
    with edits.record(moment=NOW + after, reason="edited", telling=telling):
        for write in writes:
            write()
    return Edit.objects.latest("pk")


UNTOLD = Telling(tells=False)


def noted(note: str, *about: int) -> Telling:
    return Telling(note=Text(note, f"{note} (en)"), about=about)


def undo(done: Edit, after: dt.timedelta) -> Edit:
    plan = plan_undo(done)
    return edit(lambda: writing.write(plan), after=after)


def change(row: Any, **values: Any) -> Write:
    return lambda: type(row).objects.filter(pk=row.pk).update(**values)


def change_all(event: Event, **values: Any) -> Write:
    return lambda: event.occasions.update(**values)


def move(row: Occasion, by: dt.timedelta) -> Write:
    return change(row, start=row.start + by, end=row.end + by)


def read_news() -> list[tuple[str, int, dt.datetime]]:
    return list(News.objects.order_by("id").values_list("kind", "occasion_id", "appears_at"))


def build_state(start: dt.datetime, place: str = "Torget", **values: Any) -> dict[str, Any]:
    end = start + HOUR
    state = {
        "start": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "end": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        "location": 1,
        "room": None,
        "cancelled": False,
    }
    return state | {"place": place} | values


def test_a_piece_holds_what_readers_knew_and_know_and_what_the_occasion_was():
    event = create()
    occasion = event.occasions.get()
    values = {"start": START + HOUR, "end": START + 2 * HOUR, "location_id": 1, "room_id": 1}
    done = edit(change(occasion, **values), telling=noted("Regn"))
    [piece] = News.objects.values()
    piece.pop("id")
    assert piece.pop("uuid") == piece.pop("entry")
    assert piece == {
        "kind": NewsKind.MOVED,
        "edit_id": done.pk,
        "event_id": event.pk,
        "occasion_id": occasion.pk,
        "told_at": NOW,
        "appears_at": SOON,
        "before": build_state(START),
        "after": build_state(START + HOUR, "Torget, Scenen", room=1),
        "facts": {"title": "Jazz", "area": 1, "sub_area": None, "type": 1, "organizer": None},
        "note_sv": "Regn",
        "note_en": "Regn (en)",
    }


@pytest.mark.parametrize(
    ("former", "values", "kind"),
    [
        ({}, {"cancelled": True}, NewsKind.CANCELLED),
        ({"cancelled": True}, {"cancelled": False}, NewsKind.REINSTATED),
        ({}, {"location_id": 2}, NewsKind.MOVED),
        ({}, {"room_id": 1}, NewsKind.MOVED),
        # What drafts do.
        ({"status": "draft"}, {"cancelled": True}, None),
    ],
)
def test_occasions_that_are_changed_together_are_news_of_each_unless_that_is_denied(
    former: dict[str, Any], values: dict[str, Any], kind: NewsKind | None
) -> None:
    event = create(2, **former)
    edit(change_all(event, **values))
    keys = event.occasions.values_list("pk", flat=True)
    assert read_news() == [(kind, key, SOON) for key in keys if kind]
    News.objects.all().delete()
    edit(change_all(create(2, **former), **values), telling=UNTOLD)
    assert read_news() == []


def test_a_deleted_event_withdraws_its_occasions_and_says_what_they_were():
    event = create(2)
    keys = list(event.occasions.values_list("pk", flat=True))
    edit(event.delete, Location.objects.get(pk=1).delete)
    assert [(kind, key) for kind, key, _at in read_news()] == [("withdrawn", key) for key in keys]
    first = News.objects.earliest("id")
    assert (first.before, first.after) == (build_state(START), {})
    assert first.facts["title"] == "Jazz"


def test_a_note_is_about_what_has_moved_and_else_about_what_was_chosen_and_is_not_over():
    event = create(3, NOW - 90 * MINUTE)
    over, first, second = event.occasions.order_by("start")
    about = [over.pk, first.pk, second.pk]
    edit(move(second, HOUR), telling=noted("Försenat", *about))
    assert list(News.objects.values_list("kind", "occasion_id", "note_sv")) == [
        ("moved", second.pk, "Försenat")
    ]
    edit(change(event, title="Blues"), after=HOUR, telling=noted("Ny artist", *about))
    pieces = News.objects.exclude(kind="moved").order_by("id")
    assert [(each.kind, each.note_en, each.before == each.after) for each in pieces] == [
        ("changed", "Ny artist (en)", True)
    ]
    assert [each.occasion_id for each in pieces] == [second.pk]


def test_a_note_about_many_is_not_about_what_is_cancelled_unless_all_is():
    event = create(2)
    first, second = event.occasions.order_by("start")
    edit(change(first, cancelled=True), telling=noted("Storm"))
    about = [first.pk, second.pk]
    edit(change(event, title="Blues"), after=HOUR, telling=noted("Ny artist", *about))
    assert [each.occasion_id for each in News.objects.filter(kind="changed")] == [second.pk]
    edit(change(second, cancelled=True), after=2 * HOUR, telling=UNTOLD)
    edit(change(event, title="Soul"), after=3 * HOUR, telling=noted("Storm", *about))
    assert News.objects.filter(kind="changed", note_sv="Storm").count() == 2


def test_what_is_cancelled_is_not_moved_for_readers():
    occasion = create(cancelled=True).occasions.get()
    edit(move(occasion, HOUR))
    assert read_news() == []


def test_taking_back_that_something_is_withdrawn_takes_back_that_it_was_new():
    event = create(status="draft")
    edit(change(event, status="published"))
    edit(change(event, status="draft"), after=HOUR)
    assert [kind for kind, *_rest in read_news()] == ["new", "withdrawn"]
    assert take_back(News.objects.filter(kind="withdrawn"), NOW + HOUR) == 2
    assert read_news() == []
    edit(change(event, status="published"), after=2 * HOUR)
    edit(change(event, status="draft"), after=3 * HOUR)
    edit(change(event, status="published"), after=4 * HOUR)
    assert take_back(News.objects.filter(kind="withdrawn"), NOW + 4 * HOUR) == 1
    assert [kind for kind, *_rest in read_news()] == ["new", "new"]


def test_a_note_alone_is_an_edit_and_one_entry():
    event = create(2)
    keys = list(event.occasions.values_list("pk", flat=True))
    before = Edit.objects.count()
    with edits.record(moment=NOW, reason="noted"):
        edits.set_telling(noted("Ny artist", *keys))
    assert Edit.objects.count() == before + 1
    pieces = News.objects.order_by("id")
    assert [(each.kind, each.occasion_id, each.edit_id) for each in pieces] == [
        ("changed", key, Edit.objects.latest("pk").pk) for key in keys
    ]
    assert len({each.entry for each in pieces}) == 1
    assert {each.uuid for each in pieces}.isdisjoint({each.entry for each in pieces})


def test_notes_of_single_occasions_are_pieces_of_their_own():
    first, second = create(2).occasions.order_by("start")
    notes = {first.pk: Text("Ny artist"), second.pk: Text("Regn")}
    edit(move(second, HOUR), telling=Telling(notes=notes))
    assert list(News.objects.order_by("occasion_id").values_list("kind", "note_sv")) == [
        ("changed", "Ny artist"),
        ("moved", "Regn"),
    ]


def test_what_the_history_does_not_know_is_no_news():
    event = create()
    Occasion.history.all().delete()
    edit(change_all(event, cancelled=True))
    assert read_news() == []


@pytest.mark.parametrize(
    ("start", "by", "at"),
    [
        (NOW + DAY, HOUR, NOW),
        (NOW + DAY + MINUTE, -MINUTE, NOW),
        (NOW + DAY + MINUTE, MINUTE, SOON),
        (NOW - MINUTE, 3 * DAY, NOW),
        # It is over, and comes again.
        (NOW - HOUR, 3 * DAY, SOON),
    ],
)
def test_what_concerns_the_next_24_hours_appears_at_once(start, by, at):
    occasion = create(start=start).occasions.get()
    edit(move(occasion, by))
    assert read_news() == [("moved", occasion.pk, at)]


@pytest.mark.parametrize(("count", "expected"), [(10, {NOW, SOON}), (11, {NOW})])
def test_a_batch_of_more_than_ten_appears_as_one_with_the_first_of_it(count, expected):
    event = create(count, NOW + DAY - HOUR, status="draft")
    edit(change(event, status="published"))
    assert {appears for _kind, _key, appears in read_news()} == expected


def test_what_is_taken_back_before_was_never_news():
    event = create()
    occasion = event.occasions.get()
    edit(move(occasion, HOUR))
    edit(move(occasion, dt.timedelta()), after=4 * MINUTE)
    assert read_news() == []
    for write in (change(event, status="draft"), event.delete, change(occasion, cancelled=True)):
        undo(edit(write, after=5 * MINUTE), 9 * MINUTE)
        assert read_news() == []
    edit(move(occasion, HOUR))
    edit(move(occasion, dt.timedelta()), after=MINUTE, telling=noted("Som vanligt", occasion.pk))
    assert list(News.objects.values_list("kind", "note_sv")) == [("changed", "Som vanligt")]


def test_later_edits_are_folded_into_the_piece_that_is_pending():
    occasion = create().occasions.get()
    edit(move(occasion, HOUR))
    done = edit(change(occasion, location_id=2), after=MINUTE, telling=noted("Regn"))
    [piece] = News.objects.all()
    assert (piece.kind, piece.edit_id, piece.appears_at) == ("moved", done.pk, SOON + MINUTE)
    assert (piece.before, piece.note_sv) == (build_state(START), "Regn")
    assert piece.after == build_state(START + HOUR, "Parken", location=2)
    edit(change(occasion, cancelled=True), after=2 * MINUTE)
    assert read_news() == [("cancelled", occasion.pk, SOON + 2 * MINUTE)]
    # It has appeared, and stays.
    edit(change(occasion, cancelled=False), after=7 * MINUTE)
    assert [kind for kind, *_rest in read_news()] == ["cancelled", "reinstated"]


def test_what_appears_while_an_edit_is_made_stays(monkeypatch):
    occasion = create().occasions.get()
    edit(move(occasion, HOUR))
    monkeypatch.setattr(edits, "monotonic", Mock(side_effect=[0, 61]))
    edit(move(occasion, 2 * HOUR), after=4 * MINUTE)
    expected = [("moved", occasion.pk, SOON), ("moved", occasion.pk, SOON + 4 * MINUTE)]
    assert read_news() == expected


def test_what_becomes_something_else_untold_while_a_piece_is_pending_is_told_no_more():
    occasion = create().occasions.get()
    edit(move(occasion, HOUR))
    edit(change(occasion, cancelled=True), after=MINUTE, telling=UNTOLD)
    assert read_news() == []


def test_what_is_cancelled_before_it_appears_as_new_is_told_so_and_shown_as_nothing_else():
    event = create(status="draft")
    edit(change(event, status="published"))
    edit(change_all(event, cancelled=True), after=MINUTE, telling=noted("Sjuk"))
    assert [kind for kind, _key, appears in read_news() if appears] == ["cancelled"]
    # It is held after all, and nobody was told otherwise.
    edit(change_all(event, cancelled=False), after=2 * MINUTE)
    assert read_news() == [("new", event.occasions.get().pk, SOON + 2 * MINUTE)]
    edit(change(event, status="draft"), after=3 * MINUTE)
    assert read_news() == []


def test_what_is_moved_before_it_appears_as_new_is_new_where_it_is():
    event = create(status="draft")
    edit(change(event, status="published"))
    edit(move(event.occasions.get(), HOUR), after=MINUTE)
    [shown] = News.objects.exclude(appears_at=None)
    assert (shown.kind, shown.after) == ("new", build_state(START + HOUR))
    # It is marked all the same.
    assert [kind for kind, _key, appears in read_news() if not appears] == ["moved"]
    edit(move(event.occasions.get(), -HOUR), after=HOUR)
    edit(move(event.occasions.get(), DAY), after=HOUR + MINUTE)
    assert [kind for kind, *_rest in read_news()] == ["new", "moved", "moved"]
    assert News.objects.latest("pk").before == build_state(START + HOUR)


def test_what_was_moved_before_it_appeared_as_new_stays_when_it_is_new_again():
    event = create(status="draft")
    occasion = event.occasions.get()
    # At the same instant: the second move is folded into the first.
    edit(change(event, status="published"))
    edit(move(occasion, MINUTE))
    edit(move(occasion, HOUR))
    edit(change(event, status="draft"), after=HOUR)
    edit(change(event, status="published"), after=2 * HOUR)
    edit(move(occasion, DAY), after=2 * HOUR)
    moved = News.objects.filter(kind="moved").order_by("told_at")
    assert [each.before for each in moved] == [build_state(START), build_state(START + HOUR)]


@pytest.mark.parametrize("telling", [Telling(), UNTOLD])
def test_what_is_one_entry_appears_together_whatever_becomes_of_a_part_of_it(telling):
    event = create(11, status="draft")
    edit(change(event, status="published"))
    edit(move(event.occasions.first(), HOUR), after=MINUTE, telling=telling)
    shown = News.objects.exclude(appears_at=None).values_list("entry", "appears_at")
    assert len(shown) == 11
    assert {appears for _entry, appears in shown} == {SOON}
    assert len({entry for entry, _appears in shown}) == 1


@pytest.mark.parametrize("count", [1, 60])
def test_what_one_edit_publishes_is_one_batch_of_as_many_queries(
    count: int, django_assert_num_queries: Any
) -> None:
    Event.objects.bulk_create(Event(title="Jazz", area_id=1, type_id=1) for _number in range(count))
    Occasion.objects.bulk_create(
        Occasion(event=event, start=START, end=START + HOUR, location_id=1, room_id=1)
        for event in Event.objects.all()
    )
    with django_assert_num_queries(14), edits.record(moment=NOW):
        Event.objects.update(status="published")
    assert News.objects.values_list("kind", "appears_at", "edit_id").distinct().count() == 1
    assert News.objects.count() == count


def test_what_is_not_told_takes_few_queries(django_assert_num_queries: Any) -> None:
    event = create(3)
    with django_assert_num_queries(9), edits.record(moment=NOW):
        Event.objects.update(price="1 kr")
    with django_assert_num_queries(12), edits.record(moment=NOW, telling=UNTOLD):
        Occasion.objects.update(cancelled=True)
    with django_assert_num_queries(7), edits.record(moment=NOW):
        Area.objects.update(price="1 kr")
    assert event.status == "published"
    assert read_news() == []


def test_news_outlives_the_history():
    edit(create(2).delete)
    for model in (Event, Occasion):
        model.history.all().delete()
    Edit.objects.all().delete()
    assert [kind for kind, *_rest in read_news()] == ["withdrawn", "withdrawn"]


def test_what_is_written_outside_an_edit_is_no_news():
    event = create()
    change_all(event, cancelled=True)()
    assert read_news() == []
    # Readers know it by now.
    edit(change_all(event, cancelled=False), after=MINUTE)
    assert [kind for kind, *_rest in read_news()] == ["reinstated"]


@pytest.mark.django_db(transaction=True)
def test_twenty_editors_at_a_time_write_each_piece_once():
    """Each moves an occasion of its own and one that is everybody's, in two edits."""
    everybodys, *own = create(21).occasions.order_by("start")
    expected = [("moved", each.pk, SOON) for each in (everybodys, *own)]

    def work(number: int) -> None:
        try:
            for minutes in (number + 1, number + 30):
                by = minutes * MINUTE
                edit(move(own[number], by), move(everybodys, by))
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(work, range(20)))
    assert sorted(read_news()) == expected
    for piece, occasion in zip(
        News.objects.order_by("occasion_id"), Occasion.objects.order_by("pk"), strict=True
    ):
        before = START + (occasion.pk - everybodys.pk) * HOUR
        assert (piece.before["start"], piece.after["start"]) == (
            f"{before:%Y-%m-%dT%H:%M:%SZ}",
            f"{occasion.start:%Y-%m-%dT%H:%M:%SZ}",
        )
