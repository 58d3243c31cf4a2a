"""Django's log holds who came in, who did not, and what rights were given; nobody else's name gets into it."""

import logging
import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.utils.translation import override

from festival.accounts.log import read_lines, sweep_attempts, sweep_log
from festival.accounts.models import CacheEntry
from programme.backoffice.roles import Role, assign_role
from tests.conftest import NOW
from tests.festival.accounts.browsers import ELSEWHERE, HOME, TWO_FACTOR, open_browser, sign_in


def texts(user: User) -> list[str]:
    """Return what is logged of an account, the oldest first."""
    with override("en"):
        return [text for _entry, text in reversed(read_lines(user, 100))]


@pytest.fixture(autouse=True)
def _empty(anna: User) -> None:
    LogEntry.objects.all().delete()


def test_signing_in_is_logged_and_shown_in_each_language(anna: User) -> None:
    sign_in(open_browser(ELSEWHERE), password="wrong")
    browser = open_browser(language="sv")
    sign_in(browser)
    assert LogEntry.objects.first().action_time == NOW
    shown = browser.get(TWO_FACTOR).context["events"]
    assert [text for _entry, text in shown] == [
        f"loggade in · lösenord · {HOME}",
        f"fel lösenord · {ELSEWHERE}",
    ]


def test_a_name_that_is_no_accounts_is_not_kept(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        sign_in(open_browser(ELSEWHERE), name="my secret password", password="anna")
    assert f"Somebody without an account tried to sign in from {ELSEWHERE}" in caplog.messages
    assert "secret" not in caplog.text
    assert not LogEntry.objects.exists()
    assert not [entry for entry in CacheEntry.objects.all() if "secret" in entry.cache_key + entry.value]


def test_roles_and_rights_are_logged_whoever_gives_them(anna: User, admin_client: Client) -> None:
    assign_role(anna, Role.EDITOR)
    anna.groups.add(Group.objects.create(name="Volunteers"))
    anna.user_permissions.add(Permission.objects.get(codename="publish_event"))
    anna.set_password("Fyra gäss i Linköping 17")
    anna.save()
    fields = {"username": "anna", "email": anna.email, "is_staff": "on", "is_superuser": "on"}
    admin_client.post(f"/admin/auth/user/{anna.pk}/change/", fields)
    shown = [re.sub(r" · [\d.]+$", "", text) for text in texts(anna)]
    assert shown == [
        "rights taken · chief editor",
        "rights given · editor",
        "rights given · Volunteers",
        "rights given · Can publish and withdraw events",
        "password set",
        "rights taken · editor",
        "rights taken · Volunteers",
        "rights taken · Can publish and withdraw events",
        "Changed Active, Superuser status, Groups and User permissions.",
    ]
    assert {entry.user.username for entry, _text in read_lines(anna, 4)} == {"admin"}


def test_what_is_over_is_swept(anna: User, clock: time_machine.Traveller) -> None:
    sign_in(open_browser(), password="wrong")
    clock.shift(timedelta(days=90))
    sign_in(open_browser())
    assert (sweep_log(NOW + timedelta(days=90)), sweep_attempts(NOW)) == (0, 0)
    assert sweep_log(NOW + timedelta(days=90, seconds=1)) == 1
    assert texts(anna) == [f"signed in · password · {HOME}"]
    assert sweep_attempts(NOW + timedelta(days=91)) > 0
    assert not CacheEntry.objects.exists()


@pytest.mark.parametrize("table", ["mfa/authenticator", "account/emailaddress", "socialaccount/socialapp"])
def test_the_librarys_own_tables_are_not_shown(admin_client: Client, table: str) -> None:
    assert admin_client.get(f"/admin/{table}/").status_code == 404
