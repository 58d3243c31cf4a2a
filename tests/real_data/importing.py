"""Imports a file by the command, and reads back what is stored."""

import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.core.management import call_command
from django.test import override_settings
from django.utils.translation import override

from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from festival.clock import now
from programme import models
from programme.models.locations import find_place
from programme.publishing import loading
from tests.real_data.showings import AREA, Showing


def import_file(path: Path, zone: str, *options: str) -> None:
    names = ("--source", "real", "--area-otherwise", AREA)
    with override("en"), override_settings(FESTIVAL_TIME_ZONE=zone):
        call_command("import", str(path), *names, *options, stdout=io.StringIO())


def read_revision() -> int:
    """Return the number of the edit that the database has seen last: an import that changes nothing is none."""
    return models.Revision.objects.values_list("number", flat=True).get()


def read_stored() -> Iterator[Showing]:
    places = ("location", "room")
    events = models.Event.objects.select_related(*places).prefetch_related(
        *("occasions__location", "occasions__room__location")
    )
    for event in events:
        occasions = event.occasions.all()
        for occasion in occasions:
            location, room = find_place(occasion, event)
            cancelled = event.cancelled or occasion.cancelled
            names = (location.name if location else "", room.name if room else "")
            yield Showing(event.title, occasion.start, occasion.end, *names, cancelled, event.pk)
        if not occasions:
            names = tuple(place.name if place else "" for place in (event.location, event.room))
            yield Showing(event.title, None, None, *names, event.cancelled, event.pk)


def read_public() -> Counter[str]:
    """Return what readers see of each occasion, with when it was modified last."""
    programme = loading.load_events(models.Event.objects.all())
    elements = json.loads(JsonFormat().write_events(Listing(Snapshot(programme, now()), Selection())))
    return Counter(json.dumps(each, ensure_ascii=False) for each in elements)
