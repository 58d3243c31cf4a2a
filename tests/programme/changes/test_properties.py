"""Any plan written and undone leaves the rows as they were, and nobody overwrites what they have not seen."""

import datetime as dt
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from programme.backoffice import schedule
from programme.backoffice.timetable.writing import load_occasion
from programme.changes import writing
from programme.changes.change import Change, Plan
from programme.changes.undo import plan_undo
from programme.history.edits import record
from programme.models import Edit, Edition, Event, Occasion, ScheduledPublication, Status
from tests.conftest import NOW
from tests.organizers import decide, suggest
from tests.programme.backoffice.changes.pages import write
from tests.programme.backoffice.merging.pages import merge
from tests.programme.backoffice.requests import parse, send, submission
from tests.programme.backoffice.rights.people import office_of
from tests.programme.backoffice.timetable.reading import add, drop
from tests.programme.changes.rows import read_rows
from tests.programme.exchange.imports import import_file
from tests.programme.exchange.schedules import TEA, build_xml
from tests.programmes import ASA, FORENINGEN, JAZZ, NIGHT, PARKEN, TORGET

HOUR = dt.timedelta(hours=1)


# --- Written and undone ---------------------------------------------------------------------------

of_events = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["Ny", "Natt", "Jazz"]),
        "price": st.sampled_from(["", "1 kr"]),
        "status": st.sampled_from(list(Status.values)),
        "organizer_id": st.sampled_from([None, ASA, FORENINGEN]),
        "area_id": st.sampled_from([TORGET, PARKEN]),
    },
)
of_occasions = st.fixed_dictionaries(
    {},
    optional={
        "cancelled": st.booleans(),
        "booking": st.sampled_from(["", "full"]),
        "location_id": st.sampled_from([5001, 5003]),
        "room_id": st.none(),
        "by": st.integers(-3, 3),
    },
)


def plan_at_random(events: Any, occasions: Any, deleted: Any, created: int) -> Plan:
    """Return a plan that changes, deletes and creates rows of the sample."""
    changes: dict[Any, Change] = {}
    for row, values in zip(Event.objects.order_by("pk"), events, strict=False):
        after = copy(row)
        vars(after).update(values | ({"sub_area_id": None} if "area_id" in values else {}))
        changes[Event, row.pk] = Change.of(row, after)
    for row, values in zip(Occasion.objects.order_by("pk"), occasions, strict=False):
        by = values.pop("by", 0) * HOUR
        after = copy(row)
        vars(after).update(values | {"start": row.start + by, "end": row.end + by})
        changes[Occasion, row.pk] = Change.of(row, after)
    for event in Event.objects.filter(pk__in=[7001 + number for number in deleted]):
        for row in (event, *event.occasions.all()):
            changes[type(row), row.pk] = Change.of(row, None)
    for number in range(created):
        new = Event(title=f"Nr {number}", area_id=TORGET, type_id=4001)
        for row in (new, Occasion(event=new, start=NOW, end=NOW + HOUR)):
            changes[number, type(row)] = Change.of(None, row)
    return Plan([*changes.values()], "changed many at once")


@given(
    drawn=st.tuples(
        st.lists(of_events, min_size=1, max_size=7),
        st.lists(of_occasions, min_size=1, max_size=9),
        st.sets(st.integers(0, 6), max_size=2),
        st.integers(0, 2),
    )
)
@pytest.mark.usefixtures("sample")
def test_what_is_written_and_undone_and_done_again_is_as_it_was(drawn: Any) -> None:
    with transaction.atomic():
        before, plan = read_rows(), plan_at_random(*drawn)
        if not plan.written:
            return
        edit = write(lambda: writing.write(plan))
        after = read_rows()
        back = plan_undo(edit)
        assert back.refused == []
        undone = write(lambda: writing.write(back))
        assert read_rows() == before
        again = plan_undo(undone)
        assert again.refused == []
        write(lambda: writing.write(again))
        assert read_rows() == after
        transaction.set_rollback(True)


def make_next_edition(office: Client) -> Any:
    days = dt.date(2026, 7, 29), dt.date(2026, 8, 1)
    edition = Edition.objects.create(slug="2026", name_sv="2026", first_day=days[0], last_day=days[1])
    address = f"/admin/programme/edition/{edition.pk}/next/"
    shown = office.post(address, submission(office.get(address)) | {"events": "all", "show": "1"})
    return office.post(address, submission(shown))


