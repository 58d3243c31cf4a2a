"""The lists that editors make for readers, with what is on them."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from programme.backoffice.admin.base import BackOfficeAdmin, BackOfficeInline, any_case
from programme.backoffice.dates import format_day_and_time
from programme.backoffice.forms.formsets import UniqueRowsFormSet
from programme.backoffice.generics import ModelForm
from programme.changes.rights import rights_of
from programme.models import Event, ListItem, Occasion, OccasionList
from programme.models.dates import editor_language

ON_LIST = ("event", "occasion")


class ListItemForm(ModelForm):
    """A row that is on the list is shown; only what is added is chosen."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ON_LIST if self.instance.pk else ():
            self.fields[name].disabled = True
            self.fields[name].widget = ShownRow(getattr(self.instance, name))

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or {}
        if not self.instance.pk and len([name for name in ON_LIST if cleaned.get(name)]) != 1:
            raise forms.ValidationError(_("Choose an event or an occasion."))
        # Others may have added it meanwhile. Django leaves these out: the list is none of the form's values.
        for constraint in () if self.instance.pk else ListItem._meta.constraints:
            item = ListItem(
                on_list_id=self.instance.on_list_id, **{name: cleaned.get(name) for name in ON_LIST}
            )
            constraint.validate(ListItem, item)
        return cleaned


class ShownRow(forms.HiddenInput):
    """A link to a row in the place of a choice."""

    input_type = "row"

    def __init__(self, row: Event | Occasion | None) -> None:
        super().__init__()
        self.row = row

    def render(self, *args: Any, **kwargs: Any) -> Any:
        if self.row is None:
            return "–"
        address = reverse(f"admin:programme_{self.row._meta.model_name}_change", args=[self.row.pk])
        return format_html('<a href="{}">{}</a>', address, self.row)


class ListItemsFormSet(UniqueRowsFormSet):
    key_field = "event"
    taken = _("Another row has this.")

    def get_keys(self, form: ModelForm) -> set[Any]:
        return {row for name in ON_LIST if (row := form.cleaned_data.get(name))}


class ListItemRows(BackOfficeInline):
    model = ListItem
    verbose_name, verbose_name_plural = _("item"), _("on the list")
    form = ListItemForm
    formset = ListItemsFormSet
    fields = ["first", *ON_LIST]
    readonly_fields = ["first"]
    autocomplete_fields = ON_LIST
    extra = 1

    def get_queryset(self, request: HttpRequest) -> QuerySet[ListItem]:
        """Return what is still there, by time."""
        starts = Occasion.objects.filter(event=OuterRef("event")).order_by("start").values("start")[:1]
        rows: QuerySet[ListItem] = super().get_queryset(request)
        is_there = Q(Exists(Event.objects.filter(pk=OuterRef("event"))))
        is_there |= Q(Exists(Occasion.objects.filter(pk=OuterRef("occasion"))))
        first = Coalesce("occasion__start", Subquery(starts))
        rows = rows.select_related("event", "occasion__event")
        return rows.filter(is_there).annotate(first_start=first).order_by("first_start", "pk")

    @admin.display(description=_("start"))
    def first(self, item: Any) -> str:
        start = getattr(item, "first_start", None)
        return format_day_and_time(start) if start else "–"


@admin.register(OccasionList)
class OccasionListAdmin(BackOfficeAdmin):
    inlines = [ListItemRows]
    list_display = ["title_sv", "title_en", "published", "item_count"]
    list_filter = ["published"]
    search_fields = any_case("title_sv", "title_en")
    fields = [("title_sv", "title_en"), ("text_sv", "text_en"), "published", "page"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(items_in_all=Count("items"))

    def get_readonly_fields(self, request: HttpRequest, obj: OccasionList | None = None) -> list[str]:
        return ["page"] if rights_of(request.user).can_publish else ["published", "page"]

    def has_delete_permission(self, request: HttpRequest, obj: OccasionList | None = None) -> bool:
        """Return whether it may be deleted: what readers see is withdrawn with it."""
        is_shown = obj is not None and obj.published
        allowed = super().has_delete_permission(request, obj)
        return allowed and (not is_shown or rights_of(request.user).can_publish)

    @admin.display(description=_("items"), ordering="items_in_all")
    def item_count(self, shown: Any) -> Any:
        return shown.items_in_all

    @admin.display(description=_("page"))
    def page(self, shown: OccasionList) -> str:
        if not shown.published:
            return "–"
        path = f"/en/list/{shown.pk}" if editor_language() == "en" else f"/lista/{shown.pk}"
        return format_html('<a href="{}">{}</a>', path, path)
