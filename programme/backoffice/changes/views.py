"""The pages of the latest changes: their list, each of them row by row, and undoing one."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice.changes import rows
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.changes.notifying import NotificationForm, ask_readers
from programme.backoffice.changes.undoing import carry_out, find_offered, find_refused, publishes
from programme.backoffice.dates import format_moment
from programme.backoffice.news.told import load_entries, name_entry
from programme.backoffice.news.views import describe_told, tell_afterwards
from programme.backoffice.problems.survey import require_survey
from programme.backoffice.rendering import lock_for_sent, render_page
from programme.backoffice.rights import rights_of
from programme.history import edits
from programme.history.batches import MOST_SUMMARIZED, list_written_keys, load_batches
from programme.history.row_undo import RowUndo
from programme.history.undo import UndoPlan, find_root, find_undone, plan_undo
from programme.history.versions import format_reason
from programme.models import Edit, News
from programme.models.parsing import parse_int

PAGE_SIZE, ROWS_ON_A_PAGE = 30, 50
# How many refused rows a page names, and how many that stay; it counts the others.
MOST_NAMED, MOST_STAYING = 5, 200


def show_changes(request: HttpRequest) -> HttpResponse:
    require_survey(request)
    found = Edit.objects.order_by("-pk")
    person = parse_int(request.GET.get("by", ""))
    if person is not None:
        found = found.filter(user=person)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "changes": describe_edits(request, page.object_list),
        "person": page.object_list[0].name if person is not None and page.object_list else "",
        "page": page,
        "numbers": page.paginator.get_elided_page_range(page.number),
    }
    return render_page(request, "changes/list", _("Latest changes"), context)


def describe_edits(request: HttpRequest, found: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return batches for a list, with whether undoing is offered.

    Seven queries if everything is, and one for those that only tell readers.
    """
    listed = list(found)
    known = {edit.pk for edit in listed}
    earlier = Edit.objects.filter(pk__in={find_root(edit) for edit in listed} - known)
    batches = {batch.edit.pk: batch for batch in load_batches([*listed, *earlier])}
    undone = find_undone(listed)
    # Large ones take long to judge: their own pages do.
    is_every = len(known) == 1 or rights_of(request.user).is_unlimited
    written = {key for key in known - undone if batches[key].written}
    judged = {key for key in written if is_every or batches[key].count <= MOST_SUMMARIZED}
    offered = find_offered(request, judged)
    # What was done about news alone writes no row.
    silent = [edit for edit in listed if not batches[edit.pk].written]
    told = load_entries(News.objects.filter(edit_id__in=[edit.pk for edit in silent])) if silent else []
    words = {entry.first.edit_id: name_entry(entry) for entry in reversed(told)}
    words |= {edit.pk: capfirst(format_reason(edit)) for edit in silent if edit.reason}
    return [
        {
            "edit": edit,
            "words": words.get(edit.pk) or rows.describe_batch(batches[edit.pk], batches),
            "kind": min(kinds)
            if len(kinds := {each.kind for each in batches[edit.pk].written}) == 1
            else "~",
            "is_undone": edit.pk in undone,
            "is_offered": edit.pk in offered,
        }
        for edit in listed
        if batches[edit.pk].written or edit.pk in words
    ]


def show_change(request: HttpRequest, pk: int) -> HttpResponse:
    require_survey(request)
    edit = get_object_or_404(Edit, pk=pk)
    lock_for_sent(request)
    told = describe_told(request, edit)
    if request.method == "POST" and tell_afterwards(request, edit, told):
        return redirect("admin:change", pk)
    [change] = describe_edits(request, [edit]) or [{"edit": edit, "words": ""}]
    page = Paginator(list_written_keys(pk), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        **_page_context(edit, page),
        **told,
        "crumb": name_change(edit),
        "change": change,
        "reason": format_reason(edit)
        if page.object_list and edit.name and not rows.says_reason(edit)
        else "",
        "rows": rows.list_done(page.object_list, pk),
    }
    title = change["words"] or _("Nothing is known of this change any more.")
    return render_page(request, "changes/change", title, context)


def undo_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what undoing a batch would do; do it when that is confirmed."""
    require_survey(request)
    edit = get_object_or_404(Edit, pk=pk)
    lock_for_sent(request)
    plan = plan_undo(edit)
    refused = find_refused(request, plan)
    form, is_shown = ask_readers(request, plan, edit)
    if is_shown and plan.written and not refused and (form is None or form.is_valid()):
        done = _carry_out(request, plan, form)
        if done is not None:
            return redirect("admin:change", done)
    return _show_plan(request, plan, refused, {"form": form, "seen": plan.digest})


def _carry_out(request: HttpRequest, plan: UndoPlan, form: NotificationForm | None) -> int | None:
    """Undo what is planned; return the edit that has, None if the database refuses it."""
    written, staying = len(plan.written), len(plan.staying)
    if form:
        edits.set_telling(form.build_telling(form.told))
    try:
        carry_out(plan)
    except IntegrityError as refusal:
        reason = str(refusal).partition("\n")[0]
        messages.error(request, _("Nothing was undone: the database refuses it (%(why)s).") % {"why": reason})
        return None
    done = ngettext("Undone: %(count)d row is as before.", "Undone: %(count)d rows are as before.", written)
    report_batch(request, done % {"count": written})
    if staying:
        left = ngettext("%(count)d row stays as it is.", "%(count)d rows stay as they are.", staying)
        messages.warning(request, left % {"count": staying})
    return edits.current_edit_id()


def _show_plan(
    request: HttpRequest, plan: UndoPlan, refused: list[RowUndo], context: dict[str, Any]
) -> HttpResponse:
    [change] = describe_edits(request, [plan.edit]) or [{"words": ""}]
    what = change["words"] or name_change(plan.edit)
    when = format_moment(plan.edit.moment, get_instant(request))
    page = Paginator(plan.written, ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    staying = plan.staying
    shown = [row.final["title"] for row in plan.written if row.final and publishes(row)]
    context |= {
        "shown": shown[:MOST_NAMED],
        "shown_count": len(shown),
        **_page_context(plan.edit, page),
        "rows": rows.list_planned(list(page.object_list)),
        "staying": rows.list_staying(staying[:MOST_STAYING]),
        "staying_count": len(staying),
        "unnamed": max(0, len(staying) - MOST_STAYING),
        "refused": [row.title for row in rows.list_planned(refused[:MOST_NAMED])],
        "refused_count": len(refused),
    }
    title = _("Undo: %(what)s, %(when)s") % {"what": what, "when": when}
    return render_page(request, "changes/undo", title, context)


def _page_context(edit: Edit, page: Page[Any]) -> dict[str, Any]:
    return {
        "edit": edit,
        "page": page,
        "numbers": page.paginator.get_elided_page_range(page.number),
        "name": name_change(edit),
    }


def name_change(edit: Edit) -> str:
    return capfirst(_("Change %(number)s") % {"number": edit.pk})
