"""The preview of an event: what readers will get of it, as it is saved or as it has been typed."""

from typing import Any, NamedTuple

from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import all_valid
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.api.instant import get_instant
from programme.backoffice.dates import editor_language
from programme.models import Event
from programme.publishing import loading
from programme.publishing.preview import PageWriter, Preview, Representation

NAMES: dict[LanguageCode, str] = {"sv": "Svenska", "en": "English"}


class PreviewFrame(NamedTuple):
    """An event in one language."""

    code: LanguageCode
    name: str
    page: str
    representations: list[Representation]


class PreviewRefused(NamedTuple):
    """What keeps a form from being shown: where, and why."""

    where: str
    why: str


class PreviewMixin:
    """An admin of events with a preview, for those who may see the event."""

    def preview_view(
        self, request: HttpRequest, write_page: PageWriter, object_id: str | None = None
    ) -> HttpResponse:
        """Show what is saved; of a submitted form what it would save, which is rolled back at once.

        Its addresses are in `programme/backoffice/urls.py`, because `write_page` comes from there.
        """
        event = self._previewed(request, object_id)
        if request.method == "POST":
            programme, refused = self._typed(request, event)
        elif event is not None:
            programme, refused = loading.load_event(event.pk), []
        else:
            raise Http404
        preview = Preview(programme, get_instant(request), write_page) if programme else None
        return self._preview_page(request, event, preview, refused)

    def _previewed(self, request: HttpRequest, object_id: str | None) -> Event | None:
        """Return the event that is asked for, None for a new one. Raises PermissionDenied and Http404."""
        typed = request.method == "POST"
        event = self.get_object(request, object_id) if object_id else None  # type: ignore[attr-defined]
        if object_id is None:
            allowed = self.has_add_permission(request)  # type: ignore[attr-defined]
        elif typed:
            allowed = self.has_change_permission(request, event)  # type: ignore[attr-defined]
        else:
            allowed = self.has_view_or_change_permission(request, event)  # type: ignore[attr-defined]
        if not allowed:
            raise PermissionDenied
        if object_id and event is None:
            raise Http404
        return event

    def _typed(
        self, request: HttpRequest, event: Event | None
    ) -> tuple[Programme | None, list[PreviewRefused]]:
        """Return the programme of what was typed, which is in no database any more; or what is wrong.

        An image that has just been chosen is left out: its file would stay behind.
        """
        fields = flatten_fieldsets(self.get_fieldsets(request, event))  # type: ignore[attr-defined]
        form_class = self.get_form(request, event, change=event is not None, fields=fields)  # type: ignore[attr-defined]
        with transaction.atomic():
            form = form_class(request.POST, {}, instance=event)
            valid = form.is_valid()
            typed = self.save_form(request, form, event is not None) if valid else form.instance  # type: ignore[attr-defined]
            formsets, _inlines = self._create_formsets(request, typed, change=event is not None)  # type: ignore[attr-defined]
            programme = None
            if all_valid(formsets) and valid:
                self.save_model(request, typed, form, event is not None)  # type: ignore[attr-defined]
                for formset in formsets:
                    formset.save()
                programme = loading.load_event(typed.pk)
            transaction.set_rollback(True)
        return programme, [] if programme else _refusals(form, formsets)

    def _preview_page(
        self,
        request: HttpRequest,
        event: Event | None,
        preview: Preview | None,
        refused: list[PreviewRefused],
    ) -> HttpResponse:
        shown = preview and [
            PreviewFrame(code, NAMES[code], preview.page(code), preview.representations(code))
            for code in LANGUAGES
        ]
        context = {
            **self.admin_site.each_context(request),  # type: ignore[attr-defined]
            "title": _("Preview"),
            "subtitle": preview.occasion.event.title if preview and preview.occasion else None,
            "opts": Event._meta,
            "original": event,
            "has_occasion": bool(preview and preview.occasion),
            "shown": shown,
            "formats": [(each.extension, each.label.within(editor_language())) for each in FORMATS],
            "first": editor_language(),
            "refused": refused,
            "is_nav_sidebar_enabled": False,
        }
        # The admin sends all its pages with `no-store`.
        return TemplateResponse(request, "admin/programme/event/preview.html", context)


def _refusals(form: Any, formsets: list[Any]) -> list[PreviewRefused]:
    found = [*_of_form(form, "")]
    for formset in formsets:
        found += [PreviewRefused("", each) for each in formset.non_form_errors()]
        for number, row in enumerate(formset.forms, 1):
            name = capfirst(formset.model._meta.verbose_name)
            found += _of_form(row, f"{name} {number}, ")
    return found


def _of_form(form: Any, before: str) -> list[PreviewRefused]:
    return [
        PreviewRefused(
            f"{before}{form.fields[name].label}" if name in form.fields else before.rstrip(", "), why
        )
        for name, every in form.errors.items()
        for why in every
    ]
