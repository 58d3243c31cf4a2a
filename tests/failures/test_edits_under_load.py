"""Readers during edits: no request fails, and every answer is of one revision."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import time
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.failures import sample_festival, schedules
from tests.failures.editing import Editors
from tests.failures.processes import ROOT
from tests.failures.reading import Question, Readers
from tests.failures.service import Service
from tests.failures.wait import wait_until

Edits = tuple[int, ...]

# As often as nginx asks with the upstream of docs/install.md.
ASKED_AGAIN = 4
EDITED = f"/api/events?area={quote('Redaktionen')}"
EDIT = re.compile(r"Redaktör (\d+) ändring (\d+)")
ITEM = re.compile(rb"Punkt (\d+) version (\d+)")


@pytest.fixture
def untrusting_service(stopped: Service) -> Service:
    """The running service, which checks the revision on every request."""
    stopped.environment["REVISION_TRUST_MS"] = "0"
    stopped.start(back_office=True)
    return stopped


# --- Editors ------------------------------------------------------------------------------------


def edits(body: bytes) -> Edits:
    """Return each editor's last edit; the event and its occasion must agree."""
    elements = sorted(
        (*map(int, EDIT.fullmatch(element["title"]).groups()), element["occation"]["endTime"])
        for element in json.loads(body)
    )
    assert [number for number, _edit, _end in elements] == list(range(sample_festival.EDITORS))
    for number, edit, end in elements:
        assert end == f"{sample_festival.editors_end(edit)}:00", f"editor {number}: title {edit}, end {end}"
    return tuple(edit for _number, edit, _end in elements)


def is_older(one: Edits, other: Edits) -> bool:
    return any(mine < others for mine, others in zip(one, other, strict=True))


def find_unordered(states: Iterable[Edits]) -> list[tuple[Edits, Edits]]:
    """Return neighbors of which neither is older: no two revisions are like that."""
    return [(one, other) for one, other in pairwise(sorted(set(states), key=sum)) if is_older(other, one)]


def test_readers_while_twenty_editors_save(
    untrusting_service: Service, editors: list[dict[str, Any]], rounds: Callable[[int], int]
) -> None:
    questions = [Question(EDITED, edits), Question(EDITED, edits, conditional=True)]
    with (
        # A worker that ends closes its connections; readers ask again as nginx does.
        Readers(untrusting_service.port, questions, attempts=ASKED_AGAIN) as readers,
        Editors(untrusting_service.editors_port, editors) as editing,
    ):
        editing.wait_for_saves(rounds(1))
        untrusting_service.reload()
        editing.wait_for_saves(rounds(1))
    assert editing.refused == []
    assert readers.failed == []
    assert readers.find_regressions(is_older) == []
    assert find_unordered(read.content for read in readers.reads) == []
    confirmed = tuple(editor.confirmed for editor in editing.editors)
    wait_until("all see the last edits", lambda: edits(untrusting_service.get(EDITED).body) == confirmed)


# --- An import ----------------------------------------------------------------------------------


def version_of(body: bytes, belongs: Callable[[int], bool] = lambda _number: True) -> int:
    """Return the version in every title; exactly its events that `belong` must be there."""
    stated = [(int(number), int(version)) for number, version in ITEM.findall(body)]
    (version,) = {version for _number, version in stated}
    events = range(schedules.count_events(sample_festival.EVENTS, version))
    assert sorted(number for number, _version in stated) == [n for n in events if belongs(n)]
    return version


def version_of_elements(body: bytes) -> int:
    """Return the version in the titles; the durations of the occasions must agree."""
    version = version_of(body)
    for element in json.loads(body):
        start, end = (time.fromisoformat(element["occation"][name]) for name in ("startTime", "endTime"))
        minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
        assert minutes == schedules.duration_minutes(version), f"{element['title']}: {minutes} minutes"
    return version


def version_of_room(body: bytes) -> int:
    return version_of(body, lambda number: schedules.room_name(number) == schedules.room_name(3))


def version_of_areas(body: bytes) -> int:
    """Return the version with as many occasions as the area's count."""
    (area,) = [area for area in json.loads(body) if area["name"] == schedules.AREA]
    assert area["eventCount"] == area["occationCount"]
    return schedules.find_version(sample_festival.EVENTS, area["eventCount"])


IMPORTED = (
    Question("/api/events", version_of),
    Question("/api/areas", version_of_areas),
    Question(f"/api/events?room={quote(schedules.room_name(3))}", version_of_room),
    Question("/api/events.ics", version_of, conditional=True),
    Question(f"/api/events?area={quote(schedules.AREA)}", version_of_elements, conditional=True),
)


def import_version(service: Service, directory: Path, version: int) -> None:
    file = schedules.write_schedule(
        directory / "schedule.xml", sample_festival.DAY, sample_festival.EVENTS, version
    )
    command = [sys.executable, "manage.py", "import", file, "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=service.environment, check=True)


def test_readers_while_a_schedule_is_imported(
    untrusting_service: Service, tmp_path: Path, rounds: Callable[[int], int]
) -> None:
    last = rounds(2)
    with Readers(untrusting_service.port, IMPORTED) as readers:
        for version in range(1, last + 1):
            import_version(untrusting_service, tmp_path, version)
            readers.wait_for_reads(len(IMPORTED))
    assert readers.failed == []
    assert readers.find_regressions(int.__lt__) == []
    assert {read.content for read in readers.reads} == set(range(last + 1))
    assert {reader.reads[-1].content for reader in readers.readers} == {last}
