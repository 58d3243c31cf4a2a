"""The query parameters of the events endpoint, as filter sets that declare, validate and document them."""

from copy import copy
from functools import cache
from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet

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
from programme.models import Occasion

CANCELLED = ChoiceField(
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a status, for"
    " programs that hide what has that status; mark does both, for programs that ignore it. Other formats"
    " ignore the parameter.",
    tuple(Cancelled),
)
LANGUAGE = LanguageField("sv (the default) or en: the language of the texts.")


class Parameter(django_filters.Filter):  # type: ignore[misc]  # untyped
    """A parameter that a form field validates; it filters no rows."""

    def __init__(self, field: forms.Field) -> None:
        super().__init__(help_text=field.help_text)
        self._field = field

    def __deepcopy__(self, memo: dict[int, Any]) -> "Parameter":
        """Be copied for each request without what all of them share."""
        return copy(self)

    def filter(self, queryset: QuerySet[Occasion], value: object) -> QuerySet[Occasion]:  # noqa: ARG002
        return queryset


class Parameters(django_filters.FilterSet):  # type: ignore[misc]  # untyped
    class Meta:
        model = Occasion
        fields: tuple[str, ...] = ()

    @property
    def cleaned_data(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = self.form.cleaned_data
        return cleaned

    @classmethod
    @cache
    def get_form_class(cls) -> type[forms.Form]:
        """Return the form, which django-filter would build for each request."""
        fields = {name: parameter.field for name, parameter in cls.base_filters.items()}
        return type(f"{cls.__name__}Form", (cls._meta.form,), fields)


class EditionParameters(Parameters):
    edition = Parameter(EDITION)


class OccasionParameters(EditionParameters):
    cancelled = Parameter(CANCELLED)
    language = Parameter(LANGUAGE)

    @property
    def shown(self) -> Selection:
        """Return the selection of everything with the language and the way; the parameters must be valid."""
        cleaned = self.cleaned_data
        return Selection(
            edition=cleaned["edition"], cancelled=cleaned["cancelled"], language=cleaned["language"]
        )


class NamedParameters(Parameters):
    """What narrows a selection, but for facts."""

    date = Parameter(
        DatesField(
            "A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
            "or today, tomorrow, now (going on), upcoming (not begun)."
        )
    )
    during = Parameter(
        DaysField(
            "Festival days, as a date or interval, or today or tomorrow: what begins then, and what goes on"
            " then. What ends in the night after the evening on which it began belongs to the evening."
        )
    )
    after = Parameter(HoursField("An hour, 0 to 23: what begins or goes on after it on that day."))
    area = Parameter(NamesField("Name or full name of an area, in any case."))
    subarea = Parameter(NamesField("Name or full name of a sub area, in any case; none: in no sub area."))
    location = Parameter(IdsOrNamesField("ID or name of the location where the occasion is held."))
    room = Parameter(NamesField("Name of the room where the occasion is held, in any case."))
    organizer = Parameter(IdsOrNamesField("ID or name of an organizer."))
    type = Parameter(IdsOrNamesField("ID or name of a type of events, in Swedish or English."))
    spoken = Parameter(NamesField("Code of the language in which the event is held."))
    list = Parameter(IdsOrNamesField("ID or title of a list that the editors have made."))
    q = Parameter(WordsField("Words, all of which the event's texts, names or place have, inflected too."))
    highlighted = Parameter(FlagField("Highlighted events only."))
    signinterpreted = Parameter(FlagField("Sign language interpreted events only."))
    occation = Parameter(
        OccasionIdsField(f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}.")
    )


# One for each fact that is declared.
_facts: Any = type(
    "FactParameters", (NamedParameters,), {fact.name: Parameter(FactField(fact)) for fact in FACTS}
)


class FilterParameters(_facts):  # type: ignore[misc]  # made of declarations
    """What narrows a selection."""

    edition = Parameter(EDITION)

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
    language = Parameter(LANGUAGE)
