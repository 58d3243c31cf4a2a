"""Actions on selected rows: their changes, permissions and messages."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice.changes.messages import find_undo
from programme.models import Event, Occasion, Status
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import list_messages, send, submission
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


def test_occasion_is_cancelled_alone(office: Client, jazz: Event) -> None:
    later = Occasion.objects.create(event=jazz, start=utc(2026, 7, 30, 12), end=utc(2026, 7, 30, 13))
    occasions = "/admin/programme/occasion/"
    assert run_action(office, occasions, "cancel", [later]) == ["Cancelled occasions: 1."]
    assert list(Occasion.objects.values_list("cancelled", flat=True)) == [False, True]
    assert run_action(office, occasions, "reinstate", [later]) == ["Reinstated occasions: 1."]
    assert list(Occasion.objects.values_list("cancelled", flat=True)) == [False, False]
    assert not Event.objects.get().cancelled


def test_who_may_only_look_is_offered_no_action(office: Client, jazz: Event) -> None:
    bo = User.objects.create_user("bo", is_staff=True)
    bo.user_permissions.set(Permission.objects.filter(codename__in=["view_event", "view_occasion"]))
    office.force_login(bo)
    office.post(EVENTS, {"action": "cancel", "_selected_action": [jazz.pk]})
    assert not Event.objects.get().cancelled
    assert office.get(change_address(jazz)).status_code == 200
    assert office.post(change_address(jazz), {"title": "X"}).status_code == 403
