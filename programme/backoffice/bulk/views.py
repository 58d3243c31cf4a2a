"""The page of the bulk edit: choose, say what is to be done, see what happens, and do it."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice.bulk import writing
from programme.backoffice.bulk.checks import add_warnings
from programme.backoffice.bulk.choice import ChoiceForm
from programme.backoffice.bulk.events import EventsForm, load_events
from programme.backoffice.bulk.markup import write_rows
from programme.backoffice.bulk.operation import OperationForm
from programme.backoffice.bulk.plan import Plan, build_plan
from programme.backoffice.bulk.rows import compute_event_fingerprint, compute_fingerprint, load_occasions
from programme.backoffice.bulk.shown import ShownRow, find_editors
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.forms.base import build_search_media
from programme.backoffice.rights import rights_of
from programme.backoffice.timetable.columns import load_columns
from programme.models import Occasion, Revision
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int

# The fields that name what is chosen, and the buttons.
OCCASION, EVENT, SEEN = "occasion", "event", "seen"
SHOW, APPLY = "show", "apply"
# Instead of a fingerprint: on the page, but not ticked.
UNTICKED = "-"

# By key, what the editor was shown of a row; by '' what was to be done with it.
Fingerprints = dict[str, str]


@dataclass
class Selection:
    """The keys of what is chosen: ticked occasions, and events where they were chosen as a whole."""

    occasions: list[int]
    events: list[int] = field(default_factory=list)
    seen: Fingerprints = field(default_factory=dict)

    @classmethod
    def sent(cls, data: QueryDict) -> "Selection":
        seen = (each.partition(":") for each in data.get(SEEN, "").split())
        return cls(
            _parse_keys(data.getlist(OCCASION)),
            _parse_keys(data.getlist(EVENT)),
            {key: fingerprint for key, _colon, fingerprint in seen},
        )

    @property
    def shown(self) -> set[int]:
        """The keys of the occasions that are or were on the page."""
        return {*self.occasions, *_parse_keys(key.removeprefix(OCCASION) for key in self.seen)}


def _parse_keys(texts: Iterable[str]) -> list[int]:
    return [key for key in map(parse_int, texts) if key is not None]


def show_page(request: HttpRequest, site: AdminSite) -> HttpResponse:
    page = BulkEditPage(request, site, request.GET, request.GET.get("back", ""))
    if request.method != "POST":
        return page.render(Selection(page.choice.find()))
    if APPLY in request.POST:
        # Nobody else saves from here on: what is done is what was shown.
        Revision.objects.select_for_update().first()
    return page.handle(Selection.sent(request.POST))


def open_page(request: HttpRequest, site: AdminSite, selection: Selection) -> HttpResponse:
    """Show the page with rows that were ticked in a list, to which it leads back."""
    return BulkEditPage(request, site, QueryDict(), request.get_full_path()).render(selection)


class BulkEditPage:
    """The page for one request."""

    def __init__(self, request: HttpRequest, site: AdminSite, query: QueryDict, back: str) -> None:
        if not site.get_model_admin(Occasion).has_change_permission(request):
            raise PermissionDenied
        self.request, self.site, self.instant = request, site, get_instant(request)
        self.back = back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else ""
        self.rights = rights_of(request.user)
        self.places = load_columns()
        self.choice = ChoiceForm(query, self.places, festival_time().day_of(self.instant))

    def handle(self, selection: Selection) -> HttpResponse:
        """Show what happens; do it if it is what the editor was shown."""
        form, occasions = self._build_form(selection, self.request.POST), load_occasions(selection.shown)
        chosen = set(selection.occasions)
        ticked = [each for each in occasions if each.pk in chosen]
        if not (ticked or form.events):
            form.add_error(None, _("Tick at least one occasion."))
        if not form.is_valid():
            return self._render(selection, form, occasions)
        plan = build_plan(form.operation, ticked, self.rights, self.instant)
        fingerprints = _compute_fingerprints(form, occasions, ticked)
        if APPLY in self.request.POST:
            if fingerprints == selection.seen:
                return self._apply(plan, form)
            self._explain_difference(selection.seen, fingerprints)
        add_warnings(plan)
        return self._render(selection, form, occasions, plan, fingerprints)

    def render(self, selection: Selection) -> HttpResponse:
        return self._render(selection, self._build_form(selection, None), load_occasions(selection.occasions))

    def _build_form(self, selection: Selection, data: Any) -> OperationForm:
        if selection.events:
            return EventsForm(load_events(selection.events), self.rights, self.places, data)
        return OperationForm(self.places, data)

    # --- Doing it -------------------------------------------------------------------------------

    def _apply(self, plan: Plan, form: OperationForm) -> HttpResponse:
        form.write()
        writing.write(plan, self.instant)
        count = len(plan.changing)
        writing.name_edit(plan.operation, count or len(form.events))
        self._report(count, len(form.events) if form.values else 0, len(plan.staying))
        return redirect(self.back or self._build_address())

    def _report(self, occasions: int, events: int, staying: int) -> None:
        done = []
        if occasions:
            text = ngettext("%(count)d occasion was changed.", "%(count)d occasions were changed.", occasions)
            done.append(text % {"count": occasions})
        if events:
            text = ngettext("%(count)d event was changed.", "%(count)d events were changed.", events)
            done.append(text % {"count": events})
        if staying and occasions:
            text = ngettext("%(count)d stayed as it was.", "%(count)d stayed as they were.", staying)
            done.append(text % {"count": staying})
        if done:
            report_batch(self.request, " ".join(done))
        else:
            messages.info(self.request, _("Nothing had to be changed."))

    def _explain_difference(self, seen: Fingerprints, now: Fingerprints) -> None:
        edited = len(_find_edited(seen, now)) + len(seen.keys() - now.keys())
        if edited:
            text = ngettext(
                "Somebody has saved %(count)d of them in the meantime. Nothing is written yet: look again.",
                "Somebody has saved %(count)d of them in the meantime. Nothing is written yet: look again.",
                edited,
            )
            messages.warning(self.request, text % {"count": edited})
        elif seen:
            text = _("This is not what was shown. Nothing is written yet: look again.")
            messages.warning(self.request, text)

    # --- Showing it -----------------------------------------------------------------------------

    def _render(
        self,
        selection: Selection,
        form: OperationForm,
        occasions: list[Occasion],
        plan: Plan | None = None,
        fingerprints: Fingerprints | None = None,
    ) -> HttpResponse:
        rows = self._build_rows(selection, occasions, plan, fingerprints or {})
        context = {
            **self.site.each_context(self.request),
            "title": _("Change many occasions"),
            "media": build_search_media(self.site),
            "choice": self.choice,
            "form": form,
            "rows": rows,
            "body": write_rows(rows, is_plan=plan is not None),
            "events": selection.events,
            "plan": plan,
            "ticked": sum(row.is_ticked for row in rows),
            "drafts": sum(row.is_ticked and row.is_draft for row in rows),
            "is_done": plan is not None and (plan.changing or form.values),
            "seen": " ".join(f"{key}:{each}" for key, each in (fingerprints or selection.seen).items()),
            "address": self._build_address(),
            "back": self.back,
        }
        return TemplateResponse(self.request, "admin/programme/bulk_edit.html", context)

    def _build_rows(
        self,
        selection: Selection,
        occasions: list[Occasion],
        plan: Plan | None,
        fingerprints: Fingerprints,
    ) -> list[ShownRow]:
        """Return the rows in the order of time, after those that somebody has edited meanwhile."""
        planned = {row.occasion.pk: row for row in plan.rows} if plan else {}
        edited = _find_edited(selection.seen, fingerprints)
        editors = find_editors([each for each in occasions if _occasion_key(each) in edited])
        ticked = set(selection.occasions)
        rows = [
            ShownRow(each, each.pk in ticked, planned.get(each.pk), editors.get(each.pk, ""))
            for each in occasions
        ]
        return sorted(rows, key=lambda row: not row.editor)

    def _build_address(self) -> str:
        chosen = self.request.GET.urlencode() if self.choice.is_bound else ""
        query = chosen or (urlencode({"back": self.back}) if self.back else "")
        return f"{reverse('admin:bulk_edit')}{query and '?'}{query}"


def _compute_fingerprints(
    form: OperationForm, occasions: list[Occasion], ticked: list[Occasion]
) -> Fingerprints:
    sent = repr([form.data.get(name, "") for name in form.fields])
    chosen = {each.pk for each in ticked}
    return (
        {"": hashlib.sha256(sent.encode()).hexdigest()[:12]}
        | {
            _occasion_key(each): compute_fingerprint(each) if each.pk in chosen else UNTICKED
            for each in occasions
        }
        | {f"{EVENT}{each.pk}": compute_event_fingerprint(each) for each in [*form.events, *form.refused]}
    )


def _occasion_key(occasion: Occasion) -> str:
    return f"{OCCASION}{occasion.pk}"


def _find_edited(seen: Fingerprints, now: Fingerprints) -> set[str]:
    """Return the keys of the rows that are another than they were when they were shown."""
    return {
        key
        for key, fingerprint in now.items()
        if key and UNTICKED not in {fingerprint, seen.get(key, UNTICKED)} and fingerprint != seen[key]
    }
