"""The filters of the programme: what can be chosen, what is, and the address without it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.programme import Programme
from feeds.selection import PARAMETERS, Selection
from feeds.vocabulary import Event, LanguageCode, Occasion
from pages.suggestions import suggest_names

# The fields of a selection that say when.
DATES = ("moments", "days")
# Nobody looks through more in a list of choices; words find them.
MAX_OPTIONS = 200
# More areas than fit above a programme are folded, and the fullest stand before the fold.
MAX_AREAS, FULLEST = 16, 8


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Chip(NamedTuple):
    """One filter that is set, and the address without it."""

    label: str
    path: str


class Choice(NamedTuple):
    """A list to choose from; `others` are chosen values that a list of one choice cannot hold.

    Of very many names none is listed: one is `typed`, and looked for here. Thousands of names would weigh
    more than the rest of a page (5,000 are 25 to 80 kB, compressed), for a filter that few use.
    """

    parameter: str
    label: str
    options: list[Option]
    others: list[str]
    typed: str | None = None


class UnknownName(NamedTuple):
    """A typed name that nothing is called, and the names that may have been meant."""

    told: str
    suggestions: list[Chip]


class AreaLink(NamedTuple):
    """An area that is chosen, or left, with one click."""

    id: int
    name: str
    chosen: bool
    path: str


class Filters:
    """The filters around a canonical selection; `path` says where a selection is shown.

    Days are filters like the others unless the page has tabs for them.
    """

    def __init__(
        self,
        programme: Programme,
        selection: Selection,
        path: Callable[[Selection], str],
        *,
        has_tabs: bool = False,
    ) -> None:
        self.programme = programme
        self.selection = selection
        self.path = path
        self.has_tabs = has_tabs
        self.language: LanguageCode = selection.language

    @property
    def search(self) -> str:
        return self.selection.words[0] if self.selection.words else ""

    @cached_property
    def _events(self) -> list[Event]:
        return [occasions[0].event for occasions in self.programme.by_event.values()]

    @cached_property
    def _in_areas(self) -> list[Event]:
        """The events of the areas chosen, of which alone the other choices can find anything."""
        areas = set(self.selection.areas)
        return [event for event in self._events if not areas or event.area.name in areas]

    @cached_property
    def areas(self) -> list[AreaLink]:
        """The areas that have something, each a link that adds or takes it away."""
        used = {event.area.id for event in self._events}
        return [
            AreaLink(area.id, area.name, area.name in self.selection.areas, self._toggled(area.name))
            for area in self.programme.areas
            if area.id in used
        ]

    def areas_in_sight(self, shown: Iterable[Occasion]) -> list[AreaLink]:
        """The areas that are not folded: all, or those chosen and those with the most of what is shown."""
        if len(self.areas) <= MAX_AREAS:
            return self.areas
        sizes = Counter(occasion.event.area.id for occasion in shown)
        fullest = {area for area, _size in sizes.most_common(FULLEST)}
        return [area for area in self.areas if area.chosen or area.id in fullest]

    def _toggled(self, name: str) -> str:
        chosen = set(self.selection.areas) ^ {name}
        return self.path(replace(self.selection, areas=tuple(sorted(chosen))))

    @cached_property
    def choices(self) -> list[Choice]:
        every = (
            self._choice("sub_areas", _("Sub area"), self._sub_areas()),
            self._choice("types", _("Type"), self._types()),
            self._choice("organizers", _("Organizer"), self._organizers()),
            self._choice("spoken", _("Language"), self._spoken()),
        )
        return [each for each in every if each.typed is not None or len(each.options) > 1]

    def _choice(self, field: str, label: str, named: set[tuple[str, str]]) -> Choice:
        chosen: tuple[str, ...] = getattr(self.selection, field)
        if len(named) > MAX_OPTIONS:
            # What was asked for by its ID is shown by its name.
            typed = [self._label(field, (each,)) if each.isdigit() else each for each in chosen[:1]]
            return Choice(PARAMETERS[field], label, [], list(chosen[1:]), "".join(typed))
        # By ID or by name: what was asked for is what is shown as chosen.
        options = [
            Option(name if name in chosen else value, name, bool({name, value} & set(chosen[:1])))
            for value, name in sorted(named, key=lambda each: each[1].casefold())
        ]
        if chosen and not any(option.chosen for option in options):
            # It has nothing in the areas chosen, or nowhere.
            options.append(Option(chosen[0], self._label(field, chosen[:1]), chosen=True))
        return Choice(PARAMETERS[field], label, options, list(chosen[1:]))

    @cached_property
    def missed(self) -> list[UnknownName]:
        """What was typed that nothing is called. A name is found whole, as the API finds it."""
        return [each for field in self._typed for each in self._missed(field)]

    @property
    def _typed(self) -> list[str]:
        typed = {choice.parameter for choice in self.choices if choice.typed}
        return [field for field, parameter in PARAMETERS.items() if parameter in typed]

    def _missed(self, field: str) -> Iterator[UnknownName]:
        names = {name for _, name in getattr(self, f"_{field}")()}
        for typed in getattr(self.selection, field)[:1]:
            if self.programme.index.is_known(self._alone(field, (typed,))):
                return
            yield UnknownName(
                _("Nothing in the programme is called “{}”.").format(typed),
                [
                    Chip(name, self.path(replace(self.selection, **{field: (name,)})))
                    for name in suggest_names(typed, names)
                ],
            )

    def _sub_areas(self) -> set[tuple[str, str]]:
        return {(event.sub_area.name, event.sub_area.name) for event in self._in_areas if event.sub_area}

    def _types(self) -> set[tuple[str, str]]:
        return {(str(event.type.id), event.type.name.within(self.language)) for event in self._in_areas}

    def _organizers(self) -> set[tuple[str, str]]:
        organizers = (event.organizer for event in self._in_areas)
        return {(str(each.id), each.name) for each in organizers if each}

    def _spoken(self) -> set[tuple[str, str]]:
        spoken = (event.language for event in self._in_areas)
        return {(each.code, each.name.within(self.language)) for each in spoken if each}

    @property
    def has_signed(self) -> bool:
        return any(event.sign_interpreted for event in self._events)

    @property
    def has_highlights(self) -> bool:
        return any(event.highlighted for event in self._events)

    @cached_property
    def chips(self) -> list[Chip]:
        return list(self._chips())

    def _chips(self) -> Iterator[Chip]:
        for field in PARAMETERS if self.has_tabs else (*DATES, *PARAMETERS):
            held = getattr(self.selection, field)
            if field == "chosen" or isinstance(held, bool):
                if held:
                    yield self._chip(field, held, type(held)())
                continue
            for value in held:
                yield self._chip(field, (value,), tuple(each for each in held if each != value))

    def _chip(self, field: str, held: object, left: object) -> Chip:
        return Chip(self._label(field, held), self.path(replace(self.selection, **{field: left})))

    def _label(self, field: str, held: object) -> str:
        return ", ".join(self.programme.index.titles(self._alone(field, held)))

    def _alone(self, field: str, held: object) -> Selection:
        return replace(Selection(language=self.language), **{field: held})

    @property
    def cleared(self) -> str:
        """The address without any filter."""
        kept = {field: getattr(self.selection, field) for field in DATES if self.has_tabs}
        return self.path(replace(Selection(language=self.language), **kept))

    @property
    def hidden(self) -> list[tuple[str, str]]:
        """What the form sends along although it has no field of its own for it."""
        fields = {choice.parameter: choice.others for choice in self.choices}
        fields |= {"q": list(self.selection.words[1:])}
        own = {"highlighted", "signinterpreted", "language"}
        return [
            (parameter, value)
            for parameter, value in self.selection.pairs()
            if parameter not in own and value in fields.get(parameter, (value,))
        ]
