"""The fields of news, and the marks that they set: each note once, and no other mark is touched."""

from typing import Any

import pytest

from programme.backoffice.forms.news import News, NewsFields, Tell, find_marks
from programme.models import Event, Occasion
from tests.conftest import NOW
from tests.programmes import CLOCKS, JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample")

EARLIER = utc(2026, 7, 1)
# Of Jazz; the other one is of another event.
TODAY, TOMORROW, CANCELLED, CLOCKS_TODAY = 8001, 8002, 8003, 8014
OLD = ("Ny sal", EARLIER)


@pytest.fixture(autouse=True)
def _marks(sample: None) -> None:
    Event.objects.update(change_info="", changed_at=None)
    Occasion.objects.filter(pk=TOMORROW).update(change_info=OLD[0], changed_at=OLD[1])


def read_marks() -> dict[Any, Any]:
    """Return all marks by the keys of their rows."""
    rows = [*Event.objects.marked(), *Occasion.objects.marked()]
    return {row.pk: (row.change_info, row.changed_at) for row in rows}


@pytest.mark.parametrize(
    ("tell", "expected"),
    [
        (Tell.NOTHING, {TOMORROW: OLD}),
        (Tell.OCCASIONS, {TODAY: ("Åska", NOW), CLOCKS_TODAY: ("Åska", NOW), TOMORROW: OLD}),
        (Tell.EVENT, {JAZZ: ("Åska", NOW), CLOCKS: ("Åska", NOW), TOMORROW: OLD}),
        (Tell.CLEAR, {TOMORROW: OLD}),
    ],
)
def test_what_the_news_is_about_is_marked_and_nothing_else(tell: Tell, expected: Any) -> None:
    News(tell, "Åska").mark(NOW, occasions=[TODAY, CLOCKS_TODAY], events=[JAZZ, CLOCKS])
    assert read_marks() == expected


def test_news_is_removed_with_the_former_start() -> None:
    News(Tell.EVENT, "Åska").mark(NOW, occasions=[], events=[JAZZ])
    for row in Occasion.objects.filter(pk__in=[TODAY, TOMORROW]):
        row.start, row.end = row.start.replace(minute=30), row.end.replace(minute=45)
        row.save()
    assert Occasion.objects.exclude(previous_start=None).count() == 2
    News(Tell.CLEAR).mark(NOW, occasions=[TODAY, TOMORROW], events=[JAZZ])
    assert read_marks() == {}
    assert not Occasion.objects.exclude(previous_start=None).exists()


def test_a_row_that_is_about_to_be_saved_keeps_the_start_that_it_has() -> None:
    row = Occasion.objects.get(pk=TODAY)
    before, row.start = row.start, row.start.replace(hour=13)
    News(Tell.OCCASIONS, "Åska").mark_row(row, NOW)
    row.save()
    row.refresh_from_db()
    assert (row.previous_start, row.change_info, row.changed_at) == (before, "Åska", NOW)
    News(Tell.EVENT, "Inget").mark_row(row, NOW)
    assert row.change_info == "Åska"
    News(Tell.CLEAR).mark_row(row, NOW)
    row.save()
    row.refresh_from_db()
    assert (row.previous_start, row.change_info, row.changed_at) == (None, "", None)


@pytest.mark.parametrize(
    ("sent", "news", "errors"),
    [
        ({}, News(), []),
        ({"tell": "occasions", "note": " Åska "}, News(Tell.OCCASIONS, "Åska"), []),
        ({"tell": "event"}, News(Tell.EVENT), []),
        ({"note": "Åska"}, News(note="Åska"), ["tell"]),
        # Nobody has offered it.
        ({"tell": "clear"}, News(), ["tell"]),
        ({"tell": "event", "note": "x" * 501}, News(Tell.EVENT), ["note"]),
    ],
)
def test_a_note_says_what_it_is_about(sent: dict[str, str], news: News, errors: list[str]) -> None:
    form = NewsFields(sent)
    form.is_valid()
    assert (form.news, list(form.errors)) == (news, errors)


def test_marks_are_found_of_an_event_with_its_occasions_and_of_an_occasion_the_later() -> None:
    assert find_marks(Event.objects.get(pk=JAZZ)) == [Occasion.objects.get(pk=TOMORROW)]
    assert find_marks(Occasion.objects.get(pk=TODAY)) == []
    News(Tell.EVENT, "Åska").mark(NOW, occasions=[], events=[JAZZ])
    jazz = Event.objects.get(pk=JAZZ)
    assert find_marks(jazz) == [jazz, Occasion.objects.get(pk=TOMORROW)]
    assert find_marks(Occasion.objects.get(pk=TOMORROW)) == [jazz]
    Occasion.objects.filter(pk=TOMORROW).update(changed_at=NOW)
    assert find_marks(Occasion.objects.get(pk=TOMORROW)) == [Occasion.objects.get(pk=TOMORROW)]
