"""Triggers that keep publication and identities, and names that can be told apart."""

import json
from collections.abc import Callable

import pytest
from django.core import serializers
from django.db import IntegrityError, transaction

from programme.models import Area, Event, GoneOccasion, Occasion, Status, SubArea
from tests import programmes
from tests.programme.triggers.test_install import an_occasion_of, execute, of
from tests.programmes import DRAFT, JAZZ, NIGHT


@pytest.mark.django_db
def test_a_draft_was_never_published(sample: None) -> None:
    assert of(Event, DRAFT).published_at is None
    assert of(Occasion, 8017).published_at is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "publish",
    [
        lambda: Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED),
        lambda: Event.objects.bulk_update([Event(id=DRAFT, status=Status.PUBLISHED)], ["status"]),
        lambda: execute(f"UPDATE programme_event SET status = 'published' WHERE id = {DRAFT}"),
    ],
)
def test_the_first_publication_is_remembered_for_good(sample: None, publish: Callable[[], object]) -> None:
    publish()
    first = of(Event, DRAFT).published_at, of(Occasion, 8017).published_at
    assert None not in first
    Event.objects.filter(id=DRAFT).update(status=Status.DRAFT)
    publish()
    of(Occasion, 8017).save()
    assert (of(Event, DRAFT).published_at, of(Occasion, 8017).published_at) == first


@pytest.mark.django_db
def test_a_stale_copy_does_not_take_the_publication_back(sample: None) -> None:
    stale, stale_occasion = of(Event, DRAFT), of(Occasion, 8017)
    Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED)
    first = of(Event, DRAFT).published_at, of(Occasion, 8017).published_at
    stale.status = Status.PUBLISHED
    stale.save()
    stale_occasion.save()
    assert (of(Event, DRAFT).published_at, of(Occasion, 8017).published_at) == first


@pytest.mark.django_db
def test_an_occasion_added_later_is_published_when_it_is_added(sample: None) -> None:
    occasion = an_occasion_of(JAZZ)
    occasion.save()
    added = of(Occasion, occasion.pk).published_at
    assert added is not None
    assert added > of(Event, JAZZ).published_at


def gone() -> set[tuple[int, str, int]]:
    return {(row.id, str(row.uuid), row.event_id) for row in GoneOccasion.objects.all()}


def identity(occasion_id: int, event_id: int) -> tuple[int, str, int]:
    return occasion_id, str(programmes.occasion_uuid(occasion_id)), event_id


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("edit", "left"),
    [
        (lambda: of(Occasion, 8001).delete(), {identity(8001, JAZZ)}),
        (lambda: of(Event, NIGHT).delete(), {identity(8004, NIGHT)}),
        (lambda: Event.objects.filter(id=NIGHT).delete(), {identity(8004, NIGHT)}),
        (lambda: execute("DELETE FROM programme_occasion WHERE id = 8004"), {identity(8004, NIGHT)}),
        (lambda: of(Event, DRAFT).delete(), set()),
    ],
)
def test_the_identity_of_a_published_occasion_outlives_it(
    sample: None, edit: Callable[[], object], left: set[tuple[int, str, int]]
) -> None:
    edit()
    assert gone() == left


@pytest.mark.django_db
def test_an_occasion_that_comes_back_is_not_gone(sample: None) -> None:
    text = serializers.serialize("json", [of(Occasion, 8004)])
    of(Occasion, 8004).delete()
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


@pytest.mark.django_db
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
def test_no_name_of_an_area_is_a_name_of_another(
    sample: None, names: dict[str, str], is_refused: bool
) -> None:
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


@pytest.mark.django_db
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
def test_no_name_of_a_sub_area_is_a_name_of_another_in_its_area(
    sample: None, area: int, names: dict[str, str], is_refused: bool
) -> None:
    assert refused(lambda: SubArea.objects.create(area_id=area, **names)) is is_refused


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("names", "is_refused"),
    [
        ({"name": "None"}, True),
        ({"name": "Ny", "full_name": " NONE"}, True),
        ({"name": "Nonet"}, False),
    ],
)
def test_no_name_of_a_sub_area_is_the_word_for_none(
    sample: None, names: dict[str, str], is_refused: bool
) -> None:
    scenen = SubArea.objects.filter(id=programmes.TORGET_SCENEN)
    ways = [
        lambda: SubArea.objects.create(area_id=programmes.PARKEN, **names),
        lambda: scenen.update(**names),
    ]
    assert [refused(way) for way in ways] == [is_refused, is_refused]
