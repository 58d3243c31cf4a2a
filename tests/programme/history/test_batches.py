"""Batches: what edits wrote, in a few queries."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User

from programme import models
from programme.history import edits
from programme.history.batches import HIGHLIGHTED, MOVED, PUBLISHED, Doing, load_batches, order_models
from tests.conftest import NOW
from tests.programmes import DRAFT, JAZZ, NIGHT

HOUR = dt.timedelta(hours=1)


@pytest.mark.usefixtures("sample")
def test_batches_tell_who_and_what_in_five_queries(anna: User, django_assert_num_queries: Any) -> None:
    with edits.record(anna, NOW, "Publish"):
        models.Event.objects.filter(pk=DRAFT).update(status=models.Status.PUBLISHED)
    with edits.record(None, NOW + HOUR, "import", "36C3"):
        models.Event.objects.update(price="1 kr")
        models.Organizer.objects.create(name="Gruppen")
        models.Language.objects.create(code="fi", name_sv="finska")
        models.Language.objects.filter(code="sv").update(name_en="Swede")
    with edits.record(anna, NOW):
        models.Event.objects.filter(pk=NIGHT).update(highlighted=True)
        for row in models.Occasion.objects.filter(pk__in=[8001, 8002]):
            models.Occasion.objects.filter(pk=row.pk).update(start=row.start + HOUR, end=row.end + HOUR)
    with edits.record(anna, NOW):
        models.Occasion.objects.filter(pk=8001).delete()
    # The edits; what they wrote; the versions of events and occasions, and those before.
    with django_assert_num_queries(6):
        found = load_batches(list(models.Edit.objects.order_by("-pk")[:4]))
    assert [sorted((one.model.__name__, one.count, one.kind) for one in each.written) for each in found] == [
        [("Occasion", 1, "-")],
        [("Event", 1, "~"), ("Occasion", 2, "~")],
        [("Event", models.Event.objects.count(), "~"), ("Language", 2, "~"), ("Organizer", 1, "+")],
        [("Event", 1, "~")],
    ]
    assert dict(found[1].doings) == {
        Doing(HIGHLIGHTED, models.Event): 1,
        Doing(MOVED, models.Occasion, (HOUR, HOUR)): 2,
    }
    assert dict(found[3].doings) == {Doing(PUBLISHED, models.Event): 1}
    assert found[0].written[0].name == models.Event.objects.get(pk=JAZZ).title
    with django_assert_num_queries(0):
        assert load_batches([]) == []


def test_models_come_after_those_that_their_rows_refer_to() -> None:
    order = order_models()
    assert set(order) == set(models.models_with_history())
    for first, second in [
        (models.Area, models.SubArea),
        (models.SubArea, models.Event),
        (models.Room, models.Event),
        (models.Event, models.Occasion),
    ]:
        assert order.index(first) < order.index(second)
