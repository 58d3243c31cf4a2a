"""The health page of the back office, and the notice on its start page."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from festival.monitoring import live_report
from festival.monitoring.live_report import Finding, Report
from programme.backoffice.roles import Role, assign_role
from tests.conftest import NOW, SetClock

GREEN = Finding("service", "green", "The service answers at %(url)s.", {"url": "https://program.example"})
YELLOW = Finding("certificate", "yellow", "%(path)s answers %(status)s.", {"path": "/x", "status": "<STALE>"})
RED = Finding(
    "backup", "red", "The newest backup is %(hours)s h old (%(name)s).", {"hours": 70, "name": "x.tar"}
)


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, db: None, at: SetClock) -> None:
    settings.DATA_DIR = tmp_path


def sign_in(role: Role = Role.ADMINISTRATOR, language: str = "en") -> Client:
    user = User.objects.create_user("anna", is_staff=True)
    assign_role(user, role)
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def read(client: Client, address: str = "/admin/health/") -> str:
    return client.get(address).content.decode()


def save(*findings: Finding, age: timedelta = timedelta(minutes=3)) -> None:
    live_report.save(Report(NOW - age, list(findings)))


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ADMINISTRATOR, 200), (Role.CHIEF_EDITOR, 403), (Role.EDITOR, 403), (Role.AREA_EDITOR, 403)],
)
def test_administrators_see_it(role: Role, status: int) -> None:
    client = sign_in(role)
    assert client.get("/admin/health/").status_code == status
    may_see = status == 200
    start = read(client, "/admin/")
    assert ("The service has never been checked." in start) is may_see
    assert ('href="/admin/health/">Health</a>' in start) is may_see
    save(RED)
    assert ("Something is wrong" in read(client, "/admin/")) is may_see


def test_nobody_sees_it_without_signing_in() -> None:
    response = Client().get("/admin/health/")
    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/admin/health/")


def test_it_has_not_been_checked() -> None:
    assert "has not been checked yet" in read(sign_in())


def test_the_worst_comes_first_and_texts_are_escaped() -> None:
    save(GREEN, YELLOW, RED)
    text = read(sign_in())
    parts = [
        *("Something is wrong", "Wrong</h2>", "70 h old"),
        *("To be looked at</h2>", "&lt;STALE&gt;", "In order</h2>"),
    ]
    places = [text.index(each) for each in parts]
    assert places == sorted(places)


def test_it_is_in_the_editors_language() -> None:
    save(RED)
    assert "Den senaste säkerhetskopian är 70 h gammal (x.tar)." in read(sign_in(language="sv"))


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
    text = read(sign_in(), "/admin/")
    assert ("notice plain health-" in text) is (notice is not None)
    assert (notice or "") in text
