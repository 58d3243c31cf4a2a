"""The preview of an event: what readers will see of it, as it is saved or as it has been typed."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import all_valid
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from django.utils.datastructures import MultiValueDict
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.formats import FORMATS
from feeds.programme import Programme
from feeds.vocabulary import LANGUAGES, LanguageCode
from programme.api.instant import get_instant
from programme.backoffice.admin.face import FacePreview, FaceWriter
from programme.backoffice.features import Feature
from programme.backoffice.forms.base import is_in_english
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.preview import PageWriter, Preview
from programme.history import edits
from programme.models import Event, Festival, Status
from programme.models.dates import editor_language
from programme.publishing import loading

NAMES: dict[LanguageCode, str] = {"sv": "Svenska", "en": "English"}
# What prevents a preview: where it is, and its message.
Refusals = list[tuple[str, str]]


class EventPreview(Feature):
    """Previews an event for those who may see it; `build_urls` adds its addresses."""

    def __init__(self, model_admin: ModelAdmin, write_page: PageWriter) -> None:
        super().__init__(model_admin)
        self.write_page = write_page

    def get_urls(self) -> list[URLPattern]:
        return [
            self.path("add/preview/", self.preview_view, "preview_new"),
            self.path("<path:object_id>/preview/", self.preview_view, "preview"),
        ]

    def preview_view(self, request: HttpRequest, object_id: str | None = None) -> HttpResponse:
        """Show what is saved, or what a submitted form would save, which is rolled back at once."""
        event = self._find_event(request, object_id)
        if request.method == "POST":
            programme, refused = self._load_typed(request, event)
        elif event is not None:
            programme, refused = loading.load_events(Event.objects.filter(pk=event.pk)), []
        else:
            raise Http404
        preview = Preview(programme, get_instant(request), self.write_page) if programme else None
        return self._preview_page(request, event, preview, refused)

    def _find_event(self, request: HttpRequest, object_id: str | None) -> Any:
        """Return the event, None for a new one. Raises PermissionDenied and Http404."""
        model_admin = self.model_admin
        event = model_admin.get_object(request, object_id) if object_id else None
        if object_id is None:
            allowed = model_admin.has_add_permission(request)
        elif request.method == "POST":
            allowed = model_admin.has_change_permission(request, event)
        else:
            allowed = model_admin.has_view_or_change_permission(request, event)
        if not allowed:
            raise PermissionDenied
        if object_id and event is None:
            raise Http404
        return event

    def _load_typed(self, request: HttpRequest, event: Event | None) -> tuple[Programme | None, Refusals]:
        """Return the programme of what was typed, which is stored nowhere; or the errors.

        An image that has just been chosen is left out: its file would stay behind.
        """
        model_admin, change = self.model_admin, event is not None
        fields = flatten_fieldsets(model_admin.get_fieldsets(request, event))
        form_class = model_admin.get_form(request, event, change=change, fields=fields)
        with transaction.atomic():
            form = form_class(request.POST, MultiValueDict(), instance=event)
            valid = form.is_valid()
            typed = model_admin.save_form(request, form, change) if valid else form.instance
            formsets, _inlines = model_admin._create_formsets(request, typed, change=change)  # type: ignore[attr-defined]  # noqa: SLF001
            programme = None
            if all_valid(formsets) and valid:
                model_admin.save_model(request, typed, form, change)
                for formset in formsets:
                    model_admin.save_formset(request, form, formset, change)
                model_admin.set_telling(form, formsets)  # type: ignore[attr-defined]
                edits.write_news()
                programme = loading.load_events(Event.objects.filter(pk=typed.pk))
            transaction.set_rollback(True)
        return programme, [] if programme else _list_refusals(form, formsets)

    def _preview_page(
        self, request: HttpRequest, event: Event | None, preview: Preview | None, refused: Refusals
    ) -> HttpResponse:
        languages = LANGUAGES if is_in_english() else LANGUAGES[:1]
        pages = {code: preview.page(code) for code in languages} if preview else {}
        shown = preview and [
            {
                "code": code,
                "name": NAMES[code],
                "page": pages[code][0],
                "representations": preview.representations(code),
            }
            for code in languages
        ]
        context = {
            "subtitle": preview.occasion.event.title if preview and preview.occasion else None,
            "has_occasion": bool(preview and preview.occasion),
            "shown": shown,
            "formats": [(each.extension, each.label.within(editor_language())) for each in FORMATS],
            "first": editor_language() if len(languages) > 1 else languages[0],
            "is_published": event and event.status == Status.PUBLISHED,
            "refused": refused,
        }
        # The admin sends all its pages with `no-store`.
        response = self.render(request, "event/preview", _("Preview"), event, context)
        # The frames inherit this page's policy (festival/http/headers.py).
        response.framed_styles = [style for _page, style in pages.values()]  # type: ignore[attr-defined]
        return response


def _list_refusals(form: Any, formsets: list[Any]) -> Refusals:
    found = _list_errors(form, "")
    for formset in formsets:
        found += [("", each) for each in formset.non_form_errors()]
        for number, row in enumerate(formset.forms, 1):
            found += _list_errors(row, f"{capfirst(formset.model._meta.verbose_name)} {number}")
    return found


def _list_errors(form: Any, row: str) -> Refusals:
    labels = {name: str(field.label) for name, field in form.fields.items()}
    return [
        (", ".join(filter(None, (row, labels.get(name)))), why)
        for name, every in form.errors.items()
        for why in every
    ]


def build_urls(
    write_page: PageWriter, write_face: FaceWriter
) -> tuple[list[URLPattern | URLResolver], str, str]:
    """Return what `path` takes for the back office, with what writes the pages that previews show."""
    preview = EventPreview(admin.site.get_model_admin(Event), write_page)
    face = FacePreview(admin.site.get_model_admin(Festival), write_face, write_page)
    patterns, app_name, namespace = admin.site.urls
    own = [("event", preview), ("festival", face)]
    previews = [path(f"programme/{name}/", include(each.get_urls())) for name, each in own]
    return [*previews, *patterns], app_name, namespace
