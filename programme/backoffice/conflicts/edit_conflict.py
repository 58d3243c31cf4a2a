"""An edit conflict: what an editor has sent of a row and its parts, and what others have saved meanwhile."""

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.exceptions import PermissionDenied
from django.forms.formsets import DELETION_FIELD_NAME, INITIAL_FORM_COUNT, TOTAL_FORM_COUNT
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from programme.backoffice.changes.undoing import find_refused
from programme.backoffice.conflicts import three_way_diff
from programme.backoffice.conflicts.three_way_diff import CHOICE, MINE, THEIRS, Difference, RowDiff
from programme.backoffice.features import get_parts
from programme.backoffice.generics import ModelAdmin
from programme.history import versions
from programme.history.undo import apply_undo, plan_restoration
from programme.models.parsing import parse_int

ALL_MINE = "_all_mine"
# No form has more rows than a number of so many digits; the forms refuse them.
DIGITS = 4


@dataclass
class FormsetVersions:
    """The rows of one formset by primary key: when the form was opened, and now."""

    model: Any
    form: Any
    prefix: str
    can_delete: bool
    base: dict[int, Any]
    theirs: dict[int, Any]

    def find_rows(self, data: QueryDict) -> list[tuple[str, int]]:
        """Return prefix and primary key of each row that was there when the form was opened."""
        count = parse_int(data.get(f"{self.prefix}-{INITIAL_FORM_COUNT}"), DIGITS) or 0
        prefixes = [f"{self.prefix}-{index}" for index in range(count)]
        keys = [(prefix, parse_int(data.get(f"{prefix}-id"))) for prefix in prefixes]
        return [(prefix, key) for prefix, key in keys if key is not None]

    def find_new(self, data: QueryDict) -> list[str]:
        """Return the prefix of each row that the editor may have added."""
        total = parse_int(data.get(f"{self.prefix}-{TOTAL_FORM_COUNT}"), DIGITS) or 0
        return [f"{self.prefix}-{index}" for index in range(len(self.find_rows(data)), total)]


