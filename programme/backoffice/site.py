"""The back office: Django's admin under the product's name, with pages of its own."""

import json
import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, path
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from markdown_it import MarkdownIt

from feeds.festival_time import ONE_DAY
from feeds.names import fold
from feeds.nearness import NearNames
from feeds.palette import USUAL_DARK, USUAL_LIGHT, write_accents
from feeds.vocabulary import LanguageCode, Theme
from programme.api.instant import get_instant
from programme.backoffice import editions, start
from programme.backoffice.changes import views as changes
from programme.backoffice.errors import explain_methods
from programme.backoffice.forms import places
from programme.backoffice.forms.doubts import KnownDays
from programme.backoffice.forms.named import NEW, describe_choice, find_makeable
from programme.backoffice.forms.series import SeriesForm
from programme.backoffice.forms.typed import follow_start
from programme.backoffice.imports import views as imports
from programme.backoffice.merging import views as merging
from programme.backoffice.news import views as news
from programme.backoffice.problems import page as problems
from programme.backoffice.rendering import render_page
from programme.backoffice.suggestions import sending as organizer_links
from programme.backoffice.suggestions import views as suggestions
from programme.backoffice.timetable import views as timetable
from programme.changes.rights import rights_of
from programme.history import edits
from programme.models import Event, Occasion
from programme.models.cleaning import clean_line
from programme.models.dates import editor_language, format_instant
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int
from programme.publishing.current import current

# The handbook's pictures, by their path from its folder, so that it can be read in the repository too.
_PICTURE = re.compile(r'"\.\./\.\./programme/static/([^"]+)"')
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

View = Callable[..., HttpResponseBase]


class BackOfficeSite(AdminSite):
    site_header = site_title = _("Festival programme")
    index_title = _("Back office")
    enable_nav_sidebar = False

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(explain_methods(record_edit(view)), cacheable)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        wrap = self.admin_view
        # It writes nothing of the programme, and sends messages, for which no transaction must wait.
        show_links = super().admin_view(explain_methods(organizer_links.show_links))
        return [
            path("problems/", wrap(problems.show_problems), name="problems"),
            path("changes/", wrap(changes.list_edits), name="changes"),
            path("changes/<int:pk>/", wrap(changes.show_change), name="change"),
            path("changes/<int:pk>/undo/", wrap(changes.undo_change), name="change_undo"),
            path(
                "changes/<int:pk>/<slug:name>/<int:key>/<slug:field>/",
                wrap(changes.take_back),
                name="change_take_back",
            ),
            path("news/", wrap(news.show_list), name="news"),
            path("news/<uuid:entry>/", wrap(news.show_entry), name="news_entry"),
            path("news/<uuid:entry>/take-back/", wrap(news.take_entry_back), name="news_take_back"),
            path("merge/<str:name>/", wrap(merging.show_page), name="merge"),
            path("suggestions/", wrap(suggestions.show_queue), name="suggestions"),
            path("suggestions/<int:pk>/", wrap(suggestions.show_suggestions), name="suggestion"),
            path("suggestions/<int:pk>/image/", wrap(suggestions.show_image), name="suggestion_image"),
            path("suggestions/links/", show_links, name="organizer_links"),
            path("edition/", wrap(editions.choose), name="choose_edition"),
            path("handbook/", wrap(show_handbook), name="handbook"),
            path("settings/", wrap(show_settings), name="settings"),
            path("times/", wrap(show_times), name="times"),
            path("places/", wrap(show_places), name="places"),
            path("days/", wrap(show_days), name="days"),
            path("timetable/", wrap(timetable.redirect_to_day), name="timetable"),
            path("timetable/sheets/", wrap(timetable.show_sheets), name="timetable_sheets"),
            path("timetable/<str:day>/", wrap(timetable.show_day), name="timetable_day"),
            path("import/", wrap(imports.show_upload_form), name="import"),
            path("import/done/", wrap(imports.show_result), name="import_done"),
            path("import/<int:pk>/", wrap(imports.show_preview), name="import_file"),
            path("import/<int:pk>/read/", wrap(imports.read_file), name="import_read"),
            path("import/<int:pk>/table/", wrap(imports.choose_columns), name="import_table"),
            path("import/<int:pk>/answers/", wrap(imports.answer_questions), name="import_answers"),
            path("import/<int:pk>/cells/", wrap(imports.correct_cells), name="import_cells"),
            path("import/<int:pk>/apply/", wrap(imports.apply_file), name="import_apply"),
            *super().get_urls(),
        ]

    def autocomplete_view(self, request: HttpRequest) -> Any:
        return ChoicesView.as_view(admin_site=self)(request)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        return super().index(request, start.start_page_context(request) | (extra_context or {}))

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        context = super().each_context(request) | build_look()
        context |= {"imports": imports.may_import(request), "version": settings.VERSION}
        if self.has_permission(request):
            context |= {"scopes": editions.offer_scopes(request), "scope": editions.get_scope(request)}
        return context


def record_edit(view: View) -> View:
    """Record all that a request writes as one edit, in one transaction."""

    @wraps(view)
    def recorded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in SAFE_METHODS:
            return view(request, *args, **kwargs)
        with edits.record(request.user, get_instant(request)):
            return view(request, *args, **kwargs)

    return recorded


# --- The festival's name and colour -------------------------------------------------------------


