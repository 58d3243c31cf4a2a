"""Someone deletes what another is writing: what was typed is shown, and goes into it when it is restored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts import three_way_diff
from programme.backoffice.conflicts.three_way_diff import Difference, RowDiff
from programme.backoffice.restore.replacements import find_replacements
from programme.history import versions
from programme.history.restore import before_deletion, plan_restoration
from programme.models.parsing import parse_int

RESTORE = "_restore"
NOT_TYPED = {RESTORE, "csrfmiddlewaretoken"}
# No form has more than 9,999 rows.
DIGITS = 4


def resolve_deletion(admin: Any, request: HttpRequest, key: int) -> HttpResponse | None:
    """Return the page that shows what was typed for a row that is gone; None where it is there (again).

    None, too, where there never was one, or where the user could not have written it.
    """
    version = admin.model.history.filter(id=key).order_by("history_id").last()
    if version is None or version.history_type != versions.DELETED:
        return None
    row = versions.as_row(version)
    if not admin.has_change_permission(request, row):
        return None
    plan = plan_restoration(admin.model, key, admin.parts(), before_deletion(admin.model, key, admin.parts()))
    may = not find_replacements(plan) and admin.may_return(request, row, plan)
    if may and RESTORE in request.POST and admin.carry_out(request, plan):
        return None
    return _page(admin, request, row, version, may=may)


def _page(admin: Any, request: HttpRequest, row: Any, version: Any, *, may: bool) -> HttpResponse:
    groups = [group for group in _typed(admin, request, row) if group.differences]
    context = {
        **admin.admin_site.each_context(request),
        "title": _("Someone else has deleted this meanwhile"),
        "opts": admin.model._meta,
        "original": row,
        "who": versions.who(version.edit),
        "moment": version.history_date,
        "groups": groups,
        "may": may,
        "files": sorted(request.FILES),
        "typed": [
            (name, value)
            for name, values in request.POST.lists()
            if name not in NOT_TYPED
            for value in values
        ],
    }
    return TemplateResponse(request, "admin/programme/deleted_meanwhile.html", context)


def _typed(admin: Any, request: HttpRequest, row: Any) -> list[RowDiff]:
    """Return what was typed, where it differs from what the row and those that belong to it were last."""
    sent = {"data": request.POST, "files": request.FILES}
    form = admin.get_form(request, row, change=True)
    groups = [RowDiff(str(row), three_way_diff.find_differences(form, sent, "", None, row))]
    numbers = before_deletion(admin.model, row.pk, admin.parts())[1:]
    formsets = admin.get_formsets_with_inlines(request, row)
    for (formset, inline), number in zip(formsets, numbers, strict=False):
        last = versions.parts_at((inline.model, formset.fk.name), row.pk, number)
        for part in last.values():
            # It is asked for its name, and is in no database.
            setattr(part, formset.fk.name, row)
        groups += [
            _of_row(formset.form, sent, prefix, last)
            for prefix in _prefixes(request, formset.get_default_prefix())
        ]
    return groups


def _prefixes(request: HttpRequest, prefix: str) -> list[str]:
    count = parse_int(request.POST.get(f"{prefix}-TOTAL_FORMS"), DIGITS) or 0
    return [f"{prefix}-{number}" for number in range(count)]


def _of_row(form_class: Any, sent: dict[str, Any], prefix: str, last: dict[int, Any]) -> RowDiff:
    row = last.get(parse_int(sent["data"].get(f"{prefix}-id")))
    if row is not None:
        return RowDiff(str(row), three_way_diff.find_differences(form_class, sent, prefix, None, row))
    form = form_class(**sent, prefix=prefix)
    name = str(capfirst(form_class._meta.model._meta.verbose_name))
    if not form.has_changed():
        return RowDiff(name)
    typed = three_way_diff.format_input(form, list(form.fields))
    return RowDiff(name, [Difference(prefix, _("You add it"), "", "", typed, both=False)])
