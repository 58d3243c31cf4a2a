"""The list of users and the page of an account: who it is, until when, and what a chief editor does about it."""

from datetime import date, timedelta
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from festival.accounts.access import keep
from festival.accounts.models import AccountEvent
from programme.backoffice.roles import Role, role_of
from programme.history import edits
from programme.models import Edit, Event
from tests.conftest import NOW, SetClock
from tests.festival.accounts.people.office import USERS, account_page, create_user, open_office
from tests.programme.backoffice.requests import list_messages
from tests.programmes import JAZZ, TORGET

TODAY = date(2026, 7, 29)


@pytest.fixture(autouse=True)
def _now(at: SetClock, sample: None) -> None:
    at(NOW)


@pytest.fixture
def office() -> Client:
    return open_office(create_user("chief", Role.CHIEF_EDITOR))


def read_list(response: Any) -> dict[str, list[str]]:
    page = BeautifulSoup(response.content.decode(), "lxml")
    rows = [
        [cell.text.strip() for cell in row.select("th, td")] for row in page.select("#result_list tbody tr")
    ]
    return {row[0]: row[1:] for row in rows}


def test_the_list_says_who_and_until_when(office: Client) -> None:
    area = create_user("area", Role.AREA_EDITOR, (TORGET,), first_name="Anna", last_name="Berg")
    User.objects.filter(pk=area.pk).update(last_login=NOW)
    keep(area, last_day=TODAY)
    keep(create_user("ended", Role.EDITOR), last_day=TODAY - timedelta(days=1), link_at=NOW)
    keep(create_user("invited", Role.EDITOR), link_at=NOW)
    User.objects.filter(pk=create_user("away", Role.EDITOR).pk).update(is_active=False)
    rows = read_list(office.get(USERS))
    assert rows.pop("chief")[3] == "chief editor"
    assert rows == {
        "area": ["Anna Berg", "2026-07-29 14:00", "2026-07-29", "area editor", "Ångtorget"],
        "away": ["-", "Never", "Deactivated", "editor", "-"],
        "ended": ["-", "Not accepted yet.", "Ended 2026-07-28", "editor", "-"],
        "invited": ["-", "Not accepted yet. New link", "-", "editor", "-"],
    }
    assert [*read_list(office.get(f"{USERS}?is_active__exact=0"))] == ["away"]
    invited = read_list(office.get(f"{USERS}?last_login__isnull=True&is_active__exact=1"))
    assert [*invited] == ["ended", "invited"]


@pytest.mark.parametrize("role", [Role.CHIEF_EDITOR, Role.ADMINISTRATOR])
def test_no_page_of_people_shows_hashes_or_speaks_of_how_django_keeps_them(role: Role) -> None:
    secret = "argon2$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"
    other = create_user("other", Role.EDITOR)
    User.objects.filter(pk=other.pk).update(password=secret)
    pages = [USERS, f"{USERS}invite/", f"{USERS}add/", account_page(other)]
    pages += [f"{USERS}{other.pk}/{name}/" for name in ("change", "password", "history", "delete")]
    browser = open_office(create_user("chief", role))
    texts = [browser.get(page, follow=True).content.decode().casefold() for page in pages]
    words = ("ldap", "single sign-on", "argon2", "pbkdf2", "hash", "salt", "authentication", "iterations")
    assert [word for text in texts for word in words if word in text] == []


def test_a_chief_editor_extends_and_ends_an_account(office: Client) -> None:
    other = create_user("other", Role.EDITOR)
    theirs = open_office(other)
    found = []
    sent = [
        {"do": "last-day", "last_day": "2026-07-29"},
        {"do": "end"},
        {"do": "last-day", "last_day": "2026-08-09"},
        {"do": "last-day", "last_day": ""},
    ]
    for fields in sent:
        assert office.post(account_page(other), fields)["Location"] == account_page(other)
        found.append((User.objects.get(pk=other.pk).account.last_day, theirs.get("/admin/").status_code))
    assert found == [(TODAY, 200), (date(2026, 7, 28), 302), (date(2026, 8, 9), 200), (None, 200)]
    events = AccountEvent.objects.filter(account=other, kind="last-day").order_by("pk")
    assert [(event.detail, event.by) for event in events] == [
        ("+2026-07-29", "chief"),
        ("+2026-07-28", "chief"),
        ("+2026-08-09", "chief"),
        ("−", "chief"),
    ]