class EditConflict:
    def __init__(
        self, model_admin: ModelAdmin, request: HttpRequest, theirs: Any, base_state: versions.State
    ) -> None:
        self.model_admin, self.request, self.theirs = model_admin, request, theirs
        self.base_state = base_state
        self.data = request.POST.copy()
        number = base_state[0] if base_state else 0
        self.base = versions.find_row_at(model_admin.model, theirs.pk, number) if number else None
        self.form = model_admin.get_form(request, theirs, change=True)

    @property
    def sent(self) -> dict[str, Any]:
        return {"data": self.data, "files": self.request.FILES}

    @cached_property
    def formsets(self) -> list[FormsetVersions]:
        numbers = dict(zip(get_parts(self.model_admin), self.base_state[1:], strict=False))
        found = []
        for formset, inline in self.model_admin.get_formsets_with_inlines(self.request, self.theirs):
            part = (inline.model, formset.fk.name)
            number = numbers.get(part)
            base = versions.find_parts_at(part, self.theirs.pk, number) if number else {}
            theirs = self._find_their_rows(inline, formset.fk.name)
            prefix = formset.get_default_prefix()
            found.append(
                FormsetVersions(inline.model, formset.form, prefix, formset.can_delete, base, theirs)
            )
        return found

    def _find_their_rows(self, inline: Any, parent: str) -> dict[int, Any]:
        rows = inline.get_queryset(self.request).filter(**{parent: self.theirs})
        return {row.pk: row for row in rows}

    def list_typed(self, omit: set[str]) -> list[tuple[str, str]]:
        """Return what the form has sent, for hidden fields of the page that shows the conflict."""
        omit = {"csrfmiddlewaretoken", *omit}
        return [(name, value) for name, values in self.data.lists() if name not in omit for value in values]

    # --- Choosing -------------------------------------------------------------------------------

    def apply_choices(self) -> None:
        """Replace what was sent by what others have saved, where the editor has chosen that."""
        choices = {key: self.data.pop(key)[0] for key in list(self.data) if key.startswith(CHOICE)}
        if ALL_MINE in self.data:
            choices = dict.fromkeys(choices, MINE)
        theirs = {key.removeprefix(CHOICE) for key, whose in choices.items() if whose == THEIRS}
        mine = {key.removeprefix(CHOICE) for key, whose in choices.items() if whose == MINE}
        if theirs and self.base:
            self._apply_to_fields(self.form, "", self.base, theirs)
        for formset in self.formsets:
            for prefix, key in formset.find_rows(self.data):
                self._apply_to_row(formset, prefix, key, theirs, mine)

    def _apply_to_row(
        self, formset: FormsetVersions, prefix: str, key: int, theirs: set[str], mine: set[str]
    ) -> None:
        deletion = f"{prefix}-{DELETION_FIELD_NAME}"
        if deletion in theirs and deletion not in self.data:
            self.data[deletion] = "on"
        elif deletion in theirs and key in formset.base:
            del self.data[deletion]
            form = formset.form(prefix=prefix, instance=copy.copy(formset.base[key]))
            three_way_diff.update_data(self.data, three_way_diff.encode_fields(form, list(form.fields)))
        elif deletion in mine and deletion not in self.data and key not in formset.theirs:
            state = versions.find_state_before_deletion(formset.model, key, ())
            plan = plan_restoration(formset.model, key, (), state)
            if find_refused(self.request, plan):
                raise PermissionDenied
            apply_undo(plan)
        elif key in formset.base:
            self._apply_to_fields(formset.form, prefix, formset.base[key], theirs)

    def _apply_to_fields(self, form_class: Any, prefix: str, base: Any, theirs: set[str]) -> None:
        form = form_class(prefix=prefix, instance=copy.copy(base))
        for names in three_way_diff.group_fields(list(form.fields)):
            if form.add_prefix(names[0]) in theirs:
                three_way_diff.update_data(self.data, three_way_diff.encode_fields(form, names))
                for name in map(form.add_prefix, names):
                    # What would take their file away.
                    self.data.pop(f"{name}-clear", None)

    # --- Comparing ------------------------------------------------------------------------------

    def find_diffs(self) -> list[RowDiff]:
        own = three_way_diff.find_differences(self.form, self.sent, "", self.base, self.theirs)
        diffs = [RowDiff(str(self.theirs), own)]
        for formset in self.formsets:
            diffs += [self._diff_row(formset, *row) for row in formset.find_rows(self.data)]
        return [diff for diff in diffs if diff.differences]

    def _diff_row(self, formset: FormsetVersions, prefix: str, key: int) -> RowDiff:
        base, theirs = formset.base.get(key), formset.theirs.get(key)
        is_deleting = f"{prefix}-{DELETION_FIELD_NAME}" in self.data
        diff = RowDiff(str(theirs or base or ""))
        if theirs is None:
            if base and not is_deleting and formset.can_delete:
                diff.differences.append(self._their_deletion(formset, prefix, base))
        elif is_deleting:
            changed = base and self._describe_changes(formset, base, theirs)
            if changed:
                name, done = f"{prefix}-{DELETION_FIELD_NAME}", _("is deleted")
                diff.differences.append(Difference(name, _("You delete it"), "", changed, done, both=True))
        else:
            diff.differences += three_way_diff.find_differences(formset.form, self.sent, prefix, base, theirs)
        return diff

    def _their_deletion(self, formset: FormsetVersions, prefix: str, base: Any) -> Difference:
        form = formset.form(**self.sent, prefix=prefix, instance=copy.copy(base))
        names = list(form.fields)
        return Difference(
            key=f"{prefix}-{DELETION_FIELD_NAME}",
            label=_("Deleted meanwhile"),
            before=three_way_diff.format_row(formset.form(instance=copy.copy(base)), names),
            theirs=_("is deleted"),
            mine=three_way_diff.format_input(form, names),
            both=bool(form.changed_data),
        )

    def _describe_changes(self, formset: FormsetVersions, base: Any, theirs: Any) -> str:
        then, now = (formset.form(instance=copy.copy(row)) for row in (base, theirs))
        texts = [
            (three_way_diff.format_row(then, names), three_way_diff.format_row(now, names))
            for names in three_way_diff.group_fields(list(now.fields))
        ]
        return ", ".join(after for before, after in texts if before != after)

    def find_added(self) -> list[str]:
        return [
            str(row)
            for formset in self.formsets
            for key, row in formset.theirs.items()
            if key not in formset.base
        ]
