"""Fixtures of all tests: known settings, empty caches, and a clock that tests set."""

import gc
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import msgspec
import pytest
from django.apps import apps
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections, connection, transaction
from django.test import override_settings
from django.utils import translation
from pytest_django import DjangoDbBlocker
from pytest_django.fixtures import Settings

from feeds.programme import Programme
from feeds.vocabulary import Site
from festival import clock
from programme.backoffice.problems.survey import surveys
from programme.backoffice.search import search
from programme.publishing import loading
from programme.publishing.current import current
from tests import programmes

# Processes that tests start do not read the settings of this machine either.
os.environ["FESTIVAL_ENV_FILE"] = ""

# Derandomized: each run tries the same values.
hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=30,
    # No shrinking: it takes minutes for a whole programme, and the failure is clear without it.
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("suite")
# What differs between databases differs for most values: all of them are tried on SQLite.
hypothesis.settings.register_profile("database", hypothesis.settings.get_profile("suite"), max_examples=10)

# Wednesday 29 July 2026, 14:00 in Stockholm.
NOW = datetime(2026, 7, 29, 12, 0, tzinfo=UTC)

SITE = Site(base_url="https://program.example", extension_namespace="https://program.example/ns/programme")

TESTS = Path(__file__).parent
# Servers that are stopped, frozen and killed: `make test-all`.
FAILURES = TESTS / "failures"


class Raising(logging.Handler):
    """Raises the exception that is logged: of what readers are kept from, tests are to hear."""

    def emit(self, _record: logging.LogRecord) -> None:
        if error := sys.exc_info()[1]:
            raise error


loading.logger.addHandler(Raising())

# What databases answer differently: locks, searches, orders, SQL of our own, what stays of a transaction that fails. Of
# the back office every page is opened (test_crawl.py) and every form is sent (test_crafted_requests.py).
OF_THE_DATABASE = {
    TESTS / folder / name
    for folder, names in {
        "": "benchmarks feeds/test_golden.py",
        "festival": "accounts/test_limits.py backup configuration monitoring server test_sweeping.py",
        "programme": "changes history management models publishing triggers",
        "programme/exchange": "moving test_almedalen.py",
        "programme/exchange/merge": "test_calendar.py test_coordinates.py test_editions.py test_facts.py test_history.py"
        " test_kept_ids.py test_order.py test_places.py test_repeated_schedule.py test_schedule.py test_sheet.py"
        " test_three_way.py test_types.py",
        "programme/backoffice": "changes restore test_crawl.py test_error_causes.py test_schedule.py"
        " bulk/test_queries.py bulk/test_views.py imports/test_views.py merging/test_properties.py"
        " rights/test_crafted_requests.py suggestions/test_views.py timetable/test_page.py",
        "programme/backoffice/admin": "test_actions.py test_filters.py test_lists.py test_places.py",
        "programme/backoffice/problems": "test_clashes.py test_counts.py test_finders.py test_survey.py",
    }.items()
    for name in names.split()
}

SetClock = Callable[[datetime], None]

# What is imported and collected stays: looking through it for garbage took a sixth of the suite's time.
gc.disable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regolden", action="store_true", help="rewrite the golden files")


def pytest_configure() -> None:
    if connection.vendor == "postgresql":
        hypothesis.settings.load_profile("database")


# Before pytest selects by markers.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FAILURES in item.path.parents:
            item.add_marker(pytest.mark.thorough)
            # They wait for processes, which a busy machine may not start in time.
            item.add_marker(pytest.mark.flaky(reruns=1))
        if OF_THE_DATABASE.intersection((item.path, *item.path.parents)) and _uses_database(item):
            item.add_marker(pytest.mark.database)
        # pytest-django makes a database only for tests with the marker, and this fixture needs one.
        if "sample_programme" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.django_db)
    # The longest at the beginning, so that no process waits for them in the end; those of browsers with one each.
    for mark in ("thorough", "browser"):
        items.sort(key=lambda item: item.get_closest_marker(mark) is None)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    is_marked = item.get_closest_marker("django_db") is not None
    return is_marked or bool(fixtures & {"db", "transactional_db", "live_server", "client", "admin_client"})


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not item.get_closest_marker("browser"):
        _stop_chromium()


def pytest_sessionfinish() -> None:
    _stop_chromium()


def _stop_chromium() -> None:
    """Stop the browser if one may have been started: importing Playwright takes a while."""
    if module := sys.modules.get("tests.browser"):
        module.chromium.stop()


