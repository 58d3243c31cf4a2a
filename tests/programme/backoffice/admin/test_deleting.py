"""What readers see: messages once something is published or cancelled, and what they lose if it is deleted."""

from typing import Any

import pytest
from django.test import Client

from programme.models import Event, Occasion, Status
from programme.models.querysets import ProgrammeQuerySet
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import list_messages, parse, send, words
from tests.programmes import utc

OCCASIONS = "/admin/programme/occasion/"


@pytest.fixture
def published(jazz: Event) -> Event:
    """Jazz with an occasion that is over, one that goes on and one to come; and a draft."""
    Event.objects.update(status=Status.PUBLISHED)
    for day in (28, 30):
        Occasion.objects.create(event=jazz, start=utc(2026, 7, day, 12), end=utc(2026, 7, day, 13))
    Event.objects.create(title="Kör", area=jazz.area, type=jazz.type)
    return jazz


def read_offer(response: Any) -> Any:
    return parse(response).select_one(".instead")


def choose(office: Client, response: Any, action: str) -> Any:
    """Send the form of what is offered instead, as a browser does."""
    form = read_offer(response).select_one(f"form:has([value={action}])")
    sent: dict[str, list[str]] = {}
    for field in form.select("input"):
        sent.setdefault(str(field["name"]), []).append(str(field["value"]))
    return office.post(form["action"], sent, follow=True)


def delete_selected(office: Client, address: str, rows: ProgrammeQuerySet[Any]) -> Any:
    chosen = {"action": "delete_selected", "_selected_action": [row.pk for row in rows]}
    return office.post(address, chosen)


def test_the_pages_say_how_many_occasions_readers_see(office: Client, published: Event) -> None:
    loss = "If it is deleted, it disappears without an explanation, from calendars too. How many have it in their"
    event = office.get(f"{EVENTS}{published.pk}/delete/")
    occasion = office.get(f"{OCCASIONS}{published.occasions.last().pk}/delete/")
    assert words(read_offer(event).p).startswith(f"Occasions in the programme: 3. Still to come: 2. {loss}")
    assert words(read_offer(occasion).p).startswith("Occasions in the programme: 1. Still to come: 1.")
    assert words(read_offer(delete_selected(office, EVENTS, Event.objects.all())).p) == words(
        read_offer(event).p
    )
    listed = delete_selected(office, OCCASIONS, Occasion.objects.all())
    assert words(read_offer(listed).p) == words(read_offer(event).p)
    assert [len(read_offer(each).select("form")) for each in (event, occasion, listed)] == [2, 1, 1]


def test_a_draft_and_what_has_no_occasion_are_deleted_without_a_word(
    office: Client, published: Event
) -> None:
    draft = Event.objects.get(title="Kör")
    assert read_offer(office.get(f"{EVENTS}{draft.pk}/delete/")) is None
    Event.objects.update(status=Status.PUBLISHED)
    assert read_offer(office.get(f"{EVENTS}{draft.pk}/delete/")) is None
    assert read_offer(office.get(f"/admin/programme/area/{draft.area_id}/delete/")) is None


def test_it_is_cancelled_or_withdrawn_instead_with_news_for_readers(office: Client, published: Event) -> None:
    asked = choose(office, delete_selected(office, EVENTS, Event.objects.all()), "cancel")
    page = parse(asked)
    assert [each["value"] for each in page.select("select[name=tell] option")] == ["event", "nothing"]
    sent = {field["name"]: field.get("value", "") for field in page.select("#content-main input[name]")}
    done = office.post(EVENTS, sent | {"tell": "event", "note": "Åska"}, follow=True)
    page_of_the_next = f"https://program.example/en/occasion/{published.occasions.get(start__day=29).pk}"
    assert list_messages(done) == [
        f'Cancelled events: 1. Readers see it: <a href="{page_of_the_next}">Jazz</a>'
    ]
    assert Event.objects.filter(cancelled=True, change_info="Åska").get() == published
    done = choose(office, office.get(f"{EVENTS}{published.pk}/delete/"), "withdraw")
    assert list_messages(done) == ["Withdrew events: 1."]
    assert Event.objects.get(pk=published.pk).status == Status.DRAFT


def save(office: Client, address: str, **typed: str) -> list[str]:
    """Return the messages but for Django's own, instead of which they stand."""
    saved = list_messages(send(office, address, follow=True, **typed))
    return [each for each in saved if not each.startswith("Saved: ")]


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
    jazz.occasions.all().delete()
    assert save(office, change_address(jazz), status="published") == [
        "Readers do not see the event before it has an occasion."
    ]


def test_an_occasion_that_is_cancelled_is_linked(office: Client, jazz: Event, page: str) -> None:
    address = f"{OCCASIONS}{jazz.occasions.get().pk}/change/"
    assert save(office, address, cancelled="on") == []
    Event.objects.update(status=Status.PUBLISHED)
    Occasion.objects.update(cancelled=False)
    link = page.replace("Jazz", "Jazz, 2026-07-29 14:00")
    assert save(office, address, cancelled="on") == [f"Cancelled, and readers see it: {link}"]
    assert save(office, address, cancelled="on") == []


def test_three_of_many_are_linked(office: Client, jazz: Event) -> None:
    rows = [jazz]
    for number in range(4):
        rows.append(Event.objects.create(title=f"Kör {number}", area=jazz.area, type=jazz.type))
        original = jazz.occasions.get()
        Occasion.objects.create(event=rows[-1], start=original.start, end=original.end)
    chosen = {"action": "publish", "_selected_action": [row.pk for row in rows]}
    [message] = list_messages(office.post(EVENTS, chosen, follow=True))
    assert message.startswith("Published events: 5. Readers see it: <a ")
    assert message.count("<a ") == 3
    assert message.endswith("and 2 more")
