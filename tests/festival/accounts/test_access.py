"""An account ends with its last day: the password, live sessions, links and second steps, at that moment."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from festival.accounts.access import has_ended, update_account
from festival.accounts.links import build_link, renew_link
from tests.festival.accounts.browsers import (
    TWO_FACTOR,
    build_code,
    is_signed_in,
    open_browser,
    set_up_app,
    sign_in,
)

# The last day is Saturday 1 August; in Stockholm it ends at 22:00 UTC.
LAST_DAY = date(2026, 8, 1)
END = datetime(2026, 8, 1, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "first_hour", "end"),
    [
        ("Europe/Stockholm", 0, END),
        # The night belongs to the day before.
        ("America/New_York", 5, datetime(2026, 8, 2, 9, tzinfo=UTC)),
    ],
)
def test_an_account_lasts_to_the_end_of_the_festival_day(  # noqa: PLR0917 - fixtures
    anna: User, clock: time_machine.Traveller, settings: Settings, zone: str, first_hour: int, end: datetime
) -> None:
    settings.FESTIVAL_TIME_ZONE, settings.FESTIVAL_DAY_FIRST_HOUR = zone, first_hour
    update_account(anna, last_day=LAST_DAY)
    found = []
    for instant in (end - timedelta(seconds=1), end):
        clock.move_to(instant, tick=False)
        found.append(has_ended(anna))
    assert found == [False, True]


def test_a_live_session_ends_with_the_day_and_nobody_signs_in_afterwards(anna, clock):
    update_account(anna, last_day=LAST_DAY)
    clock.move_to(END - timedelta(minutes=1), tick=False)
    browser = open_browser()
    sign_in(browser)
    assert is_signed_in(browser)
    clock.move_to(END, tick=False)
    assert not is_signed_in(browser)
    saved = browser.post("/admin/programme/festival/1/change/", {"name_sv": "Ny"})
    assert saved["Location"].startswith("/admin/login/")
    again = open_browser()
    sign_in(again)
    assert not is_signed_in(again)
    # It is the account that has ended, not the session.
    update_account(anna, last_day=LAST_DAY + timedelta(days=1))
    assert is_signed_in(browser)


def test_a_second_step_after_the_end_lets_nobody_in(anna, clock):
    update_account(anna, last_day=LAST_DAY)
    first = open_browser()
    sign_in(first)
    secret = set_up_app(first)
    clock.move_to(END - timedelta(seconds=20), tick=False)
    browser, step = open_browser(), f"{TWO_FACTOR}authenticate/"
    assert sign_in(browser)["Location"] == step
    clock.move_to(END + timedelta(seconds=20), tick=False)
    browser.post(step, {"code": build_code(secret)})
    assert not is_signed_in(browser)


def test_links_end_with_the_day(anna, clock):
    update_account(anna, last_day=LAST_DAY)
    clock.move_to(END - timedelta(minutes=1), tick=False)
    links = [build_link(anna), renew_link(anna)]
    path = links[1].removeprefix("https://program.example")
    assert Client().get(path).status_code == 302
    clock.move_to(END, tick=False)
    assert Client().get(path).context["validlink"] is False


def test_no_link_is_sent_after_the_day(anna, clock, settings, monkeypatch):
    settings.HAS_EMAIL = True
    update_account(anna, last_day=LAST_DAY)
    clock.move_to(END, tick=False)
    page = Client().post("/admin/password/", {"email": anna.email}, follow=True)
    assert (page.request["PATH_INFO"], mail.outbox) == ("/admin/login/", [])
