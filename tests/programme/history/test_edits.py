"""Every way of writing the programme is recorded with editor, moment and reason."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from programme import models as programme
from programme.history import edits
from programme.models import Area, Edit, Editing, Event, Occasion, Organizer, Stream, models_with_history
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.requests import row_fields, submission
from tests.programme.exchange.imports import import_file
from tests.programme.exchange.schedules import FEAST, TEA, build_xml
from tests.programmes import DRAFT, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("at")

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"
BY_ANNA = ("anna", NOW)


Version = tuple[str, str, int, str]


def versions() -> list[Any]:
    """Return all versions there are, in the order of the models and then of being written."""
    return [version for model in models_with_history() for version in model.history.order_by("history_id")]


def written(write: Callable[[], object]) -> list[Version]:
    """Return of each version that is written: model, kind, the row's key, and why; sorted."""
    before = {(type(version), version.history_id) for version in versions()}
    write()
    new = [each for each in versions() if (type(each), each.history_id) not in before]
    return sorted(
        (each.instance_type.__name__, each.history_type, each.id, each.edit.reason if each.edit else "")
        for each in new
    )


def known_edits() -> list[tuple[str, dt.datetime]]:
    return list(Edit.objects.order_by("id").values_list("name", "moment"))


@pytest.mark.usefixtures("sample")
def test_a_version_holds_every_value_of_the_row():
    for model in models_with_history():
        fields = [field.attname for field in model.history.model.tracked_fields]
        now = {each["id"]: each for each in model.objects.values(*fields)}
        latest = {each["id"]: each for each in model.history.order_by("history_id").values(*fields)}
        for each in (*now.values(), *latest.values()):
            # Set by the database a moment after the row, and the same ever since.
            each.pop("published_at", None)
        assert latest == now


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("write", "new"),
    [
        # What the database moves along, and values that are the same, make no version.
        (lambda: Event.objects.update(last_modified=NOW), []),
        (lambda: Occasion.objects.filter(id=8001).update(published_at=NOW), []),
        (lambda: Area.objects.filter(id=programmes.TORGET).update(name="Ångtorget"), []),
        # Cascades, and what is set to nothing.
        (
            lambda: Stream.objects.get(id=9003).delete(),
            [("Stream", "-", 9003, ""), ("Occasion", "~", 8001, "")],
        ),
        (
            lambda: Event.objects.get(id=DRAFT).delete(),
            [("Event", "-", DRAFT, ""), ("Occasion", "-", 8017, "")],
        ),
    ],
)
def test_bulk_paths_and_cascades_are_recorded_row_by_row(write, new):
    assert written(write) == sorted(new)


@pytest.mark.django_db
def test_a_recorded_edit_has_its_reason(anna):
    with edits.record(anna, NOW, "import", "36C3"):
        torget = Area.objects.create(name="Torget")
        with edits.record(reason="publish"):
            Organizer.objects.create(name="Föreningen")
        assert edits.set_reason("move", "by hand")
        Area.objects.update(price="1 kr")
    outside = Area.objects.create(name="Parken")
    [edit] = Edit.objects.all()
    assert (edit.user, edit.name, edit.moment) == (anna, "anna", NOW)
    assert (edit.reason, edit.detail) == ("move", "by hand")
    assert [
        (each.history_type, each.history_date, each.edit, each.history_user) for each in torget.history.all()
    ] == [("~", NOW, edit, anna), ("+", NOW, edit, anna)]
    assert [each.edit for each in outside.history.all()] == [None]
    assert not edits.set_reason("nobody edits")
    with edits.record(reason="import"):
        pass
    assert Edit.objects.count() == 1
    assert Editing.objects.count() == 0


@pytest.mark.usefixtures("sample")
def test_history_outlives_the_editor(anna):
    with edits.record(anna, NOW):
        Event.objects.filter(id=JAZZ).update(price="1 kr")
    anna.delete()
    assert list(Edit.objects.values_list("user", "name")) == [(None, "anna")]


def change(model: str, key: int) -> str:
    return f"/admin/programme/{model}/{key}/change/"


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("model", "key"), [("event", JAZZ), ("area", programmes.TORGET), ("location", 5001), ("festival", 1)]
)
def test_a_form_saved_unchanged_makes_no_history(office, model, key):
    sent = submission(office.get(change(model, key)))

    def save() -> None:
        assert office.post(change(model, key), sent).status_code == 302

    assert written(save) == []
    assert known_edits() == []


@pytest.mark.usefixtures("sample")
def test_a_form_and_its_rows_are_one_edit(office):
    sent = submission(office.get(change("event", NIGHT)))
    count = int(sent["occasions-TOTAL_FORMS"])
    added = row_fields(
        "occasions", count, id="", event=str(NIGHT), day="2026-07-31", start_time="9", end_time="10"
    )
    sent |= {
        "title": "Natt",
        "occasions-0-end_time": "03:33",
        "occasions-TOTAL_FORMS": str(count + 1),
    } | added
    new = written(lambda: office.post(change("event", NIGHT), sent))
    latest = Occasion.objects.get(event=NIGHT, start__date="2026-07-31").pk
    first = int(sent["occasions-0-id"])
    assert new == [("Event", "~", NIGHT, ""), ("Occasion", "+", latest, ""), ("Occasion", "~", first, "")]
    assert known_edits() == [BY_ANNA]


@pytest.mark.django_db
def test_an_import_is_one_edit_that_names_its_source(tmp_path):
    file = tmp_path / "schedule.xml"

    def bring_in(event: dict[str, Any]) -> Callable[[], None]:
        file.write_text(build_xml(event, conference=FEAST))
        return lambda: import_file(file)

    first = written(bring_in(TEA))
    assert sorted({(name, kind, why) for name, kind, _key, why in first}) == [
        (name, "+", "import")
        for name in ("Area", "Event", "EventType", "Language", "Location", "Occasion", "Organizer", "Room")
    ]
    assert list(Edit.objects.values_list("user", "reason", "detail")) == [(None, "import", "feast26")]
    changed = written(bring_in(TEA | {"title": "Green tea"}))
    assert changed == [("Event", "~", Event.objects.get().pk, "import")]
    assert Edit.objects.count() == 2


@pytest.mark.usefixtures("sample")
def test_history_does_not_move_the_revision():
    before = programme.Revision.objects.values().get()
    with edits.record(reason="import"):
        Event.history.update(title="Förr")
        Event.history.all().delete()
    assert programme.Revision.objects.values().get() == before
