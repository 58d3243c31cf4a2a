"""Each thing that can be sent to the back office, for each role: who may what.

The area editor has Torget. Whatever is refused leaves every row as it was.
"""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client

from festival.accounts.models import Account
from programme.backoffice.roles import Role, role_of
from programme.models import Event
from tests import programmes
from tests.programme.backoffice.bulk.pages import confirm
from tests.programme.backoffice.rights.addresses import PAGES, address_of
from tests.programme.backoffice.rights.people import (
    DRAFT_OCCASION,
    EDITION,
    ROLES,
    SOMEBODY,
    SUPERUSER,
    THEIRS,
    office_of,
    user_of,
)
from tests.programmes import BARE, CLOCKS, DRAFT, JAZZ, PARKEN, TORGET

pytestmark = pytest.mark.usefixtures("lists")


def read_tables() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the programme and of users, without sessions and last logins."""
    models = [*apps.get_app_config("programme").get_models(), User, User.groups.through, Account]
    rows = {}
    with connection.cursor() as cursor:
        for model in models:
            fields = [field.column for field in model._meta.concrete_fields if field.name != "last_login"]
            columns = ", ".join(map(connection.ops.quote_name, fields))
            # As SQL, because it runs before and after each request: model instances take ten times as long.
            cursor.execute(f"SELECT {columns} FROM {model._meta.db_table} ORDER BY 1")
            rows[model.__name__] = cursor.fetchall()
    return rows


def an_event(**fields: Any) -> dict[str, Any]:
    empty = {"occasions-TOTAL_FORMS": "0", "occasions-INITIAL_FORMS": "0"}
    return (
        {"title": "Ny", "area": TORGET, "production": "0", "type": "4001", "status": "draft"} | empty | fields
    )


def an_occasion(event: int, **fields: Any) -> dict[str, Any]:
    return {"event": event, "day": "2026-07-29", "start_time": "20", "end_time": "21"} | fields


def rows_of(event: int, *occasions: int, **first: Any) -> dict[str, Any]:
    """Return the rows of these occasions, one a minute longer than the other, with fields of the first."""
    sent: dict[str, Any] = {
        "occasions-TOTAL_FORMS": len(occasions),
        "occasions-INITIAL_FORMS": len(occasions),
    }
    for number, key in enumerate(occasions):
        fields = an_occasion(event, id=key, end_time=f"21:{number:02}") | (first if number == 0 else {})
        sent |= {f"occasions-{number}-{name}": value for name, value in fields.items()}
    return sent


def action(name: str, *chosen: int, **fields: Any) -> dict[str, Any]:
    return {"action": name, "index": "0", "_selected_action": chosen, "tell": "no", **fields}


def a_user(**fields: Any) -> dict[str, Any]:
    return {"username": "somebody", "is_active": "on", **fields}


# What is sent where, and which roles' sending has an effect (x), in the order of ROLES.
SENT: dict[str, tuple[str, dict[str, Any], str]] = {
    "gives it to another sub area": (f"event/{DRAFT}/change/", an_event(area=PARKEN, sub_area=2002), "xxx-"),
    "adds an occasion in the form": (
        f"event/{DRAFT}/change/",
        an_event(title="Utkast", highlighted="on")
        | rows_of(DRAFT, 0)
        | {"occasions-INITIAL_FORMS": 0, "occasions-0-id": ""},
        "xxxx",
    ),
    "deletes a published occasion in the form": (
        f"event/{BARE}/change/",
        an_event(status="published") | rows_of(BARE, 8011, 8012, 8013, 8015, 8016, DELETE="on"),
        "xx--",
    ),
    "cancels": ("event/", action("cancel", JAZZ), "xxxx"),
    "cancels another area's": ("event/", action("cancel", CLOCKS), "xxx-"),
    "reinstates another area's": ("event/", action("reinstate", programmes.MARATHON), "xxx-"),
    "highlights another area's": ("event/", action("highlight", CLOCKS), "xxx-"),
    "duplicates": (f"event/{JAZZ}/duplicate/", {}, "xxxx"),
    "duplicates another area's": (f"event/{CLOCKS}/duplicate/", {"copied": "occasions"}, "xxx-"),
    "gives a row of the form to another area's": (
        f"event/{DRAFT}/change/",
        an_event() | rows_of(DRAFT, DRAFT_OCCASION) | {"occasions-0-event": THEIRS},
        "----",
    ),
    "cancels another area's occasion": ("occasion/", action("cancel", 8007), "xxx-"),
    "reinstates an occasion": ("occasion/", action("reinstate", 8003), "xxxx"),
    "deletes an organizer": ("organizer/3001/delete/", {"post": "yes"}, "----"),
    "shows an edition to readers": (f"edition/{EDITION}/show/", {}, "xx--"),
    "touches a superuser": (f"auth/user/{SUPERUSER}/change/", a_user(email="x@x.se"), "----"),
    "ends an account": (f"auth/user/{SOMEBODY}/sign-in/", {"do": "end"}, "x---"),
    "ends a superuser's account": (f"auth/user/{SUPERUSER}/sign-in/", {"do": "end"}, "----"),
}


def state_shown(client: Client, address: str) -> dict[str, str]:
    """Return the state that a change form shows, as it submits it; nothing for other pages."""
    if not address.endswith("/change/"):
        return {}
    context = client.get(address).context
    return {"_state": context["state"]} if context and context.get("state") else {}


# Of each the last role that may and the first that may not: each may what the next one may (test_rules.py).
LIMITS = [
    (what, ROLES[index])
    for what, (_page, _fields, expected) in SENT.items()
    for index in (expected.count("x") - 1, expected.count("x"))
    if 0 <= index < len(ROLES)
]


@pytest.mark.parametrize(("what", "role"), LIMITS)
def test_what_is_sent_is_done_for_whom_it_may_be_and_else_changes_nothing(what, role, settings):
    # Without e-mail, inviting ends with a page of links.
    settings.HAS_EMAIL = True
    page, fields, expected = SENT[what]
    client = office_of(user_of(role))
    before = read_tables()
    answer = confirm(client, address_of(page), fields | state_shown(client, address_of(page)))
    if expected[ROLES.index(role)] == "x":
        assert answer.status_code in {204, 302}
        assert read_tables() != before
    else:
        assert read_tables() == before
        assert answer.status_code == 403 or list_messages(client, answer)


def list_messages(client: Client, answer: Any) -> list[str]:
    """Return what the answer refuses, by the field or as a message on the page that it leads to."""
    if answer.status_code == 302:
        answer = client.get(answer.url)
    context = answer.context
    form = context.get("adminform") or context.get("form")
    beside = list(getattr(form, "errors", None) or getattr(getattr(form, "form", None), "errors", {}))
    rows = [each for formset in context.get("inline_admin_formsets") or [] for each in formset.formset.errors]
    messages = [str(each) for each in context.get("messages", []) if each.level_tag in {"error", "warning"}]
    protected = [str(each) for each in context.get("protected") or []]
    staying = getattr(context.get("preview"), "staying", [])
    return [*beside, *[each for each in rows if each], *messages, *protected, *staying]


@pytest.mark.parametrize("role", ROLES)
def test_whatever_is_sent_to_a_page_that_is_refused_changes_nothing(role):
    client = office_of(user_of(role))
    before = read_tables()
    refused = [page for page, expected in PAGES.items() if expected[ROLES.index(role)] in "-r"]
    for page in refused:
        if not page.startswith("auth/") or page.endswith("change/"):
            client.post(address_of(page), an_event(status="published", post="yes", name="X", username="x"))
    assert read_tables() == before


def test_no_administrator_makes_a_superuser_or_gives_single_permissions():
    client = office_of(user_of(Role.ADMINISTRATOR))
    every = list(Permission.objects.values_list("pk", flat=True))
    sent = a_user(is_staff="on", is_superuser="on", user_permissions=every, groups=[1, 2, 3, 4])
    client.post(f"/admin/auth/user/{SOMEBODY}/change/", sent | {"first_name": "Bo"})
    somebody = User.objects.get(pk=SOMEBODY)
    assert (somebody.first_name, somebody.is_staff, somebody.is_superuser) == ("Bo", False, False)
    assert (somebody.user_permissions.count(), somebody.groups.count()) == (0, 0)


def test_no_administrator_reads_the_hash_of_a_superusers_password():
    User.objects.filter(pk=SUPERUSER).update(password="pbkdf2_sha256$1$salt$hash-of-the-password")
    page = office_of(user_of(Role.ADMINISTRATOR)).get(f"/admin/auth/user/{SUPERUSER}/change/").content
    assert (b"root" in page, b"hash-of" in page) == (True, False)


def test_a_role_gives_access():
    client = office_of(User.objects.get(pk=SUPERUSER))
    for role in (Role.EDITOR, Role.CHIEF_EDITOR):
        client.post(f"/admin/auth/user/{SOMEBODY}/sign-in/", {"do": "save", "role": role.value})
        somebody = User.objects.get(pk=SOMEBODY)
        assert (role_of(somebody), somebody.groups.count(), somebody.is_staff) == (role, 1, True)


def test_areas_are_offered_that_may_be_chosen_and_events_that_may_have_occasions():
    client = office_of(user_of(Role.AREA_EDITOR))
    form = client.get("/admin/programme/event/add/").context["adminform"].form
    assert list(form.fields["area"].queryset.values_list("pk", flat=True)) == [TORGET]
    assert list(form.fields["sub_area"].queryset.values_list("pk", flat=True)) == [2001]
    assert form["area"].value() == TORGET
    offered = client.get(
        "/admin/autocomplete/?app_label=programme&model_name=occasion&field_name=event"
    ).json()["results"]
    assert {int(each["id"]) for each in offered} == set(
        Event.objects.filter(area=TORGET).values_list("pk", flat=True)
    )


@pytest.mark.parametrize(
    ("role", "offered"),
    [(Role.CHIEF_EDITOR, {"publish", "withdraw"}), (Role.EDITOR, set()), (Role.AREA_EDITOR, set())],
)
def test_publishing_is_offered_to_those_who_may(role, offered):
    client = office_of(user_of(role))
    choices = client.get("/admin/programme/event/").context["action_form"].fields["action"].choices
    assert {name for name, _label in choices} & {"publish", "withdraw"} == offered
    form = client.get(f"/admin/programme/event/{DRAFT}/change/").context["adminform"].form
    assert ("status" in form.fields) == bool(offered)
    page = client.get(f"/admin/programme/event/{DRAFT}/change/").content
    assert (b'name="status"' in page) == bool(offered)


def test_an_event_to_look_at_shows_its_occasions_and_says_why_it_cannot_be_changed():
    client = office_of(user_of(Role.AREA_EDITOR))
    page = client.get(f"/admin/programme/event/{CLOCKS}/change/").content.decode()
    assert "it belongs to Parken; norr, söder &amp; \\mitt. Your areas: Ångtorget." in page
    assert ("<p>Sun 29 Mar</p>" in page, "<p>01:30–03:30</p>" in page) == (True, True)
    assert "None" not in page
    assert 'name="tell"' not in page
