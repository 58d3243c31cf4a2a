"""Undoing an edit gives each row back that is as it was left, and leaves the others whole."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection, transaction

from programme import models
from programme.changes import writing
from programme.changes.change import EDITED, IN_USE, MISSING, TAKEN, UNKNOWN, WITH_EVENT, Plan
from programme.changes.undo import plan_undo
from programme.history.batches import find_undone
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.changes.pages import write
from tests.programme.changes.rows import read_rows
from tests.programmes import ASA, CLOCKS, DRAFT, FORENINGEN, JAZZ, NIGHT, PARKEN, TORGET

HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _sample(sample: None) -> None:
    """The sample, whose rows have versions."""


def undo(edit: models.Edit) -> tuple[Plan, models.Edit]:
    """Undo a batch; return what was planned, and the edit that has undone it."""
    plan = plan_undo(edit)
    done = write(lambda: writing.write(plan))
    return plan, done


def list_staying(plan: Plan) -> list[tuple[str, int, Any]]:
    return [(row.model.__name__, row.key, row.refusal) for row in plan.refused]


def test_a_row_goes_back_if_what_the_edit_wrote_is_as_it_left_it_and_else_stays_whole() -> None:
    before = read_rows()
    keys = [JAZZ, NIGHT, CLOCKS]
    moved = write(lambda: models.Event.objects.filter(pk__in=keys).update(price="1 kr", highlighted=True))
    write(lambda: models.Event.objects.filter(pk=CLOCKS).update(title="Klockor", production=3))
    write(lambda: models.Event.objects.filter(pk=NIGHT).update(price="2 kr", title="Natten"))
    plan, done = undo(moved)
    before[models.Event, CLOCKS] |= {"title": "Klockor", "production": 3}
    before[models.Event, NIGHT] |= {"price": "2 kr", "title": "Natten", "highlighted": True}
    assert read_rows() == before
    assert list_staying(plan) == [("Event", NIGHT, EDITED)]
    assert (done.reason, done.detail) == ("undid change", str(moved.pk))


def test_of_a_storm_all_go_back_though_one_is_full_by_now() -> None:
    before = read_rows()
    keys = [8001, 8002, 8004]
    storm = write(lambda: models.Occasion.objects.filter(pk__in=keys).update(cancelled=True))
    write(lambda: models.Occasion.objects.filter(pk=8002).update(booking="full"))
    plan, _done = undo(storm)
    before[models.Occasion, 8002] |= {"booking": "full"}
    assert (read_rows(), plan.refused) == (before, [])


def test_what_was_changed_back_since_is_as_before() -> None:
    price = models.Event.objects.get(pk=JAZZ).price
    changed = write(lambda: models.Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    write(lambda: models.Event.objects.filter(pk=JAZZ).update(price=price))
    plan = plan_undo(changed)
    assert (plan.written, plan.refused) == ([], [])


def test_what_was_deleted_comes_back_with_its_identity_and_nothing_is_gone_for_readers() -> None:
    before = read_rows()
    deleted = write(
        lambda: (models.Event.objects.get(pk=JAZZ).delete(), models.Stream.objects.get(pk=9003).delete())
    )
    assert models.GoneOccasion.objects.filter(event_id=JAZZ).exists()
    plan, _done = undo(deleted)
    assert read_rows() == before
    assert plan.refused == []
    assert not models.GoneOccasion.objects.filter(event_id=JAZZ).exists()


def create_event(**values: Any) -> models.Event:
    """Create an event with an organizer, a room and an occasion of its own."""
    organizer = models.Organizer.objects.create(name="Nya gruppen")
    location = models.Location.objects.create(name="Nya huset")
    room = models.Room.objects.create(name="Nya rummet", location=location)
    event = models.Event.objects.create(
        title="Ny", area_id=TORGET, type_id=4001, organizer=organizer, **values
    )
    models.Occasion.objects.create(event=event, start=NOW, end=NOW + HOUR, location=location, room=room)
    return event


def test_a_created_row_that_was_edited_stays_with_all_that_it_needs() -> None:
    created = write(create_event)
    event = models.Event.objects.get(title="Ny")
    write(lambda: models.Event.objects.filter(pk=event.pk).update(price="1 kr"))
    now = read_rows()
    plan, _done = undo(created)
    assert read_rows() == now
    assert {(model, why) for model, _key, why in list_staying(plan)} == {
        ("Event", EDITED),
        ("Occasion", WITH_EVENT),
        ("Organizer", IN_USE),
        ("Location", IN_USE),
        ("Room", IN_USE),
    }


def test_a_created_occasion_goes_though_its_event_was_edited_since() -> None:
    def create_both() -> None:
        models.Event.objects.filter(pk=JAZZ).update(price="1 kr")
        models.Occasion.objects.create(event_id=JAZZ, start=NOW, end=NOW + HOUR)

    created = write(create_both)
    write(lambda: models.Event.objects.filter(pk=JAZZ).update(price="2 kr"))
    plan, _done = undo(created)
    assert list_staying(plan) == [("Event", JAZZ, EDITED)]


def test_an_event_that_got_another_occasion_since_keeps_them_all() -> None:
    created = write(create_event)
    event = models.Event.objects.get(title="Ny")
    write(lambda: models.Occasion.objects.create(event=event, start=NOW, end=NOW + HOUR))
    plan, _done = undo(created)
    staying = {(model, why) for model, _key, why in list_staying(plan)}
    assert {("Event", IN_USE), ("Occasion", WITH_EVENT)} < staying
    assert event.occasions.count() == 2


def test_values_that_fit_together_stay_together() -> None:
    changed = write(
        lambda: models.Event.objects.filter(pk=JAZZ).update(area=PARKEN, sub_area=None, price="1 kr")
    )
    write(lambda: models.Event.objects.filter(pk=JAZZ).update(sub_area=programmes.PARKEN_SCENEN))
    plan, _done = undo(changed)
    assert list_staying(plan) == [("Event", JAZZ, EDITED)]
    event = models.Event.objects.get(pk=JAZZ)
    assert (event.area_id, event.sub_area_id, event.price) == (PARKEN, programmes.PARKEN_SCENEN, "1 kr")


@pytest.mark.parametrize("delete", [False, True])
def test_a_location_does_not_come_back_without_its_room(delete: bool) -> None:
    rows = models.Occasion.objects.filter(pk=8001)
    changed = write(lambda: rows.delete() if delete else rows.update(location=5003, room=6003))
    # Meanwhile its former room is part of another location, and its location is gone.
    write(
        lambda: (
            models.Room.objects.filter(location=5001).update(location=5002),
            models.Occasion.objects.filter(location=5001).update(location=5002),
            models.Location.objects.filter(pk=5001).delete(),
        )
    )
    plan, _done = undo(changed)
    if delete:
        [change] = plan.written
        # It comes back without both.
        assert change.warnings == ["utan plats Biblioteket, som inte finns längre"]
    else:
        assert list_staying(plan) == [("Occasion", 8001, MISSING)]
    assert rows.values_list("location", "room").get() == ((None, None) if delete else (5003, 6003))


def test_a_name_that_another_row_has_by_now_is_not_taken_from_it() -> None:
    name = models.Organizer.objects.get(pk=ASA).name
    renamed = write(lambda: models.Organizer.objects.filter(pk=ASA).update(name="Ny", info_sv="Ny."))
    write(lambda: models.Organizer.objects.create(name=name.upper()))
    plan, _done = undo(renamed)
    assert list_staying(plan) == [("Organizer", ASA, TAKEN)]
    organizer = models.Organizer.objects.get(pk=ASA)
    assert (organizer.name, organizer.info_sv) == ("Ny", "Ny.")


def test_a_name_is_not_taken_from_a_row_of_the_batch_that_stays() -> None:
    name = models.Organizer.objects.get(pk=ASA).name

    def replace() -> None:
        models.Organizer.objects.filter(pk=ASA).update(name="~")
        models.Organizer.objects.create(name=name)

    replaced = write(replace)
    new = models.Organizer.objects.get(name=name)
    write(lambda: models.Organizer.objects.filter(pk=new.pk).update(info_sv="Ny."))
    plan, _done = undo(replaced)
    assert list_staying(plan) == [("Organizer", ASA, TAKEN), ("Organizer", new.pk, EDITED)]


@pytest.mark.parametrize(
    ("model", "key", "field", "new", "taken"),
    [
        (models.Area, programmes.TOMTEN, "name", {"name": "Ny", "full_name": "TOMTEN"}, True),
        (models.SubArea, 2001, "name", {"area_id": TORGET, "name": "Ny", "full_name": "scenen"}, True),
        (models.SubArea, 2001, "name", {"area_id": 1003, "name": "Ny", "full_name": "scenen"}, False),
        (models.Language, 4502, "code", {"name_sv": "brittiska", "code": "EN"}, True),
    ],
)
def test_a_name_does_not_come_back_that_another_row_has(
    model: Any, key: int, field: str, new: dict[str, Any], taken: bool
) -> None:
    renamed = write(lambda: model.objects.filter(pk=key).update(**{field: "xx"}))
    write(lambda: model.objects.create(**new))
    plan, _done = undo(renamed)
    assert list_staying(plan) == [(model.__name__, key, TAKEN)] * taken


def test_what_an_import_has_created_again_stays_and_what_it_replaced_stays_away() -> None:
    models.Event.objects.filter(pk=DRAFT).update(source="film", source_id="1")
    deleted = write(lambda: models.Event.objects.get(pk=DRAFT).delete())
    write(lambda: create_event(source="film", source_id="1"))
    now = read_rows()
    plan, _done = undo(deleted)
    assert list_staying(plan) == [("Event", DRAFT, TAKEN), ("Occasion", 8017, MISSING)]
    assert read_rows() == now


def test_a_row_that_was_replaced_takes_the_place_of_its_replacement() -> None:
    before = read_rows()

    def replace() -> None:
        name = models.Organizer.objects.get(pk=ASA).name
        models.Organizer.objects.filter(pk=ASA).update(name="~")
        new = models.Organizer.objects.create(name=name)
        models.Event.objects.filter(organizer=ASA).update(organizer=new)
        models.Organizer.objects.get(pk=ASA).delete()
        models.Language.objects.filter(events=None).delete()

    replaced = write(replace)
    after = read_rows()
    _plan, done = undo(replaced)
    assert read_rows() == before
    undo(done)
    assert read_rows() == after


def test_what_named_something_that_is_deleted_stays_whole() -> None:
    changed = write(
        lambda: models.Event.objects.filter(organizer=ASA).update(organizer=FORENINGEN, price="9 kr")
    )
    keys = list(models.Event.history.filter(edit=changed).values_list("id", flat=True))
    write(lambda: models.Organizer.objects.get(pk=ASA).delete())
    plan, _done = undo(changed)
    assert list_staying(plan) == [("Event", key, MISSING) for key in sorted(keys)]
    assert models.Event.objects.filter(pk__in=keys, price="9 kr").count() == len(keys)


def test_what_the_history_does_not_know_stays() -> None:
    changed = write(lambda: models.Event.objects.filter(pk__in=[JAZZ, NIGHT]).update(price="1 kr"))
    models.Event.history.filter(id=JAZZ).exclude(edit=changed).delete()
    plan, _done = undo(changed)
    assert list_staying(plan) == [("Event", JAZZ, UNKNOWN)]
    assert models.Event.objects.get(pk=JAZZ).price == "1 kr"
    models.Event.history.filter(edit=changed).delete()
    assert plan_undo(changed).changes == []


def test_which_edits_are_undone_now() -> None:
    changed = write(lambda: models.Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    assert find_undone([changed]) == set()
    _plan, done = undo(changed)
    assert find_undone([changed, done]) == {changed.pk}
    _plan, again = undo(done)
    assert (again.reason, again.detail) == ("did again change", str(changed.pk))
    assert find_undone([changed, done, again]) == set()
    _plan, last = undo(again)
    assert (last.reason, last.detail) == ("undid change", str(changed.pk))
    assert find_undone([changed]) == {changed.pk}


@pytest.mark.parametrize("count", [2, 60])
def test_it_takes_the_same_queries_however_many_rows(count: int, django_assert_num_queries: Any) -> None:
    def create() -> None:
        events = [models.Event(title=f"Nr {number}", area_id=TORGET, type_id=4001) for number in range(count)]
        rows = models.Event.objects.bulk_create(events)
        models.Occasion.objects.bulk_create(
            models.Occasion(event=row, start=NOW, end=NOW + HOUR) for row in rows
        )

    created = write(create)
    # What was written; versions, the rows now, and the versions before: of events and occasions; what refers
    # to events.
    with django_assert_num_queries(8):
        plan = plan_undo(created)
    # Two savepoints and their ends; whether there is an edit in progress, which is called an undo; whether it undoes an
    # import or a merge, which rows it created, and what imports remember of these, for each model; deleting events and
    # occasions; whether all that rows refer to is there.
    with django_assert_num_queries(13 if connection.vendor == "sqlite" else 14), transaction.atomic():
        writing.write(plan)
    assert not models.Event.objects.filter(title__startswith="Nr ").exists()
