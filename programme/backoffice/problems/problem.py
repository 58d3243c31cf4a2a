"""A problem: what is wrong, how bad it is, and the field in which it is fixed."""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db import models
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from feeds.names import order_name
from programme.models import AcceptedProblem

StrOrPromise = str | Promise
# The name of a model, and a primary key.
RowName = tuple[str, int]

_LAST = dt.datetime.max.replace(tzinfo=dt.UTC)


class Severity(models.IntegerChoices):
    """How bad it is; the worst comes first."""

    WRONG = 1, _("wrong")
    CHECK = 2, _("to be checked")
    INCOMPLETE = 3, _("incomplete")


class TimeRange(NamedTuple):
    """From one aware instant to another."""

    start: dt.datetime
    end: dt.datetime


class ProblemLink(NamedTuple):
    """The form field in which a problem is fixed, and its label.

    `facts` are the values of its row that make it a problem: accepted, it is one again when they change.
    What is wrong in many rows links to their list, as `filter` narrows it.
    """

    label: StrOrPromise
    model: str
    pk: int
    field: str
    span: TimeRange | None = None
    facts: tuple[Any, ...] = ()
    filter: str = ""

    @property
    def row(self) -> RowName:
        return self.model, self.pk

    @property
    def form(self) -> str:
        if self.filter:
            return f"{reverse(f'admin:programme_{self.model}_changelist')}?{self.filter}"
        return reverse(f"admin:programme_{self.model}_change", args=[self.pk])


@dataclass(frozen=True)
class ProgrammeProblem:
    """One thing that is wrong.

    `areas` are those whose editors it concerns; `days` are its festival days and `span` is when it is, where
    it is at a time, and `until` the instant at which it is over and no longer worth fixing, None for what
    does not pass.
    """

    title: StrOrPromise
    detail: StrOrPromise
    links: tuple[ProblemLink, ...]
    areas: frozenset[int] = frozenset()
    days: tuple[dt.date, ...] = ()
    span: TimeRange | None = None
    draft: bool = False
    until: dt.datetime | None = None
    accepted: AcceptedProblem | None = None

    @property
    def order(self) -> tuple[Any, ...]:
        """By time, and without a time last."""
        return (
            self.span.start if self.span else _LAST,
            order_name(str(self.title)),
            *(link.row for link in self.links),
        )

    @cached_property
    def rows(self) -> str:
        """Its rows as `AcceptedProblem` names them."""
        return " ".join(sorted(name_row(link.model, link.pk, *link.facts) for link in self.links))

    def is_over(self, instant: dt.datetime) -> bool:
        return self.until is not None and self.until <= instant


def build_merge_address(model: str, keys: Iterable[int]) -> str:
    return f"{reverse('admin:merge', args=[model])}?{urlencode({'row': list(keys)}, doseq=True)}"


def name_row_field(row: int, field: str) -> str:
    """Return the name that a field of an occasion has in the form of its event."""
    return f"occasions-{row}-{field}"


def name_row(model: str, pk: int, *facts: Any) -> str:
    """Return `occasion:8001:1a2b3c4d5e6f7a8b`: a row, and a digest of what is wrong with it."""
    digest = hashlib.sha256(json.dumps(facts, default=_format_fact).encode()).hexdigest()[:16]
    return f"{model}:{pk}:{digest}"


def _format_fact(value: Any) -> str:
    return value.astimezone(dt.UTC).isoformat() if isinstance(value, dt.datetime) else str(value)
