"""The one page that shows a plan, asks what readers are told of it, and writes it once it is confirmed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from programme.api.instant import get_instant
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.changes.notifying import ask_readers
from programme.backoffice.dates import editor_language
from programme.backoffice.rendering import render_page
from programme.changes.change import Plan
from programme.changes.preview import build_preview, preview_news
from programme.changes.rights import rights_of
from programme.changes.writing import RefusedError, describe_refusal, write
from programme.history.edits import current_edit_id
from programme.models import Edit
from programme.models.telling import Telling


def confirm(
    request: HttpRequest,
    plan: Plan,
    words: dict[str, Any],
    go_on: Callable[[int | None], str],
    edit: Edit | None = None,
) -> HttpResponse:
    """Show what a plan does; do it when what was shown is sent, and go on.

    `words` are those of the page: its `title`, its `button`, the address `back`, what else is `sent`, what is
    said when it is `done`, and when there is `nothing` to do. `edit` is the one that is undone.
    """
    form, is_shown = ask_readers(request, plan, edit)
    rights = rights_of(request.user)
    if (
        is_shown
        and plan.written
        and (form is None or form.is_valid())
        and not rights.find_forbidden(plan.written)
    ):
        if form:
            plan = replace(plan, telling=form.build_telling(form.told))
        if _carry_out(request, plan, words["done"]):
            return redirect(go_on(current_edit_id()))
    preview = build_preview(plan, rights, request.GET.get("page"))
    if form:
        telling = Telling(tells=form["tell"].value() != "no")
        told = preview_news(plan, telling, get_instant(request), editor_language())
        for row in preview.rows:
            row.told = told.get(row.key or 0, "") if row.model_name == "occasion" else ""
    return render_page(request, "changes/plan", words["title"], {"form": form, "preview": preview, **words})


def _carry_out(request: HttpRequest, plan: Plan, done: str) -> bool:
    staying = len(plan.refused)
    try:
        count = write(plan, rights_of(request.user))
    except RefusedError as refusal:
        messages.error(request, describe_refusal(refusal))
        return False
    report_batch(request, done or count_back(count))
    if staying:
        left = ngettext("%(count)d row stays as it is.", "%(count)d rows stay as they are.", staying)
        messages.warning(request, left % {"count": staying})
    return True


def count_back(count: int) -> str:
    done = ngettext("Undone: %(count)d row is as before.", "Undone: %(count)d rows are as before.", count)
    return done % {"count": count}
