"""What a role cannot do by form it can do neither by an action, nor by undoing, nor by restoring: every model."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.contrib import admin
from django.contrib.auth import get_user
from django.db import transaction
from django.http import HttpRequest
from django.test import Client, RequestFactory

from programme import models
from programme.backoffice.features import get_parts
from programme.backoffice.restore import can_restore
from programme.backoffice.roles import Role
from programme.changes.rights import rights_of
from programme.changes.undo import find_offered, plan_restoration, plan_undo
from programme.history.versions import find_state, format_state
from tests.programme.backoffice.bulk.pages import EVENTS, confirm
from tests.programme.backoffice.changes.pages import write
from tests.programme.backoffice.requests import submission
from tests.programme.backoffice.rights.people import ROLES, THEIR_OCCASION, THEIRS, office_of, user_of
from tests.programmes import DRAFT, JAZZ, PARKEN, TORGET

pytestmark = pytest.mark.usefixtures("lists")

Values = dict[str, Any]
# The row that is written; the festival has the only one.
KEY = 77_000
PLAIN: dict[Any, Values] = {
    models.Area: {"name": "Nytt"},
    models.SubArea: {"name": "Nytt", "area_id": TORGET},
    models.Stream: {"name": "Nytt", "url": "https://video.example/nytt"},
    models.EventType: {"name_sv": "Nytt"},
    models.Language: {"name_sv": "Nytt", "code": "xx"},
    models.Location: {"name": "Nytt"},
    models.Room: {"name": "Nytt", "location_id": 5001},
    models.Organizer: {"name": "Nytt"},
    models.OccasionList: {"title_sv": "Nytt", "published": False},
    models.Edition: {"name_sv": "Nytt", "slug": "2031", "first_day": "2031-07-01", "last_day": "2031-07-09"},
    models.Festival: {"name_sv": "Nytt"},
    models.AreaDay: {"title": "Nytt", "area_id": PARKEN, "day_id": 20260730},
}
# In whose form the rows of a model are, and by which column.
PARENTS: dict[Any, tuple[Any, str]] = {
    models.AreaDay: (models.Area, "area_id"),
    models.ListItem: (models.OccasionList, "on_list_id"),
    models.Occasion: (models.Event, "event_id"),
    models.Room: (models.Location, "location_id"),
    models.SubArea: (models.Area, "area_id"),
}


class Case(NamedTuple):
    """A row as it is, and as somebody makes it; None where there is none."""

    model: Any
    before: Values | None
    after: Values | None

    @property
    def key(self) -> int:
        return 1 if self.model is models.Festival else KEY

    @property
    def address(self) -> str:
        return f"/admin/programme/{self.model._meta.model_name}/"

    def is_done(self) -> bool:
        if self.after is None:
            return not self.model.objects.filter(pk=self.key).exists()
        return bool(self.model.objects.filter(**self.after).exists())

    def put(self, values: Values | None) -> None:
        rows = self.model.objects.filter(pk=self.key)
        if values is None:
            rows.delete()
        elif not rows.update(**values):
            self.model.objects.create(pk=self.key, **values)


def an_event(area: int, status: str, title: str = "Nytt") -> Values:
    return {"title": title, "area_id": area, "status": status, "type_id": 4001}


def an_occasion(event: int, hour: int = 20) -> Values:
    start = dt.datetime(2026, 7, 29, hour - 2, tzinfo=dt.UTC)
    return {"event_id": event, "start": start, "end": start + dt.timedelta(hours=1)}


def list_cases() -> Iterator[Case]:
    for model, values in PLAIN.items():
        name = next(iter(values))
        yield from _list_three(model, values, values | {name: "Annat"})
    for status in ("draft", "published"):
        for area in (TORGET, PARKEN):
            yield from _list_three(models.Event, an_event(area, status), an_event(area, status, "Annat"))
    for event in (DRAFT, JAZZ, THEIRS):
        yield from _list_three(models.Occasion, an_occasion(event), an_occasion(event, 21))
    yield from _list_three(
        models.OccasionList, shown := {"title_sv": "Nytt", "published": True}, PLAIN[models.OccasionList]
    )
    yield Case(models.OccasionList, PLAIN[models.OccasionList], shown)
    for number in (12, 13):
        item = {"on_list_id": number, "event_id": DRAFT}
        yield from (Case(models.ListItem, None, item), Case(models.ListItem, item, None))
    for first, second in (
        (an_event(TORGET, "draft"), an_event(TORGET, "published")),
        (an_event(TORGET, "draft"), an_event(PARKEN, "draft")),
    ):
        yield from (Case(models.Event, first, second), Case(models.Event, second, first))


def _list_three(model: Any, values: Values, other: Values) -> Iterator[Case]:
    yield from (Case(model, None, values), Case(model, other, values), Case(model, values, None))


# --- The ways -------------------------------------------------------------------------------------

ROWS = ("occasions", "items", "rooms", "sub_areas", "days", "streams")
NO_ROWS = {f"{prefix}-{each}_FORMS": "0" for prefix in ROWS for each in ("TOTAL", "INITIAL")}
# What forms ask for beyond what a case is about.
REQUIRED = {"sort_order": "0", "source": "0", "production": "0", "offer_count": "0"}


def find_form(case: Case) -> tuple[Any, int, list[Any]]:
    """Return in which form a row is: the model, the ID of its row, and its parts."""
    model, column = PARENTS.get(case.model, (case.model, "id"))
    values: Values = case.after or case.before or {}
    return model, values.get(column, case.key), get_parts(admin.site.get_model_admin(model))


def use_form(client: Client, case: Case) -> None:
    case.put(case.before)
    if case.model is models.ListItem:
        values: Values = case.after or case.before or {}
        name = "put_on_list" if case.after else "take_from_list"
        sent = {"action": name, "index": "0", "_selected_action": [DRAFT], "chosen": values["on_list_id"]}
        confirm(client, EVENTS, sent | {"seen": ""})
    elif case.model is models.AreaDay:
        values = {"title": "Nytt", "date": "2026-07-30"} if case.after else {"DELETE": "on"}
        _use_rows(client, case, f"area/{PARKEN}", "days", values)
    elif case.model is models.Occasion and case.after:
        hour = case.after["start"].hour + 2
        values = {"day": "2026-07-29", "start_time": hour, "end_time": hour + 1}
        _use_rows(client, case, f"event/{case.after['event_id']}", "occasions", values)
    elif case.after is None:
        client.post(f"{case.address}{case.key}/delete/", {"post": "yes"})
    else:
        parts = get_parts(admin.site.get_model_admin(case.model))
        state = format_state(find_state(case.model, case.key, parts)) if case.before else ""
        page = f"{case.address}{f'{case.key}/change' if case.before else 'add'}/"
        client.post(page, NO_ROWS | REQUIRED | _spell(case) | {"_state": state})


def _spell(case: Case) -> Values:
    """Return what a browser sends of a row; nothing for a box that is not ticked."""
    sent = {name.removesuffix("_id"): value for name, value in (case.after or {}).items()}
    return sent | ({"published": "on" if sent["published"] else ""} if "published" in sent else {})


def _use_rows(client: Client, case: Case, row: str, rows: str, values: Values) -> None:
    """Save the row in the form of another."""
    page = f"/admin/programme/{row}/change/"
    shown = client.get(page)
    if b'name="_save"' not in shown.content:
        client.post(page, {})
        return
    sent = submission(shown)
    stored = [name for name, value in sent.items() if name.endswith("-id") and value == str(case.key)]
    number = int(stored[0].split("-")[1] if stored else sent[f"{rows}-INITIAL_FORMS"])
    new = {} if stored else {f"{rows}-TOTAL_FORMS": number + 1}
    client.post(page, sent | new | {f"{rows}-{number}-{name}": value for name, value in values.items()})


def use_action(client: Client, case: Case) -> bool:
    """Do it by an action of the list; return whether there is one."""
    before, after = case.before or {}, case.after or {}
    if case.after is None and admin.site.is_registered(case.model):
        sent = {"action": "delete_selected", "post": "yes"}
    elif case.model is models.Event and before and before["status"] != after["status"]:
        sent = {"action": "publish" if after["status"] == "published" else "withdraw"}
    else:
        return False
    case.put(before)
    confirm(client, case.address, sent | {"_selected_action": case.key})
    return True


def judge_undoing(request: HttpRequest, case: Case) -> set[bool]:
    """Return whether the user may undo what made the row as it is, and whether that is offered, as to chiefs all is."""
    write(lambda: case.put(case.after))
    edit = write(lambda: case.put(case.before))
    rights = rights_of(request.user)
    offered = set() if rights.is_unlimited else {bool(find_offered(rights, [edit.pk]))}
    return {not rights.find_forbidden(plan_undo(edit).changes)} | offered


def judge_restoring(request: HttpRequest, case: Case) -> set[bool]:
    """Return whether the user may restore the version in which it was so."""
    write(lambda: case.put(case.after))
    model, key, parts = find_form(case)
    state, office = find_state(model, key, parts), admin.site.get_model_admin(model)
    write(lambda: case.put(case.before))
    is_deleted = not model.objects.filter(pk=key).exists()
    row = model.history.filter(id=key).latest("history_id").instance
    is_open = can_restore(office, request, row, is_deleted=is_deleted)
    return {
        is_open
        and not rights_of(request.user).find_forbidden(plan_restoration(model, key, parts, state).changes)
    }


@contextmanager
def _taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_every_model_is_tried() -> None:
    assert {case.model for case in list_cases()} == {*models.models_with_history()}


# Who publishes and has every area may do everything by form (test_pages.py) and by rights (test_rules.py) but delete the
# festival. The pages of undoing and restoring ask the same (changes/test_views.py, test_restore.py).
@pytest.mark.parametrize("role", ROLES[1:])
def test_who_may_do_it_by_form_may_do_it_by_action_undoing_and_restoring(role: Role) -> None:
    models.Day.on(dt.date(2026, 7, 30))
    client, wrong = office_of(user_of(role)), []
    request = RequestFactory().get("/")
    request.user = get_user(client)
    is_chief = role is Role.CHIEF_EDITOR
    for case in (each for each in list_cases() if not is_chief or each.model is models.Festival):
        with _taken_back():
            use_form(client, case)
            found = {case.is_done()}
        with _taken_back():
            if use_action(client, case):
                found.add(case.is_done())
        if is_chief:
            found.add(case.after is not None)
        with _taken_back():
            found |= judge_undoing(request, case)
        # Of what is created by itself there is no earlier version.
        if case.after or case.model in PARENTS:
            with _taken_back():
                found |= judge_restoring(request, case)
        if len(found) != 1:
            wrong.append((case, found))
    assert wrong == []


def test_a_row_that_was_deleted_comes_back_in_a_conflict_only_where_the_editor_may_add_it() -> None:
    models.Occasion.objects.get(pk=THEIR_OCCASION).delete()
    client, form = office_of(user_of(Role.AREA_EDITOR)), f"/admin/programme/event/{DRAFT}/change/"
    crafted = {"occasions-0-id": THEIR_OCCASION, "_choice-occasions-0-DELETE": "mine"}
    answer = client.post(form, submission(client.get(form)) | crafted)
    assert (answer.status_code, models.Occasion.objects.filter(pk=THEIR_OCCASION).exists()) == (403, False)