def build_look() -> dict[str, str]:
    """Return the context of every page: `festival_name` in the editor's language, and `festival_style`, CSS.

    Empty where this process has no programme yet: no page is worth a query for its colour.
    """
    if current.programme is None:
        return {}
    festival = current.programme.festival
    name = festival.name.within(editor_language())
    # Its background is its own.
    accents = write_accents(Theme(color=festival.theme.color))
    # Of a colour that is too light links have that of text, and could not be told from it.
    lost = f"--accent-light:{USUAL_LIGHT['ink']}", f"--accent-dark:{USUAL_DARK['ink']}"
    accents = [each for each in accents if each not in lost]
    style = f":root{{{';'.join(accents)}}}" if accents else ""
    # The title is in the browser's tab.
    return {"festival_name": name, "site_title": name, "festival_style": style}


def show_settings(request: HttpRequest) -> HttpResponse:
    """Show the registers that the user may see, and where to begin the next edition."""
    return render_page(request, "settings", _("Settings"), {})


# --- The handbook -------------------------------------------------------------------------------


def show_handbook(request: HttpRequest) -> HttpResponse:
    """Show docs/handbook/ in the editor's language."""
    context = {"text": _render_handbook(editor_language())}
    return render_page(request, "handbook", _("Handbook for editors"), context)


@lru_cache
def _render_handbook(language: LanguageCode) -> SafeString:
    text = (settings.HANDBOOK_DIR / f"{language}.md").read_text()
    # The page has its title already.
    html = MarkdownIt("commonmark").enable("table").render(text.partition("\n")[2])
    return mark_safe(_PICTURE.sub(lambda found: f'"{static(found[1])}"', str(html)))  # noqa: S308 - our own text


# --- Search boxes -------------------------------------------------------------------------------


def show_times(request: HttpRequest) -> JsonResponse:
    return JsonResponse(follow_start(request.GET.dict()))


def show_places(request: HttpRequest) -> JsonResponse:
    """Return what the box for places offers: those with all the words, or else the nearest and the name."""
    if not rights_of(request.user).has_permission("view_location"):
        raise PermissionDenied
    name, every = clean_line(request.GET.get("term", "")), places.load_places()
    words = fold(name).split()
    found = [each for each in every if all(word in fold(places.list_names(*each)) for word in words)]
    last = places.PAGE * (parse_int(request.GET.get("page", "")) or 1)
    called = [each for each in found if fold(name) in fold(places.name_place(*each).partition(",")[0])]
    others = [each for each in found if each not in called]
    options = [*places.list_options(called), *places.list_options(others)]
    results: list[Any] = options[last - places.PAGE : last]
    if not found:
        near = places.list_options(places.find_near(name, every))
        field = places.PlaceField()
        field.may_make = find_makeable(request.user)
        results = _offer_instead(near, name, may=bool(name and field.find_named(name)[0]))
    return JsonResponse({"results": results, "pagination": {"more": last < len(found)}})


def _offer_instead(near: list[dict[str, str]], name: str, *, may: bool) -> list[Any]:
    """Return what a box offers that found nothing: the nearest rows, and to make one of the name."""
    rows = [{"text": _("Not found. Do you mean one of these?"), "children": near}] if near else []
    return [*rows, *([{"id": f"{NEW}{name}", "text": describe_choice(f"{NEW}{name}")}] if may else [])]


def show_days(request: HttpRequest) -> JsonResponse:
    """Return the days of a series with what is doubtful of each, or why there are none."""
    form = SeriesForm(request.GET)
    if not form.is_valid():
        return JsonResponse({"errors": [text for every in form.errors.values() for text in every]})
    known, festival = KnownDays.load(get_instant(request)), festival_time()
    begins = [(day, festival.day_begins(day)) for day in form.days]
    held = [(day, Occasion(start=start, end=start + ONE_DAY)) for day, start in begins]
    return JsonResponse({"days": [(day.isoformat(), known.question(each)) for day, each in held]})


class ChoicesView(AutocompleteJsonView):
    """What search boxes offer: events with when they are and whose, for several may have one title.

    For the name of an organizer that finds nothing: the nearest ones, also by other names, and to make it.
    """

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        answer = super().get(request, *args, **kwargs)
        name, field = clean_line(self.term), self.source_field
        if not name or field.name != "organizer" or json.loads(answer.content)["results"]:
            return answer
        rows = self.model_admin.get_queryset(request)
        every, _distinct = self.model_admin.get_search_results(request, rows, "")
        names = {each: row for row in every for each in (*row.other_names.splitlines(), row.name)}
        near = dict.fromkeys(names[each] for each in NearNames(names).find(name))
        may = field.model is Event and bool(self.model_admin.has_add_permission(request))
        results = _offer_instead([{"id": str(row.pk), "text": str(row)} for row in near], name, may=may)
        return JsonResponse({"results": results, "pagination": {"more": False}})

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        result: dict[str, str] = super().serialize_result(obj, to_field_name)
        if isinstance(obj, Event):
            # `Wed 29 Jul 14:00, Föreningen Jazz`, or the area of what has no organizer.
            first: Any = vars(obj)["first_start"]
            when = f"{format_instant(first)}, " if first else ""
            result["text"] = f"{obj.title} ({when}{obj.organizer or obj.area})"
        return result
