"""The programme as it was: rows at an earlier version, with the rows that belong to them."""

import re
from collections.abc import Iterable
from copy import copy
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import ForeignKey, Max, Model, OuterRef, QuerySet, Subquery
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from programme.models import Edit

DELETED = "-"
# What the migration says that made the first versions.
BEGAN = gettext_noop("as it was when the history began")
# At most as long as the numbers of rows are.
_STATE = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})*")
# One number for the row and one for all rows of each kind that belong to it: of the latest version.
State = tuple[int, ...]
# A model of rows that belong to another, and the field that names it.
Part = tuple[type[Model], str]


def state_of(model: Any, key: Any, parts: Iterable[Part]) -> State:
    """Return in which state a row and its parts are, () where there never was one; one query."""
    own = model.history.filter(id=key).order_by().values("id").annotate(own=Max("history_id"))
    latest = {f"part{number}": _latest(part, key) for number, part in enumerate(parts)}
    found = list(own.annotate(**latest).values_list("own", *latest))
    return tuple(number or 0 for row in found for number in row)


def written_state(state: State) -> str:
    """Return a state as a form sends it along."""
    return ".".join(map(str, state))


def read_state(text: str) -> State:
    """Return a state from what a form sent, () where that is none."""
    return tuple(map(int, text.split("."))) if _STATE.fullmatch(text) else ()


def _latest(part: Part, key: Any) -> Subquery:
    model, named_by = part
    versions = model.history.filter(**{named_by: key}).order_by("-history_id")  # type: ignore[attr-defined]
    return Subquery(versions.values("history_id")[:1])


def row_at(model: Any, key: Any, number: int) -> Any:
    """Return the row in a version, None where it was deleted by then or there is no such version."""
    version = model.history.filter(id=key, history_id=number).exclude(history_type=DELETED).first()
    return version and as_row(version)


def parts_at(part: Part, key: Any, number: int) -> dict[int, Any]:
    """Return the rows by primary key that belonged to another when a version was written."""
    model, named_by = part
    versions = model.history.filter(history_id__lte=number)  # type: ignore[attr-defined]
    ever = versions.filter(**{named_by: key}).values("id")
    found = latest_of_each(versions.filter(id__in=ever)).exclude(history_type=DELETED)
    return {each.id: as_row(each) for each in found.filter(**{named_by: key}).order_by("id")}


def latest_of_each(versions: QuerySet[Any]) -> QuerySet[Any]:
    """Return the last of the versions of each row."""
    later = versions.filter(id=OuterRef("id")).order_by("-history_id").values("history_id")[:1]
    return versions.filter(history_id=Subquery(later))


def edits_since(model: Any, key: Any, parts: Iterable[Part], state: State) -> list[Edit | None]:
    """Return the edits of a row and its parts since a state; None stands for what was written past all."""
    queries = [model.history.filter(id=key)]
    queries += [part.history.filter(**{named_by: key}) for part, named_by in parts]  # type: ignore[attr-defined]
    numbers = state or (0,) * len(queries)
    found = [
        edit
        for versions, number in zip(queries, numbers, strict=True)
        for edit in versions.filter(history_id__gt=number)
        .order_by()
        .values_list("edit", flat=True)
        .distinct()
    ]
    edits = Edit.objects.in_bulk([edit for edit in found if edit])
    return [*(edits[key] for key in sorted(edits)), *([None] if None in found else [])]


def as_row(version: Any) -> Any:
    """Return a version as a row; what it names that is not there any more it names no longer."""
    row = version.instance
    for field in row._meta.local_concrete_fields:
        if isinstance(field, ForeignKey):
            try:
                getattr(row, field.name)
            except ObjectDoesNotExist:
                setattr(row, field.attname, None)
    return row


def put_back(model: Any, key: Any) -> Any:
    """Insert a row that was deleted as it was last, with its identity; return it, None if there is nothing.

    Raises `ValidationError` where it cannot be as it was: its name is another's by now, for example.
    """
    version = model.history.filter(id=key).order_by("history_id").last()
    if version is None or version.history_type != DELETED:
        return None
    row = as_row(version)
    copy(row).full_clean()
    row.save(force_insert=True)
    return row


def who(edit: Edit | None) -> str:
    """Return who made an edit, or what did."""
    return (edit and (edit.name or why(edit))) or _("somebody")


def why(edit: Edit) -> str:
    """Return why an edit was made, '' where nobody said so."""
    return f"{translation.gettext(edit.reason)} {edit.detail}".strip() if edit.reason else ""
