"""What readers lose if something published is deleted, and what to do with it instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q

from programme.backoffice.rights import Rights
from programme.models import Event, Occasion, Status


@dataclass(frozen=True)
class PublishedRows:
    """The published rows among those that are to be deleted."""

    rows: Sequence[Any]
    occasions: int
    # Those that are not over.
    ahead: int
    can_cancel: bool
    can_withdraw: bool

    @property
    def keys(self) -> list[int]:
        return [row.pk for row in self.rows]


def find_published(rows: Sequence[Any], rights: Rights, instant: datetime) -> PublishedRows | None:
    """Return what readers see of rows, None if that is nothing; in two queries at most."""
    model = type(rows[0]) if rows else None
    if model not in {Event, Occasion}:
        return None
    of_rows = Q(**{"event__in" if model is Event else "pk__in": [row.pk for row in rows]})
    shown = Occasion.objects.filter(of_rows, event__status=Status.PUBLISHED).order_by()
    found = list(shown.values_list("event" if model is Event else "pk", "end"))
    keys = {key for key, _end in found}
    known = [row for row in rows if row.pk in keys]
    if not known:
        return None
    return PublishedRows(
        known,
        occasions=len(found),
        ahead=sum(end > instant for _key, end in found),
        can_cancel=all(rights.can("change", row) for row in known),
        can_withdraw=model is Event and all(rights.can("publish", row) for row in known),
    )
