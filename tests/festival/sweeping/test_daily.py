"""It is swept once a day, by one process of a machine."""

from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from django.db import OperationalError
from pytest_django.fixtures import Settings

from festival.file_lock import try_lock
from festival.sweeping import daily
from tests.conftest import NOW, SetClock

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


@pytest.fixture
def swept(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The instants at which it was swept."""
    settings.DATA_DIR = tmp_path
    instants: list[datetime] = []

    def sweep(instant: datetime) -> dict[str, int]:
        instants.append(instant)
        return {"sessions": 1}

    monkeypatch.setattr(daily, "sweep", sweep)
    return instants


def test_once_a_day(swept: list[datetime]) -> None:
    assert daily.sweep_if_due(NOW) == {"sessions": 1}
    assert daily.sweep_if_due(NOW + DAY - SECOND) is None
    assert daily.sweep_if_due(NOW + DAY) == {"sessions": 1}
    assert swept == [NOW, NOW + DAY]


def test_not_while_another_process_sweeps(swept: list[datetime], tmp_path: Path) -> None:
    with try_lock(tmp_path / "swept.lock"):
        assert daily.sweep_if_due(NOW) is None
    assert daily.sweep_if_due(NOW) == {"sessions": 1}


def test_it_is_tried_again_when_the_database_is_back(
    swept: list[datetime], monkeypatch: pytest.MonkeyPatch, at: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    stop = Event()
    errors = [OperationalError("the server is\nstarting")]
    sweep = daily.sweep

    def fail_once(instant: datetime) -> dict[str, int]:
        if errors:
            raise errors.pop()
        stop.set()
        return sweep(instant)

    monkeypatch.setattr(daily, "sweep", fail_once)
    monkeypatch.setattr(daily, "FIRST_LOOK", 0)
    monkeypatch.setattr(daily, "NEXT_LOOK", 0)
    daily.watch(stop)
    assert swept == [NOW]
    assert caplog.messages == ["Nothing was swept (the server is); it is tried again"]
