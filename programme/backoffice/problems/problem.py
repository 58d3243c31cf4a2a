"""A problem: what is wrong, how bad it is, and the field in which it is fixed."""

import datetime as dt
from dataclasses import dataclass
from typing import NamedTuple

from django.db import models
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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


class ProblemLink(NamedTuple):
    """The form field in which a problem is fixed, and its label."""

    label: StrOrPromise
    model: str
    pk: int
    field: str
    span: TimeRange | None = None

    @property
    def form(self) -> str:
        return reverse(f"admin:programme_{self.model}_change", args=[self.pk])

    @property
    def url(self) -> str:
        return f"{self.form}#id_{self.field}"


@dataclass(frozen=True)
class ProgrammeProblem:
    """One thing that is wrong.

    `areas` are those whose editors it concerns; `span` is when it is, where it is at a time, and `until` the
    instant at which it is over and no longer worth fixing, None for what does not pass.
    """

    title: StrOrPromise
    detail: StrOrPromise
    links: tuple[ProblemLink, ...]
    areas: frozenset[int] = frozenset()
    day: dt.date | None = None
    span: TimeRange | None = None
    draft: bool = False
    until: dt.datetime | None = None

    @property
    def url(self) -> str:
        return self.links[0].url

    @property
    def order(self) -> tuple[dt.datetime, str]:
        """By time, and without a time last."""
        return (self.span.start if self.span else _LAST, str(self.title))

    def is_over(self, instant: dt.datetime) -> bool:
        return self.until is not None and self.until <= instant
