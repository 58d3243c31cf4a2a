"""The pages of what readers were told: the list by day, an entry, and taking it back."""

import re
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from feeds.marks import MARKING
from feeds.news import NewsEntry
from feeds.news_wording import format_number, list_lines
from programme.api.instant import get_instant
from programme.backoffice.dates import group_by_day
from programme.backoffice.forms.news import FALLBACK, NoteField, read_note
from programme.backoffice.news.told import TOOK_BACK, find_areas, is_fed, load_entries, may, name_entry
from programme.backoffice.problems.survey import require_survey
from programme.backoffice.rendering import lock_for_sent, render_page, warn_of_difference
from programme.history import edits
from programme.history.news import correct_note, list_untold, select_news, take_back, tell
from programme.models import Edit, News, Occasion
from programme.models.cleaning import clean_line
from programme.models.dates import editor_language
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int

PAGE_SIZE, PIECES_ON_A_PAGE = 30, 50
# Names of edits in the history, as `TOOK_BACK` is.
CORRECTED = gettext_noop("corrected a note for readers")
TOLD = gettext_noop("told readers afterwards of change")


class NoteForm(forms.Form):
    note = NoteField("sv")
    note_en = NoteField("en", FALLBACK)


def show_list(request: HttpRequest) -> HttpResponse:
    require_survey(request)
    pieces = News.objects.order_by()
    person = parse_int(request.GET.get("by", ""))
    if person is not None:
        pieces = pieces.filter(edit_id__in=Edit.objects.filter(user=person).values("pk"))
    sought = clean_line(request.GET.get("q", ""))
    pieces = pieces.filter(*(Q(facts__title__iregex=re.escape(word)) for word in sought.split()))
    told = pieces.values("entry").annotate(at=Max("told_at")).order_by("-at", "entry")
    page = Paginator(told.values_list("entry", flat=True), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = describe_entries(request, load_entries(News.objects.filter(entry__in=list(page.object_list))))
    rows.sort(key=lambda row: row["first"].told_at, reverse=True)
    context = {
        "days": group_by_day(rows, lambda row: row["first"].told_at),
        "person": rows[0]["edit"] if person is not None and rows else None,
        # As `admin/search_form.html` reads a list of the admin.
        "cl": {
            "search_fields": ["title"],
            "search_help_text": _("Title"),
            "query": sought,
            "params": {} if person is None else {"by": person},
            "result_count": page.paginator.count,
        },
        "search_var": "q",
        "show_result_count": sought,
        "page": page,
    }
    return render_page(request, "news/list", _("What readers were told"), context)


def describe_entries(request: HttpRequest, entries: list[NewsEntry]) -> list[dict[str, Any]]:
    """Return entries for a list, with who told them; one query."""
    known = Edit.objects.in_bulk({each.first.edit_id for each in entries})
    return [
        {
            "id": each.id,
            "title": name_entry(each),
            "first": each.first,
            "note": each.note.within(editor_language()),
            "edit": known.get(each.first.edit_id),
            "is_fed": is_fed(each),
            "is_pending": is_fed(each) and each.first.appears_at > get_instant(request),
        }
        for each in entries
    ]


def show_entry(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Show an entry piece by piece; correct its note."""
    found = _load(request, entry)
    form, note = None, found.note
    if found.first.kind in MARKING and may(request.user, "change", find_areas(found)):
        form = NoteForm(request.POST or None, initial={"note": note.sv, "note_en": note.en}, label_suffix="")
    if request.method == "POST":
        if form is None:
            raise PermissionDenied
        if form.is_valid():
            correct_note(entry, read_note(form.cleaned_data))
            _record(CORRECTED)
            messages.success(request, _("The note is corrected: readers see it at once."))
            return redirect("admin:news_entry", entry)
    page = Paginator(found.pieces, PIECES_ON_A_PAGE).get_page(request.GET.get("page"))
    language, keys = editor_language(), [each.occasion_id for each in page.object_list]
    there = set(Occasion.objects.filter(pk__in=keys).values_list("pk", flat=True))
    context = {
        **_describe(request, found),
        "form": form,
        "differs": any(each.note != note for each in found.pieces),
        "may_take_back": may(request.user, "publish", find_areas(found)),
        "pieces": [
            (
                each.occasion_id if each.occasion_id in there else None,
                list_lines(each, festival_time(), language),
                each.note.within(language),
            )
            for each in page.object_list
        ],
        "page": page,
    }
    title = format_number(found, language) if found.is_batch else name_entry(found)
    return render_page(request, "news/entry", title, context)


def take_entry_back(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Say what taking an entry back does and does not; do it when that is confirmed."""
    found = _load(request, entry)
    if not may(request.user, "publish", find_areas(found)):
        raise PermissionDenied
    if request.method == "POST":
        take_back(News.objects.filter(entry=entry), get_instant(request))
        _record(TOOK_BACK)
        text = _("Taken back: it is gone from the feed, the pages, My programme and the marks.")
        messages.success(request, text)
        return redirect("admin:news")
    title = _("Take back what readers were told?")
    return render_page(request, "news/take_back", title, _describe(request, found))


def _load(request: HttpRequest, entry: UUID) -> NewsEntry:
    require_survey(request)
    lock_for_sent(request)
    entries = load_entries(News.objects.filter(entry=entry))
    if not entries:
        raise Http404
    return entries[0]


def _describe(request: HttpRequest, entry: NewsEntry) -> dict[str, Any]:
    [row] = describe_entries(request, [entry])
    return {"row": row, "count": len(entry.pieces)}


def _record(reason: str, detail: str = "") -> None:
    """Let the latest changes have who did it, which writes no row of the history."""
    edits.set_reason(reason, detail)
    edits.begin()


# --- On the page of an edit ----------------------------------------------------------------------


def describe_told(request: HttpRequest, edit: Edit) -> dict[str, Any]:
    """Return what readers were told of an edit, and a form where they can be told of more of it."""
    untold, _is_unnoticed = list_untold(edit, get_instant(request))
    areas = {each.event["id"]: each.event["area_id"] for each in untold}
    is_offered = untold and may(request.user, "change", areas)
    return {
        "told": describe_entries(request, load_entries(select_news(edit.pk))),
        "untold": untold,
        "form": NoteForm(request.POST or None, label_suffix="") if is_offered else None,
    }


def tell_afterwards(request: HttpRequest, edit: Edit, told: dict[str, Any]) -> bool:
    """Tell readers as the form says; return whether that is done."""
    if not told["untold"]:
        warn_of_difference(request)
    elif told["form"] is None:
        raise PermissionDenied
    elif told["form"].is_valid():
        _record(TOLD, str(edit.pk))
        count = len(told["untold"])
        tell(edit, told["untold"], read_note(told["form"].cleaned_data), get_instant(request))
        text = ngettext(
            "Readers are told of %(count)d occasion.", "Readers are told of %(count)d occasions.", count
        )
        messages.success(request, text % {"count": count})
        return True
    return False
