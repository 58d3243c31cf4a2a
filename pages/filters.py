"""The filters of the programme: the options, the active filters, and corrections of a search."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from feeds.fact import FactKind
from feeds.facts import BY_NAME, FACTS, group_tokens, split_token
from feeds.names import order_name
from feeds.search import split_words
from feeds.selection import PARAMETERS, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, SubArea, Text
from pages.addresses import build_occasion_list_path
from pages.choices import Chip, FilterField, Option, Toggle
from pages.fact_filters import FIRST, FactFilters

# The fields of a selection for dates.
DATES = ("moments", "days", "during")
# The hours that visitors choose from.
HOURS = (12, 15, 18, 21)
# A longer list would be larger than the rest of the page, and the search finds names.
MAX_OPTIONS = 200
MAX_SUGGESTIONS = 8
# More do not fit above a programme.
MAX_AREAS = 16
# Other places of a page that show a chosen value: the field of the search, and a pressed pill.
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
    """The filters of a canonical selection; on a page with tabs for days, `shown` is the part of a day."""

    snapshot: Snapshot
    selection: Selection
    build_path: Callable[..., str]
    shown: Selection | None = None
    find: Find | None = None

    def __post_init__(self) -> None:
        self.programme = self.snapshot.programme
        self.language: LanguageCode = self.selection.language
        self.search = self.selection.words[0] if self.selection.words else ""

    # --- Areas

    @cached_property
    def areas(self) -> list[Toggle]:
        """The areas to choose from, if there are several."""
        find = partial(self.programme.index.find_having, "area")
        areas = [self._link_area(area.id, area.name) for area in self.programme.areas if find(area)]
        return areas if len(areas) > 1 else []

    @property
    def few_areas(self) -> list[Toggle]:
        """The areas to show above the programme, none if there are too many."""
        return self.areas if len(self.areas) <= MAX_AREAS else []

    def _link_area(self, area_id: int, name: str) -> Toggle:
        chosen = name in self.selection.areas
        toggled = tuple(sorted(set(self.selection.areas) ^ {name}))
        # A larger selection may begin on another day, so the day is named.
        around = self.shown if self.shown and self.selection.areas and not chosen else self.selection
        more = self._sizes[name] if self.shown and not chosen else 0
        size = more and more + sum(self._sizes[each] for each in self.selection.areas)
        path = self.build_path(replace(around, areas=toggled))
        return Toggle("area", name, name, size, chosen, path, area_id)

    @cached_property
    def _sizes(self) -> Counter[str]:
        return Counter(each.event.area.name for each in self._find_without("areas"))

    def _find_without(self, field: str) -> Iterable[Occasion]:
        """Return the shown occasions without a filter; without `shown`, those of the chosen areas."""
        if self.shown and self.find:
            return self.find(replace(self.shown, **{field: ()}))
        areas = self.selection.areas
        return (each for each in self.programme.occasions if not areas or each.event.area.name in areas)

    # --- Lists to choose from

    @cached_property
    def where(self) -> list[FilterField]:
        return self._list_fields("sub_areas", "locations")

    @cached_property
    def what(self) -> list[FilterField]:
        return self._list_fields("types", "organizers", "spoken", "lists")

    def _list_fields(self, *fields: str) -> list[FilterField]:
        choices = [self._build_field(field, str(LISTED[field])) for field in fields]
        # A field with one option is left out, except lists: most occasions are on none.
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
    def when(self) -> list[FilterField]:
        """The hours after which there are some but not all occasions."""
        if not self.shown or not self.find:
            return []
        chosen = self.selection.after
        options = [
            Option(str(hour), self._label("after", (hour,)), hour in chosen[:1])
            for hour in sorted({*HOURS, *chosen})
            if hour in chosen or self._is_between(hour, self.shown)
        ]
        every = Option("", _("Any time"), not chosen)
        return [FilterField("after", _("Time"), [every, *options])] if options else []

    def _is_between(self, hour: int, shown: Selection) -> bool:
        """Return whether some but not all occasions without a filter by hours are after an hour."""
        every = [*self._find_without("after")]
        is_after = self.snapshot.build_test(
            Selection(language=self.language, during=shown.during, after=(hour,))
        )
        # Ordered by their start, most of the first occasions are before it, and of the last after it.
        return any(map(is_after, reversed(every))) and not all(map(is_after, every))

    def _list_names(self, field: str) -> set[tuple[str, str]]:
        """Return the values and labels that occur without a filter."""
        bearers_of = self.programme.index.find_bearers_of(PARAMETERS[field])
        found = set(chain.from_iterable(map(bearers_of, self._find_without(field))))
        names: set[tuple[str, str]] = set()
        for bearer in filter(None, found):
            shown = getattr(bearer, "title", "") or bearer.name
            label = shown.within(self.language) if isinstance(shown, Text) else shown
            value = label if isinstance(bearer, SubArea) else getattr(bearer, "code", "")
            names.add((value or str(bearer.id), label))
        return names

    def _build_field(self, field: str, label: str) -> FilterField:
        chosen: tuple[str, ...] = getattr(self.selection, field)
        listed = sorted(self._list_names(field), key=lambda each: (order_name(each[1], self.language), each))
        # If the address has the name instead of the ID, so has the option.
        found = [(name if name in chosen else value, name) for value, name in listed]
        if len(found) > MAX_OPTIONS:
            found = [each for each in found if each[0] in chosen]
        # Chosen values without occasions in the chosen areas.
        found += [(each, self._label(field, (each,))) for each in chosen if each not in dict(found)]
        return FilterField(PARAMETERS[field], label, [Option(*each, each[0] in chosen) for each in found])

    @cached_property
    def suggestions(self) -> tuple[str, list[Chip]] | None:
        """A message for a search without results, and texts with results: corrected, or without a word."""
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
        """The parameter, the title and the chosen number of each fact that is a range."""
        chosen = group_tokens(self.selection.facts)
        stated = {split_token(token)[0] for token in self.programme.index.by_fact} | chosen.keys()
        return [
            (each.name, each.title.within(self.language), "".join(chosen.get(each.name, [])[:1]))
            for each in FACTS
            if each.kind is FactKind.RANGE and each.name in stated
        ]

    # --- Active filters

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
                # The field of the search has one value.
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
        """Return the parameters that the form sends in hidden fields."""
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
