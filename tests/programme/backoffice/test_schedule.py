"""Publishing and withdrawing at a moment to come: planning it, what waits, and what happens then."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from festival.accounts.access import BackOfficeBackend, update_account
from programme.backoffice import schedule
from programme.backoffice.roles import Role, assign_role
from programme.models import Day, Edit, Event, Missed, Occasion, ScheduledPublication, Status
from programme.publishing.loading import fetch_revision
from tests.conftest import NOW
from tests.programme.backoffice.bulk.pages import apply, change, confirm, show
from tests.programme.backoffice.requests import list_errors, list_messages, parse, submission, words
from tests.programmes import BARE, CLOCKS, DRAFT, JAZZ, NEVER, NIGHT, TORGET, utc
from tests.together import run_together

pytestmark = pytest.mark.usefixtures("at", "sample")

EVENTS = "/admin/programme/event/"
# Friday 31 July 2026, 09:00 in Stockholm.
NINE = utc(2026, 7, 31, 7)
MOMENT = {"due_day": "2026-07-31", "due_time": "9"}
PLANNED = {"status": "planned", **MOMENT}
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def sample(sample: None) -> None:
    """Give events an occasion after the moments that are planned here, and the festival its day."""
    Day.objects.create(date=dt.date(2026, 8, 20))
    late = {"start": utc(2026, 8, 20, 18), "end": utc(2026, 8, 20, 19)}
    Occasion.objects.bulk_create(
        Occasion(event_id=each, **late) for each in (JAZZ, NIGHT, CLOCKS, BARE, DRAFT)
    )


def form_of(event: int) -> str:
    return f"{EVENTS}{event}/change/"


def carry_out(instant: dt.datetime) -> float:
    return schedule.carry_out(instant, BackOfficeBackend().get_user)


def act(office: Client, action: str, *events: int, **fields: str) -> Any:
    return office.post(EVENTS, {"action": action, "_selected_action": events, **fields}, follow=True)


def plan(office: Client, action: str, *events: int, **fields: str) -> list[str]:
    """Choose the action, answer the page that asks when, and confirm what it shows."""
    shown = show(office, action, [*events], EVENTS, **(fields or MOMENT))
    if not shown.context["preview"].is_possible:
        return [shown.context["nothing"]]
    return list_messages(apply(office, shown))


def statuses(*events: int) -> list[str]:
    found = dict(Event.objects.values_list("pk", "status"))
    return [found[event] for event in events]


def shown_state(office: Client, event: int) -> str:
    row = parse(office.get(EVENTS)).select_one(f"#result_list tr:has([value='{event}'])")
    return words(row.select_one(".field-state"))


# --- Planning -----------------------------------------------------------------------------------


def test_a_selection_is_published_at_its_moment_as_one_edit_that_is_undone(office):
    Event.objects.filter(pk=BARE).update(status=Status.DRAFT)
    before = fetch_revision()
    assert plan(office, "publish_at", DRAFT, BARE, JAZZ) == ["2 events: is published Fri 31 Jul 09:00."]
    assert fetch_revision() == before
    assert shown_state(office, DRAFT) == "draft, is published Fri 31 Jul 09:00"
    assert carry_out(NINE - 3 * SECOND) == 3.0
    assert carry_out(NINE - SECOND / 4) == 0.25
    assert (statuses(DRAFT, BARE), fetch_revision()) == (["draft", "draft"], before)
    edits = Edit.objects.count()
    assert carry_out(NINE) == 1.0
    assert statuses(DRAFT, BARE) == ["published", "published"]
    edit = Edit.objects.first()
    assert edit is not None
    assert (edit.name, edit.reason, edit.moment) == ("anna", "published as planned", NINE)
    assert (Edit.objects.count(), ScheduledPublication.objects.count()) == (edits + 1, 0)
    assert carry_out(NINE) == 1.0
    assert Edit.objects.count() == edits + 1
    page = f"/admin/changes/{edit.pk}/undo/"
    office.post(page, submission(office.get(page)))
    assert statuses(DRAFT, BARE) == ["draft", "draft"]
    assert carry_out(NINE + SECOND) == 1.0
    assert statuses(DRAFT, BARE) == ["draft", "draft"]


def test_the_form_plans_withdraws_the_plan_and_says_it(office):
    before = fetch_revision()
    form = form_of(JAZZ)
    response = office.post(form, submission(office.get(form)) | PLANNED | {"_continue": "1"}, follow=True)
    title = Event.objects.get(pk=JAZZ).title
    assert list_messages(response)[-1] == f"{title}: is withdrawn Fri 31 Jul 09:00."
    # Readers' calendars do not say either that it was saved.
    assert fetch_revision() == before
    page = parse(response)
    assert [page.select_one(f"#id_{name}")["value"] for name in MOMENT] == ["2026-07-31", "09:00"]
    assert [each["value"] for each in page.select("[name=status][checked]")] == ["planned"]
    # Who saves something else leaves the plan as it is, and its author.
    kim = User.objects.create_superuser("kim")
    office.force_login(kim)
    office.post(form, submission(office.get(form)) | {"price": "10 kr"})
    assert ScheduledPublication.objects.get().name == "anna"
    response = office.post(form, submission(office.get(form)) | {"status": "published"}, follow=True)
    assert list_messages(response)[-1] == f"{title}: nothing is planned any more."
    assert not ScheduledPublication.objects.exists()


def test_a_new_event_is_planned_with_its_form(office):
    sent = submission(office.get(f"{EVENTS}add/")) | {"title": "Kör", "area": str(TORGET)} | PLANNED
    occasion = {"occasions-0-day": "2026-08-01", "occasions-0-start_time": "19", "occasions-0-end_time": "20"}
    office.post(f"{EVENTS}add/", sent | occasion)
    event = Event.objects.get(title="Kör")
    assert (event.status, event.plan.status, event.plan.due) == ("draft", "published", NINE)


@pytest.mark.parametrize(
    ("fields", "field", "error"),
    [
        ({"due_day": "2026-07-31", "due_time": ""}, "due_time", "Choose both a day and a time."),
        ({"due_day": "", "due_time": "9"}, "due_day", "Choose both a day and a time."),
        ({"due_day": "2026-07-29", "due_time": "13:59"}, "due_time", "This moment is over."),
        (
            {"due_day": "2027-03-28", "due_time": "2:30"},
            "due_time",
            "There is no 02:30 on 28 March: the clock goes forward.",
        ),
    ],
)
def test_a_moment_that_is_none_is_refused_beside_its_field(office, fields, field, error):
    form = form_of(DRAFT)
    typed = fields | {"status": "planned"}
    assert list_errors(office.post(form, submission(office.get(form)) | typed)) == {field: [error]}
    asked = parse(show(office, "publish_at", [DRAFT], EVENTS, **fields))
    assert words(asked.select_one(f".field-{field} .errorlist")) == error
    assert not ScheduledPublication.objects.exists()


@pytest.mark.parametrize(("event", "status"), [(DRAFT, "published"), (JAZZ, "draft")])
def test_the_button_says_what_it_does_and_a_status_chosen_counts_whatever_moment_is_typed(
    office, event, status
):
    form, before = form_of(event), statuses(event)
    label = {"published": "Publish Fri 31 Jul 09:00", "draft": "Withdraw Fri 31 Jul 09:00"}[status]
    neither = list_errors(office.post(form, submission(office.get(form)) | {"status": "planned"}))
    assert neither == {"due_day": ["Choose both a day and a time."]}
    office.post(form, submission(office.get(form)) | PLANNED)
    found = ScheduledPublication.objects.get()
    assert (statuses(event), found.status, found.due) == (before, status, NINE)
    [button] = parse(office.get(form)).select("[name=_save]")
    assert words(button.select_one(".of-planned")) == label
    office.post(form, submission(office.get(form)) | {"status": status})
    assert (statuses(event), ScheduledPublication.objects.count()) == ([status], 0)


def test_nothing_is_published_when_its_last_occasion_is_over(office):
    form, late = form_of(DRAFT), {"status": "planned", "due_day": "2026-08-20", "due_time": "21"}
    over = ["The last occasion is over by then."]
    refused = office.post(form, submission(office.get(form)) | late)
    assert list_errors(refused) == {"due_day": over}
    asked = parse(show(office, "publish_at", [DRAFT, JAZZ], EVENTS, **late))
    assert words(asked.select_one(".field-due_day .errorlist")) == over[0]
    assert not ScheduledPublication.objects.exists()
    office.post(form, submission(office.get(form)) | late | {"due_time": "20:59"})
    # What is withdrawn may well be over.
    office.post(form_of(JAZZ), submission(office.get(form_of(JAZZ))) | late)
    assert ScheduledPublication.objects.count() == 2


def test_a_moment_that_was_missed_is_no_new_plan(office):
    plan(office, "publish_at", DRAFT)
    ScheduledPublication.objects.update(due=utc(2026, 7, 28, 7), missed=Missed.AUTHOR)
    form = form_of(DRAFT)
    assert office.post(form, submission(office.get(form)) | {"price": "10 kr"}).status_code == 302
    assert statuses(DRAFT) == ["draft"]


def test_of_two_equal_times_the_one_to_come_is_planned(office, at):
    Occasion.objects.filter(event=DRAFT).update(start=utc(2026, 11, 1, 12), end=utc(2026, 11, 1, 13))
    moment = {"due_day": "2026-10-25", "due_time": "2:15"}
    for now, due in (
        (utc(2026, 10, 24, 12), utc(2026, 10, 25, 0, 15)),
        (utc(2026, 10, 25, 0, 45), utc(2026, 10, 25, 1, 15)),
    ):
        at(now)
        plan(office, "publish_at", DRAFT, **moment)
        assert ScheduledPublication.objects.get().due == due


def test_after_midnight_belongs_to_the_festival_day(office, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    said = plan(office, "publish_at", DRAFT, due_day="2026-07-31", due_time="2")
    assert said == ["1 event: is published Fri 31 Jul 02:00."]
    assert ScheduledPublication.objects.get().due == utc(2026, 8, 1, 0)


def test_another_status_settles_the_plan_however_it_comes(office):
    plan(office, "publish_at", DRAFT)
    change(office, "publish", [DRAFT], EVENTS)
    assert not ScheduledPublication.objects.exists()
    plan(office, "withdraw_at", DRAFT, NIGHT)
    change(office, "withdraw", [NIGHT], EVENTS)
    assert [each.event_id for each in ScheduledPublication.objects.all()] == [DRAFT]
    # With its event it goes.
    Event.objects.filter(pk=DRAFT).delete()
    assert not ScheduledPublication.objects.exists()


def test_a_plan_keeps_nobody_from_undoing_that_its_event_was_made(office):
    sent = submission(office.get(f"{EVENTS}add/")) | {"title": "Kör", "area": str(TORGET)}
    office.post(f"{EVENTS}add/", sent | PLANNED)
    made = Edit.objects.latest("pk")
    page = f"/admin/changes/{made.pk}/undo/"
    office.post(page, submission(office.get(page)))
    assert not Event.objects.filter(title="Kör").exists()
    assert not ScheduledPublication.objects.exists()


def test_the_action_changes_and_removes_plans(office):
    plan(office, "publish_at", DRAFT)
    [text] = plan(office, "publish_at", DRAFT, due_day="2026-08-01", due_time="10")
    assert text == "1 event: is published Sat 1 Aug 10:00."
    [text] = plan(office, "publish_at", DRAFT, due_day="", due_time="")
    assert text == "1 event: nothing is planned any more."
    assert plan(office, "publish_at", JAZZ) == ["Nothing had to be changed."]
    assert not ScheduledPublication.objects.exists()


# --- Rights -------------------------------------------------------------------------------------


def test_who_may_not_publish_plans_nothing_and_sees_what_is_planned(office, anna):
    plan(office, "publish_at", DRAFT)
    editor = User.objects.create_user("kim")
    assign_role(editor, Role.EDITOR)
    office.force_login(editor)
    form = form_of(DRAFT)
    page = office.get(form)
    assert words(parse(page).select_one(".saving .state")) == "draft, is published Fri 31 Jul 09:00"
    assert parse(page).select("#id_due_day, [name=status]") == []
    office.post(form, submission(page) | {"due_day": "2026-09-01", "due_time": "9"})
    confirm(office, EVENTS, {"action": "publish_at", "_selected_action": [DRAFT], "show": "1"})
    found = ScheduledPublication.objects.get()
    assert (found.due, found.user) == (NINE, anna)


def lose_right(user: User) -> None:
    user.is_superuser = False
    user.save()
    assign_role(user, Role.EDITOR)


def end(user: User) -> None:
    update_account(user, last_day=dt.date(2026, 7, 28))


@pytest.mark.parametrize("happens", [lose_right, end, User.delete])
def test_nothing_is_published_on_the_word_of_who_may_not_any_more(office, anna, happens):
    kim = User.objects.create_superuser("kim", first_name="Kim", last_name="Berg")
    office.force_login(kim)
    plan(office, "publish_at", DRAFT)
    happens(kim)
    edits = Edit.objects.count()
    carry_out(NINE)
    carry_out(NINE)
    assert (statuses(DRAFT), Edit.objects.count()) == (["draft"], edits)
    office.force_login(anna)
    assert words(parse(office.get("/admin/")).select_one("[aria-labelledby=waiting] li")) == (
        f"{Event.objects.get(pk=DRAFT)} not published Fri 31 Jul 09:00:"
        " whoever planned it may no longer publish (Kim Berg)"
    )
    # Another editor takes it over.
    plan(office, "publish_at", DRAFT, due_day="2026-07-31", due_time="9:01")
    carry_out(NINE + 60 * SECOND)
    assert statuses(DRAFT) == ["published"]


# --- When the moment comes ----------------------------------------------------------------------


def test_what_readers_would_not_see_stays_and_is_a_problem_on_the_start_page(office):
    plan(office, "publish_at", DRAFT, NEVER)
    Event.objects.filter(pk=NEVER).update(status=Status.DRAFT)
    shown = show(office, "publish_at", [DRAFT, NEVER], EVENTS, **MOMENT)
    assert [words(each) for each in parse(shown).select("p.notice")] == [
        "2 events: is published Fri 31 Jul 09:00.",
        "What has no occasion by then is not published.",
    ]
    apply(office, shown)
    assert [words(each) for each in parse(office.get("/admin/")).select("[aria-labelledby=waiting] li")] == [
        "2 events is published Fri 31 Jul 09:00 (anna)"
    ]
    carry_out(NINE)
    assert statuses(DRAFT, NEVER) == ["published", "draft"]
    assert ScheduledPublication.objects.get().missed == Missed.OCCASIONS
    start = parse(office.get("/admin/"))
    told = f"{Event.objects.get(pk=NEVER).title} not published Fri 31 Jul 09:00: it has no occasion (anna)"
    for place in (".errornote", "[aria-labelledby=waiting] li"):
        assert words(start.select_one(place)) == told
        assert start.select_one(f"{place} a")["href"] == form_of(NEVER)
    # It does not get public by an accident later.
    Occasion.objects.create(event_id=NEVER, start=NINE, end=NINE + dt.timedelta(hours=1))
    carry_out(NINE + dt.timedelta(days=1))
    assert statuses(NEVER) == ["draft"]


def test_a_process_that_was_down_does_all_of_it_once_moment_by_moment(office):
    plan(office, "publish_at", DRAFT)
    plan(office, "withdraw_at", JAZZ)
    plan(office, "withdraw_at", NIGHT, due_day="2026-07-30", due_time="9")
    before = Edit.objects.count()
    carry_out(NINE + dt.timedelta(days=3))
    assert statuses(DRAFT, JAZZ, NIGHT) == ["published", "draft", "draft"]
    made = Edit.objects.order_by("pk")[before:]
    assert [each.reason for each in made] == [
        "withdrawn as planned", "withdrawn as planned", "published as planned"
    ]  # fmt: skip
    carry_out(NINE + dt.timedelta(days=3))
    assert Edit.objects.count() == before + 3


def test_what_waits_is_found_in_the_list_and_in_the_timetable(office):
    assert parse(office.get(EVENTS)).select("#changelist-filter [href*='plan=']") == []
    plan(office, "publish_at", DRAFT)
    plan(office, "withdraw_at", JAZZ, NIGHT)
    filters = [
        each
        for each in parse(office.get(EVENTS)).select("#changelist-filter a[href*='plan=']")
        if each["href"] != "?"
    ]
    assert [words(each) for each in filters] == [
        "is withdrawn Fri 31 Jul 09:00 (2)",
        "is published Fri 31 Jul 09:00 (1)",
    ]
    listed = parse(office.get(EVENTS + filters[0]["href"]))
    assert len(listed.select("#result_list tbody tr")) == 2
    start = parse(office.get("/admin/")).select("[aria-labelledby=waiting] a")
    assert start[0]["href"] == EVENTS + filters[0]["href"]
    day = parse(office.get("/admin/timetable/2026-07-29/"))
    assert {words(mark) for mark in day.select(".occasion .mark.planned")} == {
        "is withdrawn Fri 31 Jul 09:00", "is published Fri 31 Jul 09:00"
    }  # fmt: skip
    occasions = parse(office.get("/admin/programme/occasion/?event__status__exact=draft"))
    assert words(occasions.select_one(".field-state")) == "draft, is published Fri 31 Jul 09:00"


def test_carrying_out_takes_as_many_queries_for_many_as_for_one(office, django_assert_num_queries):
    # Whether an edition's day has come, and whether something is planned.
    with django_assert_num_queries(2):
        carry_out(NINE)
    counts = []
    # The first time there is no earlier news.
    for events in ([JAZZ], [JAZZ], [JAZZ, NIGHT, CLOCKS, BARE]):
        Event.objects.update(status=Status.DRAFT)
        plan(office, "publish_at", *events)
        with CaptureQueriesContext(connection) as queries:
            carry_out(NINE)
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 25


# --- Processes ----------------------------------------------------------------------------------


def test_the_thread_goes_on_after_an_outage_and_after_a_fault(monkeypatch, caplog):
    outcomes = [OperationalError("away"), ValueError("a fault"), 0.5, 0.0]
    pauses: list[float] = []

    def carry_out_now(_instant: dt.datetime, _find_user: Any) -> float:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    class Stop:
        def wait(self, pause: float) -> bool:
            pauses.append(pause)
            return not outcomes

    monkeypatch.setattr(schedule, "carry_out", carry_out_now)
    monkeypatch.setattr(schedule.connection, "close", lambda: None)
    schedule.watch(Stop(), lambda: NOW, lambda _key: None)  # type: ignore[arg-type]
    assert pauses == [0.0, 1.0, 60.0, 0.5, 0.0]
    assert caplog.messages == ["What was planned could not be carried out"]


def test_what_another_process_has_done_meanwhile_is_not_done_again(office, monkeypatch):
    plan(office, "publish_at", DRAFT)
    before, lock = Edit.objects.count(), schedule.Revision.lock

    def wait_for_another() -> None:
        monkeypatch.setattr(schedule.Revision, "lock", lock)
        ScheduledPublication.objects.all().delete()

    monkeypatch.setattr(schedule.Revision, "lock", wait_for_another)
    carry_out(NINE)
    assert (statuses(DRAFT), Edit.objects.count()) == (["draft"], before)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="the tests' SQLite is in memory, for one writer")
def test_of_two_processes_one_does_it(sample, office):
    plan(office, "publish_at", DRAFT, BARE)
    before = Edit.objects.count()
    run_together(lambda: carry_out(NINE))
    assert statuses(DRAFT, BARE) == ["published", "published"]
    assert Edit.objects.count() == before + 1
