"""The pages of the latest changes: their list, each of them row by row, and undoing one."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from feeds.festival_time import ONE_DAY
from feeds.names import order_name
from programme.backoffice.changes import wording
from programme.backoffice.changes.confirming import confirm
from programme.backoffice.dates import format_moment, group_by_day
from programme.backoffice.forms.base import offer
from programme.backoffice.forms.fields import DayField
from programme.backoffice.forms.news import NEWS
from programme.backoffice.news.told import load_entries, name_entry
from programme.backoffice.news.views import describe_told, tell_afterwards
from programme.backoffice.problems.survey import require_survey
from programme.backoffice.rendering import lock_for_sent, read_back, render_page
from programme.changes.change import Change
from programme.changes.preview import ROWS_ON_A_PAGE, ShownChange, find_address, show_changes
from programme.changes.rights import rights_of
from programme.changes.undo import find_offered, plan_field, plan_undo
from programme.history import batches
from programme.history.versions import CHANGED, format_reason
from programme.models import Area, Edit, Event, News, Occasion, models_with_history
from programme.models.festival_time import festival_time

PAGE_SIZE = 30
# Changes of so few rows are shown field by field in the list.
FEW = 2


class EditFilterForm(forms.Form):
    """Which edits are listed: those of events of an area, of a festival day, and of a person."""

    area = forms.ModelChoiceField(
        Area.objects.all(),
        label=capfirst(gettext_lazy("area")),
        empty_label=gettext_lazy("All"),
        required=False,
    )
    day = DayField(label=capfirst(gettext_lazy("day")), required=False)
    by = forms.ChoiceField(label=gettext_lazy("Person"), required=False)

    def build_condition(self) -> Q:
        chosen, is_chosen = Q(), self.is_valid()
        if is_chosen and (area := self.cleaned_data["area"]):
            events = Event.history.filter(area_id=area.pk)
            rows = Occasion.history.filter(event_id__in=events.values("id"))
            chosen &= Q(pk__in=events.values("edit")) | Q(pk__in=rows.values("edit"))
        if is_chosen and (day := self.cleaned_data["day"]):
            begins = festival_time().day_begins
            chosen &= Q(moment__gte=begins(day), moment__lt=begins(day + ONE_DAY))
        if is_chosen and (person := self.cleaned_data["by"]):
            chosen &= Q(user=person)
        return chosen


def list_edits(request: HttpRequest) -> HttpResponse:
    require_survey(request)
    form = EditFilterForm(request.GET, label_suffix="")
    people = dict(Edit.objects.exclude(user=None).order_by().values_list("user", "name").distinct())
    offer(form, "by", _("All"), sorted(people.items(), key=lambda each: order_name(each[1])))
    found = Edit.objects.filter(form.build_condition()).order_by("-pk")
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    changes = describe_edits(request, page.object_list)
    few = [each["edit"].pk for each in changes if each["kind"] == CHANGED and each["count"] <= FEW]
    rows = _load_rows(batches.list_written_keys(*few), *few)
    for each in changes:
        each["rows"] = rows.get(each["edit"].pk, [])
    context = {
        "days": group_by_day(changes, lambda each: each["edit"].moment),
        "filter": form,
        "page": page,
    }
    return render_page(request, "changes/list", _("Changes"), context)


def describe_edits(request: HttpRequest, found: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return batches for a list, with whether undoing is offered.

    Seven queries if everything is, and one for those that only tell readers.
    """
    listed = list(found)
    known = {edit.pk for edit in listed}
    earlier = Edit.objects.filter(pk__in={batches.find_root(edit) for edit in listed} - known)
    loaded = {batch.edit.pk: batch for batch in batches.load_batches([*listed, *earlier])}
    undone = batches.find_undone(listed)
    # Large ones take long to judge: their own pages do.
    is_every = len(known) == 1 or rights_of(request.user).is_unlimited
    written = {key for key in known - undone if loaded[key].written}
    judged = {key for key in written if is_every or loaded[key].count <= batches.MOST_SUMMARIZED}
    offered = find_offered(rights_of(request.user), judged)
    # What was done about news alone writes no row.
    silent = [edit for edit in listed if not loaded[edit.pk].written]
    told = load_entries(News.objects.filter(edit_id__in=[edit.pk for edit in silent])) if silent else []
    words = {entry.first.edit_id: name_entry(entry) for entry in reversed(told)}
    words |= {edit.pk: capfirst(format_reason(edit)) for edit in silent if edit.reason}
    return [
        {
            "edit": edit,
            "words": words.get(edit.pk) or wording.describe_batch(loaded[edit.pk], loaded),
            "kind": min(kinds)
            if len(kinds := {each.kind for each in loaded[edit.pk].written}) == 1
            else CHANGED,
            "count": loaded[edit.pk].count,
            "is_undone": edit.pk in undone,
            "is_offered": edit.pk in offered,
        }
        for edit in listed
        if loaded[edit.pk].written or edit.pk in words
    ]


