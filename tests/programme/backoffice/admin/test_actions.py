"""Actions on selected rows: their changes, permissions and messages."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice.changes.messages import find_undo
from programme.models import Edit, Event, News, Occasion, Status
from programme.models.querysets import ProgrammeQuerySet
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.bulk.pages import apply, ask, change
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programmes import utc


@pytest.fixture
def three(jazz: Event) -> list[Event]:
    """Jazz, which has an occasion and is published, and two drafts without any."""
    Event.objects.update(status=Status.PUBLISHED)
    drafts = [Event.objects.create(title=title, area=jazz.area, type=jazz.type) for title in ("Kör", "Sagor")]
    return [jazz, *drafts]


def run_action(office: Client, address: str, action: str, rows: list[Any]) -> list[str]:
    keys = [row.pk for row in rows]
    return list_messages(change(office, action, keys, address))


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
    ],
)
def test_action_changes_the_chosen_events_and_says_how_many(  # noqa: PLR0917 - one table of cases
    office, three, action, before, after, message
):
    Event.objects.update(**before)
    assert run_action(office, EVENTS, action, three[:2]) == [message]
    changed = before | after
    assert list(Event.objects.order_by("pk").values(*before)) == [changed, changed, before]
    shown = parse(ask(office, action, [row.pk for row in three], EVENTS))
    assert words(shown.select(".notice")[0]) == "2 are so already."
    nothing = parse(ask(office, action, [row.pk for row in three[:2]], EVENTS))
    assert "Nothing had to be changed." in words(nothing)


def test_publishing_warns_of_titles_that_are_seen_and_of_events_without_occasions(office, three):
    shown = ask(office, "publish", [row.pk for row in three], EVENTS)
    assert [words(each) for each in parse(shown).select(".notice")] == [
        "1 is so already.",
        "2 events have no occasion yet, so readers do not see them.",
    ]
    assert list_messages(apply(office, shown)) == ["Published events: 2."]
    assert list(Event.objects.values_list("status", flat=True)) == ["published"] * 3


@pytest.fixture
def many(jazz: Event) -> list[Event]:
    """Jazz and 119 more, of which a page of the list has a hundred."""
    titles = [f"Kör {number}" for number in range(119)]
    Event.objects.bulk_create(Event(title=title, area=jazz.area, type=jazz.type) for title in titles)
    return list(Event.objects.all())


def test_all_of_a_list_are_published_at_once_and_undone(office, many):
    page = [row.pk for row in many[:100]]
    shown = ask(office, "publish", page, EVENTS, select_across="1")
    assert parse(shown).select_one("[type=submit].default")["value"] == "Publish: 120 events"
    Event.objects.create(title="Till", area=many[0].area, type=many[0].type)
    again = apply(office, shown)
    assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]
    assert not Event.objects.filter(status=Status.PUBLISHED).exists()
    done = apply(office, again)
    assert Event.objects.filter(status=Status.PUBLISHED).count() == 121
    [edit] = filter(None, (find_undo(message.tags) for message in done.context["messages"]))
    send(office, f"/admin/changes/{edit}/undo/")
    assert not Event.objects.filter(status=Status.PUBLISHED).exists()
    # One button for all drafts that are shown: only those that were chosen in a search are reached.
    drafts = f"{EVENTS}?q=k%C3%B6r&status__exact=draft"
    listed = office.get(drafts)
    assert words(parse(listed).select_one(".object-tools button")) == "Publish all 119 drafts"
    apply(office, office.post(drafts, submission(listed) | {"index": "0"}))
    assert Event.objects.filter(status=Status.PUBLISHED).count() == 119


@pytest.mark.parametrize(
    ("action", "cancelled", "done"), [("cancel", False, "cancelled"), ("reinstate", True, "reinstated")]
)
def test_an_event_is_cancelled_by_its_occasions_that_are_not_over(office, three, action, cancelled, done):
    jazz, draft, other = three
    over, ahead = utc(2026, 7, 28, 12), utc(2026, 7, 30, 12)
    Occasion.objects.all().delete()
    for event in (jazz, draft, other):
        for start in (over, ahead):
            end = start + dt.timedelta(hours=1)
            Occasion.objects.create(event=event, start=start, end=end, cancelled=cancelled)
    Event.objects.update(status=Status.DRAFT)
    # Of drafts nothing is asked.
    asked = parse(ask(office, action, [jazz.pk, draft.pk], EVENTS))
    assert asked.select(".notify") == []
    assert run_action(office, EVENTS, action, [jazz, draft]) == [f"{done.capitalize()} occasions: 2."]
    changed = Occasion.objects.filter(cancelled=not cancelled).order_by("pk")
    assert list(changed.values_list("event", "start")) == [(jazz.pk, ahead), (draft.pk, ahead)]
    edit = Edit.objects.first()
    assert (edit.reason, edit.detail) == (f"{done} occasions:", "2")


def test_who_may_only_look_is_offered_no_action(office, jazz):
    bo = User.objects.create_user("bo", is_staff=True)
    bo.user_permissions.set(Permission.objects.filter(codename__in=["view_event", "view_occasion"]))
    office.force_login(bo)
    office.post(EVENTS, {"action": "cancel", "_selected_action": [jazz.pk]})
    assert not Occasion.objects.filter(cancelled=True).exists()
    assert office.get(change_address(jazz)).status_code == 200
    assert office.post(change_address(jazz), {"title": "X"}).status_code == 403


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


def test_the_pages_say_how_many_occasions_readers_see(office, published):
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
    assert [len(read_offer(each).select("form")) for each in (event, occasion, listed)] == [3, 1, 1]
    # Of what is over there is nothing to cancel.
    Occasion.objects.update(start=utc(2026, 7, 1), end=utc(2026, 7, 2))
    assert len(read_offer(office.get(f"{EVENTS}{published.pk}/delete/")).select("form")) == 2


def test_a_draft_and_what_has_no_occasion_are_deleted_without_a_word(office, published):
    draft = Event.objects.get(title="Kör")
    assert read_offer(office.get(f"{EVENTS}{draft.pk}/delete/")) is None
    Event.objects.update(status=Status.PUBLISHED)
    assert read_offer(office.get(f"{EVENTS}{draft.pk}/delete/")) is None
    assert read_offer(office.get(f"/admin/programme/area/{draft.area_id}/delete/")) is None


def test_it_is_cancelled_or_withdrawn_instead_with_news_for_readers(office, published):
    asked = choose(office, delete_selected(office, EVENTS, Event.objects.all()), "cancel")
    [message] = list_messages(apply(office, asked, note="Åska"))
    assert message.startswith("Cancelled occasions: 2. Readers see it: <a ")
    assert message.count('href="https://program.example/en/occasion/') == 2
    assert {*News.objects.filter(note_sv="Åska").values_list("event_id", flat=True)} == {published.pk}
    # What is over was held.
    cancelled = Occasion.objects.order_by("start").values_list("cancelled", flat=True)
    assert list(cancelled) == [False, True, True]
    asked = choose(office, office.get(f"{EVENTS}{published.pk}/delete/"), "withdraw")
    assert list_messages(apply(office, asked)) == ["Withdrew events: 1."]
    assert Event.objects.get(pk=published.pk).status == Status.DRAFT


def save(office: Client, address: str, **typed: str) -> list[str]:
    """Return the messages but for Django's own, instead of which they stand."""
    saved = list_messages(send(office, address, follow=True, **typed))
    return [each for each in saved if not each.startswith("Saved: ")]


@pytest.fixture
def page(jazz: Event) -> str:
    return f'<a href="https://program.example/en/occasion/{jazz.occasions.get().pk}">Jazz</a>'


def test_publishing_in_the_form_links_to_the_page(office, jazz, page):
    [text] = save(office, change_address(jazz), status="published")
    assert text == f"Published, and readers see it: {page}"
    [text] = save(office, change_address(jazz), status="draft")
    assert text == "Withdrawn, and readers do not see it any more: Jazz"
    jazz.occasions.all().delete()
    [text] = save(office, change_address(jazz), status="published")
    assert text == "Readers do not see the event before it has an occasion."


def test_three_of_many_are_linked(office, jazz):
    rows = [jazz]
    for number in range(4):
        rows.append(Event.objects.create(title=f"Kör {number}", area=jazz.area, type=jazz.type))
        original = jazz.occasions.get()
        Occasion.objects.create(event=rows[-1], start=original.start, end=original.end)
    [message] = run_action(office, EVENTS, "publish", rows)
    assert message.startswith("Published events: 5. Readers see it: <a ")
    assert message.count("<a ") == 3
    assert message.endswith("and 2 more")
