"""The page of the bulk edit: choose, say what is to be done, see what happens, and do it."""

from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from programme.api.instant import get_instant
from programme.backoffice.bulk.checks import add_warnings
from programme.backoffice.bulk.forms import ChoiceForm, OperationForm
from programme.backoffice.bulk.plan import build_plan, list_changing, name_button
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.dates import editor_language
from programme.backoffice.editions import get_scope
from programme.backoffice.forms.base import build_search_media
from programme.backoffice.forms.news import NEWS
from programme.backoffice.rendering import choose_back, digest, read_back, render_page, warn_of_difference
from programme.backoffice.timetable.columns import load_columns
from programme.changes.change import Plan
from programme.changes.preview import ShownChange, preview_news, show_changes
from programme.changes.rights import rights_of
from programme.changes.writing import PlanRefusedError, describe_refusal, write
from programme.models import Event, Occasion, Revision, Status
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_ints
from programme.models.telling import Telling

# The fields that name what is chosen, and what of it was shown; the buttons.
OCCASION, EVENT, SHOWN, SEEN = "occasion", "event", "shown", "seen"
SHOW, APPLY = "show", "apply"
# Sent with occasions that are ticked in the form of their event: the field in which the cursor is to be.
OPEN = "open"
TICK_ONE = gettext_lazy("Tick at least one occasion.")
# What of the event of an occasion is shown or decides what happens.
_OF_EVENT = ["title", "area_id", "status"]


@dataclass
class Selection:
    """The keys of what is chosen: ticked occasions, and events where they were chosen as a whole."""

    occasions: list[int]
    events: list[int] = field(default_factory=list)
    # The occasions that are on the page, ticked or not, and what was shown of them.
    shown: list[int] = field(default_factory=list)
    seen: str = ""

    @classmethod
    def sent(cls, data: QueryDict) -> "Selection":
        ticked = parse_ints(data.getlist(OCCASION))
        shown = [*ticked, *parse_ints(data.get(SHOWN, "").split())]
        return cls(ticked, parse_ints(data.getlist(EVENT)), shown, data.get(SEEN, ""))


def show_page(request: HttpRequest) -> HttpResponse:
    page = BulkEditPage(request, request.GET, read_back(request))
    if request.method != "POST":
        return page.render(Selection(page.choice.find()))
    selection = Selection.sent(request.POST)
    if page.back and not (selection.shown or selection.events):
        messages.warning(request, TICK_ONE)
        return redirect(page.back)
    if OPEN in request.POST:
        return page.render(selection, request.POST[OPEN])
    if APPLY in request.POST:
        # What is done is what was shown.
        Revision.lock()
    return page.handle(selection)


def open_page(request: HttpRequest, selection: Selection, focus: str = "") -> HttpResponse:
    """Show the page with rows that were ticked in a list, to which it leads back."""
    return BulkEditPage(request, QueryDict(), choose_back(request.get_full_path())).render(selection, focus)


