"""Bulk edits of events and occasions: entered on a page of their own, previewed, and saved at once."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice.admin.actions import log_changes
from programme.backoffice.dates import format_day_and_time
from programme.backoffice.forms.fields import EARLIEST, LATEST, UNLIKELY_YEAR, missing_hour
from programme.backoffice.moving import SkippedTimeError, shift
from programme.backoffice.rights import Rights, rights_of
from programme.models import Area, Event, EventType, Language, Occasion, SubArea
from programme.models.festival_time import festival_time

MAX_DAYS, MAX_MINUTES = 366, 24 * 60
# How many rows the page names; it counts the others.
MOST_NAMED = 50


@dataclass(frozen=True)
class Move:
    """An occasion with its times after the edit."""

    occasion: Occasion
    start: dt.datetime
    end: dt.datetime

    @property
    def before(self) -> str:
        return format_day_and_time(self.occasion.start)

    @property
    def after(self) -> str:
        return format_day_and_time(self.start)


def _offset_field(label: Any, limit: int, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=capfirst(label), required=False, min_value=-limit, max_value=limit, help_text=help_text
    )


def _choice_field(queryset: QuerySet[Any], label: Any) -> "forms.ModelChoiceField[Any]":
    return forms.ModelChoiceField(
        queryset, label=capfirst(label), required=False, empty_label=_("leave as it is")
    )


class MoveForm(forms.Form):
    """Changes of occasions: their times, and the note for readers."""

    move_days = _offset_field(_("move by days"), MAX_DAYS, _("2 is two days later, -1 the day before."))
    move_minutes = _offset_field(
        _("move by minutes"), MAX_MINUTES, _("30 is half an hour later, -15 earlier.")
    )
    mark_changed = forms.BooleanField(
        label=capfirst(_("mark as changed")),
        required=False,
        help_text=_("Shows the events as updated for 36 hours."),
    )
    change_info = forms.CharField(
        label=capfirst(_("what has changed")),
        required=False,
        max_length=500,
        help_text=_("A short note for readers. It marks the events as changed."),
    )

    def __init__(self, occasions: QuerySet[Any], events: QuerySet[Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.occasions, self.events = occasions, events

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            self._check_moves()
            if not self.has_changes:
                raise ValidationError(_("Say what is to be changed."))
        return cleaned

    def _check_moves(self) -> None:
        try:
            moves = self.moves
        except SkippedTimeError as error:
            self.add_error("move_minutes", missing_hour(error.date, error.clock))
        except OverflowError:
            self.add_error("move_days", UNLIKELY_YEAR)
        else:
            if any(each.end <= each.start for each in moves):
                self.add_error("move_minutes", _("The end must be later than the start."))
            if not all(each.start.date() >= EARLIEST and each.end.date() <= LATEST for each in moves):
                self.add_error("move_days", UNLIKELY_YEAR)

    @property
    def offset(self) -> dt.timedelta:
        cleaned = self.cleaned_data
        return dt.timedelta(days=cleaned.get("move_days") or 0, minutes=cleaned.get("move_minutes") or 0)

    @cached_property
    def moves(self) -> list[Move]:
        festival, offset = festival_time(), self.offset
        if not offset:
            return []
        occasions = self.occasions.select_related("event").order_by("start", "end", "id")
        return [Move(each, *shift(each.start, each.end, offset, festival)) for each in occasions]

    @property
    def marks_changed(self) -> bool:
        return bool(self.cleaned_data.get("mark_changed") or self.cleaned_data.get("change_info"))

    @property
    def has_changes(self) -> bool:
        return bool(self.offset or self.marks_changed)

    def apply(self, request: HttpRequest) -> int:
        """Save the changes, inside the caller's transaction; return the number of events."""
        keys = list(self.events.values_list("pk", flat=True))
        # First: what is moved with a mark keeps its previous start.
        if self.marks_changed:
            marked = Event.objects.filter(pk__in=keys)
            log_changes(request, marked, "changed_at")
            marked.mark_changed(self.cleaned_data["change_info"], get_instant(request))
        if self.moves:
            for move in self.moves:
                move.occasion.start, move.occasion.end = move.start, move.end
            occasions = [move.occasion for move in self.moves]
            Occasion.objects.bulk_update(occasions, ["start", "end"], batch_size=500)
            moved = Occasion.objects.filter(pk__in=[each.pk for each in occasions])
            log_changes(request, moved, "start", "end")
        return len(keys)


