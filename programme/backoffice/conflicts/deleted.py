"""A row that is deleted while an editor writes it: what was typed is shown.

It is saved with the row, if that is restored, or as a new row.
"""

from contextlib import suppress
from pathlib import PurePath
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import FileField
from django.forms.formsets import INITIAL_FORM_COUNT
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts.edit_conflict import EditConflict, FormsetVersions
from programme.backoffice.conflicts.three_way_diff import Difference, RowDiff, format_input
from programme.backoffice.features import Feature
from programme.backoffice.forms.kept_files import keep_files
from programme.backoffice.restore.plans import can_carry_out, can_restore, carry_out, find_replacements
from programme.history import versions
from programme.history.restore import find_state_before_deletion, plan_restoration

RESTORE, AS_NEW = "_restore", "_as_new"
# What the form says of a row that readers know, and the publishing of it: a new one is nobody's news yet.
NOT_OF_NEW = {RESTORE, AS_NEW, "_state", "tell", "note", "status"}


class DeletionConflict(EditConflict):
    """An edit of a row that others have deleted: what was typed, against its last version and parts."""

    def __init__(self, feature: Feature, request: HttpRequest, row: Any, last_state: versions.State) -> None:
        super().__init__(feature.model_admin, request, row, ())
        self.numbers = dict(zip(feature.parts, last_state[1:], strict=True))

    def _find_their_rows(self, inline: Any, parent: str) -> dict[int, Any]:
        part = (inline.model, parent)
        rows = versions.find_parts_at(part, self.theirs.pk, self.numbers[part])
        for row in rows.values():
            # Their names include it, and the database has it no longer.
            setattr(row, parent, self.theirs)
        return rows

    def _diff_new_rows(self, formset: FormsetVersions) -> list[RowDiff]:
        name = str(capfirst(formset.model._meta.verbose_name))
        diffs = []
        for prefix in formset.find_new(self.data):
            form = formset.form(**self.sent, prefix=prefix)
            if form.has_changed():
                typed = format_input(form, list(form.fields))
                diffs.append(RowDiff(name, [Difference(prefix, _("You add it"), "", "", typed, both=False)]))
        return diffs

    # --- Saving as new --------------------------------------------------------------------------

    def save_as_new(self) -> HttpResponse:
        """Save what was typed as a new row with new parts; what cannot be saved stands in the form of one."""
        admin, request = self.model_admin, self.request
        request.POST = self._build_new_data()  # type: ignore[assignment]  # only stubs tell it from a QueryDict
        self._add_stored_files()
        address = reverse(f"admin:{admin.opts.app_label}_{admin.opts.model_name}_add")
        response: HttpResponse = admin.changeform_view(request, None, address)
        return response

    def _build_new_data(self) -> QueryDict:
        data = self.data.copy()
        for name in NOT_OF_NEW & data.keys():
            del data[name]
        inlines = self.model_admin.get_formsets_with_inlines(self.request, self.theirs)
        for (formset, inline), found in zip(inlines, self.formsets, strict=True):
            stored = [prefix for prefix, _key in found.find_rows(data)]
            for prefix in [*stored, *found.find_new(data)]:
                # Rows that the editor has added name the deleted row, too.
                for name in (inline.model._meta.pk.name, formset.fk.name):
                    data.pop(f"{prefix}-{name}", None)
            data[f"{found.prefix}-{INITIAL_FORM_COUNT}"] = "0"
        return data

    def _add_stored_files(self) -> None:
        """Take along the files of the row for which no others were chosen, and that were not taken away."""
        for field in self.model_admin.model._meta.local_concrete_fields:
            name, stored = field.name, getattr(self.theirs, field.name)
            is_kept = name not in self.request.FILES and f"{name}-clear" not in self.data
            if isinstance(field, FileField) and stored and is_kept:
                with suppress(OSError), stored.open() as file:
                    content = SimpleUploadedFile(PurePath(stored.name).name, file.read())
                    self.request.FILES[name] = content


def resolve_deletion(feature: Feature, request: HttpRequest, key: int) -> HttpResponse | None:
    """Return the page that shows what was typed for a deleted row, or what follows; None once it is restored.

    None, too, where there never was such a row, or where the user may not change it.
    """
    admin, parts = feature.model_admin, feature.parts
    version = admin.model.history.filter(id=key).order_by("history_id").last()
    if version is None or version.history_type != versions.DELETED:
        return None
    row = versions.build_row(version)
    if not admin.has_change_permission(request, row):
        return None
    state = find_state_before_deletion(admin.model, key, parts)
    plan = plan_restoration(admin.model, key, parts, state)
    allowed = (
        not find_replacements(plan)
        and can_restore(admin, request, row, is_deleted=True)
        and can_carry_out(request.user, plan)
    )
    if allowed and RESTORE in request.POST and carry_out(request, plan):
        return None
    conflict = DeletionConflict(feature, request, row, state)
    can_add = admin.has_add_permission(request)
    if can_add and AS_NEW in request.POST:
        return conflict.save_as_new()
    context = feature.page_context(request, _("Someone else has deleted this meanwhile"), row) | {
        "who": versions.format_editor(version.edit),
        "moment": version.history_date,
        "groups": conflict.find_diffs(),
        "can_restore": allowed,
        "can_add": can_add,
        "files": keep_files(request),
        "typed": conflict.list_typed(omit={RESTORE, AS_NEW}),
    }
    return TemplateResponse(request, "admin/programme/deleted_meanwhile.html", context)
