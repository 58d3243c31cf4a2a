"""What the database keeps of publications as a whole: the last withdrawal, and when each year began."""

from collections.abc import Callable
from datetime import datetime

import pytest

from programme.models import Event, Occasion, PublishedYear, Revision, Status
from programme.publishing import loading
from tests.programme.triggers.writing import FAR_AHEAD, LONG_AGO, build_occasion, execute, fetch
from tests.programmes import ABROAD, BARE, CLOCKS, DRAFT, JAZZ, NEVER, NIGHT, utc

pytestmark = pytest.mark.django_db


def find_withdrawal() -> datetime | None:
    return Revision.objects.get().withdrawn_at


def withdraw(event_id: int) -> None:
    Event.objects.filter(id=event_id).update(status=Status.DRAFT)


@pytest.mark.parametrize(
    "edit",
    [
        lambda: withdraw(JAZZ),
        lambda: execute(f"UPDATE programme_event SET status = 'draft' WHERE id = {JAZZ}"),
        lambda: fetch(Occasion, 8001).delete(),
        lambda: fetch(Event, NIGHT).delete(),
        lambda: Occasion.objects.filter(event_id=NIGHT)._raw_delete("default"),
        lambda: execute("DELETE FROM programme_occasion WHERE id = 8004"),
        lambda: Occasion.objects.filter(id=8001).update(event_id=DRAFT),
    ],
)
def test_the_moment_of_the_last_withdrawal_is_stored(sample: None, edit: Callable[[], object]) -> None:
    edit()
    first = find_withdrawal()
    assert first is not None
    Revision.objects.update(withdrawn_at=LONG_AGO)
    withdraw(CLOCKS)
    assert find_withdrawal() >= first
    Revision.objects.update(withdrawn_at=FAR_AHEAD)
    withdraw(ABROAD)
    assert find_withdrawal() == FAR_AHEAD


@pytest.mark.parametrize(
    "edit",
    [
        lambda: Event.objects.filter(id=JAZZ).update(title="Ny"),
        lambda: Occasion.objects.filter(event=JAZZ).update(cancelled=True),
        lambda: Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED),
        lambda: fetch(Event, DRAFT).delete(),
        lambda: fetch(Occasion, 8017).delete(),
        lambda: build_occasion(JAZZ).save(),
        lambda: Occasion.objects.filter(id=8001).update(event_id=NIGHT),
        lambda: Occasion.objects.filter(id=8017).update(event_id=NEVER),
    ],
)
def test_what_withdraws_nothing_does_not_move_it(sample: None, edit: Callable[[], object]) -> None:
    edit()
    assert find_withdrawal() is None


def test_what_was_withdrawn_before_is_not_withdrawn_again(sample: None) -> None:
    withdraw(JAZZ)
    Revision.objects.update(withdrawn_at=LONG_AGO)
    fetch(Event, JAZZ).delete()
    assert find_withdrawal() == LONG_AGO


def list_years() -> dict[datetime, datetime]:
    return dict(PublishedYear.objects.values_list("start", "published_at"))


MIDDLE_OF_2026 = utc(2026, 7, 1)


def test_a_year_is_published_with_the_first_of_its_occasions(sample: None) -> None:
    before = list_years()
    # The last days of a year and the first ones are of one year or the other, by the time zone.
    assert set(before) == {utc(2025, 7, 1), MIDDLE_OF_2026, utc(2026, 12, 31, 23)}
    Occasion.objects.filter(id=8001).update(start=utc(2028, 2, 29, 12), end=utc(2028, 2, 29, 13))
    Event.objects.filter(id=DRAFT).update(title="Fortfarande ett utkast")
    Occasion.objects.filter(id=8017).update(start=utc(2029, 1, 1, 12), end=utc(2029, 1, 1, 13))
    added = {start: at for start, at in list_years().items() if start not in before}
    assert list(added) == [utc(2028, 7, 1)]
    Event.objects.filter(id=DRAFT).update(status=Status.PUBLISHED)
    assert set(list_years()) - set(before) == {utc(2028, 7, 1), utc(2029, 1, 1, 12)}


def test_the_publication_of_a_year_never_moves(sample: None) -> None:
    before = list_years()
    for event_id in (JAZZ, BARE):
        withdraw(event_id)
        Event.objects.filter(id=event_id).update(status=Status.PUBLISHED)
    Occasion.objects.filter(id__in=(8002, 8011)).delete()
    build_occasion(NIGHT).save()
    Event.objects.all().delete()
    assert list_years() == before


def test_years_are_those_of_the_festival_s_time_zone(sample: None, settings: object) -> None:
    published, early = utc(2026, 6, 1, 7, 0, 0, 500000), utc(2025, 12, 24, 23, 30)
    assert loading.load().published_years == {2025: early, 2026: published, 2027: published}
    PublishedYear.objects.filter(start=utc(2026, 12, 31, 23)).update(published_at=LONG_AGO)
    settings.FESTIVAL_TIME_ZONE = "UTC"
    assert loading.load().published_years == {2025: early, 2026: LONG_AGO}
