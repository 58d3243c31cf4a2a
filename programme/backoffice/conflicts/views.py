"""The change forms of the back office: an editor never overwrites another's changes without seeing them.

A form sends along the state that it shows; of another state the editor sees both versions and chooses.
"""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts.edit_conflict import EditConflict, RowChoices
from programme.backoffice.conflicts.fields import format_input
from programme.backoffice.features import Feature
from programme.backoffice.rendering import lock_for_sent, warn_of_files
from programme.backoffice.restore import can_restore
from programme.changes.difference import CHOICE, MINE, THEIRS, FieldConflict, label_field
from programme.changes.merging import MERGED
from programme.changes.rights import rights_of
from programme.changes.undo import plan_restoration
from programme.changes.writing import write
from programme.history import versions
from programme.history.versions import State
from programme.models.dates import format_instant
from programme.models.events import INTERNAL
from programme.models.parsing import parse_int

STATE = "_state"
# Of the page on which versions are chosen: the state that the form showed, and what is to be chosen.
BASE, ASKED = "_base", "_asked"


class EditConflicts(Feature):
    """Shows an edit conflict instead of saving over what others have saved."""

    def open_form(self, request: HttpRequest, key: str) -> HttpResponse | dict[str, Any]:
        if parse_int(key) is None:
            return {}
        lock_for_sent(request)
        state = versions.find_state(self.model_admin.model, key, self.parts)
        if request.method == "POST" and "_saveasnew" not in request.POST:
            page = self._resolve(request, key, state)
            if page:
                return page
            state = versions.parse_state(request.POST.get(STATE, "")) or state
        return {"state": versions.format_state(state)}

    def _resolve(self, request: HttpRequest, key: str, state: State) -> HttpResponse | None:
        """Return the page on which the editor chooses, None where there is nothing to choose."""
        sent, has_choices = _read_sent(request)
        is_met = sent != state or has_choices
        may_always = rights_of(request.user).areas is None and self.model_admin.has_change_permission(request)
        if may_always and not is_met:
            return None
        theirs = self.model_admin.get_object(request, key)
        if theirs is None:
            page = resolve_deletion(self, request, int(key))
            if page:
                return page
            theirs = self.model_admin.get_object(request, key)
            state = versions.find_state(self.model_admin.model, key, self.parts)
        if theirs is not None and not self.model_admin.has_change_permission(request, theirs):
            return show_refused(self, request, theirs, sent if len(sent) == len(state) else state)
        return (
            self._settle(request, theirs, state, sent, has_choices) if theirs is not None and is_met else None
        )

    def _settle(
        self, request: HttpRequest, theirs: Any, state: State, sent: State, has_choices: bool
    ) -> HttpResponse | None:
        base = sent if len(sent) == len(state) else ()
        conflict = EditConflict(self.model_admin, request, theirs, base)
        if has_choices:
            conflict.apply_choices()
        found = conflict.settle() if sent != state else []
        request.POST = conflict.data  # type: ignore[assignment]  # only stubs tell it from a QueryDict
        if sent == state:
            return None
        others, is_own = self._list_editors(conflict)
        if not found:
            conflict.data[STATE] = versions.format_state(state)
            text = _("Saved by others while you were writing, which is kept: %(names)s.")
            if is_own:
                text = _("You saved this in another tab while you were writing, which is kept: %(names)s.")
            if others:
                messages.info(request, text % {"names": "; ".join(others)})
            return None
        warn_of_files(request)
        context = {
            "groups": found,
            "others": others,
            "is_own": is_own,
            "count": sum(len(each.choices) for each in found),
            "typed": conflict.list_typed(omit={STATE, RESTORE, BASE, ASKED}),
            "state": versions.format_state(state),
            "base": versions.format_state(sent),
            "asked": " ".join(each.name for group in found for each in group.choices),
        }
        title = _("Someone else has saved this meanwhile")
        if is_own:
            title = _("You have saved this yourself meanwhile, in another tab")
        return self.render(request, "conflict", title, theirs, context)

    def _list_editors(self, conflict: EditConflict) -> tuple[list[str], bool]:
        """Return who has saved since, and whether that is the user alone."""
        model, key, since = self.model_admin.model, conflict.theirs.pk, conflict.base_state
        edits = versions.find_edits_since(model, key, self.parts, since) if since else []
        texts = (f"{versions.format_editor(each)}, {format_instant(each.moment)}" for each in edits if each)
        own = {bool(each and each.user_id == conflict.request.user.pk) for each in edits}
        return list(dict.fromkeys(texts)), own == {True}


