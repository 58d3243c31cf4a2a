"""The order of a sheet's rows says nothing: in any order a file is the same, and an unchanged one changes nothing."""

from datetime import UTC, datetime

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from programme.exchange.exports.sheet import EXPORTS
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import ImportOptions
from programme.models import Event, Occasion
from programme.publishing.loading import load_events
from tests.programme.exchange.imports import apply_import, current_revision
from tests.programme.exchange.workbooks import write_workbook

HEADINGS = "Titel;Arrangör;Plats;Rum;Datum;Start;Slut;Typ;Ingress;Inställt"
OPTIONS = ImportOptions(source="office", area="Staden", title="", venue="")
NOW = datetime(2026, 9, 1, tzinfo=UTC)

ROWS = st.tuples(
    st.sampled_from(["Film", "FILM", "Tal"]),
    st.sampled_from(["", "Klubben"]),
    st.sampled_from(["", "Adlon", "Bio", "bio", "Bio, Salong 1"]),
    st.sampled_from(["", "Salong 1", "Salong 2"]),
    st.sampled_from(["2026-09-12", "2026-09-13"]),
    st.sampled_from(["18:00", "19:00"]),
    st.sampled_from(["20:00", "21:00"]),
    st.sampled_from(["", "Film", "Samtal"]),
    st.sampled_from(["", "Om te", "Om kaffe"]),
    st.sampled_from(["", "ja"]),
)
SHEETS = st.lists(ROWS, min_size=1, max_size=7, unique=True)


def import_rows(rows: list[tuple[str, ...]]) -> PlannedImport:
    content = "\n".join([HEADINGS, *map(";".join, rows)]).encode()
    return apply_import(read(content, "sheet.csv", build_import_defaults()).contents, OPTIONS)


def import_sheets(sheets: list[tuple[str, list[tuple[str, ...]]]], data: st.DataObject) -> PlannedImport:
    """Import sheets with their rows and columns, and themselves, in another order."""
    book = {}
    for name, rows in data.draw(st.permutations(sheets)):
        lines = [tuple(HEADINGS.split(";")), *data.draw(st.permutations(rows))]
        order = data.draw(st.permutations(range(len(lines[0]))))
        book[name] = [[line[place] for place in order] for line in lines]
    return apply_import(read(write_workbook(book), "sheet.xlsx", build_import_defaults()).contents, OPTIONS)


def read_all() -> tuple[bytes, bytes]:
    """Return what readers see, with when it was modified, and the export."""
    snapshot = Snapshot(load_events(Event.objects.all()), NOW)
    return JsonFormat().write_events(Listing(snapshot, Selection())), b"".join(
        EXPORTS["csv"].stream(Event.objects.all())
    )


def add_by_hand() -> None:
    for event in Event.objects.all():
        start = datetime(2026, 9, 20, 10, tzinfo=UTC)
        Occasion.objects.create(event=event, start=start, end=start.replace(hour=11))


@pytest.mark.django_db
@settings(max_examples=10)
@given(rows=st.tuples(SHEETS, SHEETS), data=st.data())
def test_sheets_and_columns_in_another_order_change_nothing(rows, data):
    sheets = list(zip(("Inne", "Ute"), rows, strict=True))
    with transaction.atomic():
        import_sheets(sheets, data)
        before, revision = read_all(), current_revision()
        for _again in range(2):
            plan = import_sheets(sheets, data)
            assert not plan.writes
        assert (read_all(), current_revision()) == (before, revision)
        transaction.set_rollback(True)


@pytest.mark.django_db
@settings(max_examples=10)
@given(rows=SHEETS, data=st.data())
def test_what_a_newer_version_does_not_mention_stays_where_it_is(rows, data):
    with transaction.atomic():
        import_rows(rows)
        add_by_hand()
        held = dict(read_places())
        newer = data.draw(st.lists(st.sampled_from(rows), min_size=1, unique=True))
        moved = [(*row[:2], data.draw(ROWS)[2], *row[3:]) for row in newer]
        plan = import_rows(moved)
        mentioned = {row.pk for row in plan.occasion_rows.values()}
        after = dict(read_places())
        assert {key: place for key, place in after.items() if key in held and key not in mentioned} == {
            key: place for key, place in held.items() if key not in mentioned
        }
        transaction.set_rollback(True)


def read_places():
    return {row.pk: (row.location_id, row.room_id) for row in Occasion.objects.all()}
