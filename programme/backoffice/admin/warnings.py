"""Warnings in the form of an event, when it is opened and after saving. They prevent nothing."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.dates import format_day_and_time
from programme.backoffice.features import Feature
from programme.backoffice.forms.doubts import name_some
from programme.backoffice.problems.problem import name_row_field
from programme.backoffice.problems.warnings import EventWarning, find_warnings
from programme.models import Event, Occasion

# More would hide the list that follows saving; the form shows all of them.
MOST_LINKED = 5


class Warnings(Feature):
    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        if row is None or request.method != "GET" or not self.model_admin.has_change_permission(request, row):
            return {}
        formsets = [inline.formset for inline in context["inline_admin_formsets"]]
        forms = [form for formset in formsets for form in formset.initial_forms]
        found = find_warnings(row, [form.instance for form in forms])
        for number, form in enumerate(forms):
            # The template of the rows shows them beside each.
            form.warned = [str(warning) for warning in found if warning.row == number]
        warned = [
            {"field": _field_name(each), "text": str(each), "of": _format_label(each)} for each in found
        ]
        return {"warned": warned}

    def after_save(self, request: HttpRequest, row: Any) -> None:
        # In the order of their rows.
        occasions = list(row.occasions.select_related("location", "room__location"))
        found = [warning for warning in find_warnings(row, occasions) if warning.row is not None]
        if found:
            messages.warning(request, _format_message(row, occasions, found))


def _field_name(warning: EventWarning) -> str:
    return warning.field if warning.row is None else name_row_field(warning.row, warning.field)


def _format_label(warning: EventWarning) -> str:
    """Return the label of the field or of the row, as the text alone does not name it."""
    _rows, _dash, of_row = _field_name(warning).partition("-")
    if of_row:
        return _("Occasion %(number)d") % {"number": int(of_row.partition("-")[0]) + 1}
    return str(capfirst(Event._meta.get_field(warning.field).verbose_name))  # type: ignore[union-attr]


def _format_message(event: Event, occasions: list[Occasion], found: list[EventWarning]) -> str:
    """Return the message after saving, with links to the fields because a list comes next."""
    form = reverse("admin:programme_event_change", args=[event.pk])

    def link(warning: EventWarning) -> str:
        start = format_day_and_time(occasions[warning.row or 0].start)
        return format_html('<a href="{}#id_{}">{}</a>: {}', form, _field_name(warning), start, warning)

    return format_html_join(mark_safe("<br>"), "{}", zip(name_some(found, MOST_LINKED, link)))
