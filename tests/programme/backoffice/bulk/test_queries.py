"""The page asks the database the same number of questions, however many occasions there are."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client

from programme.backoffice.bulk.plan import list_changing
from programme.models import Event, News, Occasion, Status
from tests.programme.backoffice.bulk.pages import ADDRESS, apply, show
from tests.programme.backoffice.samples import make_events

pytestmark = pytest.mark.usefixtures("at")


@pytest.fixture(params=[1, 40])
def occasions(request: Any, db: None) -> list[int]:
    make_events(request.param)
    # Nothing about drafts is announced.
    Event.objects.update(status=Status.PUBLISHED)
    return list(Occasion.objects.values_list("pk", flat=True))


def test_choosing(office: Client, occasions: list[int], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(12):
        assert len(office.get(ADDRESS, {"day": "2026-07-29"}).context["rows"]) == len(occasions)


def test_the_preview(office: Client, occasions: list[int], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(39):
        shown = show(office, occasions, shift="+2 h", note="Åska")
    assert len(list_changing(shown.context["plan"])) == len(occasions)


def test_doing_it(office: Client, occasions: list[int], django_assert_num_queries: Any) -> None:
    shown = show(office, occasions, shift="+2 h", note="Åska")
    # PostgreSQL is asked twice to check what the rows refer to.
    with django_assert_num_queries(30 + (connection.vendor == "postgresql")):
        apply(office, shown, follow=False)
    assert News.objects.filter(kind="moved", note_sv="Åska").count() == len(occasions)
