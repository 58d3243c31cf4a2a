"""What an editor changed since the last import stays, is listed, and is overwritten only on request."""

import pytest

from programme.exchange.merge.pipeline import plan_import
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import ImportOptions
from programme.history import edits
from programme.models import Area, Event, ImportedRow, Location, Occasion, Organizer, Room, SubArea
from tests.programme.exchange.imports import (
    apply_import,
    current_revision,
    overwrite_all,
    read_xml,
    report_section,
    values_of,
)
from tests.programme.exchange.reports import list_conflicts
from tests.programme.exchange.schedules import JAZZ, TEA, build_xml

pytestmark = pytest.mark.django_db
NEW = TEA | {"title": "Green tea"}


KEPT = "Edited here, and changed in the file; kept as it is here"


def test_what_was_edited_here_is_kept_and_listed(run):
    run(build_xml(TEA, JAZZ))
    Event.objects.filter(title="Tea").update(title="Herbal tea")
    report = run(build_xml(NEW | {"url": "https://fest.example/new"}, JAZZ))
    expected = [("Herbal tea", "https://fest.example/new"), ("Jazz", "https://fest.example/tea")]
    assert values_of(Event, "title", "external_url") == expected
    assert report_section(report, KEPT) == ["Herbal tea [1]: title here Herbal tea, in the file Green tea"]


def test_what_the_file_says_as_before_is_listed_by_itself(run):
    run(build_xml(TEA))
    Event.objects.update(title="Herbal tea")
    before = current_revision()
    for _time in range(2):
        report = run(build_xml(TEA))
        assert report_section(report, "Edited here; kept") == [
            "Herbal tea [1]: title here Herbal tea, in the file Tea"
        ]
        assert report_section(report, KEPT) == []
    assert current_revision() == before


def test_a_kept_conflict_about_a_row_that_is_not_created_is_not_asked_about_again(run):
    run(build_xml(TEA))
    Event.objects.update(organizer=Organizer.objects.create(name="Bo"))
    kept = ["Tea [1]: organizer here Bo, in the file Cy"]
    assert report_section(run(build_xml(TEA | {"persons": ["Cy"]})), KEPT) == kept
    assert report_section(run(build_xml(TEA | {"persons": ["Cy"]})), "Edited here; kept") == kept
    assert not Organizer.objects.filter(name="Cy").exists()


def test_what_was_edited_here_to_what_the_file_says_is_no_conflict(run):
    run(build_xml(TEA))
    Event.objects.update(title="Green tea")
    report = run(build_xml(NEW))
    assert "Edited here" not in report
    run(build_xml(TEA))
    assert values_of(Event, "title") == [("Tea",)]


def test_start_and_end_are_kept_together(run):
    run(build_xml(TEA))
    occasion = Occasion.objects.get()
    later = occasion.end.replace(hour=20)
    Occasion.objects.update(end=later)
    run(build_xml(TEA | {"date": "2026-07-29T23:00:00+02:00"}))
    assert values_of(Occasion, "start", "end") == [(occasion.start, later)]


def test_location_and_room_are_kept_together(run):
    run(build_xml(TEA, JAZZ))
    elsewhere = Room.objects.create(name="Tent", location=Location.objects.create(name="Garden"))
    Occasion.objects.filter(event__title="Tea").update(location=elsewhere.location, room=elsewhere)
    report = run(build_xml(TEA | {"room": "Stage"}, JAZZ))
    assert values_of(Occasion, "location__name", "room__name")[0] == ("Garden", "Tent")
    assert report_section(report, KEPT) == [
        "Tea, Wed 29 Jul 2026 15:00: location here Garden, in the file The Feast; "
        "room here Garden, Tent, in the file The Feast, Stage"
    ]


