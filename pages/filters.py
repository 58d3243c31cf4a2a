"""The filters of the programme: the choices, those that are set, and words for one that was misspelled."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from feeds.fact import Kind
from feeds.facts import BY_NAME, FACTS, group_tokens, split_token
from feeds.names import order_name
from feeds.programme import Programme
from feeds.search import split_words
from feeds.selection import PARAMETERS, Selection
from feeds.vocabulary import LanguageCode, Occasion, SubArea, Text
from pages.addresses import build_occasion_list_path
from pages.choices import Chip, Choice, Option, Toggle
from pages.fact_filters import FIRST, FactFilters

# The fields of a selection that say when.
DATES = ("moments", "days", "during")
# The hours that visitors choose from.
HOURS = (12, 15, 18, 21)
# A longer list of choices is not read, and weighs more than the rest of a page: the search finds names.
MAX_OPTIONS = 200
MAX_SUGGESTIONS = 8
# More do not fit above a programme.
MAX_AREAS = 16
# Where a page shows what is chosen: in the search's field, as a pressed pill.
FIELD, PILL = "field", "pill"
# The fields of a selection that have a list to choose from.
LISTED = {
    "sub_areas": gettext_lazy("Sub area"),
    "locations": gettext_lazy("Location"),
    "types": gettext_lazy("Type"),
    "organizers": gettext_lazy("Organizer"),
    "spoken": gettext_lazy("Language"),
    "lists": gettext_lazy("List"),
}

Find = Callable[[Selection], tuple[Occasion, ...]]


@dataclass(eq=False)
class Filters:
    """The filters around a canonical selection; a page that says what of it is `shown` has tabs for days."""

    programme: Programme
    selection: Selection
    build_path: Callable[..., str]
    shown: Selection | None = None
    find: Find | None = None

    @property
    def language(self) -> LanguageCode:
        return self.selection.language

    @property
    def search(self) -> str:
        return self.selection.words[0] if self.selection.words else ""

    # --- Areas

    @cached_property
    def areas(self) -> list[Toggle]:
        """The areas to choose from, if there are several."""
        used = {occasions[0].event.area.id for occasions in self.programme.by_event.values()}
        areas = [self._link_area(area.id, area.name) for area in self.programme.areas if area.id in used]
        return areas if len(areas) > 1 else []

    @property
    def few_areas(self) -> list[Toggle]:
        """The areas that stand above the programme."""
        return self.areas if len(self.areas) <= MAX_AREAS else []

    def _link_area(self, area_id: int, name: str) -> Toggle:
        chosen = name in self.selection.areas
        toggled = tuple(sorted(set(self.selection.areas) ^ {name}))
        # What adds to others may begin on another day: then the day is named.
        around = self.shown if self.shown and self.selection.areas and not chosen else self.selection
        more = self._sizes[name] if self.shown and not chosen else 0
        size = more and more + sum(self._sizes[each] for each in self.selection.areas)
        path = self.build_path(replace(around, areas=toggled))
        return Toggle("area", name, name, size, chosen, path, area_id)

    @cached_property
    def _sizes(self) -> Counter[str]:
        return Counter(each.event.area.name for each in self._find_without("areas"))

    def _find_without(self, field: str) -> Iterable[Occasion]:
        """Return what is shown without a filter; of a page that does not say, what the chosen areas have."""
        if self.shown and self.find:
            return self.find(replace(self.shown, **{field: ()}))
        areas = self.selection.areas
        return (each for each in self.programme.occasions if not areas or each.event.area.name in areas)

    # --- Lists to choose from

    @cached_property
    def where(self) -> list[Choice]:
        return self._list_choices("sub_areas", "locations")

    @cached_property
    def what(self) -> list[Choice]:
        return self._list_choices("types", "organizers", "spoken", "lists")

    def _list_choices(self, *fields: str) -> list[Choice]:
        choices = [self._build_choice(field, str(LISTED[field])) for field in fields]
        # Most is on no list: of one alone there is something to choose.
        return [
            each
            for each in choices
            if len(each.options) > (each.parameter != "list") or any(one.chosen for one in each.options)
        ]

    @property
    def lists(self) -> list[tuple[str, str]]:
        """The paths and titles of the pages of lists."""
        edition = self.selection.edition
        return [
            (build_occasion_list_path(each, self.language, edition), each.title.within(self.language))
            for each in self.programme.listed_lists
        ]

    @cached_property
    def when(self) -> list[Choice]:
        """The hours after which less is left than all."""
        if not self.shown or not self.find:
            return []
        chosen, size = self.selection.after, len([*self._find_without("after")])
        options = [
            Option(str(hour), self._label("after", (hour,)), hour in chosen[:1])
            for hour in sorted({*HOURS, *chosen})
            if hour in chosen or 0 < len(self.find(replace(self.shown, after=(hour,)))) < size
        ]
        every = Option("", _("Any time"), not chosen)
        return [Choice("after", _("Time"), [every, *options])] if options else []

    def _list_names(self, field: str) -> set[tuple[str, str]]:
        """Return the values and labels of what is shown without a filter."""
        bearers_of = self.programme.index.find_bearers_of(PARAMETERS[field])
        found = set(chain.from_iterable(map(bearers_of, self._find_without(field))))
        names: set[tuple[str, str]] = set()
        for bearer in filter(None, found):
            shown = getattr(bearer, "title", "") or bearer.name
            label = shown.within(self.language) if isinstance(shown, Text) else shown
            value = label if isinstance(bearer, SubArea) else getattr(bearer, "code", "")
            names.add((value or str(bearer.id), label))
        return names

    def _build_choice(self, field: str, label: str) -> Choice:
        chosen: tuple[str, ...] = getattr(self.selection, field)
        listed = sorted(self._list_names(field), key=lambda each: (order_name(each[1], self.language), each))
        # An address may have the name instead of the ID: then so has the option.
        found = [(name if name in chosen else value, name) for value, name in listed]
        if len(found) > MAX_OPTIONS:
            found = [each for each in found if each[0] in chosen]
        # It has nothing in the areas chosen, or nowhere.
        found += [(each, self._label(field, (each,))) for each in chosen if each not in dict(found)]
        return Choice(PARAMETERS[field], label, [Option(*each, each[0] in chosen) for each in found])

    @cached_property
    def suggestions(self) -> tuple[str, list[Chip]] | None:
        """A message on a search that finds nothing, and texts that do: with other words, or one less."""
        search, text = self.programme.index.search, self.search
        if not text or search.find(self.selection.words):
            return None
        typed, changed = text.split(), list[list[str]]()
        for at, word in enumerate(typed):
            near = () if search.find([word]) else map(search.find_alike, split_words(word))
            alike = [*chain.from_iterable(near)]
            changed += [[*typed[:at], *filter(None, (other,)), *typed[at + 1 :]] for other in alike or [""]]
        texts = dict.fromkeys(" ".join(each) for each in changed if search.find([" ".join(each)]))
        chips = [Chip(each, self._path_with("words", (each,))) for each in [*texts][:MAX_SUGGESTIONS]]
        return _("Nothing has “{}”.").format(text), chips

    @cached_property
    def numbers(self) -> list[tuple[str, str, str]]:
        """The parameter, the words and the first number of each fact that is a range, where one is stated."""
        chosen = group_tokens(self.selection.facts)
        stated = {split_token(token)[0] for token in self.programme.index.by_fact} | chosen.keys()
        return [
            (each.name, each.title.within(self.language), "".join(chosen.get(each.name, [])[:1]))
            for each in FACTS
            if each.kind is Kind.RANGE and each.name in stated
        ]

    # --- Filters that are set

    @cached_property
    def chips(self) -> list[Chip]:
        return list(self._build_chips())

    def _build_chips(self) -> Iterator[Chip]:
        for field in PARAMETERS if self.shown else (*DATES, *PARAMETERS):
            value = getattr(self.selection, field)
            if field == "chosen" or isinstance(value, bool):
                if value:
                    yield Chip(self._label(field, value), self._path_with(field, type(value)()), PILL)
                continue
            for one in value:
                # The field of the search holds one.
                is_typed = field == "words" and one == self.search
                is_pill = field == "areas" and self.few_areas
                yield self._build_chip(field, one, FIELD if is_typed else PILL if is_pill else "")
        for token in self.selection.facts:
            name, code = split_token(token)
            yield self._build_chip("facts", token, PILL if BY_NAME[name].offered.get(code) == FIRST else "")
        for hour in self.selection.after:
            yield self._build_chip("after", hour, "")

    def _build_chip(self, field: str, value: Any, place: str) -> Chip:
        others = tuple(each for each in getattr(self.selection, field) if each != value)
        return Chip(self._label(field, (value,)), self._path_with(field, others), place)

    @property
    def cleared_path(self) -> str:
        dates = {field: getattr(self.selection, field) for field in DATES if self.shown}
        cleared = Selection(language=self.language, edition=self.selection.edition)
        return self.build_path(replace(cleared, **dates))

    def list_hidden(self, facts: FactFilters) -> list[tuple[str, str]]:
        """Return the parameters that the form sends along without a field of their own."""
        groups = [self.areas, *(group for _title, group in facts.groups)]
        fields = {(each.parameter, each.value) for group in groups for each in group}
        fields |= {(parameter, typed) for parameter, _label, typed in self.numbers}
        choices = (*self.when, *self.where, *self.what)
        fields |= {(choice.parameter, each.value) for choice in choices for each in choice.options}
        fields |= {("q", self.search), ("language", self.language)}
        return [pair for pair in self.selection.pairs() if pair not in fields]

    def _label(self, field: str, value: object) -> str:
        alone = replace(Selection(language=self.language), **{field: value})
        return ", ".join(self.programme.index.titles(alone))

    def _path_with(self, field: str, value: object) -> str:
        return self.build_path(replace(self.selection, **{field: value}))