MAKERS = {
    "the timetable moves": lambda office: drop(office, 8001, minute=1100, column="l5003"),
    "the timetable adds": lambda office: add(office, title="Yoga", area=PARKEN),
    "marking": lambda office: send(office, "/admin/programme/occasion/8001/fact/booking/full/"),
    "merging": lambda office: merge(office, "location", [5001, 5003]),
    "the next edition": make_next_edition,
    "a suggestion": lambda office: decide(office, suggest(NIGHT, ASA, title="Ny titel")),
    "restoring": lambda office: send(office, f"/admin/changes/{name_change().pk}/event/{JAZZ}/title/"),
}


def name_change() -> Edit:
    return write(lambda: Event.objects.filter(pk=JAZZ).update(title="Annan"))


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.usefixtures("at", "sample")
def test_what_each_maker_of_plans_writes_is_undone_whole(office: Client, maker: str) -> None:
    before = read_rows()
    assert MAKERS[maker](office).status_code in {200, 302}
    edit = Edit.objects.latest("pk")
    if maker == "restoring":
        before[Event, JAZZ]["title"] = "Annan"
    if maker == "the next edition":
        before |= {
            key: row for key, row in read_rows().items() if key[0] is Edition and row["slug"] == "2026"
        }
    assert read_rows() != before
    back = plan_undo(edit)
    assert back.refused == []
    write(lambda: writing.write(back))
    assert read_rows() == before


of_sheets = st.lists(
    st.tuples(
        st.sampled_from(["Yoga", "Kvartett", "Bokbord"]),
        st.sampled_from(["Torget", "Hamnplan"]),
        st.sampled_from(["Biografen", "Magasinet", ""]),
        st.sampled_from(["Salen", ""]),
        st.integers(12, 13),
        st.sampled_from([10, 17]),
        st.sampled_from(["", "1 kr", "2 kr"]),
    ),
    min_size=1,
    max_size=5,
)


@given(sheets=st.tuples(of_sheets, of_sheets), edited=st.sets(st.integers(0, 3)), gone=st.booleans())
@settings(max_examples=15)
@pytest.mark.usefixtures("at", "sample")
def test_what_an_import_writes_is_undone_by_whole_rows(
    sheets: Any, edited: set[int], gone: bool, tmp_path: Path
) -> None:
    def bring_in(rows: Any) -> None:
        lines = (";".join(map(str, (*row[:4], f"2026-09-{row[4]}", *row[5:]))) for row in rows)
        path = tmp_path / "sheet.csv"
        path.write_text("\n".join(["Titel;Område;Plats;Lokal;Datum;Start;Pris", *lines]))
        import_file(path, "--source", "office", "--withdraw-missing", "--overwrite")

    with transaction.atomic():
        bring_in(sheets[0])
        with record():
            for number, event in enumerate(Event.objects.filter(source="office").order_by("pk")):
                if number in edited:
                    Event.objects.filter(pk=event.pk).update(price="Edited")
                elif gone:
                    event.occasions.all().delete()
        before, last = read_rows(), Edit.objects.latest("pk")
        bring_in(sheets[1])
        after, edit = read_rows(), Edit.objects.latest("pk")
        assert (edit == last) is (after == before)
        if edit != last:
            back = plan_undo(edit)
            assert back.refused == []
            undone = write(lambda: writing.write(back))
            assert read_rows() == before
            write(lambda: writing.write(plan_undo(undone)))
            assert read_rows() == after
        transaction.set_rollback(True)


# --- Several at once ------------------------------------------------------------------------------


