"""The query parameters, as filter sets that validate and document them, and narrow a selection."""

from functools import cache
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import cached_property
from django_filters import Filter, FilterSet
from msgspec.structs import replace

from feeds.fact import Fact
from feeds.facts import FACTS
from feeds.news_listing import MOST_PAGES, PAGE_SIZE
from feeds.selection import Cancelled, Selection
from programme.api import fields
from programme.api.parts import ChangesForm, NewsForm, PartForm

MAX_LIMIT, MAX_OFFSET = 1_000, 1_000_000


class SelectionFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    """A parameter that is a field of the selection."""

    def __init__(
        self, field_class: type[forms.Field], help_text: str, field_name: str | None = None, **options: Any
    ) -> None:
        super().__init__(field_name, help_text=help_text, **options)
        self.field_class = field_class

    def filter(self, selection: Selection, value: Any) -> Selection:
        return replace(selection, **{self.field_name: value}) if value else selection


class PartFilter(SelectionFilter):
    """A parameter that the form evaluates: a part of the selection, or its presentation."""

    def filter(self, selection: Selection, value: Any) -> Selection:  # noqa: ARG002
        return selection


class DatesFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    field_class = fields.DatesField

    def filter(self, selection: Selection, value: Any) -> Selection:
        moments, days = value
        return replace(selection, moments=moments, days=days)


class FactTokensFilter(Filter):  # type: ignore[misc]  # django-filter has no types
    """A fact, whose values are added to the values of other facts."""

    field_class = fields.FactValuesField

    def __init__(self, fact: Fact) -> None:
        super().__init__("facts", fact=fact)

    def filter(self, selection: Selection, value: tuple[str, ...]) -> Selection:
        return replace(selection, facts=(*selection.facts, *value)) if value else selection


CANCELLED = SelectionFilter(
    fields.ChoiceField,
    "Calendars alone (ics, ics-text): show marks cancelled occasions in their titles, not with a"
    " status, for programs that hide what has that status; mark does both, for programs that ignore it."
    " Other formats ignore the parameter.",
    choices=tuple(Cancelled),
)
LANGUAGE = SelectionFilter(fields.LanguageField, "sv (the default) or en: the language of the texts.")


class SelectionFilterSet(FilterSet):  # type: ignore[misc]  # django-filter has no types
    """A filter set that narrows a `Selection` instead of a queryset.

    django-filter copies the filters and builds the form class for each request, which takes three quarters
    of the time. Here they are shared: neither filters nor fields have state of a request.
    """

    is_bound, form_prefix, queryset = True, None, Selection()

    def __init__(self, data: QueryDict) -> None:
        self.data = data
        self.filters = self.base_filters

    @classmethod
    @cache
    def get_form_class(cls) -> type[forms.Form]:
        form_fields = {name: each.field for name, each in cls.base_filters.items()}
        return type(f"{cls.__name__}Form", (cls._meta.form,), form_fields)

    @cached_property
    def qs(self) -> Selection:
        """The selection, not yet canonical; the parameters must be valid."""
        return self.filter_queryset(self.queryset)

    def filter_queryset(self, queryset: Selection) -> Selection:
        for name, value in self.form.cleaned_data.items():
            queryset = self.filters[name].filter(queryset, value)
        return queryset


class EditionFilterSet(SelectionFilterSet):
    edition = SelectionFilter(
        fields.EditionField,
        "The edition of the festival, by its name in addresses: one of `editions` in /api/programme."
        " Without it, the current one.",
    )


class OccasionFilterSet(EditionFilterSet):
    """The parameters for one occasion."""

    cancelled = CANCELLED
    language = LANGUAGE


class NarrowingFilterSet(SelectionFilterSet):
    """The parameters that narrow a selection."""

    date = DatesFilter(
        help_text="A festival day (yyyy-MM-dd), an interval of days (yyyy-MM-dd/yyyy-MM-dd, both included), "
        "or today, tomorrow, now (going on), upcoming (not begun)."
    )
    during = SelectionFilter(
        fields.DaysField,
        "Festival days, as a date or interval, or today or tomorrow: occasions that begin or go on then. An"
        " occasion of an evening that ends in the following night belongs to the evening.",
    )
    after = SelectionFilter(
        fields.HoursField, "An hour, 0 to 23: occasions that begin or go on after it on that day."
    )
    area = SelectionFilter(fields.NamesField, "Name or full name of an area, in any case.", "areas")
    subarea = SelectionFilter(
        fields.NamesField, "Name or full name of a sub area, in any case; none: in no sub area.", "sub_areas"
    )
    location = SelectionFilter(
        fields.IdsOrNamesField, "ID or name of the location where the occasion is held.", "locations"
    )
    room = SelectionFilter(
        fields.NamesField, "Name of the room where the occasion is held, in any case.", "rooms"
    )
    organizer = SelectionFilter(fields.IdsOrNamesField, "ID or name of an organizer.", "organizers")
    type = SelectionFilter(
        fields.IdsOrNamesField, "ID or name of a type of events, in Swedish or English.", "types"
    )
    spoken = SelectionFilter(fields.NamesField, "Code of the language in which the event is held.")
    list = SelectionFilter(
        fields.IdsOrNamesField, "ID or title of a list that the editors have made.", "lists"
    )
    q = SelectionFilter(
        fields.WordsField,
        "Words, also inflected, that all stand in the event's texts, names or place.",
        "words",
    )
    highlighted = SelectionFilter(fields.FlagField, "Highlighted events only.")
    signinterpreted = SelectionFilter(
        fields.FlagField, "Sign language interpreted events only.", "sign_interpreted"
    )
    occation = SelectionFilter(
        fields.OccasionIdsField,
        f"IDs of occasions, joined by full stops or commas; at most {fields.MAX_OCCASIONS}.",
        "chosen",
    )
    # A parameter for each declared fact.
    vars().update({fact.name: FactTokensFilter(fact) for fact in FACTS})


class PageFilterSet(NarrowingFilterSet, EditionFilterSet):
    language = LANGUAGE


class EventFilterSet(PageFilterSet):
    cancelled = CANCELLED
    limit = PartFilter(
        fields.NumberField,
        f"The maximum number of elements, from 1 to {MAX_LIMIT:,}.",
        min_value=1,
        max_value=MAX_LIMIT,
    )
    offset = PartFilter(
        fields.NumberField, "With limit: the number of elements to skip.", min_value=0, max_value=MAX_OFFSET
    )
    modified_since = PartFilter(
        fields.InstantField,
        "A date and time with an offset (RFC 3339): only occasions that were modified since"
        " then, and tombstones of those that have left the selection. Not with limit, today, tomorrow, now or"
        " upcoming.",
    )

    class Meta:
        form = PartForm


class ChangesFilterSet(EventFilterSet):
    class Meta:
        form = ChangesForm


class NewsFilterSet(PageFilterSet):
    page = PartFilter(
        fields.NumberField,
        f"The page of the feed, each of {PAGE_SIZE} entries.",
        min_value=1,
        max_value=MOST_PAGES,
    )

    class Meta:
        form = NewsForm


class ProgrammeFilterSet(NarrowingFilterSet, EditionFilterSet):
    """The parameters for the programme as one document, which is in both languages."""

    modified_since = EventFilterSet.base_filters["modified_since"]
    texts = PartFilter(
        fields.ChoiceField,
        "intro: no descriptions, neither of events nor of areas and organizers.",
        choices=("intro",),
    )

    class Meta:
        form = PartForm
