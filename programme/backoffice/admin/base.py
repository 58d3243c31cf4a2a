"""What the lists and forms of the back office have in common."""

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminFileWidget, AdminTextareaWidget, RelatedFieldWidgetWrapper
from django.db import models
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import override

from programme.backoffice.conflicts.edit_conflict import EditConflictMixin
from programme.backoffice.forms.autocomplete import PreloadedAutocompleteMixin
from programme.backoffice.forms.fields import ClockField, SafeImageField
from programme.backoffice.forms.formsets import RowsFormSet
from programme.backoffice.restore.views import HistoryMixin
from programme.history import edits
from programme.models import SubArea
from programme.models.cleaning import clean_line
from programme.models.fields import Link, Prose

# What has a meaning in the regular expressions of Python (SQLite) and of PostgreSQL alike.
_PATTERN = re.compile(r"[\\.^$*+?{}()|\[\]]")

FORMFIELDS: dict[Any, dict[str, Any]] = {
    Prose: {"widget": AdminTextareaWidget(attrs={"rows": 4})},
    models.TimeField: {"form_class": ClockField, "widget": ClockField.widget},
    models.ImageField: {"form_class": SafeImageField, "widget": AdminFileWidget},
}


def any_case(*fields: str) -> list[str]:
    """Return search fields that find text whatever its case.

    SQLite's LIKE knows the case of ASCII only; regular expressions know Unicode's on both databases.
    """
    return [f"{field}__iregex" for field in fields]


class BackOfficeAdmin(HistoryMixin, EditConflictMixin, PreloadedAutocompleteMixin, admin.ModelAdmin):
    formfield_overrides = FORMFIELDS
    list_per_page = 100

    class Media:
        js = ("programme/named-fields.js", "programme/unsaved.js")

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> list[dict[str, Any]]:
        """Return it with the fields' names as the catalogue has them: labels begin with a capital."""
        message = super().construct_change_message(request, form, formsets, add)
        for part in message:
            changed = part.get("changed", {})
            if "fields" in changed:
                changed["fields"] = [label[:1].lower() + label[1:] for label in changed["fields"]]
        return message

    def log_change(self, request: HttpRequest, obj: models.Model, message: Any) -> Any:
        """Log what was changed; saving without a change is nothing to tell."""
        return super().log_change(request, obj, message) if message else None

    def response_post_save_change(self, request: HttpRequest, obj: models.Model) -> HttpResponse:
        """Go back to where the form was opened from, if that says so, as the list of problems does."""
        back = request.GET.get("back", "")
        if url_has_allowed_host_and_scheme(back, allowed_hosts=None):
            return redirect(back)
        return super().response_post_save_change(request, obj)

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.related_model is SubArea:
            # Its text begins with its area's name.
            kwargs["queryset"] = SubArea.objects.select_related("area")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        _offer(field, add=True, change=True)
        return field

    def response_action(self, request: HttpRequest, queryset: QuerySet) -> HttpResponse | None:
        """Let the history tell which action it was; what is deleted tells itself."""
        chosen = self.get_actions(request).get(request.POST.get("action", ""))
        if chosen and chosen[1] != "delete_selected":
            with override(None):
                edits.set_reason(str(chosen[2]))
        return super().response_action(request, queryset)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        literal = _PATTERN.sub(r"\\\g<0>", clean_line(search_term))
        return super().get_search_results(request, queryset, literal)


class BackOfficeInline(PreloadedAutocompleteMixin, admin.TabularInline):
    """Rows with a label in each cell, so that a phone can show them as blocks."""

    template = "admin/programme/rows.html"
    formset = RowsFormSet
    formfield_overrides = FORMFIELDS | {Link: {"widget": forms.URLInput(attrs={"class": "vURLField"})}}
    extra = 0

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        # Links beside each choice leave no room for the row.
        _offer(field, add=False, change=False)
        return field


def _offer(field: Any, *, add: bool, change: bool) -> None:
    """Say which links stand beside a choice of another row: never all four of Django's."""
    widget = getattr(field, "widget", None)
    if isinstance(widget, RelatedFieldWidgetWrapper):
        widget.can_add_related &= add
        widget.can_change_related &= change
        widget.can_delete_related = widget.can_view_related = False


def count_of(model: Any, relation: str) -> Coalesce:
    """Return an annotation that counts the rows of a model that name the row.

    A subquery, because joins would multiply each other and would not go into an update.
    """
    rows = model.objects.filter(**{relation: OuterRef("pk")}).order_by()
    counts = rows.values(relation).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counts), 0)
