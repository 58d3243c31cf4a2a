"""Warnings in the form of an event, while it is written and after saving. They keep nobody from it."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.forms.formsets import DELETION_FIELD_NAME
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from programme.backoffice.dates import format_day_and_time, format_times
from programme.backoffice.problems.warnings import EventWarning, find_warnings
from programme.models import Event, Occasion

ROWS = "occasions"
# More would hide the list that comes after saving; all of them stand in the form.
MOST_TOLD = 5


class WarningsMixin:
    """A model admin of events that warns."""

    class Media:
        js = ["programme/warnings.js"]

    def get_urls(self) -> list[Any]:
        # Not by way of `admin_view`, which makes an edit of what is posted; here nothing is written.
        return [
            path("warnings/", staff_member_required(self.warnings_view), name="programme_event_warnings"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    @method_decorator(require_POST)
    def warnings_view(self, request: HttpRequest) -> HttpResponse:
        """Return what to look at in a form as it is, as JSON: field, what it is called, text."""
        event = self._event(request)
        form = self.get_form(request, event, change=event is not None)(request.POST, instance=event)
        form.is_valid()
        rows = dict(self._written(request, event))
        found = find_warnings(form.instance, list(rows.values()))
        return JsonResponse({"warnings": _told(found, list(rows))})

    def _event(self, request: HttpRequest) -> Event | None:
        """Return the event that is written, None for a new one; PermissionDenied where it may not be."""
        key = request.GET.get("event", "")
        event = self.get_object(request, key) if key else None
        allowed = self.has_change_permission(request, event) if event else self.has_add_permission(request)
        if not allowed or (key and event is None):
            raise PermissionDenied
        return event

    def _written(self, request: HttpRequest, event: Event | None) -> Iterable[tuple[int, Occasion]]:
        """Yield the rows that can be understood, with their numbers; a row that is deleted is none."""
        for formset_class, inline in self.get_formsets_with_inlines(request, event):
            formset = formset_class(
                request.POST,
                instance=event or Event(),
                prefix=formset_class.get_default_prefix(),
                queryset=inline.get_queryset(request),
            )
            formset.is_valid()
            for number, form in enumerate(formset.forms):
                there = form.instance.pk or form.has_changed()
                if there and not form.errors and not form.cleaned_data.get(DELETION_FIELD_NAME):
                    yield number, form.instance

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        event = kwargs.get("obj")
        allowed = self.has_change_permission(request, event) if event else self.has_add_permission(request)
        if allowed:
            context["warns"] = True
            if event and request.method == "GET":
                _tell(context, event)
        return super().render_change_form(request, context, *args, **kwargs)  # type: ignore[misc]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)  # type: ignore[misc]
        event = form.instance
        # In the order of their rows.
        stored = event.occasions.select_related("location", "room__location")
        occasions = list(stored.order_by("start", "end", "id"))
        found = [warned for warned in find_warnings(event, occasions) if warned.row is not None]
        if found:
            messages.warning(request, _message(event, occasions, found))


def _tell(context: dict[str, Any], event: Event) -> None:
    """Put what is amiss with a stored event into its form: in all, and beside each row."""
    formsets = [inline.formset for inline in context["inline_admin_formsets"]]
    rows = [form for formset in formsets for form in formset.initial_forms]
    found = find_warnings(event, [form.instance for form in rows])
    context["warned"] = _told(found, list(range(len(rows))))
    for number, form in enumerate(rows):
        form.warned = [_text(warned) for warned in found if warned.row == number]


def _told(found: list[EventWarning], numbers: list[int]) -> list[dict[str, str]]:
    return [
        {"field": _field(warned, numbers), "text": _text(warned), "of": _named(warned)} for warned in found
    ]


def _field(warned: EventWarning, numbers: list[int]) -> str:
    return warned.field if warned.row is None else f"{ROWS}-{numbers[warned.row]}-{warned.field}"


def _named(warned: EventWarning) -> str:
    """Return what the field is called, where the text alone does not say which it is."""
    if warned.row is not None:
        return _("Occasion %(number)d") % {"number": warned.row + 1}
    return capfirst(Event._meta.get_field(warned.field).verbose_name)


def _text(warned: EventWarning) -> str:
    return f"{warned.text}, {format_times(*warned.span)}" if warned.span else str(warned.text)


def _message(event: Event, occasions: list[Occasion], found: list[EventWarning]) -> str:
    """Return what to say after saving: each with a link to its field, because a list comes next."""
    form = reverse("admin:programme_event_change", args=[event.pk])
    numbers = list(range(len(occasions)))
    links = [
        (
            f"{form}#id_{_field(warned, numbers)}",
            format_day_and_time(occasions[warned.row or 0].start),
            _text(warned),
        )
        for warned in found[:MOST_TOLD]
    ]
    more = len(found) - len(links)
    told = format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>: {}', links)
    return format_html("{} {}", told, _("and %(count)d more") % {"count": more}) if more else told
