"""Full-text search of occasions, in Swedish and English."""

from collections.abc import Callable, Iterable
from functools import cache

from feeds.memoization import memoize
from feeds.names import fold_text
from feeds.vocabulary import Event, Occasion, Place, Text

# Between texts, so that no word matches across two of them.
SEPARATOR = "\n"


def search(texts: Iterable[str]) -> Callable[[Occasion], bool]:
    """Return whether an occasion contains all words of one of the texts.

    Parts of words match too: in Swedish `konst` is most often the end of another word.
    """
    searched = [frozenset(fold_text(text).split()) for text in texts]
    every = frozenset[str]().union(*searched)

    # Each event and place is searched once, however many occasions it has.
    @cache
    def find_in_event(event: Event) -> frozenset[str]:
        return frozenset(filter(_fold_event(event).__contains__, every))

    @cache
    def find_in_place(place: Place | None) -> frozenset[str]:
        return frozenset(filter(_fold_place(place).__contains__, every) if place else ())

    def matches(occasion: Occasion) -> bool:
        found = find_in_event(occasion.event) | find_in_place(occasion.place)
        return any(map(found.issuperset, searched))

    return matches


@memoize
def _fold_event(event: Event) -> str:
    return fold_text(SEPARATOR.join(_event_texts(event)))


@memoize
def _fold_place(place: Place) -> str:
    return fold_text(SEPARATOR.join((place.full_name, place.location.address)))


def _event_texts(event: Event) -> Iterable[str]:
    yield event.title
    language = event.language.name if event.language else Text()
    for text in (event.intro, event.description, event.type.name, language):
        yield from (text.sv, text.en)
    yield from (event.area.name, event.area.full_name)
    if event.sub_area:
        yield from (event.sub_area.name, event.sub_area.full_name)
    if event.organizer:
        yield event.organizer.name
