"""Earlier versions of rows and of their parts, the rows that belong to them."""

import re
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Any

from django.db.models import ForeignKey, Max, OuterRef, QuerySet, Subquery
from django.db.models.fields.files import FieldFile
from django.utils import translation
from django.utils.translation import gettext as _

from programme.models import Edit, Event

CREATED, CHANGED, DELETED = "+", "~", "-"
# The longest duration of deleting a row with its parts outside of an edit.
DELETION_WINDOW = timedelta(minutes=1)
# As many digits as IDs of versions may have.
_STATE = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})*")
# The ID of the latest version of the row, and that of the latest one of each kind of its parts.
State = tuple[int, ...]
# A model whose rows belong to another row, and the field that refers to it.
Part = tuple[Any, str]


def find_state(model: Any, key: Any, parts: Iterable[Part]) -> State:
    """Return the state of a row and its parts, () if there never was one; one query."""
    own = model.history.filter(id=key).order_by().values("id").annotate(own=Max("history_id"))
    latest = {}
    for number, (part, parent) in enumerate(parts):
        versions = part.history.filter(**{parent: key}).order_by("-history_id")
        latest[f"part{number}"] = Subquery(versions.values("history_id")[:1])
    found = list(own.annotate(**latest).values_list("own", *latest))
    return tuple(number or 0 for row in found for number in row)


def format_state(state: State) -> str:
    return ".".join(map(str, state))


def parse_state(text: str) -> State:
    """Return the state that a form contains, () if it is not valid."""
    return tuple(map(int, text.split("."))) if _STATE.fullmatch(text) else ()


def find_state_before_deletion(model: Any, key: Any, parts: Iterable[Part]) -> State:
    """Return the state in which a row was deleted, () if it exists or never did."""
    last = model.history.filter(id=key).order_by("history_id").last()
    if last is None or last.history_type != DELETED:
        return ()
    found = [last.history_id - 1]
    for part, parent in parts:
        versions = part.history.filter(**{parent: key})
        # Django deletes parts before their row.
        same_edit = {"edit": last.edit_id}
        same_minute = {"history_date__gte": last.history_date - DELETION_WINDOW}
        deleted = versions.filter(history_type=DELETED, **(same_edit if last.edit_id else same_minute))
        first = deleted.order_by("history_id").values_list("history_id", flat=True).first()
        latest = versions.order_by("-history_id").values_list("history_id", flat=True).first()
        found.append(first - 1 if first else latest or 0)
    return tuple(found)


def find_row_at(model: Any, key: Any, number: int) -> Any:
    """Return the row in a version, None for a deletion or an unknown version."""
    versions = model.history.filter(id=key, history_id=number).exclude(history_type=DELETED)
    return build_rows(versions).get(key)


def find_parts_at(part: Part, key: Any, number: int) -> dict[int, Any]:
    return build_rows(select_parts_at(part, key, number))


def select_parts_at(part: Part, key: Any, number: int) -> QuerySet[Any]:
    model, parent = part
    versions = model.history.filter(history_id__lte=number)
    ever = versions.filter(**{parent: key}).values("id")
    found = select_latest(versions.filter(id__in=ever)).exclude(history_type=DELETED)
    return found.filter(**{parent: key}).order_by("id")


def select_latest(versions: QuerySet[Any]) -> QuerySet[Any]:
    later = versions.filter(id=OuterRef("id")).order_by("-history_id").values("history_id")[:1]
    return versions.filter(history_id=Subquery(later))


def read_state(row: Any) -> dict[str, Any] | None:
    """Return the values of a row or a version by attribute; an image as its name."""
    if row is None:
        return None
    fields = getattr(row, "tracked_fields", None) or row.history.model.tracked_fields
    values = ((each.attname, getattr(row, each.attname)) for each in fields)
    return {name: value.name or "" if isinstance(value, FieldFile) else value for name, value in values}


def find_edits_since(model: Any, key: Any, parts: Iterable[Part], state: State) -> list[Edit | None]:
    """Return the edits of a row and its parts since a state; None for versions outside any edit."""
    queries = [model.history.filter(id=key)]
    queries += [part.history.filter(**{parent: key}) for part, parent in parts]
    numbers = zip(queries, state or (0,) * len(queries), strict=True)
    later = (versions.filter(history_id__gt=number).order_by() for versions, number in numbers)
    found = [edit for versions in later for edit in versions.values_list("edit", flat=True).distinct()]
    edits = Edit.objects.in_bulk([edit for edit in found if edit])
    return [*(edits[key] for key in sorted(edits)), *([None] if None in found else [])]


def build_rows(found: Iterable[Any], restored: Collection[int] = ()) -> dict[int, Any]:
    """Return versions of a model as rows, by ID, without references to rows that are deleted.

    `restored` are events that are about to be stored again.
    """
    rows = {version.id: version.instance for version in found}
    fields = {each for row in rows.values() for each in row._meta.local_concrete_fields}
    for field in (each for each in fields if isinstance(each, ForeignKey)):
        keys = {getattr(row, field.attname) for row in rows.values()} - {None}
        # With their required references.
        related: Any = field.related_model
        stored = related.objects.select_related().in_bulk(keys)
        for row in rows.values():
            key = getattr(row, field.attname)
            if key in stored:
                setattr(row, field.name, stored[key])
            elif related is not Event or key not in restored:
                setattr(row, field.attname, None)
    return rows


def format_editor(edit: Edit | None) -> str:
    """Return the name of the editor, or the reason of an edit without one."""
    return (edit and (edit.name or format_reason(edit))) or _("somebody")


def format_reason(edit: Edit) -> str:
    """Return the reason of an edit, '' if it is unknown."""
    return f"{translation.gettext(edit.reason)} {edit.detail}".strip() if edit.reason else ""
