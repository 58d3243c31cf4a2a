"""Messages on what readers see once something is published or cancelled."""

from typing import Any

import pytest
from django.test import Client

from programme.models import Event, Occasion, Status
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import list_messages, submission

OCCASIONS = "/admin/programme/occasion/"


def save(office: Client, address: str, **typed: str) -> list[str]:
    """Return the messages but for Django's own, instead of which they stand."""
    saved = office.post(address, submission(office.get(address)) | typed, follow=True)
    return [each for each in list_messages(saved) if not each.startswith("Saved: ")]


@pytest.fixture
def page(jazz: Event) -> str:
    return f'<a href="https://program.example/en/occasion/{jazz.occasions.get().pk}">Jazz</a>'


def test_publishing_and_cancelling_in_the_form_link_to_the_page(
    office: Client, jazz: Event, page: str
) -> None:
    assert save(office, change_address(jazz), status="published") == [
        f"Published, and readers see it: {page}"
    ]
    assert save(office, change_address(jazz), cancelled="on") == [f"Cancelled, and readers see it: {page}"]
    assert save(office, change_address(jazz), status="draft") == [
        "Withdrawn, and readers do not see it any more: Jazz"
    ]
    Event.objects.update(cancelled=False)
    assert save(office, change_address(jazz), cancelled="on") == []


def test_an_occasion_that_is_cancelled_is_linked(office: Client, jazz: Event, page: str) -> None:
    address = f"{OCCASIONS}{jazz.occasions.get().pk}/change/"
    assert save(office, address, cancelled="on") == []
    Event.objects.update(status=Status.PUBLISHED)
    Occasion.objects.update(cancelled=False)
    link = page.replace("Jazz", "Jazz, 2026-07-29 14:00")
    assert save(office, address, cancelled="on") == [f"Cancelled, and readers see it: {link}"]
    assert save(office, address, cancelled="on") == []


def test_what_is_published_without_an_occasion_has_no_page(office: Client, jazz: Event) -> None:
    jazz.occasions.all().delete()
    assert save(office, change_address(jazz), status="published") == [
        "Readers do not see the event before it has an occasion."
    ]


def test_the_festivals_own_pages_are_linked(office: Client, jazz: Event, settings: Any) -> None:
    settings.OCCASION_URL_SV = settings.OCCASION_URL_EN = "https://festival.example/{event_id}"
    assert save(office, change_address(jazz), status="published") == [
        f'Published, and readers see it: <a href="https://festival.example/{jazz.pk}">Jazz</a>'
    ]


def test_three_of_many_are_linked(office: Client, jazz: Event) -> None:
    rows = [jazz]
    for number in range(4):
        rows.append(Event.objects.create(title=f"Kör {number}", area=jazz.area, type=jazz.type))
        original = jazz.occasions.get()
        Occasion.objects.create(event=rows[-1], start=original.start, end=original.end)
    chosen = {"action": "publish", "_selected_action": [row.pk for row in rows]}
    [message] = list_messages(office.post(EVENTS, chosen, follow=True))
    assert message.startswith("5 events were published. Readers see it: <a ")
    assert message.count("<a ") == 3
    assert message.endswith("and 2 more")
