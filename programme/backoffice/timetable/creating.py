"""Creating an occasion where there is room for it: of an event, or of a new one, which is a draft."""

import datetime as dt
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.backoffice.rights import EventState, rights_of
from programme.backoffice.timetable.moves import DAY_IN_MINUTES, check_minute, find_instant
from programme.backoffice.timetable.places import find_own_place, parse_column
from programme.backoffice.timetable.refusals import WriteRefusedError
from programme.backoffice.timetable.saving import (
    Target,
    WriteResult,
    bind_form,
    list_errors,
    load_occasion,
    lock_programme,
    save_form,
    save_occasion,
)
from programme.history import edits
from programme.models import Event, Occasion
from programme.models.festival_time import festival_time
from programme.models.locations import NOT_STATED, Venue

# The edit's reason in the history.
CREATED = gettext_noop("added on the timetable")


class CreateRequestForm(forms.Form):
    """The time and the column of an occasion, and its event: an ID, or the title and area of a new one."""

    minute = forms.IntegerField()
    minutes = forms.IntegerField(min_value=1, max_value=DAY_IN_MINUTES)
    column = forms.CharField()
    event = forms.IntegerField(required=False, min_value=1)
    title = forms.CharField(required=False)
    area = forms.CharField(required=False)


def create_occasion(request: HttpRequest, site: AdminSite, date: dt.date) -> WriteResult:
    """Create an occasion as the page of a day submits it; raises `WriteRefusedError`."""
    order = CreateRequestForm(request.POST)
    if not order.is_valid():
        raise WriteRefusedError(list_errors(order))
    sent = order.cleaned_data
    with transaction.atomic():
        lock_programme()
        edits.set_reason(CREATED)
        place = parse_column(sent["column"])
        if sent["event"]:
            event = _find_event(request, sent["event"])
        else:
            event = _create_event(request, site, sent, place)
        occasion = Occasion(event=event)
        target = Target(*_find_times(date, sent), *_find_own_place(event, place))
        save_occasion(request, site.get_model_admin(Occasion), occasion, target)
    is_draft = not sent["event"]
    text = (
        _("Added the draft %(title)s: %(span)s, %(place)s.")
        if is_draft
        else _("Added %(title)s: %(span)s, %(place)s.")
    )
    return WriteResult(text, load_occasion(occasion.pk), occasion, is_draft=is_draft)


def _find_event(request: HttpRequest, key: int) -> Event:
    event = Event.objects.select_related("location", "room").filter(pk=key).first()
    if event is None:
        raise WriteRefusedError(_("This event has been deleted by someone else."), HTTPStatus.CONFLICT)
    if not rights_of(request.user).can_in_state("add", Occasion, EventState.of(event)):
        raise WriteRefusedError(_("You may not add occasions to this event."), HTTPStatus.FORBIDDEN)
    return event


def _create_event(request: HttpRequest, site: AdminSite, sent: dict[str, Any], place: Venue | None) -> Event:
    """Create a draft in the place of its occasion."""
    events = site.get_model_admin(Event)
    if not events.has_add_permission(request):
        raise WriteRefusedError(_("You may not add events."), HTTPStatus.FORBIDDEN)
    venue = {"location": place.location, "room": place.room} if place else {}
    form = bind_form(request, events, Event(), {"title": sent["title"], "area": sent["area"], **venue})
    created: Event = save_form(request, events, form, change=False)
    return created


def _find_times(date: dt.date, sent: dict[str, Any]) -> tuple[dt.datetime, dt.datetime]:
    begins, minutes = sent["minute"], sent["minutes"]
    check_minute(begins, festival_time())
    return find_instant(date, begins), find_instant(date, begins + minutes)


def _find_own_place(event: Event, place: Venue | None) -> tuple[int | None, int | None]:
    """Return what the occasion states; without a place it is where its event is."""
    return (None, None) if place is None else find_own_place(NOT_STATED, event.stated_venue, place)
