"""What visitors choose from, and names that may have been meant by one that was misspelled."""

from collections.abc import Iterable
from typing import NamedTuple

from feeds.names import fold, fold_text, order_name
from feeds.nearness import find_alike
from feeds.vocabulary import LanguageCode

MAX_SUGGESTIONS = 8


class Option(NamedTuple):
    value: str
    label: str
    chosen: bool


class Chip(NamedTuple):
    """A link that takes a filter off; `place` is where else the form shows it."""

    label: str
    path: str
    place: str = ""


class Choice(NamedTuple):
    """A list to choose from, or a field for the name `typed` if there are too many names for a list.

    `others` are chosen values that a list of one choice cannot hold.
    """

    parameter: str
    label: str
    options: list[Option]
    others: list[str]
    typed: str | None = None


class AreaLink(NamedTuple):
    id: int
    name: str
    chosen: bool
    path: str
    # How many occasions choosing it shows, of the day, if that is said.
    size: int


def suggest_names(typed: str, names: Iterable[str], language: LanguageCode) -> list[str]:
    """Return the names that contain all typed words, prefixes first; else the most similar ones."""
    by_key = {fold(name): name for name in sorted(names, key=lambda each: order_name(each, language))}
    words = fold_text(typed).split()
    holding = [key for key in by_key if all(word in key for word in words)]
    if not holding:
        holding = find_alike(fold(typed), by_key, MAX_SUGGESTIONS)
    else:
        holding.sort(key=lambda key: not key.startswith(" ".join(words)))
    return [by_key[key] for key in holding[:MAX_SUGGESTIONS]]
