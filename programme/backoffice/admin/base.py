"""The base classes of lists, forms and rows in the back office."""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import flatten
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AdminFileWidget, AdminTextareaWidget, RelatedFieldWidgetWrapper
from django.db import models
from django.db.models import Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.forms import Script
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.backoffice.changes.messages import build_tags, choose_text
from programme.backoffice.conflicts.views import EditConflicts
from programme.backoffice.features import Feature
from programme.backoffice.forms.base import ColorInput, PreloadedAutocomplete, SubAreaField, is_hidden
from programme.backoffice.forms.facts import FactFormField
from programme.backoffice.forms.fields import ClockField, MomentField
from programme.backoffice.forms.formsets import RowsFormSet
from programme.backoffice.forms.images import SafeImageField
from programme.backoffice.forms.named import NamedField
from programme.backoffice.generics import BaseModelAdmin, ModelAdmin, TabularInline
from programme.backoffice.problems.page import find_next_problem
from programme.backoffice.rendering import choose_back, let_return, read_back, warn_of_files
from programme.backoffice.restore import History
from programme.history import edits
from programme.history.merging import find_last, load_merged
from programme.models import Event, SubArea
from programme.models.cleaning import clean_line
from programme.models.facts import FactField
from programme.models.fields import Color, Link, Prose
from programme.models.parsing import parse_int

# Characters with a meaning in the regular expressions of Python (SQLite) or PostgreSQL.
_PATTERN = re.compile(r"[\\.^$*+?{}()|\[\]]")

FORMFIELDS: dict[Any, dict[str, Any]] = {
    Prose: {"widget": AdminTextareaWidget(attrs={"rows": 4})},
    Color: {"widget": ColorInput},
    models.DateTimeField: {"form_class": MomentField, "widget": MomentField.widget},
    models.TimeField: {"form_class": ClockField, "widget": ClockField.widget},
    models.ImageField: {"form_class": SafeImageField, "widget": AdminFileWidget},
}

# What stands in lists for texts in Swedish without those in English.
NAMED = {"name_sv": "named", "title_sv": "titled"}


def any_case(*fields: str) -> list[str]:
    """Return search fields that ignore case.

    SQLite's LIKE ignores it for ASCII only; regular expressions do for Unicode, on both databases.
    """
    return [f"{field}__iregex" for field in fields]


def group(name: Any, *fields: Any, classes: Iterable[str] = ()) -> Any:
    return name, {"classes": [*classes], "fields": [*fields]}


def fold(name: Any, *fields: Any, classes: Iterable[str] = ()) -> Any:
    """Return a group of fields that is folded away until it is opened."""
    return group(name, *fields, classes=(*classes, "collapse"))


