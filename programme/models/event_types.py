"""The types of an event, as columns: history, conflicts, undo, merges and imports know these as any other."""

from functools import reduce
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

# As many in all as the fullest programme known has of one event. The first one is `type`.
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
    """In order, after the first; what is there twice, and gaps, do not count."""

    type_2 = _further(2)
    type_3 = _further(3)
    type_4 = _further(4)
    type_5 = _further(5)
    type_6 = _further(6)

    class Meta:
        abstract = True

    @property
    def types(self) -> list[Any]:
        """All types, the first of which is the interface's."""
        return list(dict.fromkeys(filter(None, (getattr(self, name) for name in TYPES))))


def has_type(value: Any, prefix: str = "") -> Q:
    """Return the condition that any type of an event, to which the prefix leads, has a value."""
    return reduce(or_, (Q(**{f"{prefix}{name}": value}) for name in TYPES))
