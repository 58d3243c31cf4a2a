"""What a process does for an edit: the processor time of each step, without readers."""

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from typing import Any

from django.db.models import F

from benchmarks.programme import NOW
from benchmarks.timing import ROUNDS
from programme.models import Area, Event, Occasion
from programme.publishing import loading
from programme.publishing.serving_snapshot import ServingSnapshot

Figures = dict[str, Any]

# Changes one thing, another one each time.
Edit = Callable[[int], Any]


def _edit_title(number: int) -> None:
    _some(Event, number).update(title=f"Edited {number}")


def _move_occasion(number: int) -> None:
    later = timedelta(minutes=5)
    _some(Occasion, number).update(start=F("start") + later, end=F("end") + later)


def _withdraw_event(number: int) -> None:
    _some(Event, number).update(status="draft")


def _edit_area(number: int) -> None:
    _some(Area, number).update(info_sv=f"Edited {number}")


def _some(model: Any, number: int) -> Any:
    """Return one of a model's rows, far from that of the number before."""
    ids = list(model.objects.order_by("id").values_list("id", flat=True))
    return model.objects.filter(id=ids[number * 619 % len(ids)])


EDITS: dict[str, Edit] = {
    "an event's title": _edit_title,
    "an occasion is moved": _move_occasion,
    "an event is withdrawn": _withdraw_event,
    "an area's text": _edit_area,
}


def renewals() -> dict[str, Figures]:
    """Return milliseconds of processor time, in this process, for each kind of edit and for reading all."""
    rounds = int(os.environ.get(ROUNDS, "15"))
    found = {kind: _renew(edit, rounds) for kind, edit in EDITS.items()}
    return found | {"all is read": _renew(None, max(1, rounds // 5))}


def _renew(edit: Edit | None, rounds: int) -> Figures:
    programme = loading.load()
    ServingSnapshot(programme, NOW)
    taken = []
    for number in range(rounds):
        if edit:
            edit(number)
        began = time.process_time()
        programme = loading.load(programme if edit else None)
        loaded = time.process_time()
        ServingSnapshot(programme, NOW)
        taken.append((loaded - began, time.process_time() - began))
    return dict(zip(("load", "all"), (median(each) * 1000 for each in zip(*taken, strict=True)), strict=True))


def edit_on_request() -> None:
    """Edit the title of an event for each line (its ID, a number), and say when that was committed."""
    for line in sys.stdin:
        event, number = map(int, line.split())
        Event.objects.filter(id=event).update(title=f"Edited {number}")
        print(time.monotonic(), flush=True)
