"""A row that is deleted while an editor writes it: what was typed is shown, and saved if it is restored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.changes.undoing import find_refused
from programme.backoffice.conflicts.edit_conflict import EditConflict, FormsetVersions
from programme.backoffice.conflicts.three_way_diff import Difference, RowDiff, format_input
from programme.backoffice.features import Feature
from programme.backoffice.forms.kept_files import keep_files
from programme.backoffice.restore import can_restore, carry_out
from programme.history import versions
from programme.history.undo import plan_restoration

RESTORE = "_restore"


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
    state = versions.find_state_before_deletion(admin.model, key, parts)
    plan = plan_restoration(admin.model, key, parts, state)
    allowed = (
        any(each.model is admin.model for each in plan.written)
        and can_restore(admin, request, row, is_deleted=True)
        and not find_refused(request.user, plan)
    )
    if allowed and RESTORE in request.POST and carry_out(request, plan):
        return None
    conflict = DeletionConflict(feature, request, row, state)
    context = feature.page_context(request, _("Someone else has deleted this meanwhile"), row) | {
        "who": versions.format_editor(version.edit),
        "moment": version.history_date,
        "groups": conflict.find_diffs(),
        "can_restore": allowed,
        "files": keep_files(request),
        "typed": conflict.list_typed(omit={RESTORE}),
    }
    return TemplateResponse(request, "admin/programme/deleted_meanwhile.html", context)
