"""A row that is deleted while an editor writes it: what was typed is shown, and saved if it is restored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts import three_way_diff
from programme.backoffice.conflicts.three_way_diff import Difference, RowDiff
from programme.backoffice.features import Feature
from programme.backoffice.restore.carry_out import carry_out
from programme.backoffice.restore.permissions import can_carry_out, can_restore
from programme.backoffice.restore.replacements import find_replacements
from programme.history import versions
from programme.history.restore import find_state_before_deletion, plan_restoration
from programme.models.parsing import parse_int

RESTORE = "_restore"
NOT_RESENT = {RESTORE, "csrfmiddlewaretoken"}
# No form has more than 9,999 rows.
DIGITS = 4


def resolve_deletion(feature: Feature, request: HttpRequest, key: int) -> HttpResponse | None:
    """Return the page that shows what was typed for a deleted row; None once it is restored.

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
    context = feature.page_context(request, _("Someone else has deleted this meanwhile"), row) | {
        "who": versions.format_editor(version.edit),
        "moment": version.history_date,
        "groups": [diff for diff in _find_diffs(feature, request, row, state) if diff.differences],
        "can_restore": allowed,
        "files": sorted(request.FILES),
        "typed": [
            (name, value)
            for name, values in request.POST.lists()
            if name not in NOT_RESENT
            for value in values
        ],
    }
    return TemplateResponse(request, "admin/programme/deleted_meanwhile.html", context)


def _find_diffs(feature: Feature, request: HttpRequest, row: Any, state: versions.State) -> list[RowDiff]:
    """Return what was typed, where it differs from the row and its parts before they were deleted."""
    admin = feature.model_admin
    sent = {"data": request.POST, "files": request.FILES}
    form = admin.get_form(request, row, change=True)
    diffs = [RowDiff(str(row), three_way_diff.find_differences(form, sent, "", None, row))]
    formsets = admin.get_formsets_with_inlines(request, row)
    for (formset, inline), number in zip(formsets, state[1:], strict=False):
        last = versions.find_parts_at((inline.model, formset.fk.name), row.pk, number)
        for part in last.values():
            # It is asked for its name, and is in no database.
            setattr(part, formset.fk.name, row)
        diffs += [
            _diff_row(formset.form, sent, prefix, last)
            for prefix in _list_prefixes(request, formset.get_default_prefix())
        ]
    return diffs


def _list_prefixes(request: HttpRequest, prefix: str) -> list[str]:
    count = parse_int(request.POST.get(f"{prefix}-TOTAL_FORMS"), DIGITS) or 0
    return [f"{prefix}-{number}" for number in range(count)]


def _diff_row(form_class: Any, sent: dict[str, Any], prefix: str, last: dict[int, Any]) -> RowDiff:
    key = parse_int(sent["data"].get(f"{prefix}-id"))
    row = None if key is None else last.get(key)
    if row is not None:
        return RowDiff(str(row), three_way_diff.find_differences(form_class, sent, prefix, None, row))
    form = form_class(**sent, prefix=prefix)
    name = str(capfirst(form_class._meta.model._meta.verbose_name))
    if not form.has_changed():
        return RowDiff(name)
    typed = three_way_diff.format_input(form, list(form.fields))
    return RowDiff(name, [Difference(prefix, _("You add it"), "", "", typed, both=False)])
