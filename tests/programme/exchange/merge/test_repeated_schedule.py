"""Importing a newer version of a schedule: changes, missing rows, and failures that leave no trace."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError

from programme.exchange.merge import pipeline
from programme.models import Area, Event, EventType, Language, Location, Occasion, Organizer, Room, Status
from tests.programme.exchange.imports import current_revision, report_counts, values_of
from tests.programme.exchange.schedules import FEAST, JAZZ, LATER, TEA, build_xml

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("options", [[], ["--withdraw-missing"], ["--area", "the feast"], ["--draft"]])
def test_repeating_an_import_writes_nothing(run, options):
    run(build_xml(TEA, JAZZ, TEA | {"guid": "g1", "date": LATER}))
    before, modified = current_revision(), values_of(Event, "last_modified")
    report = run(build_xml(TEA, JAZZ, TEA | {"guid": "g1", "date": LATER}), *options)
    assert (current_revision(), values_of(Event, "last_modified")) == (before, modified)
    assert report_counts(report)["events"] == [0, 0, 2, 0]
    assert report_counts(report)["occasions"] == [0, 0, 3, 0]


def test_identifiers_that_look_like_generated_ones_are_distinguished(run):
    entries = [TEA | {"guid": "g #2"}, JAZZ | {"id": "1 =0123456789ab", "guid": "1 @1"}, JAZZ | {"guid": "g"}]
    run(build_xml(*entries, JAZZ | {"guid": "g", "date": TEA["date"]}))
    before = current_revision()
    assert report_counts(run(build_xml(*entries, JAZZ | {"guid": "g", "date": TEA["date"]})))[
        "occasions"
    ] == [0, 0, 4, 0]
    assert current_revision() == before
    assert values_of(Occasion, "source_id") == [("g_#2",), ("1_@1",), ("g",), ("g #2",)]


def test_a_newer_version_changes_events_and_lists_them(run):
    run(build_xml(TEA, JAZZ))
    jazz = Event.objects.get(title="Jazz").last_modified
    report = run(
        build_xml(
            TEA | {"title": "Green tea", "abstract": "Of more.", "room": "Stage", "duration": "02:00"},
            JAZZ,
            TEA | {"id": "3", "guid": "g3", "title": "Coffee", "date": "bad"},
            TEA | {"id": "4", "guid": "g4", "title": "Milk"},
        )
    )
    assert report == (
        "created changed unchanged, no longer in the file\n"
        "events 1 1 1 0\n"
        "occasions 1 1 1 0\n"
        "areas 0 0 1\n"
        "locations 0 0 1\n"
        "rooms 0 0 2\n"
        "organizers 0 0 1\n"
        "event types 0 0 2\n"
        "languages 0 0 1\n"
        "\n"
        "Created (1)\n"
        "  Milk [4]\n"
        "\n"
        "Changed (2)\n"
        "  Green tea [1]: title Tea → Green tea; description in English Of tea. → Of more.\n"
        "  Green tea, Wed 29 Jul 2026 15:00: time Wed 29 Jul 2026 15:00–16:00 → Wed 29 Jul 2026 15:00–17:00;"
        " room The Feast, Kitchen → The Feast, Stage\n"
        "\n"
        "Problems (1)\n"
        "  Coffee: left out, because its start cannot be read: “bad”\n"
    )
    expected = [("1", "Green tea", "Of more."), ("2", "Jazz", "Of tea."), ("4", "Milk", "Of tea.")]
    assert values_of(Event, "source_id", "title", "description_en") == expected
    assert values_of(Occasion, "room__name") == [("Stage",), ("Stage",), ("Kitchen",)]
    assert Event.objects.get(title="Jazz").last_modified == jazz


def test_an_event_that_takes_place_after_all_is_not_cancelled_any_more(run):
    run(build_xml(TEA | {"title": "CANCELLED - Tea"}))
    report = run(build_xml(TEA))
    assert values_of(Event, "title") == [("Tea",)]
    assert values_of(Occasion, "cancelled") == [(False,)]
    assert "  Tea, Wed 29 Jul 2026 15:00: cancelled Yes → No\n" in report


def test_what_the_file_does_not_state_stays_as_it_was_edited_here(run):
    run(build_xml(TEA))
    Event.objects.update(
        highlighted=True, price="50 kr", intro_sv="En kopp", image_url="https://fest.example/i.png"
    )
    kind = EventType.objects.create(name_sv="Fika")
    Event.objects.update(type=kind)
    run(build_xml({name: value for name, value in TEA.items() if name not in ("url", "track", "room")}))
    assert values_of(Event, "highlighted", "price", "intro_sv", "image_url", "external_url", "type__name_sv") == [
        (True, "50 kr", "En kopp", "https://fest.example/i.png", "https://fest.example/tea", "Fika")
    ]  # fmt: skip
    assert values_of(Occasion, "room__name") == [("Kitchen",)]


def test_area_location_and_rooms_that_were_renamed_or_moved_here_are_kept(run):
    run(build_xml(TEA))
    Area.objects.update(name="Parken")
    Location.objects.update(name="Slottet")
    annex = Location.objects.create(name="Annexet")
    Room.objects.update(location=annex)
    Occasion.objects.update(location=annex)
    before = current_revision()
    assert report_counts(run(build_xml(TEA)))["events"] == [0, 0, 1, 0]
    assert current_revision() == before
    run(build_xml(TEA, JAZZ))
    fields = ("event__title", "event__area__name", "room__location__name", "room__name")
    assert values_of(Occasion, *fields) == [
        ("Tea", "Parken", "Annexet", "Kitchen"),
        ("Jazz", "Parken", "Annexet", "Stage"),
    ]


def test_an_occasion_moves_with_its_guid_to_another_event(run):
    run(build_xml(TEA, TEA | {"guid": "g2", "date": LATER}))
    occasions = values_of(Occasion, "id", "uuid", "source_id")
    run(build_xml(TEA, JAZZ))
    assert values_of(Occasion, "id", "uuid", "source_id") == occasions
    assert values_of(Occasion, "source_id", "event__title") == [("g1", "Tea"), ("g2", "Jazz")]


def test_events_entered_here_by_hand_are_nobodys_to_change(run):
    run(build_xml(TEA))
    tea = Event.objects.get()
    Event.objects.create(title="Own", area=tea.area, type=tea.type, status=Status.PUBLISHED)
    start = datetime(2026, 8, 1, tzinfo=UTC)
    Occasion.objects.create(event=tea, start=start, end=start + timedelta(hours=1))
    before = current_revision()
    report = run(build_xml(TEA), "--withdraw-missing")
    assert current_revision() == before
    assert (report_counts(report)["events"], report_counts(report)["occasions"]) == (
        [0, 0, 1, 0],
        [0, 0, 1, 0],
    )


TWO_TEAS = (TEA, TEA | {"guid": "g3", "date": LATER})


def test_an_entry_that_cannot_be_read_is_not_taken_for_missing(run):
    run(build_xml(*TWO_TEAS, JAZZ))
    report = run(build_xml(TEA, TWO_TEAS[1] | {"date": "bad"}, JAZZ | {"title": ""}), "--withdraw-missing")
    assert "No longer in the file (" not in report
    assert report_counts(report)["occasions"] == [0, 0, 1, 0]
    assert values_of(Event, "status") == [(Status.PUBLISHED,)] * 2


def test_a_dry_run_reports_the_same_and_writes_nothing(run):
    tried = run(build_xml(TEA, JAZZ), "--dry-run")
    assert (Event.objects.count(), Area.objects.count(), Language.objects.count()) == (0, 0, 0)
    done = run(build_xml(TEA, JAZZ))
    assert tried.endswith(done)
    before = current_revision()
    tried = run(build_xml(TEA | {"title": "Green tea"}), "--dry-run", "--withdraw-missing")
    assert current_revision() == before
    assert tried.endswith(run(build_xml(TEA | {"title": "Green tea"}), "--withdraw-missing"))


def test_a_schedule_that_does_not_say_whose_it_is_needs_a_source(run):
    with pytest.raises(CommandError, match="name its source"):
        run(build_xml(TEA, conference={}))
    run(build_xml(TEA, conference={}), "--source", "feast")
    assert values_of(Event, "source", "area__name") == [("feast", "feast")]


def test_an_unknown_time_zone_is_refused(run):
    for name in ("Mars/Olympus", "../../etc/passwd"):
        with pytest.raises(CommandError, match="time zone that is not known"):
            run(build_xml(TEA, conference=FEAST | {"time_zone_name": name}))


def test_what_is_edited_while_an_import_is_prepared_is_seen_by_it(run, monkeypatch):
    compare, calls = pipeline.plan_import, []

    def compare_and_be_disturbed(contents, order):
        calls.append(compare(contents, order))
        if len(calls) == 1:
            Organizer.objects.create(name="ada, bo")
        return calls[-1]

    monkeypatch.setattr(pipeline, "plan_import", compare_and_be_disturbed)
    run(build_xml(TEA))
    assert len(calls) == 2
    assert values_of(Event, "organizer__name") == [("ada, bo",)]


@pytest.mark.parametrize("count", [1, 3, 300])
def test_an_import_that_changes_nothing_takes_the_same_queries_for_any_number(
    run, count, django_assert_num_queries
):
    events = [
        TEA | {"id": str(n), "guid": f"g{n}", "title": f"Tea {n}", "room": f"R{n}"} for n in range(count)
    ]
    run(build_xml(*events))
    # The revision; the festival's days, and its editions for days that look wrong; what the last import said; areas, locations, places in use, rooms,
    # organizers, types, languages; the source's events and occasions, with what they name.
    with django_assert_num_queries(17):
        run(build_xml(*events))
