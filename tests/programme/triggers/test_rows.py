"""Row triggers: moments of the last edit and of publication, identities, and distinct names."""

import json
from collections.abc import Callable

import pytest
from django.core import serializers
from django.db import IntegrityError, transaction

from programme import models as programme
from programme.models import Area, Event, EventType, GoneOccasion, Location, Occasion, Status, SubArea
from tests import programmes
from tests.programme.triggers.writing import FAR_AHEAD, LONG_AGO, build_occasion, execute, fetch, touched_by
from tests.programmes import ABROAD, BARE, CLOCKS, DRAFT, JAZZ, MARATHON, NEVER, NIGHT

pytestmark = pytest.mark.django_db

NAMED = [
    (Area, programmes.TORGET, {JAZZ, NIGHT, BARE, DRAFT, NEVER}),
    (Area, programmes.TOMTEN, set()),
    (SubArea, programmes.TORGET_SCENEN, {JAZZ}),
    (programme.Organizer, programmes.FORENINGEN, {JAZZ, CLOCKS}),
    (EventType, 4001, {JAZZ, CLOCKS, MARATHON, DRAFT, NEVER}),
    (programme.Language, 4501, {JAZZ}),
    # Of an event, of an occasion, by way of a room of either.
    (Location, 5001, {JAZZ, MARATHON, CLOCKS}),
    (Location, 5003, {NIGHT, CLOCKS, JAZZ}),
    (programme.Room, 6001, {JAZZ, CLOCKS}),
    (programme.Room, 6002, {JAZZ}),
    (programme.Stream, 9003, {JAZZ}),
    (Occasion, 8004, {NIGHT}),
    (Event, NIGHT, {NIGHT}),
    # An area's own streams, days and the festival are not named by events.
    (programme.Stream, 9001, set()),
    (programme.Day, 20260729, set()),
    (programme.Festival, 1, set()),
]


@pytest.mark.parametrize(("model", "pk", "events"), NAMED)
def test_last_modified_moves_with_related_rows(sample, model, pk, events):
    field = next(f for f in model._meta.local_concrete_fields if not (f.primary_key or f.is_relation))
    row = fetch(model, pk)
    value = getattr(row, field.name)
    rows = model._default_manager.filter(pk=pk)
    assert touched_by(row.save) == events
    assert touched_by(lambda: rows.update(**{field.name: value})) == events
    assert touched_by(lambda: model._default_manager.bulk_update([row], [field.name])) == events


@pytest.mark.parametrize(
    ("edit", "events"),
    [
        (lambda: build_occasion(NIGHT).save(), {NIGHT}),
        (lambda: Occasion.objects.bulk_create(map(build_occasion, (NIGHT, BARE))), {NIGHT, BARE}),
        (lambda: fetch(Occasion, 8001).delete(), {JAZZ}),
        (lambda: Occasion.objects.filter(id__in=(8001, 8004)).delete(), {JAZZ, NIGHT}),
        # From one event to another; with its stream set to nothing; in SQL.
        (lambda: Occasion.objects.filter(id=8001).update(event_id=NIGHT), {JAZZ, NIGHT}),
        (lambda: fetch(programme.Stream, 9003).delete(), {JAZZ}),
        (lambda: execute("UPDATE programme_organizer SET offer_count = 4"), {JAZZ, NIGHT, MARATHON, CLOCKS}),
        (lambda: programme.AreaDay.objects.all().delete(), set()),
        (lambda: Event.objects.filter(id=ABROAD).update(area_id=programmes.TORGET), {ABROAD}),
        # What readers do not see.
        (lambda: programme.Room.objects.update(parallel=True), set()),
        (lambda: Location.objects.update(parallel=True), set()),
    ],
)
def test_last_modified_moves_with_occasions_added_moved_and_deleted(sample, edit, events):
    assert touched_by(edit) == events


@pytest.mark.parametrize(
    "edit",
    [
        lambda: fetch(Event, JAZZ).save(),
        lambda: Event.objects.update(title="Ny"),
        lambda: fetch(Area, programmes.TORGET).save(),
        lambda: fetch(Occasion, 8001).delete(),
        lambda: Event.objects.update(title="Ny", last_modified=LONG_AGO),
    ],
)
def test_last_modified_never_decreases(sample, edit):
    Event.objects.update(last_modified=FAR_AHEAD)
    edit()
    assert set(Event.objects.values_list("last_modified", flat=True)) == {FAR_AHEAD}


def test_the_festival_stores_the_moment_of_its_last_save(sample):
    before = programme.Festival.objects.get().saved_at
    programme.Festival.objects.update(name_sv="Ny")
    assert programme.Festival.objects.get().saved_at > before


def test_a_draft_was_never_published(sample):
    assert fetch(Event, DRAFT).published_at is None
    assert fetch(Occasion, 8017).published_at is None


