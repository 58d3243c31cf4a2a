"""Values of facts that are set with one button and taken back with another, such as that it is full."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.urls import reverse

from feeds.fact import Fact, FactValue
from feeds.facts import BY_NAME, list_marks
from feeds.vocabulary import Text
from programme.backoffice.forms.facts import CHOSEN
from programme.models import Occasion
from programme.models.facts import localize

QUICK = [(BY_NAME[name], value) for name in CHOSEN for value in BY_NAME[name].values if value.lifted]


class QuickChange(NamedTuple):
    """A value of an occasion to be set, or to be taken back."""

    occasion: int
    fact: Fact
    value: FactValue
    lifts: bool

    @property
    def words(self) -> Text:
        return self.value.lifted if self.lifts else self.value.mark

    @property
    def label(self) -> str:
        return localize(self.words)

    @property
    def address(self) -> str:
        return reverse("admin:programme_occasion_fact", args=[self.occasion, self.fact.name, self.value.code])


def list_quick_changes(occasion: int, stated: Sequence[str]) -> Iterator[QuickChange]:
    """Yield what an occasion can be marked as, by what it states of `CHOSEN`."""
    for fact, value in QUICK:
        yield QuickChange(occasion, fact, value, lifts=stated[CHOSEN.index(fact.name)] == value.code)


def find_quick_change(occasion: Occasion, name: str, code: str) -> QuickChange | None:
    changes = list_quick_changes(occasion.pk, read_chosen(occasion))
    return next((each for each in changes if (each.fact.name, each.value.code) == (name, code)), None)


def list_chosen_marks(stated: Sequence[str]) -> list[str]:
    """Return what lists say of an occasion that states this of `CHOSEN`."""
    facts = ((BY_NAME[name], text) for name, text in zip(CHOSEN, stated, strict=True))
    return [localize(mark) for mark in list_marks(fact.token(text) for fact, text in facts if text)]


def read_chosen(occasion: Occasion) -> list[str]:
    return [getattr(occasion, name) for name in CHOSEN]


def find_former(change: QuickChange) -> str:
    """Return what was stated before the value was set; '' where the history does not say."""
    history: Any = Occasion.history
    versions = history.filter(id=change.occasion).exclude(**{change.fact.name: change.value.code})
    return versions.order_by("-history_id").values_list(change.fact.name, flat=True).first() or ""
