"""Processes agree from which instant on readers get a revision: once each that lives has it."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from feeds.vocabulary import Revision
from festival.server import agreement
from festival.server.agreement import PROCESSES, Agreement
from programme.publishing.serving_snapshot import SWITCH_DELAY
from tests.conftest import NOW

MICROSECOND = timedelta(microseconds=1)
MOVED = NOW - timedelta(seconds=1)
FIRST, SECOND, THIRD = (Revision(number, MOVED, None, "a") for number in (1, 2, 3))


class Process:
    """A process's part, at an instant."""

    def __init__(self, path: Path, pid: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pid, self.monkeypatch = pid, monkeypatch
        self.agreement = Agreement(path)

    def has(self, *revisions: Revision, at: datetime = NOW) -> None:
        self.monkeypatch.setattr(os, "getpid", lambda: self.pid)
        self.agreement.publish(revisions, lambda: at)

    def find_retry(self, *revisions: Revision) -> float | None:
        self.monkeypatch.setattr(os, "getpid", lambda: self.pid)
        return self.agreement.find_retry(revisions)


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """Two processes that live, by the IDs of this one and its parent."""
    pids = (os.getpid(), os.getppid())
    found = [Process(tmp_path / "renewal.lock", pid, monkeypatch) for pid in pids]
    for each in found:
        each.has(FIRST)
    return found


def find(pair: list[Process], revision: Revision) -> datetime | None:
    """Return when a revision begins, which both must say."""
    one, other = (each.agreement.find(revision) for each in pair)
    assert one == other
    return one


def test_a_revision_begins_when_the_last_process_has_it(pair: list[Process]) -> None:
    pair[0].has(FIRST, SECOND, at=NOW)
    assert find(pair, SECOND) is None
    pair[1].has(FIRST, SECOND, at=NOW + timedelta(milliseconds=90))
    assert find(pair, SECOND) == NOW + timedelta(milliseconds=90) + MICROSECOND
    # What was agreed upon stays.
    pair[0].has(SECOND, at=NOW + timedelta(seconds=1))
    assert find(pair, SECOND) == NOW + timedelta(milliseconds=90) + MICROSECOND


@pytest.mark.parametrize(
    ("moved", "begins"),
    [
        (timedelta(milliseconds=-7), SWITCH_DELAY - timedelta(milliseconds=7)),
        # The database's clock is ahead.
        (timedelta(hours=1), SWITCH_DELAY),
    ],
)
def test_processes_of_other_machines_get_time_to_follow(
    pair: list[Process], moved: timedelta, begins: timedelta
) -> None:
    edit = Revision(2, NOW + moved, None, "a")
    for each in pair:
        each.has(FIRST, edit)
    assert find(pair, edit) == NOW + begins


def test_a_revision_that_one_has_skipped_never_begins(pair: list[Process]) -> None:
    pair[0].has(FIRST, SECOND, THIRD)
    pair[1].has(FIRST, THIRD)
    assert [find(pair, each) is None for each in (SECOND, THIRD)] == [True, False]


def test_processes_that_have_missed_each_other_load_again_at_one_moment(
    pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_retries() -> list[float | None]:
        return [one.find_retry(FIRST, SECOND), other.find_retry(FIRST, THIRD)]

    one, other = pair
    seconds = [time.monotonic()]
    monkeypatch.setattr(agreement, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    one.has(FIRST, SECOND)
    # The other one has not got so far.
    assert one.find_retry(FIRST, SECOND) is None
    seconds[0] += 0.1
    other.has(FIRST, THIRD)
    assert find_retries() == [seconds[0] + agreement.RETRY_DELAY] * 2
    one.has(FIRST, THIRD)
    assert (one.find_retry(FIRST, THIRD), other.find_retry(FIRST, THIRD)) == (None, None)


def test_nobody_loads_twice_while_another_one_loads(
    pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    seconds = [time.monotonic()]
    monkeypatch.setattr(agreement, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
    one.has(FIRST, SECOND)
    other.has(FIRST, THIRD)
    retry_at = seconds[0] + agreement.RETRY_DELAY
    fourth, fifth = (Revision(number, MOVED, None, "a") for number in (4, 5))
    seconds[0] = retry_at + 0.05
    one.has(FIRST, fourth)
    assert (one.find_retry(FIRST, fourth), other.find_retry(FIRST, THIRD)) == (None, retry_at)
    seconds[0] += 0.3
    other.has(FIRST, fifth)
    again_at = seconds[0] + agreement.RETRY_DELAY
    assert [one.find_retry(FIRST, fourth), other.find_retry(FIRST, fifth)] == [again_at] * 2


def test_a_moment_to_load_again_is_over_when_the_machine_was_started(
    pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    def miss_each_other() -> float | None:
        pair[0].has(FIRST, SECOND)
        pair[1].has(FIRST, THIRD)
        return pair[1].find_retry(FIRST, THIRD)

    for started in (time.monotonic(), 5.0):
        monkeypatch.setattr(agreement, "time", SimpleNamespace(monotonic=lambda started=started: started))
        assert miss_each_other() == started + agreement.RETRY_DELAY


def test_a_revision_that_both_had_before_begins_though_one_has_a_later_one(pair: list[Process]) -> None:
    pair[0].has(FIRST, SECOND, THIRD)
    pair[1].has(FIRST, SECOND)
    assert [find(pair, each) is None for each in (SECOND, THIRD)] == [False, True]


def test_the_number_of_another_state_is_another_revision(pair: list[Process]) -> None:
    restored = Revision(2, MOVED, None, "b")
    for each in pair:
        each.has(FIRST, SECOND)
    assert find(pair, restored) is None
    for each in pair:
        each.has(FIRST, restored)
    assert find(pair, restored) == NOW + MICROSECOND


def test_a_process_that_has_ended_is_not_waited_for(
    tmp_path: Path, pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    Process(tmp_path / "renewal.lock", ended.pid, monkeypatch).has(FIRST)
    for each in pair:
        each.has(FIRST, SECOND)
    assert find(pair, SECOND) == NOW + MICROSECOND


def test_a_process_that_is_silent_is_not_waited_for(
    pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    later = time.monotonic() + agreement.SILENCE + 1
    monkeypatch.setattr(agreement, "time", SimpleNamespace(monotonic=lambda: later))
    pair[0].has(FIRST, SECOND)
    assert find(pair, SECOND) == NOW + MICROSECOND


def test_a_process_without_a_place_is_not_waited_for(
    tmp_path: Path, pair: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda _pid, _signal: None)
    for number in range(PROCESSES):
        Process(tmp_path / "renewal.lock", 1_000_000 + number, monkeypatch).has(SECOND)
    pair[0].has(SECOND)
    assert find(pair, SECOND) is None
    pair[1].has(SECOND)
    assert find(pair, SECOND) == NOW + MICROSECOND


def test_many_revisions_do_not_take_each_other_s_place(pair: list[Process]) -> None:
    edits = [Revision(number, MOVED, None, "a") for number in range(2, 200)]
    for one, other in pairwise(edits):
        for each in pair:
            each.has(one, other)
        assert find(pair, other) == datetime(2026, 7, 29, 12, tzinfo=UTC) + MICROSECOND
