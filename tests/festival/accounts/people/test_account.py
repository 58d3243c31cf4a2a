"""The list of users and the page of an account: who it is, until when, and what a chief editor does about it."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils.translation import override

from festival.accounts.access import update_account
from festival.accounts.log import read_lines
from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import Edit, Event
from tests.conftest import NOW
from tests.festival.accounts.browsers import PASSWORD
from tests.festival.accounts.people.office import (
    PROGRAM,
    USERS,
    account_page,
    choose_password,
    create_user,
    open_office,
)
from tests.programme.backoffice.requests import list_messages, parse
from tests.programmes import JAZZ, TORGET

TODAY = date(2026, 7, 29)


pytestmark = pytest.mark.usefixtures("at", "sample")


@pytest.fixture
def office() -> Client:
    return open_office(create_user("chief", Role.CHIEF_EDITOR))


def read_list(response: Any) -> dict[str, list[str]]:
    page = parse(response)
    rows = [
        [cell.text.strip() for cell in row.select("th, td")] for row in page.select("#result_list tbody tr")
    ]
    return {row[0]: row[1:] for row in rows}


def test_the_list_says_who_and_until_when(office: Client) -> None:
    area = create_user("area", Role.AREA_EDITOR, (TORGET,), first_name="Anna", last_name="Berg")
    User.objects.filter(pk=area.pk).update(last_login=NOW)
    update_account(area, last_day=TODAY)
    update_account(create_user("ended", Role.EDITOR), last_day=TODAY - timedelta(days=1), link_at=NOW)
    update_account(create_user("invited", Role.EDITOR), link_at=NOW)
    User.objects.filter(pk=create_user("away", Role.EDITOR).pk).update(is_active=False)
    page = office.get(USERS)
    assert f'href="{account_page(area)}"' in page.content.decode()
    rows = read_list(page)
    assert rows.pop("chief")[3] == "chief editor"
    assert rows == {
        "area": ["Anna Berg", "today 14:00", "2026-07-29", "area editor", "Ångtorget"],
        "away": ["-", "Never", "-", "editor", "-"],
        "ended": ["-", "Not accepted yet.", "2026-07-28", "editor", "-"],
        "invited": ["-", "Not accepted yet.", "-", "editor", "-"],
    }
    assert [*read_list(office.get(f"{USERS}?is_active__exact=0"))] == ["away"]
    invited = read_list(office.get(f"{USERS}?last_login__isnull=True&is_active__exact=1"))
    assert [*invited] == ["ended", "invited"]


def test_a_chief_editor_changes_role_areas_and_last_day_and_the_log_has_it(office: Client) -> None:
    other = create_user("other", Role.EDITOR)
    theirs, page = open_office(other), account_page(other)
    given = {"role": Role.EDITOR, "areas": [], "last_day": None}
    assert office.get(page).context["form"].initial == given
    sent = {"do": "save", "role": Role.AREA_EDITOR.value, "areas": [TORGET], "last_day": "2026-07-29"}
    done = office.post(page, sent, follow=True)
    assert list_messages(done) == ["Saved: other"]
    given = {"role": Role.AREA_EDITOR, "areas": [TORGET], "last_day": TODAY}
    assert done.context["form"].initial == given
    # Who is signed in has the new rights at once, and only those.
    assert theirs.get(f"/admin/programme/event/{JAZZ}/change/").status_code == 200
    assert theirs.get("/admin/programme/organizer/add/").status_code == 403
    office.post(page, {"do": "end"})
    assert theirs.get("/admin/").status_code == 302
    # A last day that is over may stay, but no other one that is.
    refused = office.post(page, sent | {"last_day": "2026-07-27"})
    assert refused.context["form"].errors == {"last_day": ["This day is over."]}
    office.post(page, sent | {"role": Role.EDITOR.value, "last_day": "2026-07-28"})
    office.post(page, sent | {"role": Role.EDITOR.value, "last_day": ""})
    assert theirs.get("/admin/").status_code == 200
    assert not User.objects.get(pk=other.pk).edited_areas.exists()
    with override("en"):
        lines = [text for entry, text in reversed(read_lines(other, 99)) if entry.user.username == "chief"]
    assert [line.removesuffix(" · 127.0.0.1") for line in lines] == [
        "rights taken · editor",
        "rights given · area editor",
        "areas changed · Ångtorget",
        "last day changed · 2026-07-29",
        "last day changed · 2026-07-28",
        "rights taken · area editor",
        "rights given · editor",
        "areas changed · −",
        "last day changed · −",
    ]


def test_a_chief_editor_makes_a_link_for_a_forgotten_password(office: Client) -> None:
    other = create_user("other", Role.EDITOR, password="Fyra gäss i Linköping 17")
    page = office.post(account_page(other), {"do": "link"})
    assert "no-store" in page["Cache-Control"]
    done = choose_password(Client(), page.context["link"].removeprefix(PROGRAM))
    assert done.status_code == 200
    assert User.objects.get(pk=other.pk).check_password(PASSWORD)


@pytest.mark.parametrize("do", ["link", "send"])
def test_an_account_that_has_ended_gets_no_link(office: Client, do: str) -> None:
    other = create_user("other", Role.EDITOR)
    update_account(other, last_day=TODAY - timedelta(days=1), link_at=NOW)
    assert office.post(account_page(other), {"do": do}).status_code == 403


def test_deleting_a_user_keeps_the_history(admin_client: Client) -> None:
    other = create_user("other", Role.EDITOR)
    with edits.record(other, NOW):
        Event.objects.filter(pk=JAZZ).update(title="Ny")
    update_account(other, last_day=TODAY)
    admin_client.post(f"{USERS}{other.pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(pk=other.pk).exists()
    edit = Edit.objects.latest("pk")
    assert (edit.user, edit.name) == (None, "other")
    entry = LogEntry.objects.get(action_flag=DELETION)
    assert (entry.object_repr, entry.user.username) == ("other", "admin")


@pytest.mark.parametrize("role", [Role.CHIEF_EDITOR, Role.ADMINISTRATOR])
def test_the_page_is_shown_in_few_queries(role: Role, django_assert_num_queries: Any) -> None:
    browser = open_office(create_user("chief", role))
    other = create_user("other", Role.EDITOR)
    browser.get(account_page(other))
    with django_assert_num_queries({Role.CHIEF_EDITOR: 12, Role.ADMINISTRATOR: 14}[role]):
        browser.get(account_page(other))
