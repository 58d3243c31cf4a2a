"""The log holds who came in, who did not, and what rights were given; administrators read it."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from festival.accounts.log import sweep_attempts, sweep_log
from festival.accounts.models import AccountEvent, CacheEntry, Kind
from programme.backoffice.roles import Role, assign_role
from programme.models import Area, AreaEditor
from tests.conftest import NOW
from tests.festival.accounts.browsers import ELSEWHERE, HOME, open_browser, sign_in


def lines(**wanted: Any) -> list[tuple[str, str, str]]:
    """Return kind, name and details of the log, the oldest first."""
    events = AccountEvent.objects.filter(**wanted).order_by("pk")
    return list(events.values_list("kind", "name", "detail"))


def test_signing_in_is_logged(anna: User) -> None:
    AccountEvent.objects.all().delete()
    browser = open_browser()
    sign_in(browser, password="wrong")
    sign_in(browser)
    assert lines() == [("failed", "anna", ""), ("signed-in", "anna", "password")]
    last = AccountEvent.objects.first()
    assert (last.at, last.account, last.address, last.network, last.by) == (
        NOW,
        anna,
        HOME,
        HOME,
        "",
    )


def test_a_name_that_is_no_accounts_is_not_kept(anna: User) -> None:
    AccountEvent.objects.all().delete()
    sign_in(open_browser(ELSEWHERE), name="my secret password", password="anna")
    event = AccountEvent.objects.get()
    assert (event.kind, event.account, event.name, event.address) == (Kind.FAILED, None, "", ELSEWHERE)
    assert not [entry for entry in CacheEntry.objects.all() if "secret" in entry.cache_key + entry.value]


def test_roles_and_rights_are_logged_whoever_gives_them(anna: User, db: None) -> None:
    AccountEvent.objects.all().delete()
    group = Group.objects.create(name="Volunteers")
    area = Area.objects.create(name="Torget", full_name="Stora torget")
    assign_role(anna, Role.EDITOR)
    anna.groups.add(group)
    anna.user_permissions.add(Permission.objects.get(codename="publish_event"))
    anna.groups.set([])
    AreaEditor.objects.create(user=anna, area=area)
    AreaEditor.objects.filter(user=anna).delete()
    anna.is_superuser, anna.is_active = True, False
    anna.save()
    anna.set_password("Fyra gäss i Linköping 17")
    anna.save()
    assert lines() == [
        ("rights", "anna", "−Programme: chief editor"),
        ("rights", "anna", "+Programme: editor"),
        ("rights", "anna", "+Volunteers"),
        ("rights", "anna", "+publish_event"),
        ("rights", "anna", "−Programme: editor, −Volunteers"),
        ("rights", "anna", f"+{area}"),
        ("rights", "anna", f"−{area}"),
        ("rights", "anna", "−is_active, +is_superuser"),
        ("password", "anna", ""),
    ]


def test_administrators_read_it_in_their_language(anna: User, clock: time_machine.Traveller) -> None:
    assign_role(anna, Role.ADMINISTRATOR)
    AccountEvent.objects.all().delete()
    browser = open_browser(language="sv")
    sign_in(browser)
    anna.groups.set([])
    assign_role(anna, Role.ADMINISTRATOR)
    page = BeautifulSoup(browser.get("/admin/accounts/accountevent/").content, "lxml")
    rows = [
        [cell.get_text() for cell in row.select("td, th")] for row in page.select("#result_list tbody tr")
    ]
    assert rows == [
        ["2026-07-29 14:00", "rättigheter ändrade", "anna", "-", "+ administratör", "-"],
        ["2026-07-29 14:00", "rättigheter ändrade", "anna", "-", "− administratör", "-"],
        ["2026-07-29 14:00", "loggade in", "anna", "-", "lösenord", HOME],
    ]
    assert page.select("#result_list a[href*='/change/']") == []
    assert page.select_one("#content h1").get_text() == "Inloggningar och rättigheter"
    assert page.select_one(".paginator").get_text(strip=True) == "3 händelser"
    assert " ".join(page.select_one(".breadcrumbs").get_text().split()) == (
        "Start › Medarbetare › Inloggningar och rättigheter"
    )


@pytest.mark.parametrize("table", ["mfa/authenticator", "account/emailaddress", "socialaccount/socialapp"])
def test_the_librarys_own_tables_are_not_shown(admin_client: Client, table: str) -> None:
    assert admin_client.get(f"/admin/{table}/").status_code == 404


def test_what_is_over_is_swept(anna: User, clock: time_machine.Traveller) -> None:
    AccountEvent.objects.all().delete()
    sign_in(open_browser(), password="wrong")
    clock.shift(timedelta(days=90))
    sign_in(open_browser())
    assert (sweep_log(NOW + timedelta(days=90)), sweep_attempts(NOW)) == (0, 0)
    assert sweep_log(NOW + timedelta(days=90, seconds=1)) == 1
    assert lines() == [("signed-in", "anna", "password")]
    assert sweep_attempts(NOW + timedelta(days=91)) > 0
    assert not CacheEntry.objects.exists()