class FormFieldsMixin(BaseModelAdmin):
    """Form fields with preloaded autocompletes, and with few links beside a choice."""

    # Whether fields that choose another row link to adding and changing it; never to viewing and deleting it.
    related_links = True

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave English fields out of a festival in Swedish alone, unless a text is in English alone."""
        row, found = obj if isinstance(obj, self.model) else None, super().get_fieldsets(request, obj)
        return [(name, {**own, "fields": _drop_hidden(own["fields"], row)}) for name, own in found]

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.related_model is SubArea:
            kwargs["form_class"] = SubAreaField
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = PreloadedAutocomplete(db_field, self.admin_site)
        if db_field.name != "organizer":
            return super().formfield_for_foreignkey(db_field, request, **kwargs)
        field: Any = super().formfield_for_foreignkey(db_field, request, form_class=NamedField, **kwargs)
        related: Any = self.admin_site.get_model_admin(db_field.related_model)
        field.may_add = related.has_add_permission(request)
        return field

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if isinstance(db_field, FactField):
            return FactFormField(db_field)
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        widget = getattr(field, "widget", None)
        if isinstance(widget, RelatedFieldWidgetWrapper):
            widget.can_add_related &= self.related_links
            widget.can_change_related &= self.related_links
            widget.can_delete_related = widget.can_view_related = False
        return field


class OrderedList(ChangeList):
    """A list with names in their order, by whichever column it is sorted."""

    def get_ordering_field(self, field_name: Any) -> Any:
        found = super().get_ordering_field(field_name)
        names = {each.name for each in self.lookup_opts.fields if isinstance(each, models.CharField)}
        return f"{found}__in_order" if found in names else found


class BackOfficeAdmin(FormFieldsMixin, ModelAdmin):
    """A model admin that collects what its features contribute (`programme/backoffice/features.py`)."""

    feature_classes: ClassVar[list[type[Feature]]] = [History, EditConflicts]
    formfield_overrides = FORMFIELDS
    list_per_page = 100
    actions_on_top, actions_on_bottom = False, True

    class Media:
        js = (
            Script("programme/named-fields.js", type="module"),
            Script("programme/rows.js", type="module"),
            Script("programme/unsaved.js", type="module"),
        )

    def __init__(self, model: type[models.Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        self.features = [feature_class(self) for feature_class in self.feature_classes]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002 - Django's hook
        return OrderedList

    def get_list_display(self, request: HttpRequest) -> Any:
        shown = [name for name in map(str, super().get_list_display(request)) if not is_hidden(None, name)]
        # A language is named where there are two.
        return [NAMED.get(name, name) if f"{name[:-2]}en" not in shown else name for name in shown]

    @admin.display(description=_("name"), ordering="name_sv")
    def named(self, row: Any) -> str:
        return str(row)

    @admin.display(description=_("title"), ordering="title_sv")
    def titled(self, row: Any) -> str:
        return str(row)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions, of which deleting is the last: nothing is next to it."""
        actions = super().get_actions(request)
        return dict(sorted(actions.items(), key=lambda each: each[0] == "delete_selected"))

    # --- Features -------------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        return [*(url for feature in self.features for url in feature.get_urls()), *super().get_urls()]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        context = dict(extra_context or {})
        for feature in self.features:
            opened = feature.open_form(request, object_id) if object_id else {}
            if isinstance(opened, HttpResponse):
                return opened
            context |= opened
        return super().changeform_view(request, object_id, form_url, context)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title} | (extra_context or {}))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        if row := kwargs.get("obj"):
            # The breadcrumbs say what kind of row it is.
            context |= {"title": str(row), "subtitle": None, "next_problem": find_next_problem(request, row)}
        for feature in self.features:
            context.update(feature.get_form_context(request, kwargs.get("obj"), context))
        _unfold(context["adminform"])
        warn_of_files(request)
        return let_return(request, super().render_change_form(request, context, *args, **kwargs))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        for feature in self.features:
            feature.after_save(request, form.instance)

    # --- Django's own, as the back office wants it ----------------------------------------------

    def message_user(
        self,
        request: HttpRequest,
        message: Any,
        level: Any = messages.INFO,
        extra_tags: str = "",
        fail_silently: bool = False,
    ) -> None:
        """Let what was saved or deleted be undone from its message, which says what readers see of it."""
        if level == messages.SUCCESS:
            message = choose_text(request, message)
            extra_tags = extra_tags or build_tags(request, edits.current_edit_id())
        super().message_user(request, message, level, extra_tags, fail_silently)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> Any:
        """Lead from a row that was merged into another to this."""
        key, into = parse_int(object_id), load_merged().get(opts.model_name, {})
        kept = self.get_object(request, str(find_last(key, into))) if key in into else None
        if key is None or kept is None:
            return super()._get_obj_does_not_exist_redirect(request, opts, object_id)  # type: ignore[misc]
        messages.info(request, _("What you asked for was merged into this: %(name)s.") % {"name": kept})
        return redirect(f"admin:{opts.app_label}_{opts.model_name}_change", kept.pk)

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        """Return to the page that the button or the address of the form names, such as the timetable."""
        back = choose_back(request.POST.get("_next", "")) or read_back(request)
        return redirect(back) if back else super().response_post_save_change(request, obj)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        literal = _PATTERN.sub(r"\\\g<0>", clean_line(search_term))
        return super().get_search_results(request, queryset, literal)


def _drop_hidden(fields: Any, row: Any) -> list[Any]:
    kept = (each if isinstance(each, str) else (*_drop_hidden(each, row),) for each in fields)
    return [each for each in kept if not isinstance(each, str) or not is_hidden(row, each)]


def _unfold(admin_form: Any) -> None:
    """Open the sections with errors: Django overlooks those of fields that share a line."""
    for _name, options in admin_form.fieldsets:
        if not admin_form.form.errors.keys().isdisjoint(flatten(options["fields"])):
            options["classes"] = [each for each in options.get("classes", ()) if each != "collapse"]


class EventCountAdmin(BackOfficeAdmin):
    # The fields by which events name the row.
    events_by: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(events_in_all=count_of(Event, *self.events_by))

    @admin.display(description=_("events"), ordering="events_in_all")
    def event_count(self, row: Any) -> Any:
        return row.events_in_all


class BackOfficeInline(FormFieldsMixin, TabularInline):
    """Rows with a label in each cell, so that a phone can show them as blocks."""

    template = "admin/programme/rows.html"
    formset = RowsFormSet
    formfield_overrides = FORMFIELDS | {Link: {"widget": forms.URLInput(attrs={"class": "vURLField"})}}
    extra = 0
    # The links would take the space of the fields.
    related_links = False


def count_of(model: Any, *relations: str) -> Subquery:
    """Return an annotation that counts the rows of a model that are related in any of these ways.

    It is a subquery, because joins would multiply each other and are not possible in an update. What is
    related several times is counted once.
    """
    related = reduce(or_, (Q(**{each: OuterRef("pk")}) for each in relations))
    # Not Django's own Count, which would group the rows and count none of nothing.
    count = Func("pk", template="COUNT(DISTINCT %(expressions)s)", output_field=IntegerField())
    return Subquery(model.objects.filter(related).order_by().annotate(count=count).values("count"))