@pytest.mark.parametrize("guids", [("g1", "g9"), ("", "")])
def test_an_occasion_that_was_deleted_here_is_not_restored_unasked(run, guids):
    again = TEA | {"date": "2026-07-31T15:00:00+02:00", "guid": guids[1]}
    file = build_xml(TEA | {"guid": guids[0]}, again)
    run(file)
    Occasion.objects.order_by("start").last().delete()
    report = run(file)
    assert Occasion.objects.count() == 1
    assert report_section(report, "Edited here; kept") == ["Tea, Fri 31 Jul 2026 15:00: deleted here"]
    run(file, "--overwrite")
    assert Occasion.objects.count() == 2


def test_what_no_import_has_stated_yet_is_filled_only_where_it_is_empty(run):
    run(build_xml(TEA | {"url": "", "persons": []}, JAZZ | {"url": "", "persons": []}))
    Event.objects.filter(title="Jazz").update(external_url="https://jazz.example/")
    ImportedRow.objects.all().delete()
    report = run(build_xml(TEA, JAZZ))
    expected = [("Tea", "https://fest.example/tea", "Ada, Bo"), ("Jazz", "https://jazz.example/", "Ada, Bo")]
    assert values_of(Event, "title", "external_url", "organizer__name") == expected
    assert len(report_section(report, KEPT)) == 1


def test_a_single_conflict_can_be_decided(run):
    run(build_xml(TEA))
    Event.objects.update(title="Herbal tea", external_url="https://fest.example/herbal")
    event = Event.objects.get()
    contents = read_xml(build_xml(NEW | {"url": "https://fest.example/green"}))
    order = ImportOptions(
        "feast26", "", "The Feast", "The Feast", overwritten=frozenset({f"event-{event.pk}-title"})
    )
    conflicts = plan_import(contents, order).conflicts
    expected = [(f"event-{event.pk}-title", True), (f"event-{event.pk}-external_url", False)]
    assert [(each.key, each.overwritten) for each in conflicts] == expected
    apply_import(contents, order)
    assert values_of(Event, "title", "external_url") == [("Green tea", "https://fest.example/herbal")]


def test_remembering_moves_no_revision(run):
    run(build_xml(TEA))
    before = current_revision()
    ImportedRow.objects.all().delete()
    run(build_xml(TEA))
    assert ImportedRow.objects.count() == 2
    assert current_revision() == before


def import_event(sub_area: str, *, into: str = "", overwrite: bool = False) -> list[tuple[str, str, str]]:
    """Import an event of Parken, or into another area; return the conflicts."""
    text = f"Titel;Område;Delområde;Datum;Start\nFest;Parken;{sub_area};2026-09-12;19:00"
    contents = read(text.encode(), "sheet.csv", build_import_defaults()).contents
    order = ImportOptions("office", into, "Fest", "")
    plan = apply_import(contents, overwrite_all(contents, order) if overwrite else order)
    return list_conflicts(plan)


def areas() -> tuple[str, str | None]:
    return Event.objects.values_list("area__name", "sub_area__name").get()


def test_an_editors_area_does_not_get_the_files_sub_area(db):
    import_event("")
    Event.objects.update(area=Area.objects.create(name="Hamnen"))
    conflicts = [("Område", "Hamnen", "Parken"), ("Delområde", "", "Parken – Tältet")]
    assert (import_event("Tältet"), areas()) == (conflicts, ("Hamnen", None))
    import_event("Tältet", overwrite=True)
    assert areas() == ("Parken", "Tältet")


def test_an_editors_sub_area_does_not_get_the_files_area(db):
    import_event("")
    Event.objects.update(sub_area=SubArea.objects.create(area=Area.objects.get(), name="Scenen"))
    conflicts = [("Område", "Parken", "Hamnen"), ("Delområde", "Parken – Scenen", "")]
    assert (import_event("", into="Hamnen"), areas()) == (conflicts, ("Parken", "Scenen"))
    import_event("", into="Hamnen", overwrite=True)
    assert areas() == ("Hamnen", None)


def test_a_restored_event_leaves_its_sub_area_with_its_area(db):
    import_event("Tältet")
    with edits.record():
        Event.objects.get().delete()
    import_event("", into="Hamnen", overwrite=True)
    assert areas() == ("Hamnen", None)
