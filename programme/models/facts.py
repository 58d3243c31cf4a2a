"""The columns of the facts by which visitors choose, derived from their declarations (feeds/facts.py)."""

from typing import Any

from django.db import models
from django.utils.functional import lazy
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from feeds.fact import Fact
from feeds.facts import facts_of
from feeds.vocabulary import Text
from programme.models.fields import ADDED, Line, Link


def localize(text: Text) -> str:
    """Return a text of a declaration in the language of the user."""
    return text.within("sv" if get_language() == "sv" else "en")


localize_later = lazy(localize, str)
OF_ROOMS = _(
    "A room of which this or a text is stated takes nothing from its location: what it leaves out is unknown."
)


class FactField(Line):
    """The stated values of a fact: their codes, joined by spaces, in the order of the declaration."""

    def __init__(self, name: str, of: str, **kwargs: Any) -> None:
        self.of = of
        self.fact: Fact = next(each for each in facts_of(of) if each.name == name)
        words = {"verbose_name": localize_later(self.fact.title), "help_text": localize_later(self.fact.help)}
        super().__init__(**{"max_length": 300, **ADDED, **words, **kwargs})

    def deconstruct(self) -> Any:
        name, path, _args, kwargs = super().deconstruct()
        # Words may change without a migration.
        del kwargs["verbose_name"], kwargs["help_text"]
        return name, path, [self.fact.name, self.of], kwargs

    def clean_text(self, text: str) -> str:
        return " ".join(self.fact.split(text))

    def describe(self, stated: str) -> str:
        """Return a stored text in words: `barn, familjer`."""
        return ", ".join(localize(self.fact.label(code)) for code in self.fact.split(stated))


class EventFacts(models.Model):
    class Meta:
        abstract = True


class OccasionFacts(models.Model):
    """The facts of an occasion, the link for booking, and the instant at which booking opens."""

    booking_url = Link(_("booking link"), **ADDED)
    booking_from = models.DateTimeField(_("booking opens"), null=True, blank=True)

    class Meta:
        abstract = True


class LocationFacts(models.Model):
    class Meta:
        abstract = True


class RoomFacts(models.Model):
    class Meta:
        abstract = True


for _name, _model in (
    ("event", EventFacts),
    ("occasion", OccasionFacts),
    ("location", LocationFacts),
    ("room", RoomFacts),
):
    for _fact in facts_of(_name):
        _help = {"help_text": OF_ROOMS} if _name == "room" else {}
        _model.add_to_class(_fact.name, FactField(_fact.name, _name, **_help))