@pytest.mark.parametrize(
    "publish",
    [
        lambda: Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED),
        lambda: Event.objects.bulk_update([Event(id=DRAFT, status=Status.PUBLISHED)], ["status"]),
        lambda: execute(f"UPDATE programme_event SET status = 'published' WHERE id = {DRAFT}"),
    ],
)
def test_the_first_publication_is_stored_permanently(sample, publish):
    publish()
    first = fetch(Event, DRAFT).published_at, fetch(Occasion, 8017).published_at
    assert None not in first
    Event.objects.filter(id=DRAFT).update(status=Status.DRAFT)
    publish()
    fetch(Occasion, 8017).save()
    assert (fetch(Event, DRAFT).published_at, fetch(Occasion, 8017).published_at) == first


def test_a_stale_copy_does_not_overwrite_the_publication(sample):
    stale, stale_occasion = fetch(Event, DRAFT), fetch(Occasion, 8017)
    Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED)
    first = fetch(Event, DRAFT).published_at, fetch(Occasion, 8017).published_at
    stale.status = Status.PUBLISHED
    stale.save()
    stale_occasion.save()
    assert (fetch(Event, DRAFT).published_at, fetch(Occasion, 8017).published_at) == first


def test_an_occasion_added_later_is_published_when_it_is_added(sample):
    occasion = build_occasion(JAZZ)
    occasion.save()
    added = fetch(Occasion, occasion.pk).published_at
    assert added is not None
    assert added > fetch(Event, JAZZ).published_at


def gone() -> set[tuple[int, str, int]]:
    return {(row.id, str(row.uuid), row.event_id) for row in GoneOccasion.objects.all()}


def identity(occasion_id: int, event_id: int) -> tuple[int, str, int]:
    return occasion_id, str(programmes.occasion_uuid(occasion_id)), event_id


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        (lambda: fetch(Occasion, 8001).delete(), {identity(8001, JAZZ)}),
        (lambda: fetch(Event, NIGHT).delete(), {identity(8004, NIGHT)}),
        (lambda: Event.objects.filter(id=NIGHT).delete(), {identity(8004, NIGHT)}),
        (lambda: execute("DELETE FROM programme_occasion WHERE id = 8004"), {identity(8004, NIGHT)}),
        (lambda: fetch(Event, DRAFT).delete(), set()),
    ],
)
def test_the_identity_of_a_published_occasion_outlives_it(sample, edit, left):
    edit()
    assert gone() == left


def test_a_restored_occasion_is_not_gone(sample):
    text = serializers.serialize("json", [fetch(Occasion, 8004)])
    fetch(Occasion, 8004).delete()
    assert json.loads(text)[0]["pk"] == 8004
    for restored in serializers.deserialize("json", text):
        restored.save()
    assert gone() == set()


def refused(edit: Callable[[], object]) -> bool:
    try:
        with transaction.atomic():
            edit()
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    ("names", "is_refused"),
    [
        ({"name": "ÅNGTORGET"}, True),
        ({"name": " stora ÅNGTORGET "}, True),
        ({"name": "Nytt", "full_name": "ångtorget"}, True),
        ({"name": "Nytt", "full_name": "STORA ÅNGTORGET"}, True),
        ({"name": "A\u030angtorget"}, True),
        ({"name": "Nytt", "full_name": "NYTT"}, False),
        ({"name": "Scenen"}, False),
        ({"name": "Ångtorget 2"}, False),
    ],
)
def test_no_name_of_an_area_is_a_name_of_another(sample, names, is_refused):
    tomten = Area.objects.filter(id=programmes.TOMTEN)
    ways = [
        lambda: Area.objects.create(id=1009, **names),
        lambda: Area.objects.bulk_create([Area(id=1009, **names)]),
        lambda: tomten.update(**names),
    ]
    for way in ways:
        assert refused(way) is is_refused
        Area.objects.filter(id=1009).delete()
        tomten.update(name="Tomten", full_name="")


@pytest.mark.parametrize(
    ("area", "names", "is_refused"),
    [
        (programmes.TORGET, {"name": "SCENEN"}, True),
        (programmes.TORGET, {"name": "scenen på ångtorget"}, True),
        (programmes.TORGET, {"name": "Ny", "full_name": "scenen"}, True),
        (programmes.PARKEN, {"name": "Scenen på Ångtorget"}, False),
        (programmes.TORGET, {"name": "Ångtorget"}, False),
    ],
)
def test_no_name_of_a_sub_area_is_a_name_of_another_in_its_area(sample, area, names, is_refused):
    assert refused(lambda: SubArea.objects.create(area_id=area, **names)) is is_refused


@pytest.mark.parametrize(
    ("names", "is_refused"),
    [({"name": "None"}, True), ({"name": "Ny", "full_name": " NONE"}, True), ({"name": "Nonet"}, False)],
)
def test_the_reserved_word_is_no_name_of_a_sub_area(sample, names, is_refused):
    scenen = SubArea.objects.filter(id=programmes.TORGET_SCENEN)
    ways = [
        lambda: SubArea.objects.create(area_id=programmes.PARKEN, **names),
        lambda: scenen.update(**names),
    ]
    assert [refused(way) for way in ways] == [is_refused, is_refused]
