"""Every address and every command by which occasions are written tells readers of what is news, by default.

An address or a command that is new fails here until it is listed: with how it tells, or that it need not.
"""

import datetime as dt
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands
from django.test import Client
from django.urls import URLPattern, get_resolver

from festival import clock
from programme.history import edits
from programme.models import Edit, Event, Occasion
from tests.conftest import NOW, SetClock
from tests.organizers import decide, suggest
from tests.programme.backoffice.bulk import pages
from tests.programme.backoffice.changes.pages import undo, write
from tests.programme.backoffice.imports.pages import ROWS, apply_preview, build_sheet, show_preview
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.requests import send, submission
from tests.programme.backoffice.restore.history_pages import list_links, restore
from tests.programme.backoffice.timetable.reading import drop
from tests.programme.exchange.imports import import_file
from tests.programmes import JAZZ, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"
HOUR = dt.timedelta(hours=1)
# Of Jazz, which has two occasions to come, and of an event with one; both are published.
JAZZ_AT_FOUR, CLOCKS_AT_FOUR = 8001, 8014
# "Fest" of the sheet starts an hour later.
LATER = build_sheet("Fest;Parken;Scen;2026-09-12;20;21;Fri", *ROWS[1:])


def by_the_form_of_its_event(office: Client, _path: Path) -> int:
    rows = submission(office.get(f"{EVENTS}{JAZZ}/change/"))
    row = next(name.removesuffix("id") for name, value in rows.items() if value == str(JAZZ_AT_FOUR))
    send(office, f"{EVENTS}{JAZZ}/change/", **{f"{row}start_time": "18", f"{row}end_time": "19"})
    return JAZZ_AT_FOUR


def by_an_action(office: Client, address: str, row: int) -> int:
    pages.change(office, "cancel", [row], address)
    return JAZZ_AT_FOUR


def by_the_list_of_occasions(office: Client, _path: Path) -> int:
    return by_an_action(office, OCCASIONS, JAZZ_AT_FOUR)


def by_the_list_of_events(office: Client, _path: Path) -> int:
    return by_an_action(office, EVENTS, JAZZ)


def by_the_timetable(office: Client, _path: Path) -> int:
    drop(office, JAZZ_AT_FOUR, minute=18 * 60)
    return JAZZ_AT_FOUR


def by_an_accepted_suggestion(office: Client, _path: Path) -> int:
    decide(office, suggest(**{"occasion-8001-start_time": "18:00", "occasion-8001-end_time": "19:00"}))
    return JAZZ_AT_FOUR


def by_undoing_a_change(office: Client, _path: Path) -> int:
    at_five = {"start": utc(2026, 7, 29, 17), "end": utc(2026, 7, 29, 18)}
    # What is told at once is not told any more if it is undone at once.
    with edits.record(moment=clock.now() - HOUR):
        Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(**at_five)
    undo(office, Edit.objects.latest("pk"))
    return JAZZ_AT_FOUR


def by_taking_a_field_back(office: Client, _path: Path) -> int:
    edit = write(lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(cancelled=True))
    restore(office, f"/admin/changes/{edit.pk}/occasion/{JAZZ_AT_FOUR}/cancelled/")
    return JAZZ_AT_FOUR


def by_restoring(office: Client, history: str) -> int:
    write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    write(lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(stream=None, cancelled=True))
    write(lambda: Occasion.objects.filter(pk=JAZZ_AT_FOUR).update(cancelled=False))
    restore(office, list_links(office, history)[0])
    return JAZZ_AT_FOUR


def by_restoring_an_event(office: Client, _path: Path) -> int:
    return by_restoring(office, f"{EVENTS}{JAZZ}/history/")


def by_restoring_an_occasion(office: Client, _path: Path) -> int:
    return by_restoring(office, f"{OCCASIONS}{JAZZ_AT_FOUR}/history/")


def find_fest() -> int:
    return Occasion.objects.filter(event__title="Fest").earliest("start").pk


def by_a_second_import(office: Client, _path: Path) -> int:
    for sheet in (build_sheet(*ROWS), LATER):
        apply_preview(office, show_preview(office, sheet))
    return find_fest()


def by_the_command(_office: Client, path: Path) -> int:
    for sheet in (build_sheet(*ROWS), LATER):
        (path / "x.csv").write_bytes(sheet)
        with edits.record(moment=clock.now()):
            import_file(path / "x.csv", "--source", "office")
    return find_fest()


