"""Links are deleted with addresses and suggestions a year after the organizer's last occasion."""

from datetime import timedelta

import pytest

from programme.backoffice.suggestions.links import sweep_links
from programme.models import Event, Occasion, Organizer, OrganizerLink, Suggestion
from tests.conftest import NOW, SetClock
from tests.organizers import enter_path, suggest
from tests.programmes import ASA, FORENINGEN, JAZZ, utc

pytestmark = pytest.mark.usefixtures("sample")

YEAR, SECOND = timedelta(days=365), timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _clock(at: SetClock) -> None:
    at(NOW)


def test_a_year_after_the_last_occasion_all_of_it_goes() -> None:
    suggest(price="60 kr")
    # That of CLOCKS, in October.
    last = utc(2026, 10, 25, 2, 30)
    assert sweep_links(last + YEAR) == 0
    assert sweep_links(last + YEAR + SECOND) == 1
    assert not OrganizerLink.objects.exists()
    assert not Suggestion.objects.exists()
    assert Event.objects.filter(pk=JAZZ).exists()


def test_an_organizer_without_occasions_keeps_it_for_a_year() -> None:
    enter_path(ASA)
    Occasion.objects.filter(event__organizer=ASA).delete()
    assert sweep_links(NOW + YEAR) == 0
    assert sweep_links(NOW + YEAR + SECOND) == 1


def test_the_link_of_a_deleted_organizer_goes_and_others_stay() -> None:
    enter_path(FORENINGEN)
    enter_path(ASA)
    Event.objects.filter(organizer=ASA).update(organizer=None)
    Organizer.objects.get(pk=ASA).delete()
    assert sweep_links(NOW) == 1
    assert OrganizerLink.objects.get().organizer_id == FORENINGEN