class Office:
    """Two editors with the form of one event and the timetable open, an import, and a planned publication."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        self.clients = {name: office_of(User.objects.create_superuser(name)) for name in ("anna", "bo")}
        self.importing("Tea")
        self.event = Event.objects.get(source_id__startswith="1")
        Event.objects.filter(pk=self.event.pk).update(status=Status.DRAFT)
        self.form = f"/admin/programme/event/{self.event.pk}/change/"
        # What each editor has been shown, and what an import has written.
        self.seen: dict[str, set[str]] = {name: set() for name in self.clients}
        self.imported = {"Tea"}
        self.occasion = self.event.occasions.get().pk
        self.forms = {name: self.open(name) for name in self.clients}
        self.screens = dict.fromkeys(self.clients, self.look())
        self.now = self.read()

    def read(self) -> dict[str, Any]:
        return Event.objects.values("title", "price", "status", "occasions__start").get(pk=self.event.pk)

    def look(self) -> str:
        """Return what the timetable shows of the occasion."""
        shown = load_occasion(self.occasion)
        assert shown
        return shown.seen

    def open(self, name: str) -> dict[str, Any]:
        self.seen[name] |= {str(value) for value in self.read().values()}
        return submission(self.clients[name].get(self.form))

    def importing(self, title: str) -> None:
        path = self.folder / "schedule.xml"
        path.write_text(build_xml(TEA | {"title": title}))
        import_file(path)

    def save(self, name: str, field: str, choice: str) -> None:
        """Save another value of a field; of what another has saved meanwhile, this or that is chosen."""
        self.count += 1
        value, client = f"{name} {self.count}", self.clients[name]
        page = client.post(self.form, self.forms[name] | {field: value})
        chosen = "mine"
        for _turn in range(3):
            if page.status_code != 200:
                break
            shown, chosen = parse(page), choice
            self.seen[name] |= {each.get_text().strip() for each in shown.select(".value")}
            names = {str(each["name"]) for each in shown.select("fieldset.difference input[type=radio]")}
            page = client.post(self.form, submission(page) | dict.fromkeys(names, choice))
        assert page.status_code == 302
        now = self.read()
        assert (now[field] == value) is (chosen == "mine")
        self.check(now, self.seen[name] | {value})
        self.forms[name] = self.open(name)

    def state(self) -> None:
        self.count += 1
        title = f"Tea {self.count}"
        self.importing(title)
        self.imported.add(title)
        now = self.read()
        assert now["title"] in (self.now["title"], title)
        self.check(now, self.imported)

    def drag(self, name: str) -> None:
        """Move the occasion as an editor saw it last: over nothing that was changed since."""
        self.count += 1
        is_current = self.screens[name] == self.look()
        minute = {"minute": 600 + 15 * self.count, "seen": self.screens[name]}
        moved = drop(self.clients[name], self.occasion, **minute)
        assert moved.status_code == (200 if is_current else 409)
        now = self.read()
        assert (now["occasions__start"] != self.now["occasions__start"]) == is_current
        assert now | {"occasions__start": None} == self.now | {"occasions__start": None}
        self.screens[name], self.now = self.look(), now

    def publish(self) -> None:
        ScheduledPublication.objects.update_or_create(
            event=self.event,
            defaults={"due": NOW, "status": Status.PUBLISHED, "user": User.objects.get(username="anna")},
        )
        schedule.carry_out(NOW, lambda key: User.objects.get(pk=key))
        now = self.read()
        assert now == self.now | {"status": Status.PUBLISHED}
        self.now = now

    def check(self, now: dict[str, str], seen: set[str]) -> None:
        """Let what has gone be what whoever has replaced it has seen."""
        gone = {self.now[name] for name in ("title", "price") if now[name] != self.now[name]}
        assert gone - {""} <= seen
        assert all(now[name] == self.now[name] for name in ("status", "occasions__start"))
        self.now = now


saves = st.tuples(*map(st.sampled_from, (["save"], ["anna", "bo"], ["title", "price"], ["mine", "theirs"])))
drags = st.tuples(st.just("drag"), st.sampled_from(["anna", "bo"]))
steps = st.lists(st.one_of(saves, drags, st.just(("state",)), st.just(("publish",))), min_size=2, max_size=6)


@settings(max_examples=8)
@given(done=steps)
@pytest.mark.usefixtures("at", "sample")
def test_editors_a_timetable_an_import_and_a_planned_publication_lose_nothing_unseen(
    done: Any, tmp_path: Path
) -> None:
    with transaction.atomic():
        office = Office(tmp_path)
        for name, *values in done:
            getattr(office, name)(*values)
        transaction.set_rollback(True)
