"""What every test stands on: known settings, an empty memory, and a clock that tests set."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import msgspec
import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import translation
from pytest_django.fixtures import Settings

from feeds.programme import Programme
from feeds.vocabulary import Site
from festival import clock
from programme.backoffice.problems import survey as surveys
from programme.publishing import loading
from programme.publishing.current import current
from tests import programmes

# Properties are tried with the same values in every run: what fails, fails again.
hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=30,
    # Making a whole programme smaller takes minutes, and what is awkward in it shows anyway.
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.load_profile("suite")

# Wednesday 29 July 2026, 14:00 in Stockholm.
NOW = datetime(2026, 7, 29, 12, 0, tzinfo=UTC)

SITE = Site(base_url="https://program.example", extension_namespace="https://program.example/ns/programme")

SetClock = Callable[[datetime], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regolden", action="store_true", help="write the golden files anew")
    parser.addoption(
        "--of-the-database",
        action="store_true",
        help="leave out what asks no database: it does the same whichever there is",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("of_the_database"):
        return
    left_out = [item for item in items if not _asks_a_database(item)]
    items[:] = [item for item in items if _asks_a_database(item)]
    config.hook.pytest_deselected(items=left_out)


def _asks_a_database(item: pytest.Item) -> bool:
    if "tests/festival" in item.path.as_posix():
        # They start processes that ask it.
        return True
    fixtures = set(getattr(item, "fixturenames", ()))
    is_marked = item.get_closest_marker("django_db") is not None
    return is_marked or bool(fixtures & {"db", "transactional_db", "live_server", "client", "admin_client"})


@pytest.fixture(autouse=True)
def known_settings(settings: Settings) -> Settings:
    """Settings that goldens and query counts depend on, whatever the environment says."""
    settings.REVISION_TRUST_MS = 0
    settings.CACHE_SECONDS = 60
    # Tests that keep the programme say where.
    settings.KEPT_PROGRAMME = ""
    settings.WEBSUB_HUB = ""
    settings.BASE_URL = SITE.base_url
    settings.EXTENSION_NAMESPACE = SITE.extension_namespace
    settings.OCCASION_URL_SV = settings.OCCASION_URL_EN = ""
    settings.FESTIVAL_TIME_ZONE = "Europe/Stockholm"
    settings.FESTIVAL_DAY_FIRST_HOUR = 0
    # Static files are looked for when asked for, not gathered for each client.
    settings.WHITENOISE_AUTOREFRESH = True
    return settings


@pytest.fixture(scope="session", autouse=True)
def _uploads_of_tests() -> Iterator[None]:
    """Keep what tests upload, and the demo's pictures, out of the checkout."""
    with TemporaryDirectory() as folder, override_settings(MEDIA_ROOT=folder):
        yield


@pytest.fixture(autouse=True)
def _nothing_in_memory(known_settings: Settings) -> None:
    # Revisions that a rolled back test gave its programmes are given again in the next one.
    current.clear()
    surveys.clear_cache()


@pytest.fixture(autouse=True)
def _language_of_nobody_else() -> Iterator[None]:
    """Leave no language of whoever was answered in a test to the next one."""
    before = translation.get_language()
    yield
    translation.activate(before)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Set the clock that requests are handed; it stands at NOW until a test sets it."""

    def set_clock(instant: datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: instant)

    set_clock(NOW)
    return set_clock


@pytest.fixture
def sample(db: None) -> None:
    """The hand-made programme of tests/programmes.py."""
    programmes.make_sample()


@pytest.fixture(scope="session")
def sample_programme(django_db_setup: None, django_db_blocker: Any) -> Programme:
    """The hand-made programme as readers are answered from it; nothing of it stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic():
        programmes.make_sample()
        programme = loading.load()
        transaction.set_rollback(True)
    return msgspec.structs.replace(programme, site=SITE)
