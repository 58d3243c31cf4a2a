"""Accepting problems: with a reason, by who may change their rows, and until these change."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.problems.warnings import find_warnings
from programme.backoffice.roles import Role
from programme.models import AcceptedProblem, AreaDay, Day, Edit, Event, Occasion, Revision
from tests.programme.backoffice.bulk.pages import show
from tests.programme.backoffice.requests import list_messages, opened, parse, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import CLOCKS, DRAFT, MARATHON, NEVER, NIGHT, TORGET, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

PROBLEMS, ACCEPTED = "/admin/problems/?when=all", "/admin/problems/?when=all&accepted=on"
CLASH = "Biblioteket, Sal 2"


def list_keys(client: Client, title: str = "", kind: str = "") -> list[str]:
    """Return what the page offers to accept, of all problems or those with a title."""
    found = opened(client, f"{PROBLEMS}&kind={kind}").select("li.problem")
    chosen = [item for item in found if title in ("", item.select_one(".subject").get_text())]
    return [item.input["value"] for item in chosen if item.input]


def accept(client: Client, *keys: str, reason: str = "Meant so") -> Any:
    return client.post(PROBLEMS, {"problem": keys, "reason": reason, "accept": ""})


def list_subjects(client: Client, address: str) -> list[str]:
    return [subject.get_text() for subject in opened(client, address).select(".subject")]


def test_what_is_accepted_is_counted_nowhere_and_listed_apart(office):
    before = list_subjects(office, PROBLEMS)
    [key] = list_keys(office, CLASH)
    response = accept(office, key, reason="  Two halves of the room  ")
    assert response["Location"] == PROBLEMS
    assert list_messages(office.get(response["Location"])) == ["1 problem is accepted."]
    assert list_subjects(office, PROBLEMS) == [each for each in before if each != CLASH]
    assert opened(office, "/admin/").select("[aria-labelledby=kind-double-booked]") == []
    assert words(opened(office, "/admin/").select_one("#problems")) == "Problems 13"
    [item] = opened(office, ACCEPTED).select("li.problem")
    assert words(item.select_one(".why")) == "Two halves of the room anna · today 14:00"
    assert words(item.button) == "Ask again"
    links = [link["href"] for link in opened(office, PROBLEMS).select("p.quiet a")]
    assert [each for each in links if "accepted" in each] == ["?when=all&accepted=on"]


def test_it_is_a_problem_again_when_somebody_asks(office):
    accept(office, *list_keys(office, CLASH))
    [button] = opened(office, ACCEPTED).select("button[name=ask]")
    assert office.post(ACCEPTED, {"ask": button["value"]})["Location"] == ACCEPTED
    assert list_subjects(office, ACCEPTED) == []
    assert CLASH in list_subjects(office, PROBLEMS)
    # Somebody else has asked in the meantime.
    assert office.post(ACCEPTED, {"ask": button["value"]}).status_code == 302


def test_many_are_accepted_at_once(office, django_assert_num_queries):
    keys = list_keys(office)
    assert len(keys) == len(list_subjects(office, PROBLEMS)) == 16
    before = (Revision.objects.get().number, Edit.objects.count(), list(Event.objects.values()))
    # Session, user, the transaction, the edit, the survey, which is not kept here, and the problems themselves.
    with django_assert_num_queries(19):
        accept(office, *keys)
    assert list_subjects(office, PROBLEMS) == []
    assert len(list_subjects(office, ACCEPTED)) == 16
    assert words(opened(office, "/admin/").select_one(".none")) == "No problems in what is to come."
    # Nothing changes for readers.
    assert (Revision.objects.get().number, Edit.objects.count(), list(Event.objects.values())) == before
    # Once more, from a page that was opened before.
    accept(office, *keys, reason="Another")
    assert set(AcceptedProblem.objects.values_list("reason", flat=True)) == {"Meant so"}


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ({"reason": "Why"}, "Tick at least one problem."),
        ({"problem": "KEY", "reason": " "}, "Say why."),
        ({"problem": "KEY"}, "Say why."),
    ],
)
def test_a_reason_and_a_tick_are_both_needed_and_none_is_lost(office, sent, error):
    [key] = list_keys(office, CLASH)
    sent = {name: key if value == "KEY" else value for name, value in sent.items()}
    response = office.post(PROBLEMS, sent | {"accept": ""})
    page = parse(response)
    assert words(page.select_one(".errornote")) == error
    assert page.select_one("#reason")["value"] == sent.get("reason", "").strip()
    assert [item["value"] for item in page.select("[name=problem][checked]")] == [key] * ("problem" in sent)
    assert not AcceptedProblem.objects.exists()


@pytest.mark.parametrize(
    "key",
    [
        "x",
        "double-booked",
        "double-booked occasion:x:1",
        "double-booked occasion:8001",
        "nothing occasion:8001:1",
    ],
)
def test_what_is_no_problem_is_passed_over(office, key):
    assert words(parse(accept(office, key)).select_one(".errornote")) == "Tick at least one problem."
    assert not AcceptedProblem.objects.exists()
    # What is fixed by now hinders nothing else.
    accept(office, key, *list_keys(office, CLASH))
    assert AcceptedProblem.objects.count() == 1


def test_all_of_a_kind_are_accepted_that_are_shown_and_the_user_may_change(office):
    editor, shown = office_of(user_of(Role.AREA_EDITOR)), f"{PROBLEMS}&kind=no-english"
    mine, every = (list_keys(client, kind="no-english") for client in (editor, office))
    sent = {"accept": "no-english", "reason": "Later"}
    assert opened(office, shown).select("button[name=accept][value=no-english]")
    assert words(parse(office.post(shown, sent | {"reason": " "})).select_one(".errornote")) == "Say why."
    office.post("/admin/problems/?when=over", sent)
    assert not AcceptedProblem.objects.exists()
    editor.post(shown, sent)
    assert AcceptedProblem.objects.count() == len(mine) > 0
    office.post(shown, sent)
    assert AcceptedProblem.objects.filter(kind="no-english").count() == len(every) > len(mine)


@pytest.mark.parametrize(
    ("kind", "row", "same", "other"),
    [
        ("double-booked", Occasion(pk=8001), {"booking": "needed"}, {"start": utc(2026, 7, 29, 13, 59)}),
        ("no-occasion", Event(pk=NEVER), {"title": "Senare"}, {"status": "draft"}),
        ("no-location", Event(pk=DRAFT), {"price": "10 kr"}, None),
        ("no-english", Event(pk=MARATHON), {"intro_sv": "Nytt."}, {"description_sv": "Mer."}),
        ("end-before-start", Occasion(pk=8002), {"booking": "needed"}, {"end": utc(2026, 7, 31, 9)}),
        ("outside-hours", Occasion(pk=8004), {"booking": "needed"}, {"end": utc(2026, 7, 30, 2, 30)}),
    ],
)
def test_it_comes_back_when_what_was_wrong_is_wrong_in_another_way(office, kind, row, same, other):
    Occasion.objects.filter(pk=8002).update(start=utc(2026, 7, 30, 10), end=utc(2026, 7, 31, 9, 30))
    Occasion.objects.filter(pk=8004).update(end=utc(2026, 7, 30, 2))
    keys = list_keys(office, kind=kind)
    accept(office, *keys)
    assert list_keys(office, kind=kind) == []
    rows = type(row).objects.filter(pk=row.pk)
    rows.update(**same)
    assert list_keys(office, kind=kind) == []
    if other:
        rows.update(**other)
        [key] = list_keys(office, kind=kind)
        assert key not in keys
        assert f":{row.pk}:" in key


def test_with_a_third_occasion_a_clash_is_another_one(office):
    Occasion.objects.filter(pk=8014).update(start=utc(2026, 7, 29, 14, 30), end=utc(2026, 7, 29, 15, 30))
    accept(office, *list_keys(office, CLASH))
    third = Occasion.objects.create(
        event_id=NIGHT, start=utc(2026, 7, 29, 15), end=utc(2026, 7, 29, 16), location_id=5001, room_id=6001
    )

    def list_clashing(address: str) -> list[list[str]]:
        items = opened(office, f"{address}&kind=double-booked").select("li.problem")
        return [[link["href"].split("/")[4] for link in item.select(".links a")] for item in items]

    assert list_clashing(PROBLEMS) == [["8001", "8014", str(third.pk)]]
    assert list_clashing(ACCEPTED) == []
    timetable = opened(office, "/admin/timetable/2026-07-29/")
    assert len(timetable.select(".occasion.clash")) == 3
    assert words(timetable.select_one(".tally.clash")) == "1 clash"
    third.delete()
    assert (list_clashing(PROBLEMS), list_clashing(ACCEPTED)) == ([], [["8001", "8014"]])


def test_an_accepted_clash_is_marked_nowhere(office):
    timetable = "/admin/timetable/2026-07-29/"
    assert len(opened(office, timetable).select(".occasion.clash")) == 2
    assert "Clashes" in show(office, "move", [8001], shift="15").text
    clocks = Event.objects.get(pk=CLOCKS)
    own = [Occasion.objects.get(pk=8014)]
    assert [str(each.text) for each in find_warnings(clocks, own) if each.row is not None]
    accept(office, *list_keys(office, CLASH))
    page = opened(office, timetable)
    assert page.select(".occasion.clash, .tally.clash") == []
    assert [each for each in find_warnings(clocks, own) if each.row is not None] == []
    # Moved, it is another one.
    assert "Clashes" in show(office, "move", [8001], shift="15").text
    own[0].start = utc(2026, 7, 29, 14, 15)
    assert [each.row for each in find_warnings(clocks, own) if each.row is not None] == [0]


def test_the_form_warns_of_nothing_that_was_accepted(office):
    AreaDay.objects.get_or_create(
        area_id=TORGET, day=Day.on(utc(2026, 8, 5).date()), defaults={"opens": "20:00"}
    )
    Occasion.objects.filter(event=DRAFT).update(start=utc(2026, 8, 5, 10), end=utc(2026, 8, 6, 9))
    Event.objects.filter(pk=DRAFT).update(intro_sv="Utkast.")
    draft = Event.objects.get(pk=DRAFT)
    before = find_warnings(draft, list(draft.occasions.all()))
    assert [each.field for each in before] == ["end_time", "start_time", "occasions-0-place", "intro_en"]
    accept(office, *list_keys(office))
    assert find_warnings(draft, list(draft.occasions.all())) == []


def test_only_who_may_change_all_of_its_rows_may_accept_a_problem(office, client):
    keys = list_keys(office)
    area_editor = office_of(user_of(Role.AREA_EDITOR))
    mine = list_keys(area_editor)
    # The clash is with an occasion of another area.
    assert CLASH in list_subjects(area_editor, PROBLEMS)
    assert mine
    assert all("double-booked" not in key for key in mine)
    accept(area_editor, *mine)
    assert AcceptedProblem.objects.count() == len(mine)
    [clash] = [key for key in keys if "double-booked" in key]
    assert accept(area_editor, clash).status_code == 403
    for key in set(keys) - set(mine):
        accept(area_editor, key)
    assert AcceptedProblem.objects.count() == len(mine)
    accept(office, clash)
    theirs = AcceptedProblem.objects.get(kind="double-booked")
    assert opened(area_editor, ACCEPTED).select(f"button[value='{theirs.pk}']") == []
    assert area_editor.post(PROBLEMS, {"ask": str(theirs.pk)}).status_code == 403
    # Who may see the programme and no more.
    reader = User.objects.create_user("reader", is_staff=True)
    client.force_login(reader)
    assert accept(client, clash).status_code == 403


def test_the_name_of_who_accepted_it_outlives_the_account(office, anna):
    accept(office, *list_keys(office, CLASH))
    other = User.objects.create_superuser("other")
    anna.delete()
    assert words(opened(office_of(other), ACCEPTED).select_one(".why")).startswith("Meant so anna")
