"""The one page that shows a plan, asks what readers are told of it, and writes it once it is confirmed."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy, ngettext

from feeds.marks import MARKING
from programme.api.instant import get_instant
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.dates import editor_language
from programme.backoffice.forms.news import NO, YES, NewsFields, TellField
from programme.backoffice.rendering import render_page, warn_of_difference
from programme.changes.change import Plan
from programme.changes.merging import undoes_merge
from programme.changes.preview import build_preview, preview_news
from programme.changes.rights import rights_of
from programme.changes.writing import PlanRefusedError, describe_refusal, write
from programme.history.edits import current_edit_id
from programme.models import Edit, News
from programme.models.telling import Telling, ask_whether_told


class NotificationForm(NewsFields):
    """What readers are told of occasions (by ID) that get values back, and with which note."""

    def __init__(
        self, data: Any, told: Collection[int], default: str, *, has_note: bool, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.told = told
        self.initial = {"tell": default, **self.initial}
        self.fields["tell"] = TellField(label=ask_whether_told(len(told)), widget=forms.RadioSelect)
        note = gettext_lazy("For readers. For example: at the original time after all.")
        self.fields["note"].help_text = note
        if not has_note:
            del self.fields["note"], self.fields["note_en"]


def ask_readers(
    request: HttpRequest, plan: Plan, edit: Edit | None = None
) -> tuple[NotificationForm | None, bool]:
    """Return the form, None where readers know nothing of it, and whether what was shown is to be done.

    `edit` is the one that is undone. Of what is another plan by now nothing is done.
    """
    is_shown = request.POST.get("seen") == plan.digest
    if request.method == "POST" and not is_shown:
        warn_of_difference(request)
    found = plan.find_told(get_instant(request))
    told = frozenset(found)
    if not told:
        return None, is_shown
    # Nothing has moved where rows were merged, and what nobody was told of is taken back as silently.
    is_silent = edit and (undoes_merge(edit) or not News.objects.filter(edit_id=edit.pk).exists())
    data, typed = (request.POST, None) if is_shown else (None, request.POST.dict())
    # A note is about what is marked, not about what is new or withdrawn.
    has_note = not MARKING.isdisjoint(found.values())
    default = NO if is_silent else YES
    return NotificationForm(data, told, default, has_note=has_note, initial=typed), is_shown


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
            telling = form.build_telling(form.told)
            # Not even that something is there again.
            plan = replace(plan, telling=replace(telling, forgets=plan.takes_back and not form.tells))
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
    except PlanRefusedError as refusal:
        messages.error(request, describe_refusal(refusal))
        return False
    undone = ngettext("Undone: %(count)d row is as before.", "Undone: %(count)d rows are as before.", count)
    report_batch(request, done or undone % {"count": count})
    if staying:
        left = ngettext("%(count)d row stays as it is.", "%(count)d rows stay as they are.", staying)
        messages.warning(request, left % {"count": staying})
    return True
