"""Full-text search of occasions, in Swedish and English."""

from collections.abc import Iterable

from feeds.names import fold_text
from feeds.vocabulary import Event, Occasion, Place, Text

# Between texts, so that no word matches across two of them.
SEPARATOR = "\n"


class SearchIndex:
    """The folded texts of occasions, which are folded on first use."""

    def __init__(self, occasions: tuple[Occasion, ...]) -> None:
        self.occasions = occasions
        self._folded: dict[Event | Place, str] = {}

    def find(self, texts: Iterable[str]) -> frozenset[int]:
        """Return the positions of occasions that contain all words of one of the texts.

        Parts of words match too: in Swedish `konst` is most often the end of another word.
        """
        searched = [fold_text(text).split() for text in texts]
        return frozenset(
            position
            for position, occasion in enumerate(self.occasions)
            if any(all(self._contains(occasion, word) for word in words) for words in searched)
        )

    def _contains(self, occasion: Occasion, word: str) -> bool:
        parts = (occasion.event, occasion.place)
        return any(part is not None and word in self._text(part) for part in parts)

    def _text(self, part: Event | Place) -> str:
        if part not in self._folded:
            texts = _event_texts(part) if isinstance(part, Event) else (part.full_name, part.location.address)
            self._folded[part] = fold_text(SEPARATOR.join(texts))
        return self._folded[part]


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
