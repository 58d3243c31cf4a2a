"""A note says why something was cancelled: where a file takes that back, it goes unless somebody keeps it."""

import pytest

from programme.models import Event, Occasion
from tests.programme.backoffice.imports.pages import build_sheet, read_upload, show_preview

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Datum;Start;Slut;Tillfället inställt"
CANCELLED, HELD = (f"Jazz;Slottsparken;2026-09-12;19;20;{word}" for word in ("ja", ""))
OTHER = "Tango;Slottsparken;2026-09-12;19;20;ja"
NOTE = "Åska över parken"
KEY = "note:åska över parken"


def sheet(*rows: str) -> bytes:
    return build_sheet(*rows, headings=HEADINGS)


@pytest.fixture
def cancelled(client):
    """Two occasions that a sheet has cancelled, with a note that was typed here."""
    page = show_preview(client, sheet(CANCELLED, OTHER))
    client.post(f"{page.wsgi_request.path}apply/", {"apply": "1"})
    assert Occasion.objects.update(change_info=NOTE) == 2
    return client


def state() -> list[tuple[bool, str]]:
    return list(Occasion.objects.order_by("event__title").values_list("cancelled", "change_info"))


def apply(client, page) -> None:
    client.post(f"{page.wsgi_request.path}apply/", {"apply": "1"})


def test_the_note_goes_with_the_cancellation(cancelled):
    page = show_preview(cancelled, sheet(HELD, OTHER))
    [question] = page.context["preview"]["questions"]
    assert question["text"] == f"The note “{NOTE}” is on something that takes place after all. Does it stay?"
    assert (question["answer"], page.context["preview"]["unanswered"]) == ("remove", 0)
    apply(cancelled, page)
    assert state() == [(False, ""), (True, NOTE)]
    assert show_preview(cancelled, sheet(HELD, OTHER)).context["preview"]["questions"] == []


def test_the_note_is_kept_by_an_answer(cancelled):
    page = show_preview(cancelled, sheet(HELD, OTHER))
    address = page.wsgi_request.path
    cancelled.post(f"{address}answers/", {f"answer-{KEY}": "keep"})
    apply(cancelled, read_upload(cancelled, address))
    assert state() == [(False, NOTE), (True, NOTE)]


def test_an_event_loses_its_note_too(client):
    rows = "Jazz;Slottsparken;2026-09-12;19;20;{}"
    headings = "Titel;Område;Datum;Start;Slut;Inställt"
    for word in ("ja", ""):
        page = show_preview(client, build_sheet(rows.format(word), headings=headings))
        apply(client, page)
        if word:
            Event.objects.update(change_info=NOTE)
    assert list(Event.objects.values_list("cancelled", "change_info")) == [(False, "")]


def test_a_note_of_the_file_stays(cancelled):
    headings = f"{HEADINGS};Vad som har ändrats i tillfället"
    page = show_preview(cancelled, build_sheet(f"{HELD};Nu i Rådhuset", headings=headings))
    # What was typed here stays unless the note of the file is chosen, as everywhere.
    assert page.context["preview"]["questions"] == []
    [row] = page.context["preview"]["rows"]
    assert [(each["here"], each["file"]) for each in row["conflicts"]] == [(NOTE, "Nu i Rådhuset")]
    apply(cancelled, page)
    assert state() == [(False, NOTE), (True, NOTE)]


def test_a_restored_occasion_comes_back_without_it(cancelled):
    Occasion.objects.get(event__title="Jazz").delete()
    page = show_preview(cancelled, sheet(HELD, OTHER))
    [conflict] = [each for row in page.context["preview"]["rows"] for each in row["conflicts"]]
    cancelled.post(f"{page.wsgi_request.path}apply/", {"apply": "1", "overwrite": conflict["key"]})
    assert state() == [(False, ""), (True, NOTE)]