Way = Callable[[Client, Path], int]
WAYS: dict[str, Way] = {
    "admin:programme_event_change": by_the_form_of_its_event,
    "admin:programme_occasion_changelist": by_the_list_of_occasions,
    "admin:programme_event_changelist": by_the_list_of_events,
    "admin:timetable_day": by_the_timetable,
    "admin:suggestion": by_an_accepted_suggestion,
    "admin:change_undo": by_undoing_a_change,
    "admin:change_take_back": by_taking_a_field_back,
    "admin:programme_event_bring_back": by_restoring_an_event,
    "admin:programme_occasion_bring_back": by_restoring_an_occasion,
    "admin:import_apply": by_a_second_import,
}
COMMANDS: dict[str, Way] = {"import": by_the_command}
EACH = [*WAYS.values(), *COMMANDS.values()]

# What is new or withdrawn is news, too, but there is nothing to mark: programme/history/news.py.
APPEAR = {
    f"admin:programme_{name}" for name in ("event_add", "event_delete", "event_duplicate", "occasion_delete")
}
# They show, or write something else: previews that are rolled back, sheets, suggestions.
NOTHING = {
    "admin:import_cells",
    *(f"admin:programme_event_{name}" for name in ("deleted", "export", "history", "preview", "preview_new")),
    *(f"admin:programme_occasion_{name}" for name in ("add", "change", "deleted", "history")),
    # That something is full is told if the editor says so: admin/test_quick_facts.py.
    "admin:programme_occasion_fact",
    *(f"admin:import{name}" for name in ("", "_answers", "_done", "_file", "_read", "_table")),
    *(
        "admin:days",
        "admin:settings",
        "admin:places",
        "admin:merge",
        "admin:choose_edition",
        "admin:timetable_sheets",
    ),
    *(f"admin:{name}" for name in ("None", "app_list", "autocomplete", "change", "changes", "handbook")),
    *(f"admin:{name}" for name in ("index", "jsi18n", "login", "logout", "organizer_links", "problems")),
    *("admin:news", "admin:news_entry", "admin:news_take_back"),
    *(f"admin:{name}" for name in ("suggestion_image", "suggestions", "times", "timetable", "view_on_site")),
    *("organizer", "organizer-enter", "organizer-event", "organizer-image", "organizer-times"),
}
# What no occasion is part of: other models, whose names and places readers see with it, and accounts.
OTHERS = (
    *(
        f"admin:programme_{name}_*"
        for name in ("area", "edition", "eventtype", "festival", "language", "location")
    ),
    *(f"admin:programme_{name}_*" for name in ("occasionlist", "organizer", "room", "stream", "subarea")),
    *("admin:auth_*", "admin:accounts_*", "admin:password_*"),
)
# They copy or create a database as a whole, or write no occasion.
OTHER_COMMANDS = {"address", "backup", "demo", "export", "move-in", "restore", "serve", "sweep", "user"}


def list_addresses(patterns: Any, space: str = "") -> Iterator[str]:
    for each in patterns:
        if isinstance(each, URLPattern):
            yield f"{space}{each.name}"
        else:
            yield from list_addresses(each.url_patterns, f"{each.namespace}:" if each.namespace else space)


def test_every_address_is_listed() -> None:
    found = {
        name for name in list_addresses(get_resolver().url_patterns) if name.startswith(("admin:", "org"))
    }
    known = WAYS.keys() | APPEAR | NOTHING
    assert {name for name in found - known if not any(fnmatch(name, each) for each in OTHERS)} == set()
    assert known - found == set()


def test_every_command_is_listed() -> None:
    own = {name for name, app in get_commands().items() if app in {"festival", "programme"}}
    assert own == COMMANDS.keys() | OTHER_COMMANDS


@pytest.mark.parametrize("way", EACH, ids=lambda way: way.__name__)
def test_each_way_tells_readers_by_default(office: Client, tmp_path: Path, at: SetClock, way: Way) -> None:
    at(NOW)
    key = way(office, tmp_path)
    told = {occasion for _kind, occasion, _note in list_told(NOW)}
    assert key in told
    # And of nothing else.
    event = Occasion.objects.get(pk=key).event
    assert told <= {*event.occasions.values_list("pk", flat=True)}
