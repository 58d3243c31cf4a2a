"""A problem: what is wrong, how bad it is, and the field in which it is fixed."""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, cast

import msgspec
from django.db import models
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from feeds.names import order_name
from programme.backoffice.programme import EditorEvent, EditorProgramme
from programme.models import AcceptedProblem

StrOrPromise = str | Promise
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


# The title of an event, and when it is.
TitledTime = tuple[str, TimeRange]


class ProblemLink(NamedTuple):
    """The form field in which a problem is fixed, its label, and the event that it is of.

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
    event: EditorEvent | None = None

    @property
    def form(self) -> str:
        if self.filter:
            return f"{reverse(f'admin:programme_{self.model}_changelist')}?{self.filter}"
        return reverse(f"admin:programme_{self.model}_change", args=[self.pk])

    @property
    def end(self) -> str:
        """The end of an address that leads to the field, of an occasion by way of its row."""
        return f"&field={self.field}" if self.model == "occasion" else f"#id_{self.field}"

    @property
    def name(self) -> str:
        """`occasion:8001:1a2b3c4d5e6f7a8b`: the row, and a digest of what is wrong with it."""
        digest = hashlib.sha256(json.dumps(self.facts, default=_format_fact).encode()).hexdigest()[:16]
        return f"{self.model}:{self.pk}:{digest}"


def _format_fact(value: Any) -> str:
    return value.astimezone(dt.UTC).isoformat() if isinstance(value, dt.datetime) else str(value)


class ProblemKind(NamedTuple):
    """A kind of problem: what it is called, why it matters, and what finds those there are.

    `find` is a function of the programme alone. Those that are `told` are told in the form of an event, too.
    """

    find: Callable[[EditorProgramme], Iterator["ProgrammeProblem"]]
    told: bool
    severity: Severity
    key: str
    label: StrOrPromise
    why: StrOrPromise

    def examine(self, programme: EditorProgramme) -> list["ProgrammeProblem"]:
        found = (msgspec.structs.replace(each, kind=self) for each in self.find(programme))
        return sorted(found, key=lambda each: each.order)


class ProgrammeProblem(msgspec.Struct, frozen=True, dict=True):
    """One thing that is wrong.

    `areas` are those whose editors it concerns; `days` are its festival days and `span` is when it is, where
    it is at a time (of several occasions the first; `spans` are all of them), and `until` the instant at
    which it is over and no longer worth fixing, None for what does not pass. `examine` sets the kind.
    """

    title: StrOrPromise
    detail: StrOrPromise
    links: tuple[ProblemLink, ...]
    areas: frozenset[int] = frozenset()
    days: tuple[dt.date, ...] = ()
    span: TimeRange | None = None
    spans: tuple[TimeRange, ...] = ()
    draft: bool = False
    until: dt.datetime | None = None
    kind: ProblemKind = cast("Any", None)
    accepted: AcceptedProblem | None = None

    @property
    def order(self) -> tuple[Any, ...]:
        """By time, and without a time last."""
        rows = ((link.model, link.pk) for link in self.links)
        return (self.span.start if self.span else _LAST, order_name(str(self.title)), *rows)

    @cached_property
    def rows(self) -> str:
        """Its rows as `AcceptedProblem` names them."""
        return " ".join(sorted(link.name for link in self.links))

    @property
    def key(self) -> str:
        """What a form sends of it: its kind, and its rows."""
        return f"{self.kind.key} {self.rows}"

    def is_over(self, instant: dt.datetime) -> bool:
        return self.until is not None and self.until <= instant

    def coming(self, instant: dt.datetime) -> "ProgrammeProblem":
        """Return it with the time of its first occasion that is not over, if there is one."""
        coming = next((each for each in self.spans if each.end > instant), self.span)
        return self if coming == self.span else msgspec.structs.replace(self, span=coming)

    def find_overlapping(self, pk: int) -> list[TitledTime]:
        """Return of occasions in one place those that are there at the same time as one of them."""
        held = {link.pk: (str(link.label), link.span) for link in self.links if link.span}
        _title, (begins, ends) = held.pop(pk)
        return [(title, span) for title, span in held.values() if span.start < ends and begins < span.end]


def build_merge_address(model: str, keys: Iterable[int]) -> str:
    return f"{reverse('admin:merge', args=[model])}?{urlencode({'row': list(keys)}, doseq=True)}"


def name_row_field(row: int, field: str) -> str:
    """Return the name that a field of an occasion has in the form of its event."""
    return f"occasions-{row}-{field}"
