"""Warnings in the form of an event, while it is written and after saving. They prevent nothing."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.admin.views.decorators import staff_member_required
from django.core.exceptions import PermissionDenied
from django.forms.formsets import DELETION_FIELD_NAME
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from programme.backoffice.dates import format_day_and_time
from programme.backoffice.features import Feature
from programme.backoffice.problems.warnings import EventWarning, find_warnings
from programme.models import Event, Occasion

ROWS = "occasions"
# More would hide the list that follows saving; the form shows all of them.
MOST_LINKED = 5


class Warnings(Feature):
    def get_urls(self) -> list[URLPattern]:
        # Not through `admin_view`, which records an edit of what is posted; here nothing is written.
        view = staff_member_required(require_POST(self.warnings_view))
        return [path("warnings/", view, name="programme_event_warnings")]

    def warnings_view(self, request: HttpRequest) -> HttpResponse:
        """Return the warnings about a form as it was typed so far, as JSON."""
        event = self._find_event(request)
        fields = flatten_fieldsets(self.model_admin.get_fieldsets(request, event))
        form_class = self.model_admin.get_form(request, event, change=event is not None, fields=fields)
        form: Any = form_class(request.POST, instance=event)
        form.is_valid()
        rows = dict(self._parse_rows(request, event))
        found = find_warnings(form.instance, list(rows.values()))
        return JsonResponse({"warnings": _serialize(found, list(rows)), "button": form.button})

    def _find_event(self, request: HttpRequest) -> Event | None:
        key = request.GET.get("event", "")
        event = self.model_admin.get_object(request, key) if key else None
        if not self._can_write(request, event) or (key and event is None):
            raise PermissionDenied
        return event

    def _can_write(self, request: HttpRequest, event: Any) -> bool:
        if event:
            return self.model_admin.has_change_permission(request, event)
        return self.model_admin.has_add_permission(request)

    def _parse_rows(self, request: HttpRequest, event: Event | None) -> Iterable[tuple[int, Occasion]]:
        for formset_class, inline in self.model_admin.get_formsets_with_inlines(request, event):
            formset = formset_class(
                request.POST,
                instance=event or Event(),
                prefix=formset_class.get_default_prefix(),
                queryset=inline.get_queryset(request),
            )
            formset.is_valid()
            for number, form in enumerate(formset.forms):
                is_used = form.instance.pk or form.has_changed()
                if is_used and not form.errors and not form.cleaned_data.get(DELETION_FIELD_NAME):
                    yield number, form.instance

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        if not self._can_write(request, row):
            return {}
        if row is None or request.method != "GET":
            return {"warns": True}
        formsets = [inline.formset for inline in context["inline_admin_formsets"]]
        forms = [form for formset in formsets for form in formset.initial_forms]
        found = find_warnings(row, [form.instance for form in forms])
        for number, form in enumerate(forms):
            # The template of the rows shows them beside each.
            form.warned = [str(warning) for warning in found if warning.row == number]
        return {"warns": True, "warned": _serialize(found, list(range(len(forms))))}

    def after_save(self, request: HttpRequest, row: Any) -> None:
        # In the order of their rows.
        occasions = list(row.occasions.select_related("location", "room__location"))
        found = [warning for warning in find_warnings(row, occasions) if warning.row is not None]
        if found:
            messages.warning(request, _format_message(row, occasions, found))


def _serialize(found: list[EventWarning], numbers: list[int]) -> list[dict[str, str]]:
    return [
        {"field": _field_name(warning, numbers), "text": str(warning), "of": _format_label(warning)}
        for warning in found
    ]


def _field_name(warning: EventWarning, numbers: list[int]) -> str:
    return warning.field if warning.row is None else f"{ROWS}-{numbers[warning.row]}-{warning.field}"


def _format_label(warning: EventWarning) -> str:
    """Return the label of the field or of the row, as the text alone does not name it."""
    if warning.row is not None:
        return _("Occasion %(number)d") % {"number": warning.row + 1}
    return str(capfirst(Event._meta.get_field(warning.field).verbose_name))  # type: ignore[union-attr]


def _format_message(event: Event, occasions: list[Occasion], found: list[EventWarning]) -> str:
    """Return the message after saving, with links to the fields because a list comes next."""
    form = reverse("admin:programme_event_change", args=[event.pk])
    numbers = list(range(len(occasions)))
    links = [
        (
            f"{form}#id_{_field_name(warning, numbers)}",
            format_day_and_time(occasions[warning.row or 0].start),
            str(warning),
        )
        for warning in found[:MOST_LINKED]
    ]
    more = len(found) - len(links)
    text = format_html_join(mark_safe("<br>"), '<a href="{}">{}</a>: {}', links)
    return format_html("{} {}", text, _("and %(count)d more") % {"count": more}) if more else text
