"""The page of a day: its filters, and its context in a constant number of queries."""

import datetime as dt
from typing import Any
from urllib.parse import quote

from django import forms
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.day_layout import count_minutes, find_day, is_long
from feeds.wording import format_day
from programme.api.instant import get_instant
from programme.backoffice.forms.base import FilterForm, offer
from programme.backoffice.timetable import occasions
from programme.backoffice.timetable.columns import (
    NO_LOCATION,
    VenueColumn,
    column_key,
    group_by_area,
    load_columns,
)
from programme.backoffice.timetable.days import find_change, find_current_or_next, find_first_of_day
from programme.backoffice.timetable.grid import GridDay, GridLayout, load_areas
from programme.changes.rights import EventState, rights_of
from programme.models import Occasion
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time

WITHOUT, ONLY = "without", "only"
# The length of an occasion until the editor chooses one.
DEFAULT_MINUTES = 60


class TimetableFilterForm(FilterForm):
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    location = forms.ChoiceField(label=capfirst(_("location")), required=False)
    drafts = forms.ChoiceField(
        label=_("Drafts"),
        required=False,
        choices=[("", _("shown")), (WITHOUT, _("hidden")), (ONLY, _("drafts alone"))],
    )
    empty = forms.BooleanField(label=_("Empty rooms too"), required=False)
    hours = forms.BooleanField(label=_("All hours"), required=False)

    def __init__(self, sent: Any, areas: dict[int, str], columns: list[VenueColumn]) -> None:
        super().__init__(sent, label_suffix="")
        locations: dict[str, Any] = {
            str(each.place.location): each.location for each in columns if each.place
        }
        offer(self, "area", _("all"), [(str(key), name) for key, name in areas.items()])
        offer(self, "location", _("all"), [*locations.items(), (NO_LOCATION, _("No location"))])
        self.is_valid()

    @property
    def narrows(self) -> bool:
        return any(self.chosen(name) for name in ("area", "location", "drafts"))

    def includes(self, occasion: occasions.TimetableOccasion) -> bool:
        drafts = self.chosen("drafts")
        location = str(occasion.place.location) if occasion.place else NO_LOCATION
        return (
            self.chosen("area") in {"", str(occasion.area)}
            and self.chosen("location") in {"", location}
            and {WITHOUT: not occasion.draft, ONLY: occasion.draft}.get(drafts, True)
        )

    def columns(self, columns: list[VenueColumn], taken: set[str]) -> list[VenueColumn]:
        location = self.chosen("location")
        others = columns if self.chosen("empty") else []
        empty = {each.key for each in others if each.place and location in {"", str(each.place.location)}}
        return [each for each in columns if each.key in taken | empty]


def build_day_context(request: HttpRequest, date: dt.date) -> dict[str, Any]:
    everything = list(occasions.load_occasions(Occasion.objects.filter(occasions.select_of_day(date))))
    areas, instant, festival = load_areas(), get_instant(request), festival_time()
    columns = group_by_area(load_columns(), areas.names)
    choices = TimetableFilterForm(request.GET, areas.names, columns)
    chosen = [each for each in everything if choices.includes(each)]
    rights = rights_of(request.user)
    movable = frozenset(
        each.id
        for each in chosen
        if rights.can_in_state("change", Occasion, EventState(each.area, each.status))
    )
    clashes = occasions.find_day_clashes(date, everything)
    markable = movable & {each.id for each in chosen if each.end > instant and not each.cancelled}
    back = f"?back={quote(request.get_full_path())}"
    address = f"{reverse('admin:programme_occasion_changelist')}%d/change/{back.replace('%', '%%')}"
    day = GridDay(date, areas, clashes.others, movable, address, back, markable)
    layout = GridLayout(
        day,
        choices.columns(columns, {column_key(each.place) for each in chosen}),
        chosen,
        whole_day=bool(choices.chosen("hours")),
    )
    grid, hours = layout.grid(), layout.hours
    timed = [(each.occasion.id, each.span) for each in grid.shown if not is_long(each.span)]
    day_begins, day_ends = find_day(date, festival)
    # Heads have the colours of their areas.
    elsewhere = {each.area for each in chosen} - {head.column.area for head in grid.heads.areas}
    now = count_minutes(instant, date, festival) if festival.day_of(instant) == date else None
    is_now_visible = now is not None and hours.begins <= now < hours.ends
    context = {
        "date": date,
        "heading": capfirst(format_day(date, editor_language())),
        "choices": choices,
        "columns": columns,
        "grid": grid,
        "hours": hours,
        # Where the present is, and at which occasions the table and the list open.
        "now": layout.rules.name(f"--from:{(now or 0) - hours.begins}") if is_now_visible else None,
        "minute": now,
        "day_begins": day_begins,
        "day_ends": day_ends,
        "change": find_change(date, festival),
        "opens": find_first_of_day(timed, day_begins),
        "next": None if now is None else find_current_or_next(timed, now),
        "rules": layout.rules,
        "legend": [
            (areas.names[key], areas.name_colour(key, layout.rules))
            for key in areas.names
            if key in elsewhere
        ],
        "counts": {
            "shown": len(grid.shown),
            "all": len(everything),
            "earlier": sum(each.span.begins < day_begins for each in grid.shown),
            "drafts": sum(each.occasion.draft for each in grid.shown),
            "cancelled": sum(each.occasion.cancelled for each in grid.shown),
            "clashes": clashes.count(each.occasion.id for each in grid.shown),
        },
        "query": request.GET.urlencode(),
        "clashes": clashes.others,
    }
    # What the user may put into the day: what is on the shelf, and new drafts of which areas.
    own = {key: name for key, name in areas.names.items() if rights.has_area(key)}
    return context | {
        "can_create": bool(own) and rights.has_permission("add_occasion"),
        "draft_areas": own if rights.can_add_event() else {},
        "default_minutes": DEFAULT_MINUTES,
        "shelf": occasions.build_shelf_context(request, choices.chosen("area"), date),
    }
