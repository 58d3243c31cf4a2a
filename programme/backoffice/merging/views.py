"""The page on which rows are merged: which one stays, what it gets from the others, and what happens."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from programme.backoffice.changes.messages import report_batch
from programme.backoffice.merging.choices import Merging
from programme.backoffice.problems.problem import build_merge_address
from programme.backoffice.rendering import digest, lock_for_sent, read_back, render_page, warn_of_difference
from programme.changes.merging import choose_link
from programme.changes.preview import build_preview
from programme.changes.rights import rights_of
from programme.changes.writing import write
from programme.history.merging import MERGEABLE
from programme.models import Organizer, Room
from programme.models.parsing import parse_ints

# Rows at a time.
LEAST, MOST = 2, 20
APPLY = "apply"


@admin.action(description=gettext_lazy("Merge …"), permissions=["delete"])
def merge_rows(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    """Lead from ticked rows to the page."""
    keys = list(queryset.order_by().values_list("pk", flat=True)[: MOST + 1])
    if len(keys) > MOST:
        text = ngettext("At most %(count)d at a time.", "At most %(count)d at a time.", MOST)
        messages.warning(request, text % {"count": MOST})
        return None
    if len(keys) < LEAST:
        messages.warning(request, _("Tick at least two."))
        return None
    address = build_merge_address(model_admin.opts.model_name, keys)
    return HttpResponseRedirect(f"{address}&{urlencode({'back': request.get_full_path()})}")


def show_page(request: HttpRequest, name: str) -> HttpResponse:
    model = next((each for each in MERGEABLE if each._meta.model_name == name), None)
    if model is None:
        raise Http404
    model_admin = admin.site.get_model_admin(model)
    if not (model_admin.has_change_permission(request) and model_admin.has_delete_permission(request)):
        raise PermissionDenied
    lock_for_sent(request)
    keys = sorted({*parse_ints(request.GET.getlist("row"))})[:MOST]
    rows = list(model.objects.filter(pk__in=keys).order_by("pk"))
    return MergePage(request, model, rows).respond()


class MergePage:
    def __init__(self, request: HttpRequest, model: Any, rows: list[Any]) -> None:
        self.request, self.model, self.rows = request, model, rows
        self.back = read_back(request) or reverse(f"admin:programme_{model._meta.model_name}_changelist")
        self.context: dict[str, Any] = {}

    def respond(self) -> HttpResponse:
        if len(self.rows) < LEAST:
            messages.warning(self.request, _("There is nothing left to merge: it is merged or deleted."))
            return redirect(self.back)
        merging = Merging(self.rows, self.request.POST)
        self._show(merging)
        if APPLY in self.request.POST and (done := self._apply(merging)):
            return redirect(done)
        title = _("Merge: %(kind)s") % {"kind": self.model._meta.verbose_name_plural}
        self.context |= {"opts": self.model._meta, "rows": self.rows, "back": self.back}
        return render_page(self.request, "merge", title, self.context)

    def _show(self, merging: Merging) -> None:
        """Say what would happen, and why it may not."""
        locations = {row.location_id for row in self.rows} if self.model is Room else set()
        self.context |= {
            "merging": merging,
            "preview": build_preview(merging.plan(), rights_of(self.request.user)),
            "seen": digest(merging.state),
            "count": len(merging.affected),
            # Rooms of several locations are not one.
            "locations": build_merge_address("location", sorted(locations)) if len(locations) > 1 else "",
            "unlinked": _list_unlinked(merging) if self.model is Organizer else [],
        }

    def _apply(self, merging: Merging) -> str:
        """Merge if that is what was shown and allowed; return where to go on, '' to show it again."""
        if not self.context["preview"].is_whole or self.context["locations"]:
            return ""
        if self.context["seen"] != self.request.POST.get("seen"):
            warn_of_difference(self.request)
            return ""
        write(merging.plan(), rights_of(self.request.user))
        count = self.context["count"]
        done = _("Merged into %(name)s: %(names)s.") % {"name": merging.name, "names": merging.names}
        follow = ngettext("%(count)d event follows.", "%(count)d events follow.", count) % {"count": count}
        report_batch(self.request, f"{done} {follow}")
        return self.back


def _list_unlinked(merging: Merging) -> list[Organizer]:
    """Return the organizers whose links for corrections will not work any more."""
    others = {row.pk: row for row in merging.whole.others}
    _link, rest = choose_link(merging.whole.kept.pk, others)
    return [others[each.organizer_id] for each in rest if each.digest]
