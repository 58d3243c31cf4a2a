"""What `check --deploy` refuses and warns of; `serve` refuses the same (tests/festival/server/test_serve_command.py)."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.db import OperationalError

from festival.server import deployment_checks
from programme.backoffice.roles import Role, assign_role

KEY = "K7vJ2mQx-9sTzWc4LpRd_8NfYh3GbEa6UoVi1XkM5jq0ZwPt7Cn"


@pytest.fixture
def deployed(settings, tmp_path, monkeypatch, db):
    """A complete deployment, with an https address in the settings that follow from it."""
    settings.DATA_DIR = tmp_path
    settings.SECRET_KEY = KEY
    settings.ALLOWED_HOSTS = ["program.example", "localhost"]
    settings.SERVED_OVER_TLS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.HAS_EMAIL = True
    (tmp_path / "secret-key").write_text("this machine's own")
    monkeypatch.setattr(deployment_checks, "connection", SimpleNamespace(vendor="postgresql"))
    assign_role(get_user_model().objects.create_user("anna", password="her own"), Role.ADMINISTRATOR)
    return settings


def found() -> list[str]:
    """The identifiers of all messages of a deployment, Django's too."""
    return [each.id for each in run_checks(include_deployment_checks=True) if not each.is_silenced()]


def said() -> list[str]:
    return [f"{each.msg} {each.hint}" for each in deployment_checks.check_deployment(None)]


@pytest.mark.usefixtures("deployed")
def test_a_complete_deployment_has_no_messages():
    assert found() == []


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SECRET_KEY", "a-long-random-text", "festival.E030"),
        ("SECRET_KEY", "abcd" * 20, "festival.E030"),
        ("SECRET_KEY", f"django-insecure-{KEY}", "festival.E030"),
        ("SECRET_KEY", f"change-me-{KEY}", "festival.E030"),
        ("DEBUG", True, "festival.E031"),
        ("BASE_URL", "http://localhost:8000", "festival.W002"),
        ("BASE_URL", "https://127.0.0.1", "festival.W002"),
        ("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"], "festival.W003"),
        ("SERVED_OVER_TLS", False, "festival.W004"),
        ("HAS_EMAIL", False, "festival.W007"),
    ],
)
def test_settings_of_a_developer_are_reported(deployed, name, value, expected):
    setattr(deployed, name, value)
    assert found() == [expected]


def test_alerts_without_e_mail_are_warned_of(deployed):
    deployed.HAS_EMAIL, deployed.ALERT_EMAIL = False, ["technician@kulturnatten.example"]
    assert said() == [
        "The service sends no e-mail: nobody can choose a new password without an administrator, and ALERT_EMAIL"
        " gets no alerts. Set EMAIL_URL, as in smtp+tls://user:password@mail.example:587."
    ]


def test_a_key_of_this_machine_is_right_with_a_database_of_this_machine(deployed, tmp_path, monkeypatch):
    (tmp_path / "secret-key").write_text(KEY)
    assert found() == ["festival.W001"]
    monkeypatch.setattr(deployment_checks, "connection", SimpleNamespace(vendor="sqlite"))
    assert found() == []


def test_a_weak_key_is_described_without_being_shown(deployed):
    deployed.SECRET_KEY = "sommar26"
    assert said() == [
        "SECRET_KEY is weak: it needs 50 characters, and has 8 (7 different ones). Set it to what"
        ' `python3 -c "import secrets; print(secrets.token_urlsafe(50))"` prints.'
    ]


DOCUMENTS = sorted((settings.BASE_DIR / "docs").glob("*.md"))
BLOCKS = [
    pytest.param(block, id=document.name)
    for document in DOCUMENTS
    for block in re.findall(
        r"^BASE_URL=https.*?(?=^END$|^```$)", document.read_text(), re.MULTILINE | re.DOTALL
    )
]


@pytest.mark.parametrize("block", BLOCKS)
def test_the_documented_settings_are_clean(tmp_path, block):
    file = tmp_path / "festival.env"
    file.touch(mode=0o640)
    file.write_text(re.sub("^SECRET_KEY=.*", f"SECRET_KEY={KEY}", block, flags=re.MULTILINE))
    here = {"DATABASE_URL": f"sqlite:///{tmp_path}/a.sqlite3", "DATA_DIR": f"{tmp_path}/data"}
    checked = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", "check", "--deploy", "--fail-level=WARNING"],
        env={"PATH": os.environ["PATH"], "FESTIVAL_ENV_FILE": str(file), **here},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    assert (checked.returncode, checked.stderr) == (
        0,
        f"Database: SQLite {tmp_path}/a.sqlite3 (settings from {file})\n",
    )
    assert checked.stdout.startswith("System check identified no issues")


# --- Accounts ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("deployed")
def test_the_demos_passwords_are_found_and_nothing_is_stored(django_assert_num_queries):
    for name in ("chief", "editor"):
        get_user_model().objects.create_user(name, password="festival")
    # An account that is off, one with another password, and one with another name.
    get_user_model().objects.create_user("area", password="festival", is_active=False)
    get_user_model().objects.create_user("administrator", password="her own")
    get_user_model().objects.create_user("festival", password="festival")
    with django_assert_num_queries(2):
        assert said() == [
            "Everybody knows the password of chief, editor: it is the demo's. Run `festival changepassword NAME` for"
            " each, or deactivate it in the back office."
        ]


@pytest.mark.usefixtures("deployed")
def test_an_administrator_is_missed():
    get_user_model().objects.update(is_active=False)
    assert found() == ["festival.W008"]
    get_user_model().objects.create_superuser("root", password="her own")
    assert found() == []


@pytest.mark.usefixtures("deployed")
def test_accounts_are_not_checked_without_a_database(monkeypatch):
    def refuse() -> None:
        raise OperationalError

    monkeypatch.setattr(deployment_checks, "find_public_accounts", refuse)
    assert found() == []


# --- Files ------------------------------------------------------------------------------------


def test_a_data_folder_that_every_user_may_enter_is_reported(deployed, tmp_path):
    tmp_path.chmod(0o2710)
    assert found() == []
    tmp_path.chmod(0o711)
    assert said() == [
        f"Every user of this machine may enter {tmp_path}, where accounts and secrets are."
        f" Run `chmod o= {tmp_path}`."
    ]


def test_a_settings_file_that_every_user_may_read_is_reported(deployed, tmp_path):
    file = tmp_path / "festival.env"
    file.touch(mode=0o640)
    deployed.FESTIVAL_ENV_FILE = str(file)
    assert found() == []
    file.chmod(0o644)
    assert said() == [
        f"Every user of this machine may read or write {file}, which holds passwords."
        f" Run `chmod o= {file}` as its owner; the service's user has to be in its group."
    ]
