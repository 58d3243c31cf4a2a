"""What facts cost readers: a programme in which every row states them beside the same without any."""

import tracemalloc
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from benchmarks.figures import Figures, clear_memoized, write
from benchmarks.programme import AREAS
from benchmarks.timing import Task, interleave
from feeds.facts import FACTS, facts_of
from feeds.programme import Programme
from feeds.selection import Selection
from programme import models
from programme.publishing import loading
from programme.publishing.current import Current
from programme.publishing.serving_snapshot import ServingSnapshot

# Selections of a kind.
MOST = 3
LEVELS: dict[str, Any] = {"event": models.Event, "occasion": models.Occasion, "location": models.Location}


def facts() -> Figures:
    """Loading in ms, memory of what is loaded in KB, and first requests in ms per 100 occasions."""
    tasks: dict[str, Task] = {"without": partial(_load_after, _clear), "with": partial(_load_after, _state)}
    taken = interleave(tasks)
    memory = {name: _measure_memory(prepare) for name, prepare in (("without", _clear), ("with", _state))}
    by = {"area": [Selection(areas=(f"Torget {number}",)) for number in range(1, AREAS + 1)]}
    by |= {
        fact.name: [Selection(facts=(fact.token(code),)) for code in fact.codes or ("7",)] for fact in FACTS
    }
    present = Current().at(loading.load().revision.moved_at)
    asked = {name: _ask_each(present, selections) for name, selections in by.items()}
    return {"loading": taken, "memory": memory, "asked": asked}


def _ask_each(present: ServingSnapshot, selections: list[Selection]) -> float:
    """Return what 100 occasions take, of selections that find any; nothing is memoized before."""
    found = [each for each in selections if present.find(each)][:MOST]
    tasks: dict[str, Task] = {each.query: partial(_forget, partial(write, present, each)) for each in found}
    sizes = {each.query: len(present.find(each)) for each in found}
    return median(taken / sizes[query] * 100 for query, taken in interleave(tasks).items())


def _forget(ask: Callable[[], object]) -> Callable[[], object]:
    clear_memoized()
    return ask


def _load_after(prepare: Callable[[], None]) -> Callable[[], Programme]:
    prepare()
    return loading.load


def _measure_memory(prepare: Callable[[], None]) -> float:
    prepare()
    tracemalloc.start()
    programme = loading.load()
    size, _peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / 1024 if programme else 0


def _clear() -> None:
    for level, model in LEVELS.items():
        booking: dict[str, Any] = {} if level == "location" else {"booking_url": "", "booking_from": None}
        model.objects.update(**{fact.name: "" for fact in facts_of(level)}, **booking)


def _state() -> None:
    """State each fact on each row, one of its values or another by the row's number."""
    for level, model in LEVELS.items():
        for number in range(3):
            rows = model.objects.extra(where=["id %% 3 = %s"], params=[number])
            stated = {fact.name: (fact.every_code[number::3] or ("6-12",)) for fact in facts_of(level)}
            rows.update(**{name: " ".join(codes[:3]) for name, codes in stated.items()})
        if level != "location":
            model.objects.update(booking_url="https://boka.example/")
