"""The health page of the back office, and the notice on its start page."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from festival.monitoring.live import report
from festival.monitoring.live.report import Finding, Level, Report
from programme.backoffice.roles import Role, assign_role
from tests.conftest import NOW, SetClock

GREEN = Finding("service", Level.GREEN, "The service answers at %(url)s.", {"url": "https://program.example"})
YELLOW = Finding("clock", Level.YELLOW, "%(path)s answers %(status)s.", {"path": "/x", "status": "<STALE>"})
RED = Finding(
    "backup", Level.RED, "The newest backup is %(hours)s h old (%(name)s).", {"hours": 70, "name": "x.tar"}
)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, db: None, at: SetClock) -> None:
    settings.DATA_DIR = tmp_path


def sign_in(role: Role, language: str = "en") -> Client:
    user = User.objects.create_user("anna", is_staff=True)
    assign_role(user, role)
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def save(*findings: Finding, age: timedelta = timedelta(minutes=3)) -> None:
    report.save(Report(NOW - age, 1.0, "https://program.example", list(findings)))


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ADMINISTRATOR, 200), (Role.CHIEF_EDITOR, 403), (Role.EDITOR, 403), (Role.AREA_EDITOR, 403)],
)
def test_administrators_see_it(role: Role, status: int) -> None:
    save(RED)
    client = sign_in(role)
    assert client.get("/admin/health/").status_code == status
    assert ("Something is wrong" in client.get("/admin/").content.decode()) is (status == 200)


def test_nobody_sees_it_without_signing_in() -> None:
    response = Client().get("/admin/health/")
    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/admin/health/")


def test_it_has_not_been_checked() -> None:
    client = sign_in(Role.ADMINISTRATOR)
    assert "has not been checked yet" in client.get("/admin/health/").content.decode()
    assert "The service has never been checked." in client.get("/admin/").content.decode()


def test_it_is_none_of_a_chief_editors_business_that_it_was_never_checked() -> None:
    assert "health" not in re.sub(
        r"<link[^>]*>", "", sign_in(Role.CHIEF_EDITOR).get("/admin/").content.decode()
    )


@pytest.mark.parametrize(("role", "is_linked"), [(Role.ADMINISTRATOR, True), (Role.CHIEF_EDITOR, False)])
def test_every_page_links_to_it_for_those_who_may_see_it(role: Role, is_linked: bool) -> None:
    save(GREEN)
    start = sign_in(role).get("/admin/").content.decode()
    assert ('href="/admin/health/">Health</a>' in start) is is_linked
    assert "health-notice" not in start


def test_the_worst_comes_first_and_texts_are_escaped() -> None:
    save(GREEN, YELLOW, RED)
    text = sign_in(Role.ADMINISTRATOR).get("/admin/health/").content.decode()
    parts = [
        "Something is wrong",
        "Wrong</h2>",
        "70 h old",
        "To be looked at</h2>",
        "&lt;STALE&gt;",
        "In order</h2>",
    ]
    places = [text.index(each) for each in parts]
    assert places == sorted(places)


def test_it_is_in_the_editors_language() -> None:
    save(RED)
    assert (
        "Den senaste säkerhetskopian är 70 h gammal (x.tar)."
        in sign_in(Role.ADMINISTRATOR, "sv").get("/admin/health/").content.decode()
    )


@pytest.mark.parametrize(
    ("findings", "age", "notice"),
    [
        ([GREEN], timedelta(minutes=3), None),
        ([GREEN, YELLOW], timedelta(minutes=3), "should be looked at"),
        ([RED], timedelta(minutes=3), "Something is wrong"),
        ([GREEN], timedelta(days=1), None),
        ([GREEN], timedelta(days=1, seconds=1), "has not been checked for a day"),
    ],
)
def test_the_start_page_has_a_notice(findings: list[Finding], age: timedelta, notice: str | None) -> None:
    save(*findings, age=age)
    text = sign_in(Role.ADMINISTRATOR).get("/admin/").content.decode()
    assert ("health-notice" in text) is (notice is not None)
    assert (notice or "") in text
