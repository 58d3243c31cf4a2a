"""What `check --deploy` refuses and warns of; `serve` refuses the same (tests/festival/server/test_serve_command.py)."""

import os
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.db import OperationalError

from festival.server import deployment_checks
from programme.backoffice.roles import Role, assign_role

KEY = "K7vJ2mQx-9sTzWc4LpRd_8NfYh3GbEa6UoVi1XkM5jq0ZwPt7Cn"


@pytest.fixture
def deployed(settings, tmp_path, db):
    """A complete deployment, with an https address in the settings that follow from it."""
    settings.DATA_DIR = tmp_path
    settings.SECRET_KEY = KEY
    settings.ALLOWED_HOSTS = ["program.example", "localhost"]
    settings.SERVED_OVER_TLS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.HAS_EMAIL = True
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
        ("SECRET_KEY", "a-long-random-text", "security.W009"),
        ("DEBUG", True, "security.W018"),
        ("BASE_URL", "http://localhost:8000", "festival.W002"),
        ("BASE_URL", "https://127.0.0.1", "festival.W002"),
        ("SERVED_OVER_TLS", False, "festival.W004"),
        ("HAS_EMAIL", False, "festival.W007"),
    ],
)
def test_settings_of_a_developer_are_reported(deployed, name, value, expected):
    setattr(deployed, name, value)
    assert found() == [expected]


DOCUMENTS = sorted((settings.BASE_DIR / "docs").glob("*.md"))
BLOCKS = [
    pytest.param(block, id=document.name)
    for document in DOCUMENTS
    for block in re.findall(
        r"^BASE_URL=https.*?(?=^END$|^```$)", document.read_text(), re.MULTILINE | re.DOTALL
    )
]


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """The file of a database."""
    folder = tmp_path_factory.mktemp("migrated")
    manage(folder, "migrate", "--verbosity=0")
    return folder / "programme.sqlite3"


def manage(folder, *arguments, **variables):
    process = subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", *arguments],
        env={"PATH": os.environ["PATH"], "FESTIVAL_ENV_FILE": "", "DATA_DIR": str(folder), **variables},
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )
    return process.returncode, process.stdout, process.stderr


@pytest.mark.parametrize("block", BLOCKS)
def test_the_documented_settings_are_clean_but_for_the_mail_server_and_an_administrator(
    tmp_path, block, migrated
):
    file = tmp_path / "festival.env"
    file.touch(mode=0o640)
    file.write_text(re.sub("^SECRET_KEY=.*", f"SECRET_KEY={KEY}", block, flags=re.MULTILINE))
    here = {"DATABASE_URL": f"sqlite:///{migrated}", "FESTIVAL_ENV_FILE": str(file)}
    _status, _out, err = manage(tmp_path / "data", "check", "--deploy", "--fail-level=WARNING", **here)
    assert err.startswith(f"Database: SQLite {migrated} (settings from {file})\n")
    assert re.findall(r"\((\w+\.\w\d+)\)", err) == ["festival.W007", "festival.W008"]


def test_a_database_that_is_not_there_is_an_error(tmp_path):
    status, _out, err = manage(tmp_path, "check", "--deploy")
    assert (status, re.findall(r"\(festival\.E\d+\) [^(]*", err)) == (
        1,
        [
            "(festival.E033) The database is not migrated to this version, or is not the right one: `migrate` migrates it "
        ],
    )


@pytest.mark.usefixtures("deployed")
def test_a_setting_that_nobody_reads_is_named_with_the_nearest_name(settings, tmp_path):
    (tmp_path / "festival.env").write_text("TWO_FACTOR_REQIRED=true\nUNLIKE_ALL=1\n")
    settings.FESTIVAL_ENV_FILE = str(tmp_path / "festival.env")
    assert said() == [
        "Nobody reads the setting TWO_FACTOR_REQIRED. Is it TWO_FACTOR_REQUIRED?",
        "Nobody reads the setting UNLIKE_ALL. docs/settings.md lists those that there are.",
    ]


@pytest.mark.parametrize(
    ("server", "sentence"),
    [
        ("smtp://127.0.0.1:1", "127.0.0.1 takes no message: [Errno 111] Connection refused"),
        ("smtp+tls://user:password@mail.example:587", "No message is sent: EMAIL_URL names no mail server."),
    ],
)
def test_a_message_that_is_not_sent_is_a_sentence(tmp_path, server, sentence):
    sent = manage(tmp_path, "sendtestemail", "anna@program.example", EMAIL_URL=server)
    assert sent == (1, "", f"{sentence}\n")


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
def test_without_a_database_that_is_said_instead_of_accounts(monkeypatch):
    def refuse() -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(deployment_checks, "find_public_accounts", refuse)
    assert found() == ["festival.E033"]
    # `serve` says so itself, and then may have a saved copy.
    assert deployment_checks.find_messages() == ([], [])
