"""The one page that shows a plan, asks what readers are told of it, and writes it once it is confirmed."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.api.instant import get_instant
from programme.backoffice.changes.messages import report_batch
from programme.backoffice.changes.wording import count_rows
from programme.backoffice.forms.news import NEWS, NO, YES, NewsFields, TellField
from programme.backoffice.rendering import let_return, render_page, warn_of_difference
from programme.changes.change import Plan
from programme.changes.merging import undoes_merge
from programme.changes.preview import build_preview, preview_news
from programme.changes.rights import rights_of
from programme.changes.writing import PlanRefusedError, describe_refusal, write
from programme.history.edits import current_edit_id
from programme.models import Edit, Event, News, Occasion
from programme.models.dates import editor_language
from programme.models.telling import NO_NOTE, Telling, ask_whether_told

# Sent by the button that shows again what happens, and does nothing: the number of a page of rows.
SHOW = "show"


class NotificationForm(NewsFields):
    """What readers are told of occasions (by ID) that change, and with which note."""

    def __init__(
        self, data: Any, told: Collection[int], default: str, note: Any, said: Text, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.told = told
        self.initial = {"tell": default, **self.initial}
        self.fields["tell"] = TellField(label=ask_whether_told(len(told)), widget=forms.RadioSelect)
        self.fields["note"].help_text = note
        for name, text in zip(NEWS[1:], (said.sv, said.en), strict=True):
            self.fields[name].widget.attrs["placeholder"] = text
        if not note:
            del self.fields["note"], self.fields["note_en"]


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether what was shown is to be done."""
    return "seen" in request.POST and SHOW not in request.POST


def ask_readers(
    request: HttpRequest, plan: Plan, words: dict[str, Any], edit: Edit | None = None
) -> tuple[NotificationForm | None, bool]:
    """Return the form, None where readers know nothing of it, and whether what was shown is to be done.

    For the arguments, see `confirm`. Of what is another plan by now nothing is done.
    """
    is_sent = is_confirmed(request)
    is_shown = is_sent and request.POST["seen"] == plan.digest
    if is_sent and not is_shown:
        warn_of_difference(request)
    found = {} if plan.telling else plan.find_told(get_instant(request))
    told = frozenset(found) or words.get("about")
    if not told:
        return None, is_shown
    # Nothing has moved where rows were merged, and what nobody was told of is taken back as silently.
    is_silent = edit and (undoes_merge(edit) or not News.objects.filter(edit_id=edit.pk).exists())
    data, typed = (request.POST, None) if is_shown else (None, words.get("typed", {}) | request.POST.dict())
    note = words.get("note") or gettext_lazy("For readers. For example: at the original time after all.")
    if found and MARKING.isdisjoint(found.values()):
        # It would be about what is new or withdrawn.
        note = ""
    default, said = words.get("tell") or (NO if is_silent else YES), words.get("said") or NO_NOTE
    return NotificationForm(data, told, default, note, said, initial=typed), is_shown


def confirm(
    request: HttpRequest,
    plan: Plan,
    words: dict[str, Any],
    go_on: Callable[[int | None], str],
    edit: Edit | None = None,
) -> HttpResponse:
    """Show what a plan does; do it when what was shown is sent, and go on.

    `words` are those of the page: its `title`, its `button`, the address `back`, what else is `sent`, what is
    said when it is `done` (or what returns that), and when there is `nothing` to do. Those of an operation
    have its form, `asked`, the help of its `note`, and the occasions (by ID) that it is `about` where a note
    is all that readers would be told: what is `said` if they are told without one, and whether they are, by
    default (`tell`). `edit` is the one that is undone, `typed` the note that is suggested.
    """
    form, is_shown = ask_readers(request, plan, words, edit)
    rights = rights_of(request.user)
    if (
        is_shown
        and plan.done
        and (form is None or form.is_valid())
        and not rights.find_forbidden(plan.written)
    ):
        if form:
            telling = form.build_telling(form.told)
            if telling.tells and not telling.note and (said := words.get("said")):
                telling = replace(telling, note=said, about=form.told)
            plan = replace(plan, telling=replace(telling, forgets=not form.tells))
        if _carry_out(request, plan, words["done"]):
            return redirect(go_on(current_edit_id()))
    preview = build_preview(plan, rights, request.POST.get(SHOW) or request.GET.get("page"))
    shown = read_telling(form) if form else plan.telling
    if shown and (form or shown.tells):
        told = preview_news(plan, shown, get_instant(request), editor_language())
        for row in preview.rows:
            row.told = told.get(row.key or 0, "") if row.model_name == "occasion" else ""
    context = {"form": form, "preview": preview, **words}
    return let_return(request, render_page(request, "changes/plan", words["title"], context))


def read_telling(form: NotificationForm) -> Telling:
    """Return what readers are told as the form shows it."""
    note = Text(*(str(form[name].value() or "") for name in NEWS[1:] if name in form.fields))
    return Telling(form["tell"].value() != NO, note, form.told if note else ())


def _name(plan: Plan) -> str:
    """Return the title of the event whose rows are written, or how many rows of each kind are."""
    rows = [(each.model, each.key, each.after or each.before or {}) for each in plan.done]
    keys: set[Any] = {values.get("event_id") if model is Occasion else key for model, key, values in rows}
    counts = Counter(model for model, _key, _values in rows)
    is_one = len(keys) == 1 and counts.keys() <= {Event, Occasion}
    event = Event.objects.filter(pk__in=keys).first() if is_one else None
    return str(event or ", ".join(count_rows(model, count) for model, count in counts.items()))


def _carry_out(request: HttpRequest, plan: Plan, done: str | Callable[[], str]) -> bool:
    staying = len(plan.refused)
    try:
        write(plan, rights_of(request.user))
    except PlanRefusedError as refusal:
        messages.error(request, describe_refusal(refusal))
        return False
    text = (done() if callable(done) else done) or _("Undone. As before: %(what)s.") % {"what": _name(plan)}
    report_batch(request, text)
    if staying:
        left = ngettext("%(count)d row stays as it is.", "%(count)d rows stay as they are.", staying)
        messages.warning(request, left % {"count": staying})
    return True
