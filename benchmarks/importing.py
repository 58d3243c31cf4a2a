"""Measures the preview of an import: of a sheet that is new, and of the same sheet later on, with changes."""

import io
import json
import time
from collections.abc import Iterator
from datetime import time as clock
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.programme import FIRST_DAY, OCCASIONS, SYLLABLES, TYPES
from programme.history import edits
from programme.models import Event, Occasion, Upload

IMPORT = "/admin/import/"
HEADINGS = (
    "Nr|Titel|Område|Delområde|Typ|Arrangör|Språk|Plats|Adress|Rum|Datum|Start|Slut"
    "|Ingress på svenska|Ingress på engelska|Beskrivning på svenska|Beskrivning på engelska"
    "|Pris|Biljettlänk|Webbsida|Bildadress|Bildtext|Framhävt|Teckenspråkstolkat"
)
# Of the sheet's rows and of the events here, so many in a hundred are changed in between.
CHANGED = 30
LATER = timedelta(minutes=10)

Figures = dict[str, Any]


def imports(events: str) -> dict[str, Figures]:
    """Return the figures of previews of a workbook with so many events: seconds, statements, reports."""
    client = Client(headers={"host": "127.0.0.1:8000"})
    client.force_login(User.objects.create_superuser("importer"))
    found = {"a new sheet": _preview(client, build_workbook(int(events)))}
    found["writing it"] = _follow(client, "apply/")
    _edit_some()
    found["the same sheet later, with changes"] = _preview(client, build_workbook(int(events), later=True))
    found["writing the changes"] = _follow(client, "apply/")
    return found


def _preview(client: Client, content: bytes) -> Figures:
    file = SimpleUploadedFile("programme.xlsx", content)
    options = {"source": "office", "new_events": "published", "language": "sv", "withdraw_missing": "on"}
    client.post(IMPORT, {"file": file, **options})
    found = _follow(client, "read/")
    upload = Upload.objects.get()
    began = time.perf_counter()
    page = client.get(f"{IMPORT}{upload.pk}/")
    if upload.preview is None or not upload.preview["rows"] or page.status_code != 200:  # noqa: PLR2004 - the preview
        raise SystemExit(f"There is no preview: {client.session.get('import_messages')}")
    counts = {kind: count for kind, count in upload.preview["counts"].items() if count}
    return {**found, "page": time.perf_counter() - began, "bytes": len(content), "counts": counts}


def _follow(client: Client, step: str) -> Figures:
    """Do a step as the page does, with its progress; what looks odd is right."""
    upload = Upload.objects.get()
    address, preview = f"{IMPORT}{upload.pk}/{step}", upload.preview or {}
    odd = [each["key"] for each in preview.get("suspicions", [])]
    began, reports = time.perf_counter(), list[tuple[float, Any]]()
    processor = time.process_time()
    with CaptureQueriesContext(connection) as queries:
        response: Any = client.post(address, {"accept": odd}, headers={"x-progress": "1"})
        reports += [(time.perf_counter(), json.loads(line)) for line in response.streaming_content]
    if "go" not in reports[-1][1]:
        raise SystemExit(f"{step} has failed")
    moments = [began, *(moment for moment, _line in reports)]
    return {
        "seconds": moments[-1] - began,
        "processor": time.process_time() - processor,
        "statements": len(queries),
        "reports": len(reports),
        "silence": max(after - before for before, after in pairwise(moments)),
    }


def _edit_some() -> None:
    """Change events and occasions here, as editors do between two imports."""
    with edits.record(User.objects.get(username="importer"), reason="edit"):
        ids = list(Event.objects.filter(source="office").order_by("id").values_list("id", flat=True))
        Event.objects.filter(id__in=[pk for pk in ids if pk % 100 < CHANGED]).update(intro_sv="Ändrad här.")
        Occasion.objects.filter(event__in=[pk for pk in ids if pk % 100 > 100 - CHANGED]).update(
            cancelled=True
        )
        Event.objects.filter(id__in=ids[::50]).delete()


def build_workbook(events: int, *, later: bool = False) -> bytes:
    """Return a workbook with a row for each occasion and every column filled; `later` some are changed."""
    from openpyxl import Workbook  # noqa: PLC0415 - only this step needs it

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(HEADINGS.split("|"))
    for number in range(events):
        # Some are gone, and as many are new.
        for row in _rows(number + events if later and number % 33 == 0 else number, later=later):
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _rows(number: int, *, later: bool) -> Iterator[list[Any]]:
    changed = later and number * 7 % 100 < CHANGED
    words = " ".join(SYLLABLES[(number + each) % len(SYLLABLES)] * 2 for each in range(40))
    text = f"{words} {'i år' if changed else ''}"
    place = number % 100
    event = [
        *(
            number,
            f"{words[:50]} {number}",
            f"Torget {number % 20}",
            f"Scen {number % 20}",
            TYPES[number % 9][0],
        ),
        *(f"Förening {number % 1500}", ("sv", "en", "fi")[number % 3], f"Hus {place}", f"Gatan {place}"),
        f"Sal {number % 3}",
    ]
    for occasion in range(OCCASIONS[number % len(OCCASIONS)]):
        day = FIRST_DAY + timedelta(days=(number + occasion) % 5)
        minutes = (9 * 12 + (number + occasion * 7) % 150) * 5 + (10 if changed else 0)
        texts = [f"{text[:250]} {number}", text[:250], f"{text} {text} {number}", f"{text} {text}"]
        links = [f"https://festival.example/{name}/{number}" for name in ("tickets", "event", "image.jpg")]
        yield [
            *(*event, day, *(clock(*divmod(each, 60)) for each in (minutes, minutes + 45))),
            *(*texts, f"{number % 9}0 kr", *links, words[:40], "ja" if number % 20 == 0 else "nej", "nej"),
        ]
