"""Two who edit the same: a form knows which state it shows, and nothing is overwritten unseen.

The state is sent along with the form. Where another has been saved since, or where none is sent, what was
typed is shown beside what others have saved, and one chooses.
"""

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import flatten_fieldsets
from django.forms.formsets import DELETION_FIELD_NAME, INITIAL_FORM_COUNT, TOTAL_FORM_COUNT
from django.forms.models import _get_foreign_key
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from programme.backoffice.conflicts import three_way_diff
from programme.backoffice.conflicts.deleted import RESTORE, resolve_deletion
from programme.backoffice.conflicts.three_way_diff import CHOICE, MINE, THEIRS, Difference, RowDiff
from programme.history import versions
from programme.models import Edit, Revision
from programme.models.festival_time import festival_time
from programme.models.parsing import parse_int

STATE = "_state"
ALL_MINE = "_all_mine"
# How long the number of an event's occasions may be: a longer one is nobody's form, and the forms refuse it.
DIGITS = 5
NOT_TYPED = {STATE, ALL_MINE, RESTORE, "csrfmiddlewaretoken"}


@dataclass
class VersionedRows:
    """The rows of one formset, as they were when the form was opened and as they are."""

    model: Any
    form: Any
    prefix: str
    can_delete: bool
    base: dict[int, Any]
    theirs: dict[int, Any]

    def rows(self, data: QueryDict) -> list[tuple[str, int]]:
        """Return prefix and primary key of each row that was there when the form was opened."""
        said = parse_int(data.get(f"{self.prefix}-{INITIAL_FORM_COUNT}"), DIGITS) or 0
        prefixes = [f"{self.prefix}-{index}" for index in range(said)]
        keys = [(prefix, parse_int(data.get(f"{prefix}-id"))) for prefix in prefixes]
        return [(prefix, key) for prefix, key in keys if key is not None]


