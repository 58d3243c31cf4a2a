"""The query parameters of the events endpoint, as forms that declare, validate and document them."""

from typing import Any

from django import forms

from feeds.facts import FACTS
from feeds.selection import PARAMETERS, Cancelled, Selection
from programme.api.editions import EDITION
from programme.api.fields import (
    MAX_OCCASIONS,
    ChoiceField,
    DatesField,
    DaysField,
    FactField,
    FlagField,
    HoursField,
    IdsOrNamesField,
    LanguageField,
    NamesField,
    OccasionIdsField,
    WordsField,
)

CANCELLED = ChoiceField(
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a status, for"
    " programs that hide what has that status; mark does both, for programs that ignore it. Other formats"
    " ignore the parameter.",
    tuple(Cancelled),
)
LANGUAGE = LanguageField("sv (the default) or en: the language of the texts.")


class EditionParameters(forms.Form):
    edition = EDITION


class OccasionParameters(EditionParameters):
    cancelled = CANCELLED
    language = LANGUAGE

    @property
    def shown(self) -> Selection:
        """Return the selection of everything with the language and the way; the parameters must be valid."""
        cleaned = self.cleaned_data
        return Selection(
            edition=cleaned["edition"], cancelled=cleaned["cancelled"], language=cleaned["language"]
        )


class NamedParameters(forms.Form):
    """What narrows a selection, but for facts."""

    date = DatesField(
        "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun)."
    )
    during = DaysField(
        "Festival days, as a date or interval, or today or tomorrow: what begins then, and what goes on"
        " then. What ends in the night after the evening on which it began belongs to the evening."
    )
    after = HoursField("An hour, 0 to 23: what begins or goes on after it on that day.")
    area = NamesField("Name or full name of an area, in any case.")
    subarea = NamesField("Name or full name of a sub area, in any case; none: in no sub area.")
    location = IdsOrNamesField("ID or name of the location where the occasion is held.")
    room = NamesField("Name of the room where the occasion is held, in any case.")
    organizer = IdsOrNamesField("ID or name of an organizer.")
    type = IdsOrNamesField("ID or name of a type of events, in Swedish or English.")
    spoken = NamesField("Code of the language in which the event is held.")
    list = IdsOrNamesField("ID or title of a list that the editors have made.")
    q = WordsField("Words, all of which the event's texts, names or place have, inflected too.")
    highlighted = FlagField("Highlighted events only.")
    signinterpreted = FlagField("Sign language interpreted events only.")
    occation = OccasionIdsField(f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}.")


# One for each fact that is declared.
_facts: Any = type("FactParameters", (NamedParameters,), {fact.name: FactField(fact) for fact in FACTS})


class FilterParameters(_facts):  # type: ignore[misc]  # made of declarations
    """What narrows a selection."""

    edition = EDITION

    @property
    def selection(self) -> Selection:
        """Return the selection, not yet canonical; the parameters must be valid."""
        cleaned = self.cleaned_data
        moments, days = cleaned["date"]
        values = {field: cleaned[parameter] for field, parameter in PARAMETERS.items()}
        values["facts"] = tuple(token for fact in FACTS for token in cleaned[fact.name])
        values["edition"] = cleaned["edition"]
        values |= {"cancelled": cleaned.get("cancelled"), "language": cleaned.get("language", "sv")}
        values |= {"during": cleaned["during"], "after": cleaned["after"]}
        return Selection(moments=moments, days=days, **values)


class SelectionParameters(FilterParameters):
    language = LANGUAGE