RESTORE = "_restore"


def _read_sent(request: HttpRequest) -> tuple[State, bool]:
    """Return the state that was sent, and whether versions were chosen: all, or none."""
    asked = request.POST.get(ASKED, "").split()
    if any(request.POST.get(name) not in {THEIRS, MINE} for name in asked):
        return versions.parse_state(request.POST.get(BASE, "")), False
    has_choices = any(name.startswith(CHOICE) for name in request.POST)
    return versions.parse_state(request.POST.get(STATE, "")), has_choices


class UnsavedEdit(EditConflict):
    """What was typed of a row that cannot be saved, against a version of the row and its parts."""

    def __init__(self, feature: Feature, request: HttpRequest, row: Any, state: State) -> None:
        super().__init__(feature.model_admin, request, row, ())
        self.numbers = dict(zip(feature.parts, state[1:], strict=True))

    def _find_their_rows(self, inline: Any, parent: str) -> dict[int, Any]:
        part = (inline.model, parent)
        rows = versions.find_parts_at(part, self.theirs.pk, self.numbers[part])
        for row in rows.values():
            # Their names include it, and the database has it no longer.
            setattr(row, parent, self.theirs)
        return rows

    def settle(self) -> list[RowChoices]:
        return [*super().settle(), *self._list_new_rows()]

    def _list_new_rows(self) -> Iterator[RowChoices]:
        for formset in self.formsets:
            for prefix in formset.find_new(self.data):
                form = formset.form(**self.sent, prefix=prefix)
                if form.has_changed():
                    typed = format_input(form, list(form.fields))
                    name = str(capfirst(formset.model._meta.verbose_name))
                    yield RowChoices(name, [FieldConflict(prefix, _("You add it"), "", "", typed)])


def show_refused(feature: Feature, request: HttpRequest, row: Any, state: State) -> HttpResponse:
    """Return the page that shows what was typed for a row which the user may not change any more."""
    number, refusal = state[0] if state else 0, rights_of(request.user).explain_read_only(row)
    shown = versions.find_row_at(feature.model_admin.model, row.pk, number) or row
    edit = UnsavedEdit(feature, request, shown, state or (0,) * (len(feature.parts) + 1))
    # Where the form has no fields for the user, as those of the table.
    groups = edit.settle() or [RowChoices(str(shown), [*_list_texts(shown, request.POST)])]
    context = {"refusal": refusal, "groups": groups}
    warn_of_files(request)
    page = feature.render(request, "unsaved", _("This is not yours to change any more"), row, context)
    page.status_code = HTTPStatus.FORBIDDEN
    return page


def _list_texts(row: Any, sent: Mapping[str, str]) -> Iterator[FieldConflict]:
    """Yield what was typed of the texts of a row."""
    for each in row._meta.local_concrete_fields:
        if each.name in INTERNAL:
            continue
        before = getattr(row, each.attname)
        if isinstance(before, str) and before != (typed := sent.get(each.name, before)).replace("\r\n", "\n"):
            yield FieldConflict(each.name, label_field(each), "", before, typed)


def resolve_deletion(feature: Feature, request: HttpRequest, key: int) -> HttpResponse | None:
    """Return the page that shows what was typed for a deleted row, or what follows; None once it is restored.

    None, too, where there never was such a row, or where the user may not change it.
    """
    admin, parts = feature.model_admin, feature.parts
    version = admin.model.history.filter(id=key).order_by("history_id").last()
    if version is None or version.history_type != versions.DELETED:
        return None
    row = versions.build_rows([version])[key]
    if not admin.has_change_permission(request, row):
        return None
    state = versions.find_state_before_deletion(admin.model, key, parts)
    plan = plan_restoration(admin.model, key, parts, state)
    allowed = (
        any(each.model is admin.model for each in plan.written)
        and can_restore(admin, request, row, is_deleted=True)
        and not rights_of(request.user).find_forbidden(plan.written)
    )
    if allowed and RESTORE in request.POST:
        write(plan, rights_of(request.user))
        messages.success(request, _("The earlier version is restored."))
        return None
    conflict = UnsavedEdit(feature, request, row, state)
    context = {
        "who": versions.format_editor(version.edit),
        "moment": version.history_date,
        "merged": version.edit.detail if version.edit and version.edit.reason == MERGED else "",
        "groups": conflict.settle(),
        "can_restore": allowed,
        "typed": conflict.list_typed(omit={RESTORE}),
    }
    warn_of_files(request)
    title = _("Someone else has deleted this meanwhile")
    return feature.render(request, "unsaved", title, row, context)