class BulkEditForm(MoveForm):
    """Changes of events: also their area, type and language."""

    area = _choice_field(Area.objects.all(), _("area"))
    sub_area = _choice_field(SubArea.objects.select_related("area"), _("sub area"))
    type = _choice_field(EventType.objects.all(), _("type"))
    language = _choice_field(Language.objects.all(), _("language"))

    choices = ["area", "sub_area", "type", "language"]
    field_order = [*choices, "move_days", "move_minutes"]

    def __init__(self, *args: Any, rights: Rights, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["area"].queryset = rights.assignable_areas()  # type: ignore[attr-defined]
        self.fields["sub_area"].queryset = rights.assignable_sub_areas()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        area, sub_area = cleaned.get("area"), cleaned.get("sub_area")
        if area and sub_area and sub_area.area_id != area.pk:
            self.add_error("sub_area", _("This sub area is not in the area chosen."))
        return cleaned

    @property
    def values(self) -> dict[str, Any]:
        """The new values by field. A sub area brings its area."""
        values = {name: found for name in self.choices if (found := self.cleaned_data.get(name))}
        if "sub_area" in values:
            values["area"] = values["sub_area"].area
        return values

    @property
    def has_changes(self) -> bool:
        return bool(self.values) or super().has_changes

    @cached_property
    def leaving(self) -> list[Event]:
        """The events that lose their sub area, because it is not in the new area."""
        values = self.values
        if "area" not in values or "sub_area" in values:
            return []
        placed = self.events.exclude(sub_area=None).exclude(sub_area__area=values["area"])
        return list(placed.select_related("sub_area__area"))

    def apply(self, request: HttpRequest) -> int:
        values = self.values
        if values:
            log_changes(request, self.events, *values)
            leaving = [event.pk for event in self.leaving]
            Event.objects.filter(pk__in=list(self.events.values_list("pk", flat=True))).update(**values)
            Event.objects.filter(pk__in=leaving).update(sub_area=None)
        return super().apply(request)


def _page(model_admin: Any, request: HttpRequest, form: MoveForm, chosen: QuerySet[Any]) -> HttpResponse:
    rows = list(chosen[: MOST_NAMED + 1])
    context = {
        **model_admin.admin_site.each_context(request),
        "title": _("Change together"),
        "form": form,
        "opts": model_admin.model._meta,
        "rows": rows[:MOST_NAMED],
        "count": chosen.count(),
        "unnamed": max(0, chosen.count() - MOST_NAMED),
        "keys": chosen.values_list("pk", flat=True),
        "checkbox": ACTION_CHECKBOX_NAME,
        "shown": bool(form.is_bound and form.is_valid()),
        "media": model_admin.media,
    }
    return TemplateResponse(request, "admin/programme/bulk_edit.html", context)


def _handle(
    model_admin: Any, request: HttpRequest, queryset: QuerySet[Any], form: MoveForm
) -> HttpResponse | None:
    if "apply" not in request.POST or not form.is_valid():
        return _page(model_admin, request, form, queryset)
    with transaction.atomic():
        count = form.apply(request)
    done = ngettext("%(count)d event was changed.", "%(count)d events were changed.", count)
    messages.success(request, done % {"count": count})
    return None


def _get_data(request: HttpRequest) -> Any:
    """Return what the page has sent, None on the way from the list to the page."""
    return request.POST if {"show", "apply"} & request.POST.keys() else None


@admin.action(description=_("Change together … (time, area, type, note)"), permissions=["change"])
def change_events(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    occasions = Occasion.objects.filter(event__in=queryset.order_by().values("pk"))
    events = Event.objects.filter(pk__in=list(queryset.values_list("pk", flat=True)))
    form = BulkEditForm(occasions, events, _get_data(request), rights=rights_of(request.user))
    return _handle(model_admin, request, queryset, form)


@admin.action(description=_("Change together … (time, note)"), permissions=["change"])
def change_occasions(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    keys = list(queryset.values_list("pk", flat=True))
    events = Event.objects.filter(occasions__in=keys).distinct()
    form = MoveForm(Occasion.objects.filter(pk__in=keys), events, _get_data(request))
    return _handle(model_admin, request, queryset, form)
