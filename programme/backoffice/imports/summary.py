"""Summarize an import in a sentence or two."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.merge.plan import Plan


def summarize_plan(plan: Plan) -> str:
    return " ".join(f"{sentence}." for sentence in _build_sentences(plan)) or _("Nothing had to be changed.")


def count_sheets(preview: dict[str, Any]) -> dict[str, Any]:
    """Return how many sheets are read, which filled ones are not, and whether one of these is a programme."""
    sheets = preview.get("sheets", [])
    return {
        "read_sheets": sum(each["is_read"] for each in sheets),
        "unread": [each["name"] for each in sheets if each["is_filled"] and not each["is_read"]],
        "lost": any(each["is_lost"] for each in sheets),
    }


def name_unread_sheets(preview: dict[str, Any]) -> str:
    """Return a sentence that names the filled sheets of a workbook that were not read, or ''."""
    unread = [each for each in preview.get("sheets", []) if each["is_filled"] and not each["is_read"]]
    if not unread:
        return ""
    return _("Not read: %(sheets)s.") % {"sheets": ", ".join(each["description"] for each in unread)}


def _build_sentences(plan: Plan) -> Iterator[str]:
    kinds = (plan.events, plan.occasions)
    back = [sum(id(row) in plan.restored for row in rows.created) for rows in kinds]
    written = [len(rows.created) + len(rows.changed) for rows in kinds]
    fresh = [count - returned for count, returned in zip(written, back, strict=True)]
    if any(fresh):
        yield _("Imported: %(what)s") % {"what": _count(*fresh)}
    if plan.described:
        yield _("Updated: %(what)s") % {"what": ", ".join(str(change.row) for change in plan.described)}
    if any(back):
        yield _("Restored: %(what)s") % {"what": _count(*back)}
    if plan.withdrawn_events:
        yield _("Withdrawn: %(what)s") % {"what": _count(len(plan.withdrawn_events), 0)}
    if plan.withdrawn_occasions:
        yield _("Deleted: %(what)s") % {"what": _count(0, len(plan.withdrawn_occasions))}


def _count(events: int, occasions: int) -> str:
    counts = [
        ngettext("%(count)d event", "%(count)d events", events) % {"count": events} if events else "",
        ngettext("%(count)d occasion", "%(count)d occasions", occasions) % {"count": occasions}
        if occasions
        else "",
    ]
    return ", ".join(filter(None, counts))