class EditConflict:
    """What was sent for a row meets what others have saved of it."""

    def __init__(self, admin: Any, request: HttpRequest, theirs: Any, base_state: versions.State) -> None:
        self.admin, self.request, self.theirs = admin, request, theirs
        self.state = base_state
        self.data = request.POST.copy()
        number = base_state[0] if base_state else 0
        self.base = versions.row_at(admin.model, theirs.pk, number) if number else None
        self.form = admin.get_form(request, theirs, change=True)

    @property
    def sent(self) -> dict[str, Any]:
        return {"data": self.data, "files": self.request.FILES}

    @cached_property
    def rows(self) -> list[VersionedRows]:
        numbers = dict(zip(self.admin.parts(), self.state[1:], strict=False))
        found = []
        for formset, inline in self.admin.get_formsets_with_inlines(self.request, self.theirs):
            part = (inline.model, formset.fk.name)
            base = versions.parts_at(part, self.theirs.pk, numbers.get(part, 0))
            theirs = {
                row.pk: row for row in inline.get_queryset(self.request).filter(**{part[1]: self.theirs})
            }
            prefix = formset.get_default_prefix()
            found.append(VersionedRows(inline.model, formset.form, prefix, formset.can_delete, base, theirs))
        return found

    # --- Choosing -------------------------------------------------------------------------------

    def choose(self) -> None:
        """Put what was chosen of theirs, as it was shown, into what was sent."""
        choices = {key: self.data.pop(key)[0] for key in list(self.data) if key.startswith(CHOICE)}
        if ALL_MINE in self.data:
            choices = dict.fromkeys(choices, MINE)
        chosen = {key.removeprefix(CHOICE) for key, whose in choices.items() if whose == THEIRS}
        mine = {key.removeprefix(CHOICE) for key, whose in choices.items() if whose == MINE}
        if chosen and self.base:
            self._choose(self.form, "", self.base, chosen)
        for rows in self.rows:
            for prefix, key in rows.rows(self.data):
                self._choose_row(rows, prefix, key, chosen, mine)

    def _choose_row(
        self, rows: VersionedRows, prefix: str, key: int, chosen: set[str], mine: set[str]
    ) -> None:
        deletion = f"{prefix}-{DELETION_FIELD_NAME}"
        if deletion in chosen and deletion not in self.data:
            self.data[deletion] = "on"
        elif deletion in chosen and key in rows.base:
            del self.data[deletion]
            form = rows.form(prefix=prefix, instance=copy.copy(rows.base[key]))
            three_way_diff.update_data(self.data, three_way_diff.encode_fields(form, list(form.fields)))
        elif deletion in mine and deletion not in self.data and key not in rows.theirs:
            versions.put_back(rows.model, key)
        elif key in rows.base:
            self._choose(rows.form, prefix, rows.base[key], chosen)

    def _choose(self, form_class: Any, prefix: str, row: Any, chosen: set[str]) -> None:
        form = form_class(prefix=prefix, instance=copy.copy(row))
        for names in three_way_diff.group_fields(list(form.fields)):
            if form.add_prefix(names[0]) in chosen:
                three_way_diff.update_data(self.data, three_way_diff.encode_fields(form, names))

    # --- Comparing ------------------------------------------------------------------------------

    def groups(self) -> list[RowDiff]:
        """Return all in which what was sent differs from what others have saved."""
        own = three_way_diff.find_differences(self.form, self.sent, "", self.base, self.theirs)
        groups = [RowDiff(str(self.theirs), own)]
        for rows in self.rows:
            groups += [self._of_row(rows, prefix, key) for prefix, key in rows.rows(self.data)]
        return [group for group in groups if group.differences]

    def _of_row(self, rows: VersionedRows, prefix: str, key: int) -> RowDiff:
        base, theirs = rows.base.get(key), rows.theirs.get(key)
        deleting = f"{prefix}-{DELETION_FIELD_NAME}" in self.data
        group = RowDiff(str(theirs or base or ""))
        if theirs is None:
            if base and not deleting and rows.can_delete:
                group.differences.append(self._gone(rows, prefix, base))
        elif deleting:
            changed = base and self._changes(rows, base, theirs)
            group.differences += [self._deleted(prefix, changed)] if changed else []
        else:
            group.differences += three_way_diff.find_differences(rows.form, self.sent, prefix, base, theirs)
        return group

    def _gone(self, rows: VersionedRows, prefix: str, base: Any) -> Difference:
        form = rows.form(**self.sent, prefix=prefix, instance=copy.copy(base))
        names = list(form.fields)
        return Difference(
            key=f"{prefix}-{DELETION_FIELD_NAME}",
            label=_("Deleted meanwhile"),
            before=three_way_diff.format_row(rows.form(instance=copy.copy(base)), names),
            theirs=_("is deleted"),
            mine=three_way_diff.format_input(form, names),
            both=bool(form.changed_data),
        )

    def _deleted(self, prefix: str, changed: str) -> Difference:
        return Difference(
            key=f"{prefix}-{DELETION_FIELD_NAME}",
            label=_("You delete it"),
            before="",
            theirs=changed,
            mine=_("is deleted"),
            both=True,
        )

    def _changes(self, rows: VersionedRows, base: Any, theirs: Any) -> str:
        then, now = (rows.form(instance=copy.copy(row)) for row in (base, theirs))
        units = three_way_diff.group_fields(list(now.fields))
        found = [
            three_way_diff.format_row(now, names)
            for names in units
            if three_way_diff.format_row(then, names) != three_way_diff.format_row(now, names)
        ]
        return ", ".join(found)

    def typed_nothing(self) -> bool:
        """Return whether everything was sent as it was shown, without files and new rows."""
        if self.base is None or self.request.FILES:
            return False
        # With what buttons send, as the admin itself asks for it.
        fields = flatten_fieldsets(self.admin.get_fieldsets(self.request, self.theirs))
        form = self.admin.get_form(self.request, self.theirs, change=True, fields=fields)
        return not self._typed(form, "", self.base) and not any(map(self._typed_in, self.rows))

    def _typed_in(self, rows: VersionedRows) -> bool:
        there = rows.rows(self.data)
        total = parse_int(self.data.get(f"{rows.prefix}-{TOTAL_FORM_COUNT}"), DIGITS) or 0
        new = (f"{rows.prefix}-{index}" for index in range(len(there), total))
        return any(
            f"{prefix}-{DELETION_FIELD_NAME}" in self.data
            or key not in rows.base
            or self._typed(rows.form, prefix, rows.base[key])
            for prefix, key in there
        ) or any(self._typed(rows.form, prefix, rows.model()) for prefix in new)

    def _typed(self, form_class: Any, prefix: str, base: Any) -> bool:
        form = form_class(**self.sent, prefix=prefix, instance=copy.copy(base))
        return any(not three_way_diff.is_omitted(form, name) for name in form.changed_data)

    def added(self) -> list[str]:
        """Return the rows that others have added."""
        return [str(row) for rows in self.rows for key, row in rows.theirs.items() if key not in rows.base]


