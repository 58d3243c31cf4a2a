"""Readers while the programme is edited: none is refused, and every answer is of one revision."""

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

from tests.failures import festival, schedules
from tests.failures.editing import Editors
from tests.failures.processes import ROOT
from tests.failures.reading import Question, Readers
from tests.failures.service import Service

Edits = tuple[int, ...]

EDITED = f"/api/events?area={quote('Redaktionen')}"
EDIT = re.compile(r"Redaktör (\d+) ändring (\d+)")
ITEM = re.compile(rb"Punkt (\d+) version (\d+)")


@pytest.fixture
def watchful(stopped: Service) -> Service:
    """The service, running, trusting no revision: it loads as often as there is something new."""
    stopped.environment["REVISION_TRUST_MS"] = "0"
    stopped.start()
    return stopped


# --- Editors ------------------------------------------------------------------------------------


def edits(body: bytes) -> Edits:
    """Return each editor's last edit, which the event and its occasion must agree on."""
    elements = sorted(
        (*map(int, EDIT.fullmatch(element["title"]).groups()), element["occation"]["endTime"])
        for element in json.loads(body)
    )
    assert [number for number, _edit, _end in elements] == list(range(festival.EDITORS))
    for number, edit, end in elements:
        assert end == f"{festival.editors_end(edit)}:00", f"editor {number}: title {edit}, end {end}"
    return tuple(edit for _number, edit, _end in elements)


def is_older(one: Edits, other: Edits) -> bool:
    return any(mine < others for mine, others in zip(one, other, strict=True))


def not_in_one_order(states: Iterable[Edits]) -> list[tuple[Edits, Edits]]:
    """Return neighbours of which neither came before the other: no two revisions are such."""
    return [(one, other) for one, other in pairwise(sorted(set(states), key=sum)) if is_older(other, one)]


def test_readers_while_twenty_editors_save(
    watchful: Service, editors: list[dict[str, Any]], rounds: Callable[[int], int]
) -> None:
    questions = [Question(EDITED, edits), Question(EDITED, edits, conditional=True)]
    with Readers(watchful.port, questions) as readers, Editors(watchful.port, editors) as editing:
        editing.go_on(rounds(2))
    assert editing.refused == []
    assert readers.failed == []
    assert readers.went_back(is_older) == []
    assert not_in_one_order(read.told for read in readers.reads) == []
    assert edits(watchful.get(EDITED).body) == tuple(editor.confirmed for editor in editing.editors)


# --- An import ----------------------------------------------------------------------------------


def version_of(body: bytes, belongs: Callable[[int], bool] = lambda _number: True) -> int:
    """Return the version that every title states; all of its events are there, those that belong."""
    stated = [(int(number), int(version)) for number, version in ITEM.findall(body)]
    (version,) = {version for _number, version in stated}
    events = range(schedules.count(festival.EVENTS, version))
    assert sorted(number for number, _version in stated) == [n for n in events if belongs(n)]
    return version


def version_of_elements(body: bytes) -> int:
    """Return the version that the events state, and their occasions by how long they take."""
    version = version_of(body)
    for element in json.loads(body):
        start, end = (time.fromisoformat(element["occation"][name]) for name in ("startTime", "endTime"))
        minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
        assert minutes == schedules.minutes(version), f"{element['title']}: {minutes} minutes"
    return version


def version_of_room(body: bytes) -> int:
    return version_of(body, lambda number: schedules.room(number) == schedules.room(3))


def version_of_areas(body: bytes) -> int:
    """Return the version that has as many occasions as the area is said to have."""
    (area,) = [area for area in json.loads(body) if area["name"] == schedules.AREA]
    assert area["eventCount"] == area["occationCount"]
    return schedules.version(festival.EVENTS, area["eventCount"])


IMPORTED = (
    Question("/api/events", version_of),
    Question("/api/areas", version_of_areas),
    Question(f"/api/events?room={quote(schedules.room(3))}", version_of_room),
    Question("/api/events.ics", version_of, conditional=True),
    Question(f"/api/events?area={quote(schedules.AREA)}", version_of_elements, conditional=True),
)


def import_version(service: Service, directory: Path, version: int) -> None:
    file = schedules.write(directory / "schedule.xml", festival.DAY, festival.EVENTS, version)
    command = [sys.executable, "manage.py", "import_schedule", file, "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=service.environment, check=True)


def test_readers_while_a_schedule_is_imported(
    watchful: Service, tmp_path: Path, rounds: Callable[[int], int]
) -> None:
    last = rounds(2)
    with Readers(watchful.port, IMPORTED) as readers:
        for version in range(1, last + 1):
            import_version(watchful, tmp_path, version)
            readers.go_on(len(IMPORTED))
    assert readers.failed == []
    assert readers.went_back(int.__lt__) == []
    assert {read.told for read in readers.reads} == set(range(last + 1))
    assert {reader.reads[-1].told for reader in readers.readers} == {last}
