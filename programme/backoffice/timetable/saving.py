"""Saving rows through their own forms, and what each write from the timetable results in."""

import datetime as dt
from typing import Any, NamedTuple

from django.http import HttpRequest

from programme.backoffice.forms.occasion import ENTRY, occasion_times
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.timetable.occasions import TimetableOccasion, load_occasions
from programme.backoffice.timetable.refusals import WriteRefusedError
from programme.models import Occasion, Revision
from programme.models.festival_time import festival_time


class Target(NamedTuple):
    """When an occasion is to be, and what it is to state of its place."""

    start: dt.datetime
    end: dt.datetime
    location: int | None
    room: int | None


class WriteResult(NamedTuple):
    """What was done, as a message to be filled in, and the occasion as it is now: None if it is gone."""

    message: str
    occasion: TimetableOccasion | None
    row: Occasion | None
    title: str = ""
    # Whether its event was created with it.
    is_draft: bool = False


def lock_programme() -> None:
    """Keep others from saving until the end of the transaction."""
    # Every writer takes this lock first (programme/triggers/).
    Revision.objects.select_for_update().first()


def load_occasion(key: int) -> TimetableOccasion | None:
    return next(load_occasions(Occasion.objects.filter(pk=key)), None)


def load_row(key: int) -> Occasion | None:
    return Occasion.objects.select_related("event").filter(pk=key).first()


def bind_form(request: HttpRequest, model_admin: ModelAdmin, row: Any, values: dict[str, Any]) -> Any:
    """Return a row's own form with new values, as if they had been typed, if it is valid.

    Raises `WriteRefusedError` with its errors.
    """
    form_class = model_admin.get_form(request, row if row.pk else None, change=bool(row.pk))
    shown = form_class(instance=row)
    data = {name: shown.get_initial_for_field(field, name) for name, field in shown.fields.items()}
    form: Any = form_class(data | values, instance=row)
    if not form.is_valid():
        raise WriteRefusedError(list_errors(form))
    return form


def list_errors(form: Any) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


def save_form(
    request: HttpRequest, model_admin: ModelAdmin, form: Any, *, change: bool, **values: Any
) -> Any:
    """Save a form as the page of its row does, with values that are written to the letter."""
    row: Any = model_admin.save_form(request, form, change=change)
    for name, value in values.items():
        setattr(row, name, value)
    model_admin.save_model(request, row, form, change=change)
    return row


def save_occasion(request: HttpRequest, occasions: ModelAdmin, occasion: Occasion, target: Target) -> None:
    change = bool(occasion.pk)
    entry = dict(zip(ENTRY, occasion_times(target.start, target.end, festival_time()), strict=True))
    place = {"location": target.location, "room": target.room}
    form = bind_form(request, occasions, occasion, entry | place)
    # What is typed knows minutes only, and a room brings its location.
    times = {"start": target.start, "end": target.end}
    place_ids = {"location_id": target.location, "room_id": target.room}
    save_form(request, occasions, form, change=change, **times, **place_ids)
