"""A plan asks the database the same number of questions, however many occasions there are."""

from typing import Any

import pytest
from django.test import Client

from programme.models import Event, News, Occasion, Status
from tests.programme.backoffice.bulk.pages import OCCASIONS, apply, show
from tests.programme.backoffice.samples import make_events

pytestmark = pytest.mark.usefixtures("at")


@pytest.fixture(params=[1, 40])
def occasions(request: Any, db: None) -> list[int]:
    make_events(request.param)
    # Nothing about drafts is announced.
    Event.objects.update(status=Status.PUBLISHED)
    return list(Occasion.objects.values_list("pk", flat=True))


@pytest.mark.parametrize("day", ["", "2026-07-29"])
def test_hours_are_one_query_more(
    office: Client, occasions: list[int], django_assert_num_queries: Any, day: str
) -> None:
    with django_assert_num_queries(13):
        page = office.get(OCCASIONS, {"on_from": "14:10", "on_until": "14:20", "day": day})
    assert len(page.context["cl"].result_list) == len(occasions)


def test_the_preview(office: Client, occasions: list[int], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(44):
        shown = show(office, "move", occasions, shift="+2 h", note="Åska")
    assert shown.context["preview"].page.paginator.count == len(occasions)


def test_doing_it(office: Client, occasions: list[int], django_assert_num_queries: Any) -> None:
    shown = show(office, "move", occasions, shift="+2 h", note="Åska")
    # PostgreSQL is asked twice to check what the rows refer to.
    with django_assert_num_queries(51):
        apply(office, shown, follow=False)
    assert News.objects.filter(kind="moved", note_sv="Åska").count() == len(occasions)
