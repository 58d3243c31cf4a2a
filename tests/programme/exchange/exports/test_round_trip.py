"""Exported files are imported again: without a change, or into an empty database."""
# ruff: noqa: PLR0917 - what hypothesis draws

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feeds.vocabulary import LANGUAGES
from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import ExportPlace
from programme.models import (
    Area,
    Event,
    EventType,
    GoneOccasion,
    ImportedRow,
    Language,
    Location,
    Occasion,
    Organizer,
    Revision,
    Room,
    SubArea,
)
from programme.models.fields import Line
from tests.programmes import BARE, JAZZ, MARATHON, occasion_uuid

pytestmark = pytest.mark.django_db

FORMATS = [name for name in EXPORTS if name in {"ical", "frab-xml", "frab-json"}]
FRAB = ["frab-xml", "frab-json"]


@pytest.fixture
def exported(tmp_path: Path):
    def export(name: str, *options: str) -> Path:
        path = tmp_path / f"programme.{EXPORTS[name].extension}"
        call_command("export_schedule", str(path), "--format", name, "--drafts", *options)
        return path

    return export


def bring_back(path: Path, *options: str) -> None:
    call_command("import_schedule", str(path), *options, verbosity=0)


def state() -> tuple[Any, ...]:
    return Revision.objects.values_list("number", "moved_at").get()


def empty() -> None:
    """Take everything away, the memory of it too."""
    kinds = (Occasion, Event, Room, Location, Organizer, SubArea, Area, EventType, Language)
    for model in (*kinds, GoneOccasion, ImportedRow):
        model.objects.all().delete()


def carried(*, frab: bool, language: str = "sv") -> dict[str, dict[str, Any]]:
    """Return by the identity of each occasion all that a format has a place for."""
    return {
        str(occasion.uuid): _carried(occasion, language) | ({"language": _code(occasion)} if frab else {})
        for occasion in Occasion.objects.select_related("event__area", "location", "room__location")
    }


def _code(occasion: Occasion) -> str:
    return occasion.event.language.code if occasion.event.language else ""


