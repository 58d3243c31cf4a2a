"""Importing again what was edited here since: it stays as it is here, is listed, and is overwritten only if told to."""

import pytest

from programme.exchange.merge.apply import apply_in_edit
from programme.exchange.merge.compare import compare
from programme.exchange.readers.registry import given_here, read
from programme.exchange.values import ImportOptions
from programme.models import Event, ImportedRow, Location, Occasion, Room
from tests.programme.exchange.merge.test_schedule import JAZZ, TEA, in_xml, revision, run, stored

pytestmark = pytest.mark.django_db
NEW = TEA | {"title": "Green tea"}
__all__ = ["run"]


def section(told: str, heading: str) -> list[str]:
    _before, _found, rest = told.partition(f"\n{heading} (")
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:]]


KEPT = "Edited here, and changed in the file; kept as it is here"


def test_what_was_edited_here_is_kept_and_listed(run):
    run(in_xml(TEA, JAZZ))
    Event.objects.filter(title="Tea").update(title="Herbal tea")
    told = run(in_xml(NEW | {"url": "https://fest.example/new"}, JAZZ))
    assert stored(Event, "title", "external_url") == [
        ("Herbal tea", "https://fest.example/new"),
        ("Jazz", "https://fest.example/tea"),
    ]
    assert section(told, KEPT) == ["Herbal tea [1]: title here Herbal tea, in the file Green tea"]


def test_what_the_file_says_as_before_is_listed_by_itself(run):
    run(in_xml(TEA))
    Event.objects.update(title="Herbal tea")
    before = revision()
    for _time in range(2):
        told = run(in_xml(TEA))
        assert section(told, "Edited here; kept") == [
            "Herbal tea [1]: title here Herbal tea, in the file Tea"
        ]
        assert section(told, KEPT) == []
    assert revision() == before


def test_a_conflict_that_was_kept_is_not_asked_about_again(run):
    run(in_xml(TEA))
    Event.objects.update(title="Herbal tea")
    run(in_xml(NEW))
    told = run(in_xml(NEW))
    assert section(told, KEPT) == []
    assert section(told, "Edited here; kept") == [
        "Herbal tea [1]: title here Herbal tea, in the file Green tea"
    ]


def test_it_is_overwritten_if_told_to(run):
    run(in_xml(TEA))
    Event.objects.update(title="Herbal tea")
    told = run(in_xml(NEW), "--overwrite")
    assert stored(Event, "title") == [("Green tea",)]
    assert section(told, "Edited here; overwritten") == [
        "Green tea [1]: title here Herbal tea, in the file Green tea"
    ]
    assert section(run(in_xml(NEW)), "Edited here; kept") == []


def test_what_was_edited_here_to_what_the_file_says_is_no_conflict(run):
    run(in_xml(TEA))
    Event.objects.update(title="Green tea")
    told = run(in_xml(NEW))
    assert "Edited here" not in told
    run(in_xml(TEA))
    assert stored(Event, "title") == [("Tea",)]


def test_start_and_end_are_kept_together(run):
    run(in_xml(TEA))
    occasion = Occasion.objects.get()
    later = occasion.end.replace(hour=20)
    Occasion.objects.update(end=later)
    run(in_xml(TEA | {"date": "2026-07-29T23:00:00+02:00"}))
    assert stored(Occasion, "start", "end") == [(occasion.start, later)]


def test_location_and_room_are_kept_together(run):
    run(in_xml(TEA, JAZZ))
    elsewhere = Room.objects.create(name="Tent", location=Location.objects.create(name="Garden"))
    Event.objects.filter(title="Tea").update(location=elsewhere.location, room=elsewhere)
    told = run(in_xml(TEA | {"room": "Stage"}, JAZZ))
    assert stored(Event, "title", "location__name", "room__name")[0] == ("Tea", "Garden", "Tent")
    assert section(told, KEPT) == ["Tea [1]: room here Garden, Tent, in the file The Feast, Stage"]


def test_an_event_that_was_deleted_here_is_not_brought_back_unasked(run):
    run(in_xml(TEA, JAZZ))
    Event.objects.filter(title="Tea").delete()
    told = run(in_xml(TEA, JAZZ))
    assert stored(Event, "title") == [("Jazz",)]
    assert section(told, "Edited here; kept") == ["Tea []: deleted here"]
    run(in_xml(TEA, JAZZ), "--overwrite")
    assert sorted(stored(Event, "title")) == [("Jazz",), ("Tea",)]
    assert "Edited here" not in run(in_xml(TEA, JAZZ))


@pytest.mark.parametrize("guids", [("g1", "g9"), ("", "")])
def test_an_occasion_that_was_deleted_here_is_not_brought_back_unasked(run, guids):
    again = TEA | {"date": "2026-07-31T15:00:00+02:00", "guid": guids[1]}
    file = in_xml(TEA | {"guid": guids[0]}, again)
    run(file)
    Occasion.objects.order_by("start").last().delete()
    told = run(file)
    assert Occasion.objects.count() == 1
    assert section(told, "Edited here; kept") == ["Tea, 2026-07-31 15:00: deleted here"]
    run(file, "--overwrite")
    assert Occasion.objects.count() == 2


def test_what_the_import_itself_deletes_may_come_back(run):
    run(in_xml(TEA, TEA | {"date": "2026-07-31T15:00:00+02:00", "guid": "g9"}))
    run(in_xml(TEA), "--withdraw-missing")
    run(in_xml(TEA, TEA | {"date": "2026-07-31T15:00:00+02:00", "guid": "g9"}))
    assert Occasion.objects.count() == 2


def test_what_no_import_has_said_yet_is_filled_only_where_it_is_empty(run):
    run(in_xml(TEA | {"url": "", "persons": []}, JAZZ | {"url": "", "persons": []}))
    Event.objects.filter(title="Jazz").update(external_url="https://jazz.example/")
    told = run(in_xml(TEA, JAZZ))
    assert stored(Event, "title", "external_url", "organizer__name") == [
        ("Tea", "https://fest.example/tea", "Ada, Bo"),
        ("Jazz", "https://jazz.example/", "Ada, Bo"),
    ]
    assert len(section(told, KEPT)) == 1


def test_rows_of_which_nothing_is_remembered_are_not_overwritten(run):
    run(in_xml(TEA))
    ImportedRow.objects.all().delete()
    told = run(in_xml(NEW))
    assert stored(Event, "title") == [("Tea",)]
    assert section(told, KEPT) == ["Tea [1]: title here Tea, in the file Green tea"]


def test_a_single_conflict_can_be_decided(run):
    run(in_xml(TEA))
    Event.objects.update(title="Herbal tea", external_url="https://fest.example/herbal")
    event = Event.objects.get()
    contents = contents_of_xml(in_xml(NEW | {"url": "https://fest.example/green"}))
    order = ImportOptions(
        "feast26", "", "The Feast", "The Feast", decided=frozenset({f"event-{event.pk}-title"})
    )
    plan = compare(contents, order)
    assert [(each.field, each.overwritten) for each in plan.conflicts] == [
        ("title", True),
        ("external_url", False),
    ]
    apply_in_edit(contents, order)
    assert stored(Event, "title", "external_url") == [("Green tea", "https://fest.example/herbal")]


def contents_of_xml(text: str):
    return read(text.encode(), "x.xml", given_here()).contents


def test_remembering_moves_no_revision(run):
    run(in_xml(TEA))
    before = revision()
    ImportedRow.objects.all().delete()
    run(in_xml(TEA))
    assert ImportedRow.objects.count() == 2
    assert revision() == before
