"""The query parameters, as filter sets that narrow a selection, validate what is sent, and document it."""

from functools import cache
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import cached_property
from django_filters import Filter, FilterSet
from msgspec.structs import replace

from feeds.fact import Fact
from feeds.facts import FACTS
from feeds.selection import Cancelled, Selection
from programme.api.editions import EDITION
from programme.api.fields import (
    MAX_OCCASIONS,
    ChoiceField,
    DatesField,
    DaysField,
    EditionField,
    FactField,
    FlagField,
    HoursField,
    IdsOrNamesField,
    LanguageField,
    NamesField,
    OccasionIdsField,
    WordsField,
)
from programme.api.parts import ChangesForm, DocumentForm, NewsForm, PartForm


class SelectionFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    """A parameter that is a field of the selection."""

    def __init__(self, name: str, field_class: type[forms.Field], help_text: str, **options: Any) -> None:
        super().__init__(name, help_text=help_text, **options)
        self.field_class = field_class

    def filter(self, selection: Selection, value: Any) -> Selection:
        return replace(selection, **{self.field_name: value}) if value else selection


class DatesFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    field_class = DatesField

    def filter(self, selection: Selection, value: Any) -> Selection:
        moments, days = value
        return replace(selection, moments=moments, days=days)


class FactTokensFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    """A fact, whose values join those of other facts."""

    field_class = FactField

    def __init__(self, fact: Fact) -> None:
        super().__init__("facts", fact=fact)

    def filter(self, selection: Selection, value: tuple[str, ...]) -> Selection:
        return replace(selection, facts=(*selection.facts, *value)) if value else selection


CANCELLED = SelectionFilter(
    "cancelled",
    ChoiceField,
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a"
    " status, for programs that hide what has that status; mark does both, for programs that ignore it."
    " Other formats ignore the parameter.",
    choices=tuple(Cancelled),
)
LANGUAGE = SelectionFilter("language", LanguageField, "sv (the default) or en: the language of the texts.")


class SelectionFilterSet(FilterSet):  # type: ignore[misc]  # django-filter has no types
    """A filter set without a model: what it narrows is a `Selection`, from which the snapshot answers.

    Two things are done once for each class that django-filter does for each request, in three times the
    rest of the time: the filters, which keep nothing of a request, are not copied, and the form's class,
    with fields that serve all requests, is not built again.
    """

    def __init__(self, data: QueryDict, queryset: Selection | None = None) -> None:
        self.data = data
        self.is_bound = True
        self.form_prefix = None
        self.queryset = queryset or Selection()
        self.filters = self.base_filters

    @classmethod
    @cache
    def get_form_class(cls) -> type[forms.Form]:
        """Return the class of the form; the fields of `Meta.form` follow those of filters."""
        fields = {name: each.field for name, each in cls.base_filters.items()}
        form: Any = type(f"{cls.__name__}Form", (cls._meta.form,), dict(fields))
        form.base_fields = fields | cls._meta.form.base_fields
        return form  # type: ignore[no-any-return]

    @cached_property
    def qs(self) -> Selection:
        """The selection, not yet canonical; the parameters must be valid."""
        return self.filter_queryset(self.queryset)

    def filter_queryset(self, queryset: Selection) -> Selection:
        cleaned = self.form.cleaned_data
        for name, each in self.filters.items():
            queryset = each.filter(queryset, cleaned[name])
        return queryset


def _build_edition() -> SelectionFilter:
    return SelectionFilter("edition", EditionField, str(EDITION.help_text))


class EditionFilterSet(SelectionFilterSet):
    edition = _build_edition()


class OccasionFilterSet(EditionFilterSet):
    """How one occasion is shown."""

    cancelled = CANCELLED
    language = LANGUAGE


class NarrowingFilterSet(SelectionFilterSet):
    """All that narrows a selection."""

    date = DatesFilter(
        help_text="A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun)."
    )
    during = SelectionFilter(
        "during",
        DaysField,
        "Festival days, as a date or interval, or today or tomorrow: what begins then, and what"
        " goes on then. What ends in the night after the evening on which it began belongs to the evening.",
    )
    after = SelectionFilter(
        "after", HoursField, "An hour, 0 to 23: what begins or goes on after it on that day."
    )
    area = SelectionFilter("areas", NamesField, "Name or full name of an area, in any case.")
    subarea = SelectionFilter(
        "sub_areas", NamesField, "Name or full name of a sub area, in any case; none: in no sub area."
    )
    location = SelectionFilter(
        "locations", IdsOrNamesField, "ID or name of the location where the occasion is held."
    )
    room = SelectionFilter("rooms", NamesField, "Name of the room where the occasion is held, in any case.")
    organizer = SelectionFilter("organizers", IdsOrNamesField, "ID or name of an organizer.")
    type = SelectionFilter("types", IdsOrNamesField, "ID or name of a type of events, in Swedish or English.")
    spoken = SelectionFilter("spoken", NamesField, "Code of the language in which the event is held.")
    list = SelectionFilter("lists", IdsOrNamesField, "ID or title of a list that the editors have made.")
    q = SelectionFilter(
        "words", WordsField, "Words, all of which the event's texts, names or place have, inflected too."
    )
    highlighted = SelectionFilter("highlighted", FlagField, "Highlighted events only.")
    signinterpreted = SelectionFilter("sign_interpreted", FlagField, "Sign language interpreted events only.")
    occation = SelectionFilter(
        "chosen",
        OccasionIdsField,
        f"IDs of occasions, joined by full stops or commas; at most {MAX_OCCASIONS}.",
    )
    # One for each fact that is declared.
    vars().update({fact.name: FactTokensFilter(fact) for fact in FACTS})
    edition = _build_edition()


class PageFilterSet(NarrowingFilterSet):
    language = LANGUAGE


class EventFilterSet(PageFilterSet):
    cancelled = CANCELLED

    class Meta:
        form = PartForm


class ChangesFilterSet(EventFilterSet):
    class Meta:
        form = ChangesForm


class NewsFilterSet(PageFilterSet):
    class Meta:
        form = NewsForm


class ProgrammeFilterSet(NarrowingFilterSet):
    """Of the programme as one document, which is in both languages."""

    class Meta:
        form = DocumentForm