@pytest.fixture(autouse=True)
def known_settings(settings: Settings) -> Settings:
    """Settings that goldens and query counts depend on, whatever the environment says."""
    settings.CACHE_SECONDS = 60
    # Tests that save the programme set a file.
    settings.KEPT_PROGRAMME = ""
    settings.FESTIVAL_ENV_FILE = ""
    settings.BASE_URL = SITE.base_url
    settings.EXTENSION_NAMESPACE = SITE.extension_namespace
    settings.OCCASION_URL_SV = settings.OCCASION_URL_EN = ""
    settings.FESTIVAL_TIME_ZONE = "Europe/Stockholm"
    settings.FESTIVAL_DAY_FIRST_HOUR = 0
    # Static files are looked up per request, not collected for each client.
    settings.WHITENOISE_AUTOREFRESH = True
    return settings


@pytest.fixture
def open_connection() -> Iterator[None]:
    """Django's signals of requests close connections, in which the test's transaction is open."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def raise_sequences() -> None:
    """Let PostgreSQL number new rows above the IDs that tests choose; no rollback undoes it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for model in apps.get_app_config("programme").get_models():
                table, key = model._meta.db_table, model._meta.pk.column
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), 1000000)", [table, key])


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Leave nothing of a test behind, and begin PostgreSQL's sequences above the IDs that tests choose."""
    if connection.vendor == "sqlite":
        # Tables are emptied in any order, which triggers record like any deletion, and once more what they recorded.
        # Of all connections: while a browser runs, tests have another one than before.
        operations = type(connection.ops)
        empty = operations.execute_sql_flush
        operations.execute_sql_flush = lambda self, statements: empty(self, statements * 3)  # type: ignore[method-assign]
    if connection.vendor == "postgresql":
        operations = type(connection.ops)
        flush = operations.sql_flush

        def delete(self: Any, style: Any, tables: Any, **options: Any) -> list[str]:
            """Return what empties the tables after a test: truncating each takes a hundred times as long."""
            if options.get("reset_sequences"):
                return flush(self, style, tables, **options)
            deletions = "; ".join(f'DELETE FROM "{table}"' for table in tables)
            return [f"SET LOCAL session_replication_role = replica; {deletions}"]

        operations.sql_flush = delete  # type: ignore[method-assign]
        with django_db_blocker.unblock():
            raise_sequences()
    yield
    if connection.vendor == "postgresql":
        # A connection that a thread has left open would keep PostgreSQL from dropping the database.
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def _session_settings() -> Iterator[None]:
    """Keep uploads and the demo's pictures out of the checkout, and hash passwords quickly."""
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=folder, PASSWORD_HASHERS=hashers):
        yield


@pytest.fixture(autouse=True)
def _empty_caches(known_settings: Settings) -> None:
    # A rolled back transaction makes the next test reuse its revision numbers.
    current.clear()
    surveys.clear()
    search.clear()


@pytest.fixture(autouse=True)
def _restore_language() -> Iterator[None]:
    """Restore the active language, which requests to the back office change."""
    before = translation.get_language()
    yield
    translation.activate(before)


# The threads of the browsers' server that are answering a request, and how long a test waits for them.
answering: set[int] = set()
MOST_TENTHS = 50


def _begin_answer(**_signal: Any) -> None:
    if "process_request_thread" in threading.current_thread().name:
        answering.add(threading.get_ident())


def _end_answer(**_signal: Any) -> None:
    answering.discard(threading.get_ident())


request_started.connect(_begin_answer)
request_finished.connect(_end_answer)


@pytest.fixture(autouse=True)
def _answered_requests(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the browsers' server finish its answers before the test's rows are deleted: they may write rows, too."""
    if not {"live_server", "transactional_db"} <= {*request.fixturenames}:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    for thread in threading.enumerate():
        # Each thread has a connection, which most browsers end with their page, and some keep for the next.
        if "process_request_thread" in thread.name:
            thread.join(0.02)
    for _ in range(MOST_TENTHS):
        if not answering:
            break
        time.sleep(0.1)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Return a function that sets the clock, which stands at NOW until then."""

    def set_clock(instant: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: instant)

    set_clock(NOW)
    return set_clock


@pytest.fixture
def break_down(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function from which on the database refuses whoever asks for the revision."""

    def refuse() -> None:
        raise OperationalError("connection refused")

    return lambda: monkeypatch.setattr(loading, "fetch_revision", refuse)


@pytest.fixture
def sample(db: None) -> None:
    """The hand-made programme of tests/programmes.py."""
    programmes.make_sample()


@pytest.fixture
def lists(sample: None) -> None:
    """The sample with lists of editors."""
    programmes.make_lists()


@pytest.fixture(scope="session")
def sample_programme(django_db_setup: None, django_db_blocker: Any) -> Programme:
    """The hand-made programme as it is loaded for readers; none of it stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic():
        programmes.make_sample()
        programme = loading.load()
        transaction.set_rollback(True)
    return msgspec.structs.replace(programme, site=SITE)
