"""What nine earlier editions of a festival cost the present one, and what asking for one of them takes."""

import time
import tracemalloc
from collections.abc import Callable
from datetime import date, timedelta
from statistics import median
from typing import Any
from uuid import uuid4

from django.db import connection, transaction

from benchmarks.figures import Figures, edit_an_event
from benchmarks.programme import FIRST_DAY, NOW
from programme import models
from programme.publishing import loading
from programme.publishing.current import Current

ROUNDS = 15
ONE_YEAR = timedelta(weeks=52)


def add_editions(earlier: str) -> None:
    """Add so many editions with as many events each, before the present one, all in the same places.

    Half of the events have organizers of their own edition.
    """
    with transaction.atomic():
        events = list(models.Event.objects.order_by("id"))
        occasions = list(models.Occasion.objects.order_by("id"))
        organizers = list(models.Organizer.objects.order_by("id")[: len(events) // 4])
        for number in range(1, int(earlier) + 1):
            _copy(number, events, occasions, organizers)
        for number in range(int(earlier) + 1):
            _add_edition(FIRST_DAY.year - number, is_current=number == 0)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _copy(number: int, events: list[Any], occasions: list[Any], organizers: list[Any]) -> None:
    step = 1_000_000 * number
    for each in organizers:
        each.pk, each.name = each.pk % 1_000_000 + step, f"{each.name.partition(' av ')[0]} av {number}"
    own = {each.pk % 1_000_000 for each in organizers}
    for event in events:
        event.pk = event.pk % 1_000_000 + step
        key = event.organizer_id % 1_000_000
        event.organizer_id = key + step if key in own else key
    for occasion in occasions:
        occasion.pk, occasion.uuid = occasion.pk % 1_000_000 + step, uuid4()
        occasion.event_id = occasion.event_id % 1_000_000 + step
        occasion.start, occasion.end = occasion.start - ONE_YEAR, occasion.end - ONE_YEAR
    models.Organizer.objects.bulk_create(organizers, batch_size=500)
    models.Event.objects.bulk_create(events, batch_size=500)
    models.Occasion.objects.bulk_create(occasions, batch_size=500)


def _add_edition(year: int, *, is_current: bool) -> None:
    models.Edition.objects.create(
        slug=str(year),
        name_sv=f"Stadsfesten {year}",
        first_day=date(year, 1, 1),
        last_day=date(year, 12, 31),
        current_since=NOW if is_current else None,
    )


def edition() -> Figures:
    """Processor time in ms of loading the present edition, after an edit, and of another one; and its KB."""
    current = Current()
    before = current.at(NOW).programme

    def load_after_an_edit() -> Callable[[], object]:
        edit_an_event()
        return lambda: loading.load(before)

    found = {"loading, ms": _measure(lambda: loading.load), "after an edit, ms": _measure(load_after_an_edit)}
    tracemalloc.start()
    programme = loading.load()
    found["loaded, KB"] = tracemalloc.get_traced_memory()[0] / 1024
    tracemalloc.stop()
    other = programme.editions[0].slug
    if len(programme.editions) > 1:
        found["another one, ms"] = _measure(lambda: lambda: loading.load(edition=other))
    return {"occasions": len(programme.occasions), **found}


def _measure(prepare: Callable[[], Callable[[], object]]) -> float:
    taken = []
    for _ in range(ROUNDS):
        run = prepare()
        began = time.process_time()
        run()
        taken.append(time.process_time() - began)
    return median(taken) * 1000
