"""Several types of an event in files: in one cell, in several columns, and in sheets of this service."""

import pytest
from django.test import Client

from programme.exchange.exports.sheet import EXPORTS
from programme.models import Event, EventType
from tests.programme.backoffice.imports.pages import apply_and_list_messages, build_sheet, show_preview

pytestmark = pytest.mark.django_db


def read_types() -> dict[str, list[str]]:
    return {event.title: [row.name_sv for row in event.types] for event in Event.objects.all()}


@pytest.mark.parametrize(
    ("headings", "cells", "expected"),
    [
        ("Typ", "Musik; Teater|Barn", ["Musik", "Teater", "Barn"]),
        # Commas: between names that are known, or below a heading in the plural.
        ("Typ", "Musik, dans", ["Musik, dans"]),
        ("Typ", "Film, Opera", ["Film", "Opera"]),
        ("Kategorier", "Musik, dans", ["Musik", "dans"]),
        ("Typ;Typ 2", "Musik;Hälsa, vård", ["Musik", "Hälsa, vård"]),
        ("topic_1;topic_2", "Musik;Teater", ["Musik", "Teater"]),
        ("Typ;Taggar", ";Teater", ["Teater"]),
        ("Typ", "Film; opera; A; B; C; D; E", ["Film", "Opera", "A", "B", "C", "D"]),
    ],
)
def test_types_in_a_sheet(client: Client, headings: str, cells: str, expected: list[str]) -> None:
    EventType.objects.create(name_sv="Film")
    EventType.objects.create(name_sv="Opera")
    cells = f'"{cells}"' if headings.count(";") < cells.count(";") else cells
    sheet = build_sheet(
        f"A;Parken;Scen;2026-09-11;19;20;{cells}", headings=f"Titel;Område;Plats;Datum;Start;Slut;{headings}"
    )
    apply_and_list_messages(client, show_preview(client, sheet))
    assert read_types() == {"A": expected}
    assert "Nothing had to be changed." in apply_and_list_messages(client, show_preview(client, sheet))


def test_an_exported_sheet_reads_back_exactly(client: Client) -> None:
    rows = ["A;P;S;2026-09-11;19;20;Musik", "B;P;S;2026-09-11;19;20;Film"]
    headings = "Titel;Område;Plats;Datum;Start;Slut;Typ"
    apply_and_list_messages(client, show_preview(client, build_sheet(*rows, headings=headings)))
    first, second = Event.objects.order_by("title")
    odd = EventType.objects.create(name_sv="Natt; med, allt")
    first.types = [odd, first.type, second.type]
    first.save()
    before = read_types()
    sheet = b"".join(EXPORTS["csv"].stream(Event.objects.all()))
    Event.objects.update(type_2=None, type_3=None)
    apply_and_list_messages(client, show_preview(client, sheet))
    assert read_types() == before == {"A": ["Natt; med, allt", "Musik", "Film"], "B": ["Film"]}
    # What is in no cell any more is taken away.
    sheet = b"".join(EXPORTS["csv"].stream(Event.objects.all())).replace(b"; Musik; Film", b"")
    apply_and_list_messages(client, show_preview(client, sheet))
    assert read_types() == {"A": ["Natt; med, allt"], "B": ["Film"]}
