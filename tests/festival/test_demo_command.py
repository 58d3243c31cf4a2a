"""`manage.py demo`: what it makes, what it leaves alone, what it prints, and that it serves."""

import io
import socket
from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from feeds.formats import FORMATS
from festival.configuration.database import name_database
from programme import models
from programme.backoffice.roles import Role, role_of
from programme.demo.creation import CREATED, PAST, UNCHANGED
from tests.conftest import SetClock

NEXT_WEEK = datetime(2026, 8, 5, 10, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _as_installed(known_settings):
    """The default address."""
    known_settings.BASE_URL = "http://localhost:8000"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("demo", "--no-serve", *arguments, stdout=out)
    return out.getvalue()


def done(output: str) -> str:
    """What was done: the paragraph before the links."""
    return output.partition("\n\n")[0]


def everything() -> dict[str, list[dict[str, object]]]:
    """All rows that there are of the programme, the revision's among them, and the accounts."""
    kinds = [*apps.get_app_config("programme").get_models(), get_user_model()]
    return {model.__name__: list(model._base_manager.order_by("pk").values()) for model in kinds}


@pytest.fixture
def made(db: None, at: SetClock) -> str:
    """What the command printed when it made the demo, at NOW."""
    return run()


def test_it_prints_the_address_the_login_and_one_link_per_format(made):
    address = "http://localhost:8000/api/events"
    formats = "".join(f"  {each.label.en:<17}  {address}.{each.extension}\n" for each in FORMATS)
    assert made == (
        f"{CREATED}\n\n"
        "  Start page         http://localhost:8000/\n"
        "  Admin              http://localhost:8000/admin/\n"
        "  Administrator      administrator, password festival\n"
        "  Chief editor       chief, password festival\n"
        "  Editor             editor, password festival\n"
        "  Area editor        area, password festival\n"
        f"{formats}"
    )


def test_run_again_it_changes_nothing_and_a_week_later_tells_that_it_is_over(made, at):
    models.Event.objects.filter(title="Morgonbad").update(title="Kvällsbad")
    models.Occasion.objects.filter(event__title="Kvällsbad").delete()
    # Logins that were deleted stay deleted.
    get_user_model().objects.all().delete()
    before = everything()
    output = run()
    assert done(output) == UNCHANGED
    own = "use your own account (the demo's have another password, or were deleted)"
    assert f"  Login              {own}\n" in output
    at(NEXT_WEEK)
    assert done(run()) == PAST
    assert everything() == before


# In transactions of their own, because PostgreSQL moves the revision once in each.
def test_starting_over_makes_it_anew_around_today(made, at):
    models.Event.objects.filter(title="Morgonbad").update(title="Kvällsbad")
    events = models.Event.objects.count()
    at(NEXT_WEEK)
    assert done(run("--start-over")) == CREATED
    assert models.Event.objects.count() == events
    assert not models.Event.objects.filter(title="Kvällsbad").exists()
    days = [str(day.date) for day in models.Day.objects.all()]
    assert days == ["2026-08-03", "2026-08-04", "2026-08-05", "2026-08-06", "2026-08-07"]


@pytest.fixture
def kulturnatten(db: None) -> None:
    """A programme that has nothing to do with the demo."""
    models.Festival.objects.create(name_sv="Kulturnatten")
    models.Event.objects.create(
        title="Orgelkonsert",
        area=models.Area.objects.create(name="Domkyrkan"),
        type=models.EventType.objects.create(name_sv="Konsert"),
    )


def refused(*arguments: str) -> str:
    """The message of a command that must change nothing."""
    before = everything()
    with pytest.raises(CommandError) as error:
        call_command("demo", "--no-serve", *arguments)
    assert everything() == before
    return str(error.value)


@pytest.mark.usefixtures("kulturnatten")
@pytest.mark.parametrize("arguments", [[], ["--start-over"]])
def test_a_programme_of_its_own_is_left_alone_and_gets_no_login(arguments):
    assert refused(*arguments) == (
        f"{name_database(connection.settings_dict)} is not the demo's: it has the festival “Kulturnatten” and 1"
        f" event of other origin. Set DATA_DIR to an empty folder, and no DATABASE_URL, to create the demo there."
    )


@pytest.mark.django_db
def test_a_database_with_accounts_or_an_area_is_left_alone():
    get_user_model().objects.create_user("anna")
    models.Area.objects.create(name="Domkyrkan")
    assert "is not the demo's: it has a programme and 1 account. " in refused()


@pytest.mark.usefixtures("kulturnatten")
def test_a_database_of_another_programme_is_not_migrated(monkeypatch):
    [last] = MigrationLoader(connection).graph.leaf_nodes("programme")
    MigrationRecorder(connection).record_unapplied(*last)
    refused()
    assert last not in MigrationRecorder(connection).applied_migrations()


@pytest.mark.django_db
def test_a_service_that_others_reach_gets_no_demo(known_settings):
    known_settings.BASE_URL = "https://program.example"
    assert refused() == (
        "The demo's passwords are public, so it is for this machine alone, but BASE_URL is"
        " https://program.example."
    )


def test_starting_over_creates_no_public_password_where_there_are_other_accounts(made):
    get_user_model().objects.all().delete()
    get_user_model().objects.create_user("anna")
    run("--start-over")
    assert [user.username for user in get_user_model().objects.all()] == ["anna"]


def test_starting_over_is_refused_where_work_would_be_lost(made):
    models.Festival.objects.update(name_sv="Min fest")
    before = everything()
    loss = "Starting over would permanently delete the festival “Min fest”."
    with pytest.raises(CommandError, match=loss):
        run("--start-over")
    assert everything() == before


def test_each_role_has_a_login_that_has_the_role_and_nothing_else(made):
    users = get_user_model().objects.order_by("pk")
    assert [(user.username, role_of(user), user.groups.count()) for user in users] == [
        ("administrator", Role.ADMINISTRATOR, 1),
        ("chief", Role.CHIEF_EDITOR, 1),
        ("editor", Role.EDITOR, 1),
        ("area", Role.AREA_EDITOR, 1),
    ]
    assert {(user.is_staff, user.is_superuser) for user in users} == {(True, False)}
    assert all(user.check_password("festival") for user in users)
    assert not get_user_model().objects.exclude(user_permissions=None).exists()
    first = models.Area.objects.first().pk
    assert list(models.AreaEditor.objects.values_list("user__username", "area")) == [("area", first)]


@pytest.mark.django_db
def test_an_account_of_the_same_name_keeps_its_password_and_gets_no_role():
    user = get_user_model().objects.create_user("editor", password="another one")
    assert "editor, password" not in run()
    assert role_of(user) is None


def test_a_taken_port_is_reported_before_anything_is_done(monkeypatch):
    monkeypatch.setattr("festival.management.commands.demo.require_own_database", pytest.fail)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError) as error:
            call_command("demo", f"--port={port}")
    assert str(error.value) == (
        f"Port {port} cannot be used (Address already in use): choose another one, as in `make demo PORT=8001`."
    )
