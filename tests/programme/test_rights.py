"""Each address of the back office, and each thing that can be sent to it, for each role: who may what.

The area editor has Torget. Whatever is refused leaves every row as it was.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import resolve

from programme import rights, roles
from programme.admin.events import EventAdmin
from programme.models import AreaEditor, Event, Occasion, Status
from programme.rights import State
from programme.roles import Role
from tests import programmes
from tests.conftest import NOW, SetClock
from tests.programmes import BARE, CLOCKS, DRAFT, JAZZ, PARKEN, TORGET

ROLES = [*Role]
VERBS = ["view", "add", "change", "delete", "publish"]
# A draft in Parken, with an occasion: the area editor's is DRAFT in Torget.
THEIRS, THEIR_OCCASION, DRAFT_OCCASION = 7100, 8100, 8017
# Beyond what the sequences of PostgreSQL come to.
SUPERUSER, SOMEBODY = 900_500, 900_501

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture(autouse=True)
def _there(at: SetClock, sample: None) -> None:
    at(NOW)
    Event.objects.create(id=THEIRS, area_id=PARKEN, type_id=4001, title="Deras utkast")
    Occasion.objects.create(id=THEIR_OCCASION, event_id=THEIRS, start=NOW, end=NOW.replace(hour=18))
    User.objects.create_superuser("root", id=SUPERUSER)
    User.objects.create_user("somebody", id=SOMEBODY)


def user_of(role: Role | None) -> User:
    user = User.objects.create_user("bo", is_staff=True)
    roles.give(user, role)
    if role is Role.AREA_EDITOR:
        AreaEditor.objects.create(user=user, area_id=TORGET)
    return User.objects.get(pk=user.pk)


def office_of(user: User) -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(user)
    return client


# --- Pages ----------------------------------------------------------------------------------------

PAGE_OR_REFUSAL = str.maketrans("er", "p-")


def bring_back(kind: str, row: int) -> str:
    """Return the page on which a state from before there was anything is looked at."""
    parts = admin.site.get_model_admin(apps.get_model("programme", kind)).parts()
    return f"{kind}/{row}/bring-back/?state={'.'.join('0' for _ in range(1 + len(parts)))}"


# What each role gets: e a form to edit, r one to read, p any other page, - a refusal (403).
# In the order of ROLES: administrator, chief editor, editor, area editor.
PAGES = {
    "": "pppp",
    "programme/": "pppp",
    "problems/": "pppp",
    "handbook/": "pppp",
    "auth/": "p---",
    "event/": "pppp",
    "event/add/": "eeee",
    f"event/{DRAFT}/change/": "eeee",
    f"event/{DRAFT}/delete/": "pppp",
    f"event/{DRAFT}/history/": "pppp",
    "event/deleted/": "pppp",
    "event/export/": "pppp",
    bring_back("event", DRAFT): "pppp",
    bring_back("event", THEIRS): "ppp-",
    "occasion/deleted/": "pppp",
    bring_back("occasion", DRAFT_OCCASION): "pppp",
    bring_back("occasion", THEIR_OCCASION): "ppp-",
    f"event/{DRAFT}/preview/": "pppp",
    f"event/{THEIRS}/preview/": "pppp",
    f"event/{JAZZ}/change/": "eeee",
    f"event/{JAZZ}/delete/": "pp--",
    f"event/{THEIRS}/change/": "eeer",
    f"event/{THEIRS}/delete/": "ppp-",
    f"event/{THEIRS}/history/": "pppp",
    f"event/{CLOCKS}/change/": "eeer",
    f"event/{CLOCKS}/delete/": "pp--",
    "occasion/": "pppp",
    "timetable/": "pppp",
    "timetable/2026-07-29/": "pppp",
    "import/": "pppp",
    "import/done/": "pppp",
    # What nobody has uploaded, or somebody else: programme/test_import_page.py.
    "import/1/": "----",
    "import/1/read/": "----",
    "import/1/columns/": "----",
    "import/1/apply/": "----",
    "export/csv/": "pppp",
    "occasion/add/": "eeee",
    f"occasion/{DRAFT_OCCASION}/change/": "eeee",
    f"occasion/{DRAFT_OCCASION}/delete/": "pppp",
    f"occasion/{THEIR_OCCASION}/change/": "eeer",
    f"occasion/{THEIR_OCCASION}/delete/": "ppp-",
    f"occasion/{THEIR_OCCASION}/history/": "pppp",
    "occasion/8001/change/": "eeee",
    "occasion/8001/delete/": "pp--",
    "occasion/8007/change/": "eeer",
    "occasion/8007/delete/": "pp--",
    "autocomplete/?app_label=programme&model_name=occasion&field_name=event": "pppp",
    "auth/user/": "p---",
    "auth/user/add/": "e---",
    f"auth/user/{SOMEBODY}/change/": "e---",
    f"auth/user/{SOMEBODY}/delete/": "----",
    f"auth/user/{SOMEBODY}/history/": "p---",
    f"auth/user/{SOMEBODY}/password/": "p---",
    f"auth/user/{SUPERUSER}/change/": "r---",
    f"auth/user/{SUPERUSER}/delete/": "----",
    f"auth/user/{SUPERUSER}/password/": "----",
    f"auth/user/{SUPERUSER}/history/": "p---",
    "auth/group/": "----",
    "auth/group/add/": "----",
    "auth/group/1/change/": "----",
    "auth/group/1/delete/": "----",
    "auth/group/1/history/": "----",
}
# What is kept beside events: its form, and what each role gets of the list, of adding, changing, deleting.
BESIDE = {
    "area": (TORGET, "pppp", "ee--", "eerr", "pp--"),
    "subarea": (2001, "pppp", "ee--", "eerr", "pp--"),
    "stream": (9001, "pppp", "ee--", "eerr", "pp--"),
    "eventtype": (4001, "pppp", "ee--", "eerr", "pp--"),
    "language": (4501, "pppp", "ee--", "eerr", "pp--"),
    "location": (5001, "pppp", "eee-", "eeer", "pp--"),
    "room": (6001, "pppp", "eee-", "eeer", "pp--"),
    "organizer": (3001, "pppp", "eee-", "eeer", "pp--"),
    # There is one: its list leads to it, and nobody adds another or deletes it.
    "festival": (1, "eerr", "----", "eerr", "----"),
}
for _kind, (_row, _list, _add, _change, _delete) in BESIDE.items():
    PAGES |= {f"{_kind}/": _list, f"{_kind}/add/": _add, f"{_kind}/{_row}/history/": "pppp"}
    PAGES |= {f"{_kind}/{_row}/change/": _change, f"{_kind}/{_row}/delete/": _delete}
    PAGES |= {f"{_kind}/deleted/": "pppp", bring_back(_kind, _row): _change.translate(PAGE_OR_REFUSAL)}


def address_of(page: str) -> str:
    elsewhere = (
        "auth/",
        "timetable/",
        "problems/",
        "autocomplete/",
        "programme/",
        "import/",
        "export/",
        "handbook/",
    )
    ours = page and not page.startswith(elsewhere)
    return f"/admin/programme/{page}" if ours else f"/admin/{page}"


def got(response: Any) -> str:
    # Of an app in which there is nothing for somebody, Django says that it is not there.
    if response.status_code in {403, 404}:
        return "-"
    assert response.status_code == 200
    form = response.context and response.context.get("adminform")
    if not form:
        return "p"
    return "e" if b'name="_save"' in response.content else "r"


@pytest.mark.parametrize("role", ROLES)
def test_every_page_shows_each_role_what_it_may(role: Role) -> None:
    client = office_of(user_of(role))
    found = {page: got(client.get(address_of(page), follow=True)) for page in PAGES}
    assert found == {page: expected[ROLES.index(role)] for page, expected in PAGES.items()}


def addresses_of(patterns: list[Any], before: str = "") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from addresses_of(each.url_patterns, route)
        elif each.name:
            yield each.name


# Only sent to (SENT has them): with GET they are not there. Warnings write nothing: problems/test_warnings.py.
ONLY_SENT_TO = {"programme_event_preview_new", "programme_event_duplicate", "programme_event_warnings"}
# Everybody's own: getting in and out, and what Django's scripts need.
EVERYBODYS = {"login", "logout", "password_change", "password_change_done", "jsi18n", "view_on_site"}


def test_no_address_of_the_back_office_is_missing_in_the_table() -> None:
    """A new address belongs into PAGES, and what can be sent to it into SENT."""
    named = {resolve(address_of(page).partition("?")[0]).url_name for page in PAGES}
    assert set(addresses_of(admin.site.get_urls())) - EVERYBODYS - ONLY_SENT_TO - named == set()


@pytest.mark.parametrize("role", [None, *ROLES])
def test_whoever_has_no_access_gets_none(role: Role | None) -> None:
    user = user_of(role)
    User.objects.filter(pk=user.pk).update(is_staff=False)
    client = office_of(User.objects.get(pk=user.pk))
    statuses = {client.get(address_of(page)).status_code for page in PAGES}
    assert statuses == {302}


def test_staff_without_a_role_sees_nothing() -> None:
    client = office_of(user_of(None))
    found = {page: got(client.get(address_of(page), follow=True)) for page in PAGES}
    assert {page for page, what in found.items() if what != "-"} == {"", "handbook/"}


# --- What is sent ---------------------------------------------------------------------------------


def everything() -> dict[str, list[Any]]:
    """Return all rows there are of the programme and of users, but for their sessions and last logins."""
    models = [*apps.get_app_config("programme").get_models(), User, User.groups.through]
    rows = {model.__name__: list(model._base_manager.order_by("pk").values()) for model in models}
    rows["User"] = [{**row, "last_login": None} for row in rows["User"]]
    return rows


def an_event(**fields: Any) -> dict[str, Any]:
    empty = {"occasions-TOTAL_FORMS": "0", "occasions-INITIAL_FORMS": "0"}
    return (
        {"title": "Ny", "area": TORGET, "production": "0", "type": "4001", "status": "draft"} | empty | fields
    )


def an_occasion(event: int, **fields: Any) -> dict[str, Any]:
    return {"event": event, "day": "2026-07-29", "start_time": "20", "end_time": "21"} | fields


def rows_of(event: int, *occasions: int, **first: Any) -> dict[str, Any]:
    """Return the rows of these occasions, unchanged but for fields of the first."""
    sent: dict[str, Any] = {
        "occasions-TOTAL_FORMS": len(occasions),
        "occasions-INITIAL_FORMS": len(occasions),
    }
    for number, key in enumerate(occasions):
        fields = an_occasion(event, id=key) | (first if number == 0 else {})
        sent |= {f"occasions-{number}-{name}": value for name, value in fields.items()}
    return sent


def action(name: str, *chosen: int, **fields: Any) -> dict[str, Any]:
    return {"action": name, "index": "0", "_selected_action": chosen, **fields}


def a_user(**fields: Any) -> dict[str, Any]:
    return {"username": "somebody", "is_active": "on", **fields}


# What is sent where, and which roles' sending has an effect (x), in the order of ROLES.
SENT: dict[str, tuple[str, dict[str, Any], str]] = {
    "adds a draft": ("event/add/", an_event(), "xxxx"),
    "adds what is published": ("event/add/", an_event(status="published"), "xx--"),
    "adds into another area": ("event/add/", an_event(area=PARKEN), "xxx-"),
    "changes a draft": (f"event/{DRAFT}/change/", an_event(), "xxxx"),
    "corrects what is published": (f"event/{JAZZ}/change/", an_event(status="published"), "xxxx"),
    "changes another area's": (f"event/{THEIRS}/change/", an_event(area=PARKEN), "xxx-"),
    "takes it from another area": (f"event/{THEIRS}/change/", an_event(), "xxx-"),
    "gives it to another area": (f"event/{DRAFT}/change/", an_event(area=PARKEN), "xxx-"),
    "gives it to another sub area": (f"event/{DRAFT}/change/", an_event(area=PARKEN, sub_area=2002), "xxx-"),
    "publishes": (f"event/{DRAFT}/change/", an_event(status="published"), "xx--"),
    "withdraws": (f"event/{JAZZ}/change/", an_event(status="draft"), "xx--"),
    "adds an occasion in the form": (
        f"event/{DRAFT}/change/",
        an_event(title="Utkast", highlighted="on")
        | rows_of(DRAFT, 0)
        | {"occasions-INITIAL_FORMS": 0, "occasions-0-id": ""},
        "xxxx",
    ),
    "deletes an occasion in the form": (
        f"event/{DRAFT}/change/",
        an_event() | rows_of(DRAFT, DRAFT_OCCASION, DELETE="on"),
        "xxxx",
    ),
    "deletes a published occasion in the form": (
        f"event/{BARE}/change/",
        an_event(status="published") | rows_of(BARE, 8011, 8012, 8013, 8015, 8016, DELETE="on"),
        "xx--",
    ),
    "deletes a draft": (f"event/{DRAFT}/delete/", {"post": "yes"}, "xxxx"),
    "deletes another area's": (f"event/{THEIRS}/delete/", {"post": "yes"}, "xxx-"),
    "deletes what is published": (f"event/{JAZZ}/delete/", {"post": "yes"}, "xx--"),
    "publishes from the list": ("event/", action("publish", DRAFT), "xx--"),
    "withdraws from the list": ("event/", action("withdraw", JAZZ), "xx--"),
    "cancels": ("event/", action("cancel", JAZZ), "xxxx"),
    "cancels another area's": ("event/", action("cancel", CLOCKS), "xxx-"),
    "cancels its own and another area's": ("event/", action("cancel", JAZZ, CLOCKS), "xxx-"),
    "reinstates another area's": ("event/", action("reinstate", programmes.MARATHON), "xxx-"),
    "highlights another area's": ("event/", action("highlight", CLOCKS), "xxx-"),
    "removes another area's highlight": ("event/", action("remove_highlight", programmes.MARATHON), "xxx-"),
    "marks another area's as changed": ("event/", action("mark_changed", CLOCKS), "xxx-"),
    "deletes drafts from the list": ("event/", action("delete_selected", DRAFT, post="yes"), "xxxx"),
    "deletes another area's from the list": ("event/", action("delete_selected", THEIRS, post="yes"), "xxx-"),
    "deletes published ones from the list": (
        "event/",
        action("delete_selected", DRAFT, JAZZ, post="yes"),
        "xx--",
    ),
    "moves together": ("event/", action("change_events", JAZZ, apply="1", move_days="1"), "xxxx"),
    "moves another area's together": (
        "event/",
        action("change_events", CLOCKS, apply="1", move_days="1"),
        "xxx-",
    ),
    "gives together to another area": (
        "event/",
        action("change_events", JAZZ, apply="1", area=PARKEN),
        "xxx-",
    ),
    "gives together to another sub area": (
        "event/",
        action("change_events", JAZZ, apply="1", sub_area=2002),
        "xxx-",
    ),
    "takes together from another area": (
        "event/",
        action("change_events", CLOCKS, apply="1", area=TORGET),
        "xxx-",
    ),
    "duplicates": (f"event/{JAZZ}/duplicate/", {}, "xxxx"),
    "duplicates another area's": (f"event/{CLOCKS}/duplicate/", {"copied": "occasions"}, "xxx-"),
    "duplicates from the list": ("event/", action("duplicate", JAZZ), "xxxx"),
    "duplicates another area's from the list": ("event/", action("duplicate", JAZZ, CLOCKS), "xxx-"),
    "duplicates without occasions": (
        "event/",
        action("duplicate_without_occasions", THEIRS),
        "xxx-",
    ),
    "adds an occasion": ("occasion/add/", an_occasion(DRAFT), "xxxx"),
    "adds an occasion to another area's": ("occasion/add/", an_occasion(THEIRS), "xxx-"),
    "changes an occasion": ("occasion/8001/change/", an_occasion(JAZZ), "xxxx"),
    "changes another area's occasion": ("occasion/8007/change/", an_occasion(CLOCKS), "xxx-"),
    "takes an occasion from a draft": (f"occasion/{DRAFT_OCCASION}/change/", an_occasion(JAZZ), "xxxx"),
    "takes an occasion from what is published": ("occasion/8001/change/", an_occasion(DRAFT), "xx--"),
    "gives an occasion to another area's": (
        f"occasion/{DRAFT_OCCASION}/change/",
        an_occasion(THEIRS),
        "xxx-",
    ),
    "takes another area's occasion": (f"occasion/{THEIR_OCCASION}/change/", an_occasion(DRAFT), "xxx-"),
    "deletes a draft's occasion": (f"occasion/{DRAFT_OCCASION}/delete/", {"post": "yes"}, "xxxx"),
    "deletes another area's occasion": (f"occasion/{THEIR_OCCASION}/delete/", {"post": "yes"}, "xxx-"),
    "deletes a published occasion": ("occasion/8001/delete/", {"post": "yes"}, "xx--"),
    "cancels an occasion": ("occasion/", action("cancel", 8001), "xxxx"),
    "cancels another area's occasion": ("occasion/", action("cancel", 8001, 8007), "xxx-"),
    "reinstates an occasion": ("occasion/", action("reinstate", 8003), "xxxx"),
    "deletes occasions from the list": ("occasion/", action("delete_selected", 8001, post="yes"), "xx--"),
    "moves occasions together": (
        "occasion/",
        action("change_occasions", 8007, apply="1", move_days="9"),
        "xxx-",
    ),
    "adds an organizer": ("organizer/add/", {"name": "Ny", "offer_count": "0"}, "xxx-"),
    "renames an organizer": ("organizer/3001/change/", {"name": "Ny", "offer_count": "0"}, "xxx-"),
    "deletes an organizer": ("organizer/3001/delete/", {"post": "yes"}, "----"),
    "adds a type": ("eventtype/add/", {"name_sv": "Ny", "sort_order": "0"}, "xx--"),
    "renames a type": ("eventtype/4001/change/", {"name_sv": "Ny", "sort_order": "0"}, "xx--"),
    "renames the festival": ("festival/1/change/", {"name_sv": "Ny"}, "xx--"),
    "gives a role": (f"auth/user/{SOMEBODY}/change/", a_user(role=Role.CHIEF_EDITOR.value), "x---"),
    "makes an area editor": (
        f"auth/user/{SOMEBODY}/change/",
        a_user(role=Role.AREA_EDITOR.value, areas=[TORGET, PARKEN]),
        "x---",
    ),
    "makes an area editor without areas": (
        f"auth/user/{SOMEBODY}/change/",
        a_user(role=Role.AREA_EDITOR.value),
        "----",
    ),
    "touches a superuser": (f"auth/user/{SUPERUSER}/change/", a_user(role=""), "----"),
    "sets a superuser's password": (
        f"auth/user/{SUPERUSER}/password/",
        {"password1": "hemligt-nog-1", "password2": "hemligt-nog-1"},
        "----",
    ),
    "deletes a user": (f"auth/user/{SOMEBODY}/delete/", {"post": "yes"}, "----"),
}


def state_shown(client: Client, address: str) -> dict[str, str]:
    """Return the state that a form shows, as it sends it along; nothing of other pages."""
    context = client.get(address).context
    return {"_state": context["state"]} if context and context.get("state") else {}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("what", SENT)
def test_what_is_sent_is_done_for_whom_it_may_be_and_else_changes_nothing(what: str, role: Role) -> None:
    page, fields, expected = SENT[what]
    client = office_of(user_of(role))
    before = everything()
    answer = client.post(address_of(page), fields | state_shown(client, address_of(page)))
    if expected[ROLES.index(role)] == "x":
        assert answer.status_code == 302
        assert everything() != before
    else:
        assert everything() == before
        assert answer.status_code == 403 or said(client, answer)


def said(client: Client, answer: Any) -> list[str]:
    """Return what the answer refuses, by the field or as a message on the page that it leads to."""
    if answer.status_code == 302:
        answer = client.get(answer.url)
    context = answer.context
    form = context.get("adminform") or context.get("form")
    beside = list(getattr(form, "errors", None) or getattr(getattr(form, "form", None), "errors", {}))
    rows = [each for formset in context.get("inline_admin_formsets") or [] for each in formset.formset.errors]
    messages = [str(each) for each in context.get("messages", []) if each.level_tag in {"error", "warning"}]
    protected = [str(each) for each in context.get("protected") or []]
    return [*beside, *[each for each in rows if each], *messages, *protected]


@pytest.mark.parametrize("role", ROLES)
def test_whatever_is_sent_to_a_page_that_is_refused_changes_nothing(role: Role) -> None:
    client = office_of(user_of(role))
    before = everything()
    refused = [page for page, expected in PAGES.items() if expected[ROLES.index(role)] in "-r"]
    for page in refused:
        if not page.startswith("auth/") or page.endswith("change/"):
            client.post(address_of(page), an_event(status="published", post="yes", name="X", username="x"))
    assert everything() == before


def test_no_administrator_makes_a_superuser_or_gives_single_permissions() -> None:
    client = office_of(user_of(Role.ADMINISTRATOR))
    every = list(Permission.objects.values_list("pk", flat=True))
    sent = a_user(role=Role.EDITOR.value, is_superuser="on", user_permissions=every, groups=[1, 2, 3, 4])
    client.post(f"/admin/auth/user/{SOMEBODY}/change/", sent)
    somebody = User.objects.get(pk=SOMEBODY)
    assert (somebody.is_staff, somebody.is_superuser, somebody.user_permissions.count()) == (True, False, 0)
    assert [group.name for group in somebody.groups.all()] == [Role.EDITOR.value]


def test_a_superuser_gives_a_role_and_with_it_the_access_and_takes_both_away() -> None:
    client = office_of(User.objects.get(pk=SUPERUSER))
    address = f"/admin/auth/user/{SOMEBODY}/change/"
    found = []
    for role in (Role.EDITOR.value, Role.CHIEF_EDITOR.value, ""):
        client.post(address, a_user(role=role))
        somebody = User.objects.get(pk=SOMEBODY)
        found.append((roles.of(somebody), somebody.groups.count(), somebody.is_staff))
    assert found == [(Role.EDITOR, 1, True), (Role.CHIEF_EDITOR, 1, True), (None, 0, False)]


def test_no_administrator_reads_the_hash_of_a_superusers_password() -> None:
    User.objects.filter(pk=SUPERUSER).update(password="pbkdf2_sha256$1$salt$hash-of-the-password")
    page = office_of(user_of(Role.ADMINISTRATOR)).get(f"/admin/auth/user/{SUPERUSER}/change/").content
    assert (b"root" in page, b"hash-of" in page) == (True, False)


def test_no_administrator_changes_the_own_role_by_mistake() -> None:
    user = user_of(Role.ADMINISTRATOR)
    address = f"/admin/auth/user/{user.pk}/change/"
    refused = office_of(user).post(address, {"username": "bo", "is_active": "on", "role": Role.EDITOR.value})
    assert refused.context["adminform"].form.errors == {
        "role": ["You cannot change your own role. Ask another administrator."]
    }
    kept = office_of(user).post(
        address, {"username": "bo", "is_active": "on", "role": Role.ADMINISTRATOR.value}
    )
    assert kept.status_code == 302
    assert roles.of(User.objects.get(pk=user.pk)) is Role.ADMINISTRATOR


def test_areas_are_offered_that_may_be_chosen_and_events_that_may_have_occasions() -> None:
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
    [
        (Role.CHIEF_EDITOR, {"publish", "withdraw"}),
        (Role.EDITOR, set()),
        (Role.AREA_EDITOR, set()),
    ],
)
def test_publishing_is_offered_to_those_who_may(role: Role, offered: set[str]) -> None:
    client = office_of(user_of(role))
    choices = client.get("/admin/programme/event/").context["action_form"].fields["action"].choices
    assert {name for name, _label in choices} & {"publish", "withdraw"} == offered
    form = client.get(f"/admin/programme/event/{DRAFT}/change/").context["adminform"].form
    assert ("status" in form.fields) == bool(offered)
    page = client.get(f"/admin/programme/event/{DRAFT}/change/").content
    assert (b'name="status"' in page) == bool(offered)


class EditsInTheList(EventAdmin):
    list_display = ["title", "highlighted", "status"]
    list_display_links = None
    list_editable = ["highlighted", "status"]


@pytest.mark.parametrize(("role", "changed"), [(Role.CHIEF_EDITOR, 2), (Role.AREA_EDITOR, 0)])
def test_rows_edited_in_a_list_take_nothing_that_may_not_be(
    role: Role, changed: int, rf: RequestFactory
) -> None:
    user = user_of(role)
    sent: dict[str, Any] = {"form-TOTAL_FORMS": 2, "form-INITIAL_FORMS": 2, "_save": "1"}
    for number, key in enumerate([THEIRS, DRAFT]):
        sent |= {f"form-{number}-id": key, f"form-{number}-status": "published"}
    request: Any = rf.post("/admin/programme/event/?id__in=7100,7007", sent)
    request.user, request.instant, request._dont_enforce_csrf_checks = user, NOW, True
    request.session, request._messages = {}, Messages()
    before = everything()
    if changed:
        EditsInTheList(Event, admin.site).changelist_view(request)
        assert Event.objects.filter(pk__in=[THEIRS, DRAFT], status="published").count() == changed
    else:
        with pytest.raises(PermissionDenied):
            EditsInTheList(Event, admin.site).changelist_view(request)
        assert everything() == before


class Messages(list):
    def add(self, *message: Any) -> None:
        self.append(message)


# --- Looking only ---------------------------------------------------------------------------------


def test_an_event_to_look_at_shows_its_occasions_and_says_why_it_cannot_be_changed() -> None:
    client = office_of(user_of(Role.AREA_EDITOR))
    page = client.get(f"/admin/programme/event/{CLOCKS}/change/").content.decode()
    assert "it belongs to Parken; norr, söder &amp; \\mitt. Your areas: Ångtorget." in page
    assert "<p>sön 2026-03-29</p>" not in page
    assert ("<p>Sun 2026-03-29</p>" in page, "<p>01:30</p>" in page, "<p>03:30</p>" in page) == (True,) * 3
    assert "None" not in page
    assert 'name="mark_changed"' not in page


# --- The rules themselves -------------------------------------------------------------------------


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("model", [Event, Occasion])
def test_rows_that_are_allowed_are_those_that_may_be(model: Any, verb: Any, role: Role | None) -> None:
    asked = rights.of(user_of(role))
    one_by_one = {row.pk for row in model.objects.all() if asked.may(verb, row)}
    assert set(asked.allowed(verb, model.objects.all()).values_list("pk", flat=True)) == one_by_one


STEPS = [
    (None, State(TORGET, Status.DRAFT), "xxxx"),
    (None, State(PARKEN, Status.DRAFT), "xxx-"),
    (None, State(TORGET, Status.PUBLISHED), "xx--"),
    (State(TORGET, Status.DRAFT), State(TORGET, Status.DRAFT), "xxxx"),
    (State(TORGET, Status.PUBLISHED), State(TORGET, Status.PUBLISHED), "xxxx"),
    (State(TORGET, Status.DRAFT), State(TORGET, Status.PUBLISHED), "xx--"),
    (State(TORGET, Status.PUBLISHED), State(TORGET, Status.DRAFT), "xx--"),
    (State(TORGET, Status.DRAFT), State(PARKEN, Status.DRAFT), "xxx-"),
    (State(PARKEN, Status.DRAFT), State(TORGET, Status.DRAFT), "xxx-"),
    (State(TORGET, Status.DRAFT), None, "xxxx"),
    (State(TORGET, Status.PUBLISHED), None, "xx--"),
    (State(PARKEN, Status.DRAFT), None, "xxx-"),
    (None, None, "xxxx"),
]


@pytest.mark.parametrize(("before", "after", "expected"), STEPS)
@pytest.mark.parametrize("role", ROLES)
def test_a_step_from_one_state_to_another_is_refused_or_not(
    before: State | None, after: State | None, expected: str, role: Role
) -> None:
    user = user_of(role)
    if expected[ROLES.index(role)] == "x":
        rights.require_step(user, before, after)
        assert rights.of(user).refusals(before, after) == {}
    else:
        with pytest.raises(PermissionDenied):
            rights.require_step(user, before, after)


def test_an_editor_of_no_area_adds_nothing() -> None:
    user = user_of(Role.AREA_EDITOR)
    AreaEditor.objects.all().delete()
    client = office_of(user)
    assert [client.get(f"/admin/programme/{kind}/add/").status_code for kind in ("event", "occasion")] == [
        403,
        403,
    ]


# --- The roles ------------------------------------------------------------------------------------


def test_migrating_again_gives_the_roles_back_what_they_have() -> None:
    def held() -> dict[str, set[str]]:
        groups = {role: Role(role) for role in Role}
        return {role: set(_permissions(role)) for role in groups}

    def _permissions(role: Role) -> list[str]:
        return list(Permission.objects.filter(group__name=role).values_list("codename", flat=True))

    before = held()
    assert {len(codenames) > 10 for codenames in before.values()} == {True}
    assert "publish_event" not in before[Role.EDITOR] | before[Role.AREA_EDITOR]
    assert "edit_every_area" in before[Role.EDITOR] - before[Role.AREA_EDITOR]
    Permission.objects.filter(codename="publish_event").get().group_set.clear()
    Permission.objects.filter(codename="edit_every_area").get().group_set.set(
        User.groups.rel.model.objects.filter(name=Role.AREA_EDITOR)
    )
    roles.keep()
    assert held() == before