class EditConflictMixin:
    """A model admin whose change forms know which state they show."""

    def parts(self) -> list[versions.Part]:
        """Return the kinds of rows that are edited together with one of this model."""
        return [
            (inline.model, _get_foreign_key(self.model, inline.model, fk_name=inline.fk_name).name)
            for inline in self.inlines
        ]

    def changeform_view(
        self, request: HttpRequest, object_id: Any = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if parse_int(object_id) is None:
            return super().changeform_view(request, object_id, form_url, extra_context)
        if request.method == "POST":
            # Nobody else saves from here on: what is compared stays so until it is written.
            Revision.objects.select_for_update().first()
        state = versions.state_of(self.model, object_id, self.parts())
        if request.method == "POST" and "_saveasnew" not in request.POST:
            page = self._meet(request, object_id, state)
            if page:
                return page
            state = versions.read_state(request.POST.get(STATE, "")) or state
        context = {"state": versions.written_state(state), **(extra_context or {})}
        return super().changeform_view(request, object_id, form_url, context)

    def _meet(self, request: HttpRequest, object_id: Any, state: versions.State) -> HttpResponse | None:
        """Return the page on which one chooses, None where there is nothing to choose."""
        sent = versions.read_state(request.POST.get(STATE, ""))
        chosen = any(name.startswith(CHOICE) for name in request.POST)
        if sent == state and not chosen:
            return None
        theirs = self.get_object(request, object_id)
        if theirs is None:
            page = resolve_deletion(self, request, int(object_id))
            if page:
                return page
            theirs = self.get_object(request, object_id)
            state = versions.state_of(self.model, object_id, self.parts())
        if theirs is None or not self.has_change_permission(request, theirs):
            return None
        meeting = EditConflict(self, request, theirs, sent if len(sent) == len(state) else ())
        if chosen:
            meeting.choose()
            request.POST = meeting.data
        if sent == state:
            return None
        if not chosen and sent and meeting.typed_nothing():
            said = _("Someone else has saved meanwhile; you had changed nothing. Here it is as it is now.")
            messages.info(request, said)
            return HttpResponseRedirect(request.get_full_path())
        groups, added = meeting.groups(), meeting.added() if sent else []
        return self._page(request, meeting, groups, added, state) if groups or added else None

    def _page(
        self,
        request: HttpRequest,
        meeting: EditConflict,
        groups: list[RowDiff],
        added: list[str],
        state: versions.State,
    ) -> HttpResponse:
        edits = versions.edits_since(self.model, meeting.theirs.pk, self.parts(), meeting.state)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Someone else has saved this meanwhile"),
            "opts": self.model._meta,
            "original": meeting.theirs,
            "groups": groups,
            "added": added,
            # A page cannot hold on to a chosen file.
            "files": sorted({*request.FILES} - {each.key for group in groups for each in group.differences}),
            "others": others(edits) if meeting.state else [],
            "both": sum(each.both for group in groups for each in group.differences),
            "typed": [
                (name, value)
                for name, values in meeting.data.lists()
                if name not in NOT_TYPED
                for value in values
            ],
            "state": versions.written_state(state),
        }
        return TemplateResponse(request, "admin/programme/conflict.html", context)


def others(edits: list[Edit | None]) -> list[str]:
    """Return who has edited, and when, as one reads it."""
    said = [
        f"{versions.who(edit)}, {festival_time().local(edit.moment):%Y-%m-%d %H:%M}" for edit in edits if edit
    ]
    return list(dict.fromkeys(said))
