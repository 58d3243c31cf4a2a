"""Actions on selected rows: their changes, permissions and messages."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice.changes.messages import find_undo
from programme.models import Event, Occasion, Status
from programme.models.querysets import ProgrammeQuerySet
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programmes import utc


@pytest.fixture
def three(jazz: Event) -> list[Event]:
    """Jazz, which has an occasion and is published, and two drafts without any."""
    Event.objects.update(status=Status.PUBLISHED)
    drafts = [Event.objects.create(title=title, area=jazz.area, type=jazz.type) for title in ("Kör", "Sagor")]
    return [jazz, *drafts]


def run_action(office: Client, address: str, action: str, rows: list[Any]) -> list[str]:
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return list_messages(office.post(address, chosen, follow=True))


@pytest.mark.parametrize(
    ("action", "before", "after", "message"),
    [
        ("withdraw", {"status": "published"}, {"status": "draft"}, "Withdrew events: 2."),
        ("highlight", {"highlighted": False}, {"highlighted": True}, "Highlighted events: 2."),
        (
            "remove_highlight",
            {"highlighted": True},
            {"highlighted": False},
            "Removed the highlight of events: 2.",
        ),
        # Of drafts nothing is asked.
        ("cancel", {"status": "draft", "cancelled": False}, {"cancelled": True}, "Cancelled events: 2."),
        (
            "reinstate",
            {"status": "draft", "cancelled": True},
            {"cancelled": False},
            "Reinstated events: 2.",
        ),
    ],
)
def test_action_changes_the_chosen_events_and_says_how_many(  # noqa: PLR0917 - one table of cases
    office: Client, three: list[Event], action: str, before: Any, after: Any, message: str
) -> None:
    Event.objects.update(**before)
    assert run_action(office, EVENTS, action, three[:2]) == [message]
    changed = before | after
    assert list(Event.objects.order_by("pk").values(*before)) == [changed, changed, before]
    assert run_action(office, EVENTS, action, three[:2]) == ["Nothing had to be changed."]


def test_publishing_counts_drafts_and_warns_of_events_without_occasions(
    office: Client, three: list[Event]
) -> None:
    assert run_action(office, EVENTS, "publish", three) == [
        "2 events have no occasion yet, so readers do not see them.",
        "Published events: 2.",
    ]
    assert list(Event.objects.values_list("status", flat=True)) == ["published"] * 3


@pytest.fixture
def many(jazz: Event) -> list[Event]:
    """Jazz and 24 more."""
    titles = [f"Kör {number}" for number in range(24)]
    Event.objects.bulk_create(Event(title=title, area=jazz.area, type=jazz.type) for title in titles)
    return list(Event.objects.all())


@pytest.mark.parametrize(
    ("action", "changed"), [("publish", {"status": "published"}), ("cancel", {"cancelled": True})]
)
def test_action_on_many_events_asks_first_and_offers_to_undo_it(
    office: Client, many: list[Event], action: str, changed: dict[str, Any]
) -> None:
    chosen = {"action": action, "_selected_action": [many[0].pk], "select_across": "1"}
    confirmation = office.post(EVENTS, chosen)
    assert "Yes, with all 25" in confirmation.content.decode()
    Event.objects.create(title="Till", area=many[0].area, type=many[0].type)
    confirmation = office.post(EVENTS, submission(confirmation))
    assert "Yes, with all 26" in confirmation.content.decode()
    assert not Event.objects.filter(**changed).exists()
    done = office.post(EVENTS, submission(confirmation), follow=True)
    assert Event.objects.filter(**changed).count() == 26
    [edit] = filter(None, (find_undo(message.tags) for message in done.context["messages"]))
    undo = f"/admin/changes/{edit}/undo/"
    send(office, undo, readers="silently")
    assert not Event.objects.filter(**changed).exists()
    # Of twenty nothing is asked, and only those that were chosen in a search are reached.
    run_action(office, f"{EVENTS}?q=kör&o=5", action, many[1:21])
    assert {*Event.objects.filter(**changed)} == {*many[1:21]}


def test_who_may_only_look_is_offered_no_action(office: Client, jazz: Event) -> None:
    bo = User.objects.create_user("bo", is_staff=True)
    bo.user_permissions.set(Permission.objects.filter(codename__in=["view_event", "view_occasion"]))
    office.force_login(bo)
    office.post(EVENTS, {"action": "cancel", "_selected_action": [jazz.pk]})
    assert not Event.objects.get().cancelled
    assert office.get(change_address(jazz)).status_code == 200
    assert office.post(change_address(jazz), {"title": "X"}).status_code == 403


# --- What readers see: messages once something is published or cancelled, and what they lose if it is


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
