"""The types of an event as columns, which history, undo, merges and imports treat like any other."""

from collections.abc import Iterable
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

# As many as any known programme has for one event. The first is `type`.
FURTHER_TYPES = ("type_2", "type_3", "type_4", "type_5", "type_6")
TYPES = ("type", *FURTHER_TYPES)


def _further(number: int) -> Any:
    return models.ForeignKey(
        "programme.EventType",
        models.PROTECT,
        null=True,
        blank=True,
        related_name=f"events_{number}",
        verbose_name=format_lazy("{} {}", _("type"), str(number)),
    )


class HasFurtherTypes(models.Model):
    """The further types of an event, in order, without gaps and duplicates."""

    type_2 = _further(2)
    type_3 = _further(3)
    type_4 = _further(4)
    type_5 = _further(5)
    type_6 = _further(6)

    class Meta:
        abstract = True

    @property
    def types(self) -> list[Any]:
        return [row for row in arrange_types(getattr(self, name, None) for name in TYPES).values() if row]

    @types.setter
    def types(self, types: Iterable[Any]) -> None:
        for name, row in arrange_types(types).items():
            setattr(self, name, row)


def arrange_types(types: Iterable[Any]) -> dict[str, Any]:
    """Return the columns of an event for its types, each once, as many as there are columns."""
    found: list[Any] = []
    # New rows have no hash.
    for row in types:
        found += [row] if row and row not in found else []
    return dict(zip_longest(TYPES, found[: len(TYPES)]))


def has_type(keys: Iterable[Any], prefix: str = "") -> Q:
    """Return the condition that an event, to which the prefix leads, has any of these types."""
    return reduce(or_, (Q(**{f"{prefix}{name}__in": keys}) for name in TYPES))
