"""The festival's face while it is chosen: real pages with what is typed, and what had to be helped."""

from collections.abc import Callable
from typing import Any

from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.palette import clean_colors, complete
from feeds.snapshot import Snapshot
from feeds.vocabulary import Festival as FestivalValue
from feeds.vocabulary import LanguageCode, Theme
from programme.api.instant import get_instant
from programme.backoffice.features import Feature
from programme.backoffice.generics import ModelAdmin
from programme.backoffice.preview import PageWriter, Preview
from programme.models import Festival
from programme.models.dates import editor_language
from programme.publishing import loading
from programme.publishing.current import current
from programme.publishing.shared_values import load_festival

# Writes the first page or the one of a name, as `PageWriter` does that of an occasion.
FaceWriter = Callable[[Snapshot, LanguageCode, str], tuple[bytes, str]]
# The browser shows these as they were chosen, though they are not uploaded.
SHOWN_FILES = ("logo", "hero", "map")


class FacePreview(Feature):
    """Answers the form's script with a page of the programme that has the typed face."""

    def __init__(self, model_admin: ModelAdmin, write_face: FaceWriter, write_page: PageWriter) -> None:
        super().__init__(model_admin)
        self.write_face = write_face
        self.write_page = write_page

    def get_urls(self) -> list[URLPattern]:
        return [self.path("preview/", self.preview_view, "preview")]

    def preview_view(self, request: HttpRequest) -> HttpResponse:
        """Show what the form would save, which is rolled back at once; without a form what is saved."""
        row = Festival.objects.first()
        if not self.model_admin.has_change_permission(request, row):
            raise PermissionDenied
        with transaction.atomic():
            errors = self._save(request, row) if request.method == "POST" else {}
            typed = load_festival(loading.build_site())
            transaction.set_rollback(True)
        notes = describe_helped(typed.theme) | errors
        return JsonResponse({"page": self._write(request, typed), "notes": notes})

    def _save(self, request: HttpRequest, row: Festival | None) -> dict[str, str]:
        """Save what is valid; return the first error of each other field, which stays as it is."""
        fields = flatten_fieldsets(self.model_admin.get_fieldsets(request, row))
        form_class = self.model_admin.get_form(request, row, change=row is not None, fields=fields)
        form: Any = form_class(request.POST, MultiValueDict(), instance=row)
        for name in form.errors.keys() & form.initial.keys():
            # Half a colour, say.
            setattr(form.instance, name, form.initial[name])
        form.instance.save()
        return {name: errors[0] for name, errors in form.errors.items()}

    def _write(self, request: HttpRequest, typed: FestivalValue) -> str:
        instant, language = get_instant(request), editor_language()
        saved = current.at(instant).programme
        programme = replace(saved, festival=_show_chosen(request, typed))
        # Nothing that is computed of a programme is of the festival's row.
        vars(programme).update(vars(saved))
        body, shown = b"", request.POST.get("face-page", "")
        if shown == "occasion":
            body = Preview(programme, instant, self.write_page).page(language)[0].encode()
        page = (body or self.write_face(Snapshot(programme, instant), language, shown)[0]).decode()
        scheme = {"light": "light", "dark": "dark"}.get(request.POST.get("face-scheme", ""), "light dark")
        # Before the festival's own rules, which may allow one scheme alone.
        return page.replace("<style>", f"<style>:root{{color-scheme:{scheme}}}", 1)


def _show_chosen(request: HttpRequest, typed: FestivalValue) -> FestivalValue:
    """Name the files that are chosen but not sent, for the script to show them."""
    chosen = [name for name in SHOWN_FILES if f"chosen-{name}" in request.POST]
    urls = {f"{name}_url": f"https://chosen.invalid/{name}" for name in chosen}
    picture = None if "map" in chosen else typed.theme.map_picture
    return replace(typed, theme=replace(typed.theme, **urls, map_picture=picture))


def list_helped(theme: Theme) -> dict[str, str]:
    """Return by which colour each chosen one is replaced as text or a line, by the names of fields."""
    chosen, face = clean_colors(theme), complete(theme)
    shown = {"color": face.light["accent"], "ink": face.light["ink"]}
    shown |= {"dark_color": face.dark["accent"], "dark_ink": face.dark["ink"]}
    return {name: each for name, each in shown.items() if chosen[name] and chosen[name] != each}


def describe_helped(theme: Theme) -> dict[str, str]:
    """Say of each colour that cannot be read where it stands what stands there instead."""
    face = complete(theme)
    inks = {"color": face.light["ink"], "dark_color": face.dark["ink"]}
    notes = {
        name: _describe(name, used, is_replaced=inks.get(name) == used)
        for name, used in list_helped(theme).items()
    }
    if not face.only and theme.palette.background == face.dark["paper"]:
        notes["background"] = _("Darker than the background of dark mode: the two have changed places.")
    return notes


def _describe(name: str, used: str, *, is_replaced: bool) -> str:
    if name.endswith("ink"):
        return _("On this background text is written in {}, so that it can be read.").format(used)
    if is_replaced:
        return _("Too light to read on this background: links have the text's colour. Buttons keep yours.")
    return _("Links are written in {}, so that they can be read. Buttons keep your colour.").format(used)


def list_usual(theme: Theme) -> dict[str, str]:
    """Return the colour that is used for each that is not chosen, by the field."""
    face, names = complete(theme), {"color": "fill", "background": "paper", "ink": "ink"}
    light = {field: face.light[name] for field, name in names.items()}
    return light | {f"dark_{field}": face.dark[name] for field, name in names.items()}
