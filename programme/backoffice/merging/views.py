"""The page on which rows are merged: which one stays, what it gets from the others, and what happens."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from programme.backoffice.changes.confirming import confirm
from programme.backoffice.merging.choices import MergeForm, Merging
from programme.backoffice.problems.problem import build_merge_address
from programme.backoffice.rendering import list_ticked, lock_for_sent, read_back
from programme.changes.change import Plan
from programme.changes.merging import choose_link
from programme.history.merging import MERGEABLE
from programme.models import Organizer, Room
from programme.models.parsing import parse_ints

# Rows at a time.
LEAST, MOST = 2, 20


@admin.action(description=gettext_lazy("Merge …"), permissions=["delete"])
def merge_rows(model_admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
    """Lead from ticked rows to the page."""
    if (keys := list_ticked(request, queryset, MOST)) is None:
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
    back = read_back(request) or reverse(f"admin:programme_{name}_changelist")
    if len(rows) < LEAST:
        messages.warning(request, _("There is nothing left to merge: it is merged or deleted."))
        return redirect(back)
    merging = Merging(rows, request.POST)
    done = _("Merged into %(name)s: %(names)s.") % {"name": merging.name, "names": merging.names}
    count = len({event for row in merging.whole.others for event in merging.events[row.pk]})
    follow = ngettext("%(count)d event follows.", "%(count)d events follow.", count) % {"count": count}
    words = {
        "opts": model._meta,
        "title": _("Merge: %(kind)s") % {"kind": model._meta.verbose_name_plural},
        "button": _("Merge"),
        "nothing": _("They cannot be merged as they are."),
        "back": back,
        "asked": MergeForm(merging),
        "sent": [("shown", merging.whole.kept.pk)],
        "chosen": f"{merging.names} → {merging.name}. {_('Readers are not told.')}",
        "done": f"{done} {follow}",
    }
    return confirm(request, build_plan(merging), words, lambda _edit: back)


def build_plan(merging: Merging) -> Plan:
    """Return the plan, with what the editor has to heed, and what prevents it."""
    plan = merging.plan()
    if merging.model is Organizer and (unlinked := _list_unlinked(merging)):
        text = _("Their links for corrections will not work any more; send a new one:")
        plan.warnings.append(f"{text} {', '.join(map(str, unlinked))}")
    locations = {row.location_id for row in merging.rows} if merging.model is Room else set()
    if len(locations) > 1:
        # They are not one.
        text = _("in several locations. Merge these: rooms of the same name become one with them.")
        address = build_merge_address("location", sorted(locations))
        for each in plan.written:
            each.refusal = format_html('<a href="{}">{}</a>', address, text)
    return plan


def _list_unlinked(merging: Merging) -> list[Organizer]:
    """Return the organizers whose links for corrections will not work any more."""
    others = {row.pk: row for row in merging.whole.others}
    _link, rest = choose_link(merging.whole.kept.pk, others)
    return [others[each.organizer_id] for each in rest if each.digest]