def test_a_chief_editor_changes_role_and_areas_and_the_log_has_it(office: Client) -> None:
    other = create_user("other", Role.EDITOR)
    theirs = open_office(other)
    shown = office.get(account_page(other)).context["role_form"]
    assert shown.initial == {"role": Role.EDITOR, "areas": []}
    sent = {"do": "role", "role": Role.AREA_EDITOR.value, "areas": [TORGET]}
    done = office.post(account_page(other), sent, follow=True)
    assert list_messages(done) == ["Saved: other is area editor."]
    assert done.context["role_form"].initial == {"role": Role.AREA_EDITOR, "areas": [TORGET]}
    # Who is signed in has the new rights at once, and only those.
    assert theirs.get(f"/admin/programme/event/{JAZZ}/change/").status_code == 200
    assert theirs.get("/admin/programme/organizer/add/").status_code == 403
    office.post(account_page(other), sent | {"role": Role.EDITOR.value})
    assert not User.objects.get(pk=other.pk).edited_areas.exists()
    events = AccountEvent.objects.filter(account=other, kind="rights", by="chief").order_by("pk")
    assert [event.detail for event in events] == [
        "−Programme: editor",
        "+Programme: area editor",
        "+Ångtorget",
        "−Programme: area editor",
        "+Programme: editor",
        "−Ångtorget",
    ]


def test_an_area_editor_without_areas_is_refused_at_the_field(office: Client) -> None:
    other = create_user("other", Role.EDITOR)
    page = office.post(account_page(other), {"do": "role", "role": Role.AREA_EDITOR.value})
    assert page.context["role_form"].errors == {"areas": ["Choose at least one area."]}
    assert role_of(User.objects.get(pk=other.pk)) is Role.EDITOR


def test_a_day_that_is_over_is_refused_at_its_field(office: Client) -> None:
    other = create_user("other", Role.EDITOR)
    page = office.post(account_page(other), {"do": "last-day", "last_day": "2026-07-28"})
    assert page.context["last_day"].errors == {"last_day": ["This day is over."]}
    assert User.objects.filter(pk=other.pk, account=None).exists()


def test_a_link_for_a_forgotten_password_is_valid_for_a_day_and_signs_nobody_in(
    office: Client, at: SetClock
) -> None:
    other = create_user("other", Role.EDITOR, password="Fyra gäss i Linköping 17")
    User.objects.filter(pk=other.pk).update(last_login=NOW)
    page = office.post(account_page(other), {"do": "link"})
    assert "no-store" in page["Cache-Control"]
    link = page.context["link"].removeprefix("https://program.example")
    browser = Client(HTTP_ACCEPT_LANGUAGE="en")
    address = browser.get(link, follow=True).redirect_chain[-1][0]
    password = "Sju lyktor över kanalen 1932"
    done = browser.post(address, {"new_password1": password, "new_password2": password})
    assert done["Location"] == "/admin/password/chosen/"
    assert browser.get("/admin/").status_code == 302
    second = office.post(account_page(other), {"do": "link"}).context["link"]
    at(NOW + timedelta(hours=24, seconds=1))
    assert Client().get(second.removeprefix("https://program.example")).context["validlink"] is False


@pytest.mark.parametrize("do", ["link", "send"])
def test_an_account_that_has_ended_gets_no_link(office: Client, do: str) -> None:
    other = create_user("other", Role.EDITOR)
    keep(other, last_day=TODAY - timedelta(days=1), link_at=NOW)
    assert office.post(account_page(other), {"do": do}).status_code == 403


def test_deleting_a_user_keeps_the_history(admin_client: Client) -> None:
    other = create_user("other", Role.EDITOR)
    with edits.record(other, NOW):
        Event.objects.filter(pk=JAZZ).update(title="Ny")
    AccountEvent.objects.all().delete()
    keep(other, last_day=TODAY)
    admin_client.post(f"{USERS}{other.pk}/delete/", {"post": "yes"})
    assert not User.objects.filter(pk=other.pk).exists()
    edit = Edit.objects.latest("pk")
    assert (edit.user, edit.name) == (None, "other")
    assert [(event.kind, event.name) for event in AccountEvent.objects.all()] == [("deleted", "other")]


@pytest.mark.parametrize("role", [Role.CHIEF_EDITOR, Role.ADMINISTRATOR])
def test_the_page_is_shown_in_few_queries(role: Role, django_assert_num_queries: Any) -> None:
    browser = open_office(create_user("chief", role))
    other = create_user("other", Role.EDITOR)
    browser.get(account_page(other))
    with django_assert_num_queries({Role.CHIEF_EDITOR: 13, Role.ADMINISTRATOR: 11}[role]):
        browser.get(account_page(other))
