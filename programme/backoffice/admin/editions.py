"""The editions of the festival, which chief editors enter, and the button that shows one to readers."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from collections.abc import Iterator
from itertools import count
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from feeds.editions import find_current
from programme.api.instant import get_instant
from programme.backoffice.admin.base import FORMFIELDS, BackOfficeAdmin
from programme.backoffice.changes.wording import count_rows
from programme.backoffice.editions import SHOWN, build_outside
from programme.backoffice.features import Feature
from programme.backoffice.forms.doubts import name_some
from programme.backoffice.forms.fields import DayField
from programme.backoffice.generics import ModelForm
from programme.backoffice.next_edition.views import NextEdition
from programme.backoffice.rendering import lock_for_sent
from programme.backoffice.roles import is_administrator
from programme.changes.rights import is_indispensable
from programme.history import edits
from programme.models import Edition, Occasion, Status
from programme.models.dates import format_day, format_instant
from programme.models.festival_time import festival_time

CHANGES_OVER = gettext_lazy(
    "Pages, feeds, calendars and apps change over to this edition at once. Occasions of other"
    " editions keep their addresses, and readers find them under “Other editions”."
)

# Ticked where what looks wrong is right.
CONFIRMED = "sure_of"


class EditionForm(ModelForm):
    """An edition. It is asked once more where readers would miss occasions, before anything is saved."""

    slug = forms.SlugField(
        label=capfirst(gettext_lazy("in addresses")),
        required=False,
        help_text=gettext_lazy("Left empty it is the year: edition=2026."),
        error_messages={"unique": gettext_lazy("Another edition has this.")},
    )
    # What the form has asked about.
    sure_of = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        slug = cleaned.get("slug") if "slug" in (self._meta.fields or ()) else self.instance.slug
        if slug == "" and cleaned.get("first_day"):
            year, others = cleaned["first_day"].year, Edition.objects.exclude(pk=self.instance.pk)
            taken = set(others.values_list("slug", flat=True))
            names = (f"{year}-{number}" if number > 1 else f"{year}" for number in count(1))
            self.instance.slug = cleaned["slug"] = next(name for name in names if name not in taken)
        return cleaned

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django's stubs do not have it
        doubts = [] if self.errors else [*_find_doubts(self.instance, self.initial.get("slug", ""))]
        asked = " ".join(key for _field, _text, key in doubts)
        if self.data.get(CONFIRMED, "") != asked:
            self.data = sent = self.data.copy()  # type: ignore[attr-defined]
            sent[CONFIRMED] = asked
            for field, text, _key in doubts:
                self.add_error(field, f"{text} {_('Change it, or save once more if that is right.')}")


def _find_doubts(edition: Edition, former: str) -> Iterator[tuple[str, str, str]]:
    """Yield what may be wrong with an edition: a field, a text, and which state of it is asked about."""
    if lost := find_lost(edition).select_related("event"):
        text = ngettext(
            "%(count)d published occasion would be outside all editions, and readers would not find it"
            " any more.",
            "%(count)d published occasions would be outside all editions, and readers would not find"
            " them any more.",
            len(lost),
        )
        named = name_some([f"{each.event} ({format_instant(each.start)})" for each in lost])
        yield "last_day", f"{text % {'count': len(lost)}} {', '.join(named)}.", f"lost:{len(lost)}"
    if former not in ("", edition.slug):
        text = _("Links, calendars and embeds with edition=%(slug)s would not work any more.")
        yield "slug", text % {"slug": former}, f"slug:{edition.slug}"


def find_lost(edition: Edition) -> QuerySet[Occasion]:
    """Return the occasions that readers get now, and would not if an edition were saved as it is."""
    stored = [*Edition.objects.all()]
    outside = build_outside([edition, *(each for each in stored if each != edition)])
    lost = Occasion.objects.filter(outside.occasions, event__status=Status.PUBLISHED)
    return lost.exclude(build_outside(stored).occasions) if stored else lost


class ShowingToReaders(Feature):
    """The button that makes an edition the current one, and the page that asks first."""

    def get_urls(self) -> list[URLPattern]:
        return [self.path("<int:key>/show/", self.show, "show")]

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        is_offered = row and not row.is_current and self.model_admin.has_change_permission(request, row)
        return {"show_page": reverse("admin:programme_edition_show", args=[row.pk])} if is_offered else {}

    def show(self, request: HttpRequest, key: int) -> HttpResponse:
        if not self.model_admin.has_change_permission(request):
            raise PermissionDenied
        lock_for_sent(request)
        edition = get_object_or_404(Edition, pk=key)
        if request.method == "POST":
            edition.make_current(get_instant(request))
            edits.set_reason(SHOWN, edition.name_sv)
            shown = _("Readers see this edition now: %(edition)s.") % {"edition": edition}
            self.model_admin.message_user(request, shown, messages.SUCCESS)
            return redirect("admin:programme_edition_changelist")
        what, back = _("Show to readers now"), reverse("admin:programme_edition_change", args=[key])
        rows = [_describe(edition, _("%(edition)s, %(days)s: readers get %(count)s"))]
        if former := find_current(Edition.objects.all()):
            rows.append(_describe(former, _("%(edition)s, %(days)s: readers have %(count)s now")))
        context = {"what": what, "consequence": CHANGES_OVER, "rows": rows, "back": back}
        return self.render(request, "confirm_action", what, edition, context)


def _describe(edition: Edition, text: str) -> str:
    published = Occasion.objects.filter(edition.occasions, event__status=Status.PUBLISHED).count()
    days = " – ".join(format_day(each, dated=True) for each in (edition.first_day, edition.last_day))
    return text % {"edition": edition, "days": days, "count": count_rows(Occasion, published)}


@admin.register(Edition)
class EditionAdmin(BackOfficeAdmin):
    feature_classes = [*BackOfficeAdmin.feature_classes, ShowingToReaders, NextEdition]
    formfield_overrides = FORMFIELDS | {models.DateField: {"form_class": DayField, "widget": DayField.widget}}
    form = EditionForm
    fields = [("name_sv", "name_en"), ("first_day", "last_day"), "slug", "current_from", CONFIRMED]
    ordering = ["-first_day"]
    list_display = ["name_sv", "begins", "ends", "is_shown", "occasion_count", "changes_over", "slug"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        names = super().get_fields(request, obj)
        return names if is_administrator(request.user) else [name for name in names if name != "slug"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether it may be deleted: the current edition only if it is the last one."""
        return super().has_delete_permission(request, obj) and not is_indispensable(obj)

    @admin.display(description=gettext_lazy("first day"), ordering="first_day")
    def begins(self, edition: Edition) -> str:
        return format_day(edition.first_day, dated=True)

    @admin.display(description=gettext_lazy("last day"), ordering="last_day")
    def ends(self, edition: Edition) -> str:
        return format_day(edition.last_day, dated=True)

    @admin.display(description=gettext_lazy("current from"), ordering="current_from")
    def changes_over(self, edition: Edition) -> str:
        return format_day(edition.current_from, dated=True) if edition.current_from else ""

    @admin.display(description=gettext_lazy("current"), boolean=True)
    def is_shown(self, edition: Edition) -> bool:
        return edition.is_current

    @admin.display(description=gettext_lazy("occasions"))
    def occasion_count(self, edition: Edition) -> int:
        return Occasion.objects.filter(edition.occasions).count()

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        lock_for_sent(request)
        return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Edition, form: Any, change: bool) -> None:
        shown, today = find_current(Edition.objects.all()), festival_time().day_of(get_instant(request))
        # Readers get the first that is entered, the one that goes on, and the one that is planned for today.
        goes_on = shown is None or (obj.holds(today) and not shown.holds(today))
        if (goes_on and not change) or ("current_from" in form.changed_data and obj.current_from == today):
            obj.current_since = get_instant(request)
        super().save_model(request, obj, form, change)
