"""The page on which a value of a fact is set, or taken back, with one button, and the button in lists."""

from collections.abc import Callable
from copy import copy
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.html import format_html_join
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods

from programme.api.instant import get_instant
from programme.backoffice.admin.news import is_published
from programme.backoffice.admin.reader_messages import READERS_SEE_IT, link_pages
from programme.backoffice.changes.confirming import confirm
from programme.backoffice.features import Feature
from programme.backoffice.forms import quick_facts
from programme.backoffice.forms.news import NO
from programme.backoffice.rendering import lock_for_sent
from programme.changes.change import Change, Plan
from programme.changes.rights import rights_of
from programme.history.news import take_back
from programme.models import News, NewsKind, Occasion

# The edit's reason in the history, before what the button says.
MARKED = gettext_noop("marked as:")
# Sent with the page: whether it takes back.
LIFTS = "lifts"


class QuickFacts(Feature):
    def get_urls(self) -> list[URLPattern]:
        view = require_http_methods(["GET", "POST"])(self.fact_view)
        return [self.path("<int:key>/fact/<slug:name>/<slug:code>/", view, "fact")]

    def fact_view(self, request: HttpRequest, key: int, name: str, code: str) -> HttpResponse:
        lock_for_sent(request)
        row: Any = self.model_admin.get_object(request, str(key))
        change = row and quick_facts.find_quick_change(row, name, code)
        if change is None:
            raise Http404
        if not self.model_admin.has_change_permission(request, row):
            raise PermissionDenied
        back = self.model_admin.response_post_save_change(request, row)
        if "seen" in request.POST and change.lifts != bool(request.POST.get(LIFTS)):
            # Another editor was ahead.
            messages.info(request, _("Nothing had to be changed."))
            return back
        seen = link_pages(request, f"{change.label}. {READERS_SEE_IT}", [row]) if is_published(row) else ""
        words = {
            "opts": self.model_admin.opts,
            "title": change.label,
            "button": change.label,
            "back": back.url,
            "sent": [(LIFTS, "1")] if change.lifts else [],
            "done": seen or f"{change.label}: {row}",
            "about": [key] if is_published(row) else [],
            "note": _("A few words for readers."),
            "tell": NO,
            "said": change.words,
        }
        return confirm(request, _build_plan(row, change, get_instant(request)), words, lambda _edit: back.url)


def _build_plan(row: Occasion, change: quick_facts.QuickChange, instant: datetime) -> Plan:
    after = copy(row)
    setattr(after, change.fact.name, quick_facts.find_former(change) if change.lifts else change.value.code)

    def follow(plan: Plan) -> None:
        if change.lifts and not (plan.telling and plan.telling.tells):
            # By which readers were told of the value, and which would be untrue now.
            words = change.value.mark
            told = News.objects.filter(occasion_id=row.pk, kind=NewsKind.CHANGED)
            take_back(told.filter(note_sv=words.sv, note_en=words.en), instant)

    return Plan([Change.of(row, after)], MARKED, change.label, follow)


def is_over(occasion: Occasion, instant: datetime) -> bool:
    """Return whether nobody comes any more."""
    return occasion.end <= instant or occasion.cancelled


def build_quick_column(request: HttpRequest) -> Callable[[Occasion], str]:
    """Return the column of buttons, where the user may change the occasion."""
    rights, back = rights_of(request.user), urlencode({"back": request.get_full_path()})
    instant = get_instant(request)

    @admin.display(description=gettext_lazy("mark as"), empty_value="")
    def quick(occasion: Occasion) -> str:
        is_asked = not is_over(occasion, instant) and rights.can("change", occasion)
        return link_changes(occasion, back) if is_asked else ""

    return quick


def link_changes(occasion: Occasion, back: str) -> str:
    found = quick_facts.list_quick_changes(occasion.pk, quick_facts.read_chosen(occasion))
    links = ((each.address, back, each.label, occasion, each.label) for each in found)
    return format_html_join(" ", '<a class="button plain" href="{}?{}" aria-label="{}: {}">{}</a>', links)
