"""Values of facts that are set with one button and taken back with another, such as that it is full."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from feeds.fact import Fact, FactValue
from feeds.facts import BY_NAME, list_marks
from programme.backoffice.forms.facts import CHOSEN
from programme.models import Event, Occasion
from programme.models.facts import localize

QUICK = [(BY_NAME[name], value) for name in CHOSEN for value in BY_NAME[name].values if value.lifted]


class QuickChange(NamedTuple):
    """A value of an occasion, or of a whole event that states it, to be set, or to be taken back."""

    model: type[Event] | type[Occasion]
    key: int
    fact: Fact
    value: FactValue
    lifts: bool

    @property
    def label(self) -> str:
        label = localize(self.value.lifted if self.lifts else self.value.mark)
        return f"{label} ({_('the whole event')})" if self.model is Event else label

    @property
    def address(self) -> str:
        name = f"admin:programme_{self.model._meta.model_name}_fact"
        return reverse(name, args=[self.key, self.fact.name, self.value.code])


def list_quick_changes(
    occasion: int, event: int, own: Sequence[str], whole: Sequence[str]
) -> Iterator[QuickChange]:
    """Yield what an occasion can be marked as, by what it and its event state of `CHOSEN`."""
    for fact, value in QUICK:
        stated, of_event = (texts[CHOSEN.index(fact.name)] for texts in (own, whole))
        if not stated and of_event == value.code:
            yield QuickChange(Event, event, fact, value, lifts=True)
        else:
            yield QuickChange(Occasion, occasion, fact, value, lifts=stated == value.code)


def find_quick_change(row: Event | Occasion, name: str, code: str) -> QuickChange | None:
    for fact, value in QUICK:
        if (fact.name, value.code) == (name, code):
            return QuickChange(type(row), row.pk, fact, value, lifts=getattr(row, name) == code)
    return None


def list_chosen_marks(own: Sequence[str], whole: Sequence[str]) -> list[str]:
    """Return what lists say of `CHOSEN`, as it holds for an occasion."""
    stated = ((BY_NAME[name], pair) for name, pair in zip(CHOSEN, zip(whole, own, strict=True), strict=True))
    tokens = (fact.token(code) for fact, pair in stated for code in fact.resolve(pair))
    return [localize(mark) for mark in list_marks(tokens)]


def read_chosen(row: Event | Occasion) -> list[str]:
    return [getattr(row, name) for name in CHOSEN]


def find_former(change: QuickChange) -> str:
    """Return what was stated before the value was set; '' where the history does not say."""
    history: Any = change.model.history
    versions = history.filter(id=change.key).exclude(**{change.fact.name: change.value.code})
    return versions.order_by("-history_id").values_list(change.fact.name, flat=True).first() or ""
