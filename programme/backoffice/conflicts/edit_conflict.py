"""An edit conflict: what an editor has sent of a row and its parts, and what others have saved meanwhile.

What only one of them has changed is kept. Of what both have changed, the editor chooses.
"""

import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.db.models.fields.files import ImageFieldFile
from django.forms.formsets import DELETION_FIELD_NAME, INITIAL_FORM_COUNT, TOTAL_FORM_COUNT
from django.http import HttpRequest, QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts.fields import (
    encode_fields,
    format_input,
    format_row,
    group_fields,
    is_omitted,
    update_data,
)
from programme.backoffice.features import get_parts
from programme.backoffice.forms.news import NEWS
from programme.backoffice.generics import ModelAdmin
from programme.changes.difference import CHOICE, MINE, THEIRS, FieldConflict
from programme.changes.rights import rights_of
from programme.changes.undo import plan_restoration
from programme.changes.writing import write
from programme.history import versions
from programme.models.parsing import parse_int

# No form has more rows than a number of so many digits; the forms refuse them.
DIGITS = 4


@dataclass
class RowChoices:
    title: str
    choices: list[FieldConflict] = field(default_factory=list)


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
        """Return what the form sends then, for hidden fields of the page that shows the conflict."""
        omit = {"csrfmiddlewaretoken", *omit}
        return [
            (name, value)
            for name, values in self.data.lists()
            if name not in omit and not name.startswith(CHOICE)
            for value in values
        ]

    # --- Choosing -------------------------------------------------------------------------------

    def apply_choices(self) -> None:
        """Replace what was sent by what others have saved, where the editor has chosen that."""
        sent = {key: self.data.pop(key)[0] for key in list(self.data) if key.startswith(CHOICE)}
        chosen = {
            whose: {key.removeprefix(CHOICE) for key, value in sent.items() if value == whose}
            for whose in (THEIRS, MINE)
        }
        if chosen[THEIRS] and self.base:
            self._take(self.form, "", self.base, chosen[THEIRS])
        for formset in self.formsets:
            for prefix, key in formset.find_rows(self.data):
                self._apply_to_row(formset, prefix, key, chosen)

    def _apply_to_row(
        self, formset: FormsetVersions, prefix: str, key: int, chosen: dict[str, set[str]]
    ) -> None:
        deletion, base = f"{prefix}-{DELETION_FIELD_NAME}", formset.base.get(key)
        if deletion in chosen[THEIRS] and deletion not in self.data:
            self.data[deletion] = "on"
        elif deletion in chosen[THEIRS] and base:
            del self.data[deletion]
            self._take(formset.form, prefix, base)
        elif deletion in chosen[MINE] and deletion not in self.data and key not in formset.theirs:
            state = versions.find_state_before_deletion(formset.model, key, ())
            plan = plan_restoration(formset.model, key, (), state)
            # It is part of what is saved.
            write(replace(plan, reason=""), rights_of(self.request.user))
        elif base:
            self._take(formset.form, prefix, base, chosen[THEIRS])

    def _take(self, form_class: Any, prefix: str, row: Any, keys: set[str] | None = None) -> None:
        """Put the values of a row in the place of what was sent: of these fields, or of all."""
        form = form_class(prefix=prefix, instance=copy.copy(row))
        for names in group_fields(list(form.fields)):
            if keys is None or form.add_prefix(names[0]) in keys:
                update_data(self.data, encode_fields(form, names))
                for name in map(form.add_prefix, names):
                    # What would take their file away.
                    self.data.pop(f"{name}-clear", None)

    # --- Comparing ------------------------------------------------------------------------------

    def settle(self) -> list[RowChoices]:
        """Keep what only one of them has changed; return what both have, to be chosen."""
        found = [RowChoices(str(self.theirs), self._settle_fields(self.form, "", self.base, self.theirs))]
        for formset in self.formsets:
            found += [self._settle_row(formset, *row) for row in formset.find_rows(self.data)]
        return [each for each in found if each.choices]

    def _settle_fields(self, form_class: Any, prefix: str, base: Any, theirs: Any) -> list[FieldConflict]:
        """Return the fields that both have changed; where nobody knows what was before, all that differ."""
        mine = form_class(**self.sent, prefix=prefix, instance=copy.copy(theirs))
        # Fields that were not submitted, such as those of other buttons, keep their values.
        differ = {name for name in mine.changed_data if not is_omitted(mine, name)}
        typed = differ
        if base:
            typed = set(form_class(**self.sent, prefix=prefix, instance=copy.copy(base)).changed_data)
        now = form_class(prefix=prefix, instance=copy.copy(theirs))
        then = form_class(prefix=prefix, instance=copy.copy(base)) if base else None
        found, taken = [], set()
        for names in group_fields(list(mine.fields)):
            before, after = format_row(then, names) if then else "", format_row(now, names)
            # The fields of news are no values of the row.
            if differ.isdisjoint(names) or (then and before == after) or names[0] in NEWS:
                continue
            key = mine.add_prefix(names[0])
            if typed.isdisjoint(names):
                taken.add(key)
                continue
            label = ", ".join(str(capfirst(mine.fields[name].label)) for name in names)
            image = getattr(theirs, names[0], None)
            address = image.url if isinstance(image, ImageFieldFile) and image else ""
            found.append(
                FieldConflict(key, label, before, after, format_input(mine, names), theirs_image=address)
            )
        if taken:
            self._take(form_class, prefix, theirs, taken)
        return found

    def _settle_row(self, formset: FormsetVersions, prefix: str, key: int) -> RowChoices:
        base, theirs = formset.base.get(key), formset.theirs.get(key)
        deletion = f"{prefix}-{DELETION_FIELD_NAME}"
        row = RowChoices(str(theirs or base or ""))
        if theirs is None:
            if base and deletion not in self.data and formset.can_delete:
                row.choices += self._settle_their_deletion(formset, prefix, base)
        elif deletion in self.data:
            if changed := base and self._describe_changes(formset, base, theirs):
                row.choices.append(FieldConflict(deletion, _("You delete it"), "", changed, _("is deleted")))
        else:
            row.choices += self._settle_fields(formset.form, prefix, base, theirs)
        return row

    def _settle_their_deletion(self, formset: FormsetVersions, prefix: str, base: Any) -> list[FieldConflict]:
        form = formset.form(**self.sent, prefix=prefix, instance=copy.copy(base))
        key, names = f"{prefix}-{DELETION_FIELD_NAME}", list(form.fields)
        if not form.changed_data:
            self.data[key] = "on"
            return []
        before = format_row(formset.form(instance=copy.copy(base)), names)
        return [
            FieldConflict(key, _("Deleted meanwhile"), before, _("is deleted"), format_input(form, names))
        ]

    def _describe_changes(self, formset: FormsetVersions, base: Any, theirs: Any) -> str:
        then, now = (formset.form(instance=copy.copy(row)) for row in (base, theirs))
        texts = [
            (format_row(then, names), format_row(now, names)) for names in group_fields(list(now.fields))
        ]
        return ", ".join(after for before, after in texts if before != after)
