"""Finds occasions by words of their texts, in Swedish and English alike."""

from collections.abc import Iterable

from feeds.names import fold_text
from feeds.vocabulary import Area, Event, Occasion, Organizer, Place, SubArea, Text

# Between texts, so that no words match across two of them.
APART = "\n"


class SearchIndex:
    """The texts of occasions, folded once and kept."""

    def __init__(self, occasions: tuple[Occasion, ...]) -> None:
        self.occasions = occasions
        self._folded: dict[Event | Place, str] = {}

    def find(self, wishes: Iterable[str]) -> frozenset[int]:
        """Return the places of occasions whose texts hold all words of one of the wishes.

        Words are found within others too: in Swedish `konst` is most often the end of another word.
        """
        terms = [fold_text(wish).split() for wish in wishes]
        return frozenset(
            place
            for place, occasion in enumerate(self.occasions)
            if any(all(self._holds(occasion, word) for word in words) for words in terms)
        )

    def _holds(self, occasion: Occasion, word: str) -> bool:
        parts = (occasion.event, occasion.place)
        return any(part is not None and word in self._text(part) for part in parts)

    def _text(self, part: Event | Place) -> str:
        if part not in self._folded:
            texts = _event_texts(part) if isinstance(part, Event) else (part.full_name, part.location.address)
            self._folded[part] = fold_text(APART.join(texts))
        return self._folded[part]


def _event_texts(event: Event) -> Iterable[str]:
    yield event.title
    for text in (event.intro, event.description, event.type.name):
        yield from _both(text)
    for bearer in (event.area, event.sub_area, event.organizer):
        yield from _names(bearer)
    if event.language:
        yield from _both(event.language.name)


def _both(text: Text) -> Iterable[str]:
    return text.sv, text.en


def _names(bearer: Area | SubArea | Organizer | None) -> Iterable[str]:
    if bearer is None:
        return ()
    return (bearer.name,) if isinstance(bearer, Organizer) else (bearer.name, bearer.full_name)