def _carried(occasion: Occasion, language: str) -> dict[str, Any]:
    event = occasion.event
    texts = [(language, event), *((other, event) for other in LANGUAGES if other != language)]
    stated = next(
        (
            name
            for name, _ in texts
            if getattr(event, f"intro_{name}") or getattr(event, f"description_{name}")
        ),
        "",
    )
    return {
        "start": occasion.start,
        "end": occasion.end,
        "cancelled": (event.cancelled, occasion.cancelled),
        "title": event.title,
        "status": event.status,
        "area": event.area.name,
        "sub_area": event.sub_area.name if event.sub_area else "",
        "type": event.type.name_sv,
        "organizer": event.organizer.name if event.organizer else "",
        "place": ExportPlace.of(event.location, event.room),
        "own_place": ExportPlace.of(occasion.location, occasion.room),
        "texts": [getattr(event, f"{name}_{stated}") for name in ("intro", "description") if stated],
        "external_url": event.external_url,
        "image_url": event.image_url,
        "siblings": sorted(str(each.uuid) for each in event.occasions.all()),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
def test_into_the_same_database_nothing_changes(name, language, sample, exported):
    before = state()
    bring_back(exported(name, "--language", language))
    assert state() == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
def test_into_an_empty_database_all_comes_that_the_format_carries(name, language, sample, exported):
    before = carried(frab=name in FRAB, language=language)
    path = exported(name, "--language", language)
    empty()
    bring_back(path)
    assert carried(frab=name in FRAB, language=language) == before
    # What has just come in comes in again without a change.
    there = state()
    bring_back(path)
    assert state() == there


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_edited_in_the_file_is_taken(name, sample, exported):
    path = exported(name)
    path.write_text(path.read_text().replace("Bara en titel", "En annan titel"))
    bring_back(path)
    assert Event.objects.get(pk=BARE).title == "En annan titel"


@pytest.mark.parametrize(("name", "mark"), [("ical", "STATUS:CONFIRMED"), *((name, "") for name in FRAB)])
def test_what_is_cancelled_in_the_file_is_cancelled(name, mark, sample, exported):
    path = exported(name)
    content = path.read_bytes().decode()
    if name == "ical":
        begin = content.index(f"UID:{occasion_uuid(8011)}")
        content = content[:begin] + content[begin:].replace(mark, "STATUS:CANCELLED", 1)
    else:
        begin = content.index(str(occasion_uuid(8011)))
        content = content[:begin] + content[begin:].replace("Bara en titel", "[INSTÄLLT] Bara en titel", 1)
    path.write_bytes(content.encode())
    bring_back(path)
    found = dict(Occasion.objects.filter(event=BARE).values_list("id", "cancelled"))
    assert found == {8011: True, 8012: False, 8013: False, 8015: False, 8016: False}
    assert not Event.objects.get(pk=BARE).cancelled


@pytest.mark.parametrize("name", FORMATS)
def test_an_occasion_may_last_long_and_end_at_any_second(name, sample, exported):
    occasion = Occasion.objects.get(pk=8009)
    Occasion.objects.filter(pk=8009).update(end=occasion.start + timedelta(days=100, seconds=7))
    before = state()
    bring_back(exported(name))
    assert state() == before


@pytest.mark.parametrize("name", FORMATS)
def test_places_of_the_same_name_stay_apart(name, sample, exported):
    first = Event.objects.get(pk=JAZZ).location
    other = Location.objects.create(name=first.name, address="Någon annanstans 7")
    Event.objects.filter(pk=MARATHON).update(location=other, room=None)
    before, all_of_it = state(), carried(frab=name in FRAB)
    path = exported(name)
    bring_back(path)
    assert state() == before
    empty()
    bring_back(path)
    assert carried(frab=name in FRAB) == all_of_it


prose = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    [
        "",
        "a\n\nb",
        "\n",
        "* x *",
        "# x",
        "<p>x</p>",
        "]]>",
        "?>",
        "--",
        "\\n \\N \\, ;",
        "a\n b",
        "\"^n^'^^",
        "[INSTÄLLT] x",
    ]
)
line = prose.filter(lambda text: Line().to_python(text))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line, line, line, prose, prose)
def test_whatever_the_texts_are_they_come_back(name, sample, exported, title, place, person, intro, text):
    event = Event.objects.get(pk=JAZZ)
    event.title = title
    event.intro_sv, event.description_sv = intro, text
    event.organizer.name = event.location.name = person
    event.room.name = place
    for row in (event, event.organizer, event.location, event.room):
        row.save()
    before = state()
    bring_back(exported(name))
    assert state() == before
    Event.objects.get(pk=JAZZ)


# --- The command ----------------------------------------------------------------------------


def test_the_extension_names_the_format(sample, tmp_path):
    for name in FORMATS:
        path = tmp_path / f"x.{EXPORTS[name].extension}"
        call_command("export_schedule", str(path))
        assert path.read_bytes().startswith((b"BEGIN:VCALENDAR", b"<?xml", b"{"))


def test_without_drafts_only_published_events_are_exported(sample, tmp_path):
    path = tmp_path / "x.ics"
    call_command("export_schedule", str(path))
    assert str(occasion_uuid(8017)) not in path.read_text()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["x.doc"], "--format"),
        (["x.ics", "--area", "Nowhere"], "no area Nowhere|inget område Nowhere"),
        (["/nowhere/x.ics"], "nowhere"),
    ],
)
def test_what_cannot_be_exported_is_reported(options, says, sample):
    with pytest.raises(CommandError, match=re.compile(says)):
        call_command("export_schedule", *options)


def test_an_area_is_exported_by_its_name(sample, tmp_path):
    path = tmp_path / "x.ics"
    call_command("export_schedule", str(path), "--area", Event.objects.get(pk=MARATHON).area.name)
    found = set(re.findall(r"UID:(\S+)", path.read_text()))
    assert found == {
        str(uuid)
        for uuid in Occasion.objects.filter(event__area=Event.objects.get(pk=MARATHON).area).values_list(
            "uuid", flat=True
        )
    }
