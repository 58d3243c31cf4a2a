"""An editor in its own process: one edit a second through the models, each reported as a line of JSON.

A line is written after the commit: the number of the edit, the event and its area, the time on the monotonic
clock, and the moved occasion (ID, start, end), or null.
"""

import json
import os
import sys
import time
from datetime import timedelta
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "festival.settings")
django.setup()

from django.db import transaction  # noqa: E402 - needs Django

from festival import clock  # noqa: E402
from programme.models import Event, Occasion  # noqa: E402

# The other areas stay unedited, so that readers who poll them get 304.
EDITED_AREAS = range(1, 11)
# One of so many edits moves an occasion so that it begins and ends during the run.
MOVE_EVERY = 3
BEGINS_IN, LASTS = timedelta(seconds=4), timedelta(seconds=5)


def edit(number: int, event: Event) -> dict[str, Any]:
    moved = None
    with transaction.atomic():
        Event.objects.filter(id=event.id).update(
            title=f"Edited {number}", intro_sv=f"Ändrad {number} gånger."
        )
        if number % MOVE_EVERY == 0:
            moved = _move(event)
    return {
        "number": number,
        "event": event.id,
        "area": event.area.name,
        "confirmed": time.monotonic(),
        "moved": moved,
    }


def _move(event: Event) -> tuple[int, float, float]:
    occasion = event.occasions.order_by("id").first()
    start = clock.now().replace(microsecond=0) + BEGINS_IN
    Occasion.objects.filter(id=occasion.id).update(start=start, end=start + LASTS)
    return occasion.id, start.timestamp(), (start + LASTS).timestamp()


def main(seconds: float) -> None:
    events = list(Event.objects.filter(area_id__in=EDITED_AREAS).select_related("area").order_by("id")[:50])
    started_at = time.monotonic()
    number = 0
    while time.monotonic() < started_at + seconds:
        number += 1
        print(json.dumps(edit(number, events[number % len(events)])), flush=True)
        time.sleep(max(0.0, started_at + number - time.monotonic()))


if __name__ == "__main__":
    main(float(sys.argv[1]))