def show_change(request: HttpRequest, pk: int) -> HttpResponse:
    require_survey(request)
    edit = get_object_or_404(Edit, pk=pk)
    lock_for_sent(request)
    told = describe_told(request, edit)
    if request.method == "POST" and tell_afterwards(request, edit, told):
        return redirect("admin:change", pk)
    [change] = describe_edits(request, [edit]) or [{"edit": edit, "words": ""}]
    page = Paginator(batches.list_written_keys(pk), ROWS_ON_A_PAGE).get_page(request.GET.get("page"))
    says_why = page.object_list and edit.name and not wording.says_reason(edit)
    context = {
        **told,
        "edit": edit,
        "page": page,
        "change": change,
        "returning": batches.RETURNING,
        "reason": format_reason(edit) if says_why else "",
        "rows": _load_rows(page.object_list, pk)[pk],
    }
    title = change["words"] or _("Nothing is known of this change any more.")
    return render_page(request, "changes/change", title, context)


def _load_rows(places: Iterable[tuple[Any, int]], *edits: int) -> dict[int, list[ShownChange]]:
    """Return what edits did to these rows, in a number of queries that depends on their models alone."""
    keys, rows = defaultdict[Any, list[int]](list), {edit: list[ShownChange]() for edit in edits}
    for model, key in places:
        keys[model].append(key)
    present = {
        (model, each["id"]): each
        for model, wanted in keys.items()
        for each in model.objects.filter(pk__in=wanted).values(*batches.list_attributes(model))
    }
    states = {
        (edit, model, key): Change(model, key, before, after, last=last, now=present.get((model, key), {}))
        for model, wanted in keys.items()
        for (edit, key), (before, after, last, _is_known) in sorted(
            batches.load_states(model, model.history.filter(edit__in=edits, id__in=wanted)).items()
        )
    }
    for (edit, *_row), shown in zip(states, show_changes(states.values()), strict=True):
        rows[edit].append(shown)
    return rows


def undo_change(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what undoing a batch would do; do it when that is confirmed."""
    require_survey(request)
    edit = get_object_or_404(Edit, pk=pk)
    lock_for_sent(request)
    [change] = describe_edits(request, [edit]) or [{"words": ""}]
    named = {"what": change["words"] or name_change(edit), "when": format_moment(edit.moment)}
    words = {
        "title": _("Undo: %(what)s, %(when)s") % named,
        "button": _("Undo"),
        "nothing": _("There is nothing to undo: everything is as it was before, or stays as it is."),
        "back": reverse("admin:change", args=[pk]),
        "done": "",
        "up": (reverse("admin:change", args=[pk]), name_change(edit)),
        "edit": edit,
        "typed": find_note(edit),
    }
    return confirm(request, plan_undo(edit), words, lambda done: reverse("admin:change", args=[done]), edit)


def find_note(edit: Edit) -> dict[str, str]:
    """Return the one note that readers had of what an undo took back, by the names of the form's fields."""
    if edit.reason != batches.UNDID:
        return {}
    notes = {*News.objects.filter(edit_id=batches.find_root(edit)).values_list("note_sv", "note_en")}
    return dict(zip(NEWS[1:], notes.pop(), strict=True)) if len(notes) == 1 else {}


def take_back(request: HttpRequest, pk: int, name: str, key: int, field: str) -> HttpResponse:
    """Show what giving a row the value of a field back would do that it had before an edit; do it."""
    edit = get_object_or_404(Edit, pk=pk)
    model: Any = next((each for each in models_with_history() if each._meta.model_name == name), None)
    if model is None or field not in batches.list_attributes(model):
        raise Http404
    require_survey(request)
    lock_for_sent(request)
    history = find_address(model, key, "history") or reverse("admin:change", args=[pk])
    back = read_back(request) or history
    words = {
        "title": _("Take this back"),
        "button": _("Take this back"),
        "nothing": _("There is nothing to take back: it is as it was before, or cannot be."),
        "back": back,
        "done": _("It is as it was before."),
        "up": (history, _("History")),
        "edit": edit,
    }
    return confirm(request, plan_field(edit, model, key, field), words, lambda _done: back)


def name_change(edit: Edit) -> str:
    return capfirst(_("Change %(number)s") % {"number": edit.pk})
