"""The context of a day's page, in a constant number of queries."""

import datetime as dt
from typing import Any
from urllib.parse import quote

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst

from feeds.day_layout import HOUR, MinuteSpan, clip_to_day, count_minutes, find_visible_hours, is_long
from feeds.wording import format_day, format_relative_day
from programme.api.instant import get_instant
from programme.backoffice.dates import count_by_day, editor_language
from programme.backoffice.rights import EventState, rights_of
from programme.backoffice.timetable import days
from programme.backoffice.timetable.class_rules import ClassRules
from programme.backoffice.timetable.columns import column_key, load_columns, split_into_sheets, write_options
from programme.backoffice.timetable.filters import TimetableFilterForm
from programme.backoffice.timetable.grid import Grid, GridAreas, GridDay, GridLayout, build_spans, load_areas
from programme.backoffice.timetable.initial_position import (
    TimedOccasion,
    find_current_or_next,
    find_first_of_day,
)
from programme.backoffice.timetable.occasions import DayClashes, find_day_clashes, load_occasions_of_day
from programme.backoffice.timetable.shelf import DEFAULT_MINUTES, load_shelf
from programme.models import Occasion
from programme.models.festival_time import festival_time

# So many columns can be read on a sheet of paper that lies on its side.
MAX_SHEET_WIDTH = 8


def build_day_context(request: HttpRequest, date: dt.date) -> dict[str, Any]:
    everything, columns, every_area = load_occasions_of_day(date), load_columns(), load_areas()
    choices = TimetableFilterForm(request.GET, every_area.names, columns)
    chosen = [each for each in everything if choices.includes(each)]
    shown = choices.columns(columns, {column_key(each.place) for each in chosen})
    rights = rights_of(request.user)
    movable = frozenset(
        each.id
        for each in chosen
        if rights.can_in_state("change", Occasion, EventState(each.area, each.status))
    )
    clashes = find_day_clashes(everything)
    day = GridDay(date, every_area, clashes.others, movable, _build_form_address(request))
    present = {each.area for each in chosen}
    festival, timed = festival_time(), build_spans(chosen, date)
    short = [clip_to_day(span, festival.first_hour) for _, span in timed if not is_long(span)]
    hours = find_visible_hours(short, festival.first_hour, whole_day=choices.whole_day)
    rules = ClassRules()
    drawing = GridLayout(day, shown, timed, hours, rules)
    grid = drawing.grid()
    sheets = split_into_sheets(shown, drawing.widths, MAX_SHEET_WIDTH)
    on_paper = "print" in request.GET
    return {
        "date": date,
        "heading": capfirst(format_day(date, editor_language())),
        "choices": choices,
        "columns": columns,
        "options": write_options(columns),
        "grid": grid,
        "grids": [drawing.grid(sheet) for sheet in sheets] if on_paper else [grid],
        "on_paper": on_paper,
        "fits_paper": sum(drawing.widths.values()) <= MAX_SHEET_WIDTH,
        "hours": hours,
        **_build_position_context(
            grid, hours, _find_current_minute(request, date), festival.first_hour * HOUR, rules
        ),
        "rules": rules,
        "legend": [
            (name, rules.name(f"--colour:{every_area.colours[key]}"))
            for key, name in every_area.names.items()
            if key in present
        ],
        "counts": _count_occasions(grid, len(everything), clashes, festival.first_hour * HOUR),
        "query": request.GET.urlencode(),
        **({} if on_paper else _build_offers(request, choices, date, every_area)),
        "clashes": clashes.others,
    }


def _build_form_address(request: HttpRequest) -> str:
    """Return the address of an occasion's form, which leads back to what is chosen; `%d` for the ID."""
    back = quote(request.GET.urlencode(), safe="").replace("%", "%%")
    return f"{reverse('admin:programme_occasion_changelist')}%d/change/?timetable={back}"


def _build_offers(
    request: HttpRequest, choices: TimetableFilterForm, date: dt.date, areas: GridAreas
) -> dict[str, Any]:
    """Return what the user may put into the day: what is on the shelf, and new drafts of which areas."""
    rights = rights_of(request.user)
    own = {key: name for key, name in areas.names.items() if rights.has_area(key)}
    return {
        "can_create": bool(own) and rights.has_permission("add_occasion"),
        "draft_areas": own if rights.can_add_event() else {},
        "default_minutes": DEFAULT_MINUTES,
        "shelf": load_shelf(rights, choices.chosen_area, date, get_instant(request)),
    }


def _find_current_minute(request: HttpRequest, date: dt.date) -> int | None:
    instant, festival = get_instant(request), festival_time()
    return count_minutes(instant, date, festival) if festival.day_of(instant) == date else None


def _build_position_context(
    grid: Grid, hours: MinuteSpan, now: int | None, day_begins: int, rules: ClassRules
) -> dict[str, int | str | None]:
    """Return where the present is, as a class and by the clock, and at which occasions of those among the
    hours the table and the list open.
    """
    is_visible = now is not None and hours.begins <= now < hours.ends
    timed: list[TimedOccasion] = [(each.occasion.id, each.span) for each in grid.shown]
    return {
        "now": rules.name(f"--from:{(now or 0) - hours.begins}") if is_visible else None,
        "minute": now,
        "day_begins": day_begins,
        "opens": find_first_of_day(timed, day_begins),
        "next": None if now is None else find_current_or_next(timed, now),
    }


def _count_occasions(grid: Grid, in_all: int, clashes: DayClashes, day_begins: int) -> dict[str, int]:
    shown = [*grid.long, *grid.shown]
    return {
        "shown": len(shown),
        "all": in_all,
        "earlier": sum(each.span.begins < day_begins for each in shown),
        "drafts": sum(each.occasion.draft for each in shown),
        "cancelled": sum(each.occasion.cancelled for each in shown),
        "clashes": clashes.count(each.occasion.id for each in shown),
    }


def build_tabs_context(date: dt.date, today: dt.date) -> dict[str, Any]:
    counts = count_by_day()
    before, after = days.find_adjacent_days(counts, date)
    language = editor_language()
    return {
        "tabs": [
            {
                "date": each,
                "label": capfirst(format_relative_day(each, today, language)),
                "occasions": count,
                "current": each == date,
                "today": each == today,
            }
            for each, count in days.select_tabs(sorted(({date: 0} | counts).items()), date)
        ],
        "before": before,
        "after": after,
    }
