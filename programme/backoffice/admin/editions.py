"""The editions of the festival, which chief editors enter, and the button that shows one to readers."""
# ruff: noqa: ARG002 - Django's hooks say which arguments there are

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from feeds.editions import find_current
from feeds.festival_time import ONE_DAY
from feeds.wording import EN_DASH
from programme.api.instant import get_instant
from programme.backoffice.admin.base import FORMFIELDS, BackOfficeAdmin
from programme.backoffice.admin.confirm_action import CONFIRMED
from programme.backoffice.dates import count_by_day
from programme.backoffice.editions import SHOWN, build_outside
from programme.backoffice.features import Feature
from programme.backoffice.forms.fields import DayField
from programme.backoffice.generics import ModelForm
from programme.backoffice.next_edition.views import NextEdition
from programme.history import edits
from programme.models import Edition, Occasion, Revision, Status
from programme.models.festival_time import festival_time


class EditionForm(ModelForm):
    """An edition. It is asked once more where readers would miss occasions, before anything is saved."""

    # The number of occasions that the form has told.
    sure_of = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        error_messages = {"slug": {"unique": gettext_lazy("Another edition has this.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if slug := self.fields.get("slug"):
            slug.required = False
            slug.help_text = _("Left empty it is the year: edition=2026.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("slug") == "" and cleaned.get("first_day"):
            cleaned["slug"] = str(cleaned["first_day"].year)
        return cleaned

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # Django's stubs do not have it
        count = 0 if self.errors else find_lost(self.instance).count()
        if count and self.data.get(CONFIRMED) != str(count):
            self.data = sent = self.data.copy()  # type: ignore[attr-defined]
            sent[CONFIRMED] = str(count)
            text = ngettext(
                "%(count)d published occasion would be outside all editions, and readers would not find it"
                " any more. Change the days, or save once more if that is right.",
                "%(count)d published occasions would be outside all editions, and readers would not find"
                " them any more. Change the days, or save once more if that is right.",
                count,
            )
            self.add_error("last_day", text % {"count": count})


def find_lost(edition: Edition) -> QuerySet[Occasion]:
    """Return the occasions that readers get now, and would not if an edition were saved as it is."""
    stored = [*Edition.objects.all()]
    after = [*(each for each in stored if each != edition), edition]
    lost = Occasion.objects.filter(_outside(after), event__status=Status.PUBLISHED)
    return lost.exclude(_outside(stored)) if stored else lost


def _outside(editions: list[Edition]) -> Q:
    begins = festival_time().day_begins
    return build_outside(
        (begins(each.first_day), begins(each.last_day + ONE_DAY)) for each in editions
    ).occasions


class ShowingToReaders(Feature):
    """The button that makes an edition the current one, and the page that asks first."""

    def get_urls(self) -> list[URLPattern]:
        return [self.path("<int:key>/show/", require_http_methods(["GET", "POST"])(self.show), "show")]

    def get_form_context(self, request: HttpRequest, row: Any, context: dict[str, Any]) -> dict[str, Any]:
        is_offered = row and not row.is_current and self.model_admin.has_change_permission(request, row)
        return {"show_page": reverse("admin:programme_edition_show", args=[row.pk])} if is_offered else {}

    def show(self, request: HttpRequest, key: int) -> HttpResponse:
        if request.method == "POST":
            # Nobody shows another one meanwhile.
            Revision.lock()
        edition = self.model_admin.get_object(request, str(key))
        if edition is None:
            raise Http404
        if not self.model_admin.has_change_permission(request, edition):
            raise PermissionDenied
        if request.method == "POST":
            self._show(request, edition, get_instant(request))
            return redirect("admin:programme_edition_changelist")
        context = self.page_context(request, _("Show to readers now"), edition) | {
            "what": _("Show to readers now"),
            "consequence": _(
                "Pages, feeds, calendars and apps change over to this edition at once. Occasions of other"
                " editions keep their addresses."
            ),
            "count": 1,
            "rows": [edition],
            "back": reverse("admin:programme_edition_change", args=[key]),
        }
        return TemplateResponse(request, "admin/programme/confirm_action.html", context)

    def _show(self, request: HttpRequest, edition: Edition, instant: datetime) -> None:
        if edition.is_current:
            messages.info(request, _("Nothing had to be changed."))
            return
        edition.make_current(instant)
        edits.set_reason(SHOWN, edition.name_sv)
        shown = _("Readers see this edition now: %(edition)s.") % {"edition": edition}
        self.model_admin.message_user(request, shown, messages.SUCCESS)


@admin.register(Edition)
class EditionAdmin(BackOfficeAdmin):
    feature_classes = [*BackOfficeAdmin.feature_classes, ShowingToReaders, NextEdition]
    formfield_overrides = FORMFIELDS | {models.DateField: {"form_class": DayField, "widget": DayField.widget}}
    form = EditionForm
    fields = [("name_sv", "name_en"), ("first_day", "last_day"), "slug", "current_from", CONFIRMED]
    ordering = ["-first_day"]

    def get_list_display(self, request: HttpRequest) -> Any:
        days, shown = count_by_day(Q()), find_current(Edition.objects.all())

        @admin.display(description=gettext_lazy("days"), ordering="first_day")
        def period(edition: Edition) -> str:
            return f"{edition.first_day}{EN_DASH}{edition.last_day}"

        @admin.display(description=gettext_lazy("readers see it"), boolean=True)
        def is_shown(edition: Edition) -> bool:
            return edition == shown

        @admin.display(description=gettext_lazy("current from"), ordering="current_from", empty_value="")
        def planned(edition: Edition) -> str | None:
            return str(edition.current_from) if edition.current_from else None

        @admin.display(description=gettext_lazy("occasions"))
        def occasion_count(edition: Edition) -> int:
            return sum(days[day] for day in days if edition.first_day <= day <= edition.last_day)

        return ["name_sv", period, is_shown, occasion_count, planned, "slug"]

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            # What overlaps is not saved meanwhile.
            Revision.lock()
        return super().changeform_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Edition, form: Any, change: bool) -> None:
        if not Edition.objects.exists():
            # An earlier one that is entered later does not take its place.
            obj.current_since = get_instant(request)
        super().save_model(request, obj, form, change)