class BulkEditPage:
    def __init__(self, request: HttpRequest, query: QueryDict, back: str) -> None:
        if not admin.site.get_model_admin(Occasion).has_change_permission(request):
            raise PermissionDenied
        self.request, self.back, self.instant = request, back, get_instant(request)
        self.rights = rights_of(request.user)
        self.places = load_columns()
        today = festival_time().day_of(self.instant)
        self.choice = ChoiceForm(query, self.places, today, get_scope(request).occasions)

    def handle(self, selection: Selection) -> HttpResponse:
        """Show what happens; do it if it is what the editor was shown."""
        form = OperationForm(self.places, self.rights, selection.events, self.request.POST)
        occasions = load_occasions(selection.shown)
        chosen = set(selection.occasions)
        ticked = [each for each in occasions if each.pk in chosen]
        if not (ticked or form.events):
            form.add_error(None, TICK_ONE)
        if not form.is_valid():
            return self._render(selection, form, occasions)
        events = list(form.plan_events())
        plan = build_plan(form.operation, events, ticked, self.rights, self.instant)
        seen = _compute_digest(form, plan)
        if APPLY in self.request.POST:
            if seen == selection.seen:
                return self._apply(plan)
            warn_of_difference(self.request)
        add_warnings(plan, self.instant)
        return self._render(selection, form, occasions, plan, seen)

    def render(self, selection: Selection, focus: str = "") -> HttpResponse:
        """Show what is chosen, with the cursor in a field."""
        form = OperationForm(self.places, self.rights, selection.events, None)
        if focus in form.fields:
            form.fields[focus].widget.attrs["autofocus"] = True
        return self._render(selection, form, load_occasions(selection.occasions))

    # --- Doing it -------------------------------------------------------------------------------

    def _apply(self, plan: Plan) -> HttpResponse:
        try:
            write(plan, self.rights)
        except PlanRefusedError as refusal:
            messages.error(self.request, describe_refusal(refusal))
        else:
            occasions = [each for each in plan.changes if each.model is Occasion]
            events = sum(each.model is Event for each in plan.written)
            staying = sum(bool(each.refusal) for each in occasions)
            self._report(len(occasions) - staying, events, staying)
        return redirect(self.back or self._build_address())

    def _report(self, occasions: int, events: int, staying: int) -> None:
        counts = (occasions, events, occasions and staying)
        texts = (
            ngettext("%(count)d occasion was changed.", "%(count)d occasions were changed.", occasions),
            ngettext("%(count)d event was changed.", "%(count)d events were changed.", events),
            ngettext("%(count)d stayed as it was.", "%(count)d stayed as they were.", staying),
        )
        done = [text % {"count": count} for text, count in zip(texts, counts, strict=True) if count]
        if done:
            report_batch(self.request, " ".join(done))
        else:
            messages.info(self.request, _("Nothing had to be changed."))

    # --- Showing it -----------------------------------------------------------------------------

    def _render(
        self,
        selection: Selection,
        form: OperationForm,
        occasions: list[Occasion],
        plan: Plan | None = None,
        seen: str = "",
    ) -> HttpResponse:
        shown: dict[int | None, ShownChange] = {}
        if plan:
            words = preview_news(plan, plan.telling or Telling(), self.instant, editor_language())
            for change in show_changes(plan.changes):
                shown[change.key if change.model is Occasion else -(change.key or 0)] = change
                change.told = words.get(change.key or 0, "") if change.model is Occasion else ""
        ticked = set(selection.occasions)
        rows = [(each, each.pk in ticked, shown.pop(each.pk, None)) for each in occasions]
        changing = list_changing(plan) if plan else []
        context = {
            "media": build_search_media(),
            "choice": self.choice,
            "form": form,
            "rows": rows,
            "events": selection.events,
            "plan": plan,
            "of_events": list(shown.values()),
            "staying": sum(bool(change and change.refusal) for _row, _is_ticked, change in rows),
            "warned": sum(bool(each.warnings) for each in changing),
            "button": name_button(form.operation, len(changing)) if changing else _("Change"),
            "ticked": sum(is_ticked for _row, is_ticked, _change in rows),
            "drafts": sum(is_ticked and row.event.status == Status.DRAFT for row, is_ticked, _change in rows),
            "is_done": plan and (changing or plan.written),
            "shown": " ".join(str(each.pk) for each in occasions),
            "seen": seen or selection.seen,
            "address": self._build_address(),
            "back": self.back,
        }
        return render_page(self.request, "bulk_edit", _("Change many occasions"), context)

    def _build_address(self) -> str:
        chosen = self.request.GET.urlencode() if self.choice.is_bound else ""
        query = chosen or (urlencode({"back": self.back}) if self.back else "")
        return f"{reverse('admin:bulk_edit')}{query and '?'}{query}"


def _compute_digest(form: OperationForm, plan: Plan) -> str:
    """Return what is another after an edit of anything that the page shows or changes, or of the form.

    A note may be typed after looking, as long as it is about the same occasions.
    """
    typed = [form.tells, *(form.data.get(name, "") for name in form.fields if name not in NEWS)]
    rows = [each.row for each in plan.changes if each.model is Occasion]
    events = [[row.pk, *(getattr(row.event, name) for name in _OF_EVENT)] for row in rows]
    return digest([typed, plan.digest, [each.key for each in list_changing(plan)], events])


def load_occasions(keys: Collection[int]) -> list[Occasion]:
    """Return the occasions in the order of time, with all that the page shows of them, in one query."""
    own = Occasion.objects.filter(pk__in=keys).select_related("location", "room__location")
    return list(own.select_related("event__area"))
