"""The page on which a value of a fact is set, or taken back, with one button, and the button in lists."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils.html import format_html_join
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods

from programme.api.instant import get_instant
from programme.backoffice.admin.news import is_published
from programme.backoffice.admin.reader_messages import READERS_SEE_IT as SEEN
from programme.backoffice.admin.reader_messages import link_pages
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.features import Feature
from programme.backoffice.forms.news import NEWS, NO, NewsFields
from programme.backoffice.forms.quick_facts import (
    QuickChange,
    find_former,
    find_quick_change,
    list_quick_changes,
    read_chosen,
)
from programme.backoffice.rendering import lock_for_sent, read_back
from programme.changes.rights import rights_of
from programme.history import edits
from programme.history.news import take_back
from programme.models import News, NewsKind, Occasion
from programme.models.telling import Telling

# The edit's reason in the history, before what the button says.
MARKED = gettext_noop("marked as:")
READERS_SEE_IT = gettext_lazy("Readers see it at once where they are published.")
# Sent with the page: whether it takes back.
LIFTS = "lifts"


class QuickNewsForm(NewsFields):
    """Whether readers are told: unless asked they only see it. Without a note they get the button's words."""

    def __init__(self, data: Any, change: QuickChange) -> None:
        super().__init__(data, label_suffix="", initial={"tell": NO})
        self.words = change.value.lifted if change.lifts else change.value.mark
        for name, words in zip(NEWS[1:], (self.words.sv, self.words.en), strict=True):
            # No time is changed, and the button has to be in view on a phone.
            self.fields[name].help_text = ""
            self.fields[name].widget.attrs["placeholder"] = words

    def build_telling(self, about: Collection[int] = ()) -> Telling:
        telling = super().build_telling(about)
        return telling if telling.note or not self.tells else replace(telling, note=self.words, about=about)


class QuickFacts(Feature):
    def get_urls(self) -> list[URLPattern]:
        view = require_http_methods(["GET", "POST"])(self.fact_view)
        return [self.path("<int:key>/fact/<slug:name>/<slug:code>/", view, "fact")]

    def fact_view(self, request: HttpRequest, key: int, name: str, code: str) -> HttpResponse:
        lock_for_sent(request)
        row: Any = self.model_admin.get_object(request, str(key))
        change = row and find_quick_change(row, name, code)
        if change is None:
            raise Http404
        if not self.model_admin.has_change_permission(request, row):
            raise PermissionDenied
        sent = request.POST if request.method == "POST" else None
        if sent is not None and change.lifts != bool(sent.get(LIFTS)):
            # Another editor was ahead.
            messages.info(request, _("Nothing had to be changed."))
            return self.model_admin.response_post_save_change(request, row)
        form = QuickNewsForm(sent, change) if is_published(row) else None
        if sent is None or (form and not form.is_valid()):
            return self._ask(request, row, change, form)
        _write(request, row, change, form)
        return self.model_admin.response_post_save_change(request, row)

    def _ask(self, request: HttpRequest, row: Any, change: QuickChange, form: Any) -> HttpResponse:
        context = {
            "what": change.label,
            "consequence": READERS_SEE_IT if form else "",
            "form": form,
            "rows": [row],
            "sent": [(LIFTS, "1")] if change.lifts else [],
            "back": read_back(request)
            or reverse(f"admin:programme_{self.model_admin.opts.model_name}_changelist"),
        }
        return self.render(request, "confirm_action", change.label, None, context)


def _write(request: HttpRequest, row: Any, change: QuickChange, form: QuickNewsForm | None) -> None:
    if form:
        edits.set_telling(form.build_telling([row.pk]))
    if change.lifts and not (form and form.tells):
        # By which readers were told of the value, and which would be untrue now.
        words = change.value.mark
        told = News.objects.filter(occasion_id=row.pk, kind=NewsKind.CHANGED)
        take_back(told.filter(note_sv=words.sv, note_en=words.en), get_instant(request))
    stated = find_former(change) if change.lifts else change.value.code
    edits.set_reason(MARKED, change.label)
    Occasion.objects.filter(pk=row.pk).update(**{change.fact.name: stated})
    seen = link_pages(request, f"{change.label}. {SEEN}", [row]) if form else ""
    report_batch(request, seen or f"{change.label}: {row}")


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
    found = list_quick_changes(occasion.pk, read_chosen(occasion))
    links = ((each.address, back, each.label, occasion, each.label) for each in found)
    return format_html_join(" ", '<a class="button plain" href="{}?{}" aria-label="{}: {}">{}</a>', links)
