"""Content negotiation by `Accept` (RFC 9110, section 12.5.1): which of the media types on offer is wanted.

Django's `get_preferred_type` is not used: it drops ranges with `q=0` instead of letting them
exclude, and breaks ties by the order of the header (decisions, "Accept").
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

# Commas inside quoted parameters do not part media ranges.
_RANGE = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*"?)+')
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))')
# Everything is written in UTF-8, so asking for it is asking for what there is.
_OFFERED_PARAMETERS = {"charset": "utf-8"}


class MediaRange(NamedTuple):
    """One element of `Accept`."""

    main: str
    sub: str
    parameters: dict[str, str]
    quality: float

    @property
    def full_type(self) -> str:
        return f"{self.main}/{self.sub}"

    def matches(self, media_type: str) -> bool:
        main, _, sub = media_type.partition("/")
        return self.main in ("*", main) and self.sub in ("*", sub)

    @property
    def precedence(self) -> tuple[bool, bool, int, float]:
        return (self.main != "*", self.sub != "*", len(self.parameters), self.quality)


class Preference(NamedTuple):
    """How much a media type is wanted; such values compare as preferences do."""

    quality: float
    is_named: bool


def choose_media_type(accept: str, offered: Sequence[str]) -> str | None:
    """Return the offered media type of the highest quality; None if none will do.

    Of equals, one that the header names goes before one that only a wildcard matches, then the first. An
    empty list is the same as no header: everything is acceptable.
    """
    if not accept.strip(", \t"):
        return offered[0]
    ranges = _ranges(accept, offered)
    # `max` returns the first of equals.
    best, media_type = max(
        ((_preference(media_type, ranges), media_type) for media_type in offered), key=lambda each: each[0]
    )
    return media_type if best.quality else None


def _ranges(accept: str, offered: Sequence[str]) -> list[MediaRange]:
    """Return the ranges that can match what is offered, each once, with the highest of its qualities.

    A header may name a hundred thousand; each of those that are left is compared with each type.
    """
    highest: dict[tuple[str, int], MediaRange] = {}
    possible = {"*/*", *offered, *(media_type.partition("/")[0] + "/*" for media_type in offered)}
    for text in dict.fromkeys(_RANGE.findall(accept.lower())):
        found = _range(text)
        if found and found.full_type in possible and found.parameters.items() <= _OFFERED_PARAMETERS.items():
            key = (found.full_type, len(found.parameters))
            highest[key] = max(found, highest.get(key, found), key=lambda each: each.quality)
    return list(highest.values())


def _range(text: str) -> MediaRange | None:
    full_type = text.partition(";")[0].strip()
    main, _, sub = full_type.partition("/")
    if not main or not sub or (main == "*" and sub != "*"):
        return None
    parameters: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(text):
        if name == "q":
            # What stands behind the weight is no parameter of the media type.
            return MediaRange(main, sub, parameters, _weight(quoted or plain))
        parameters[name] = quoted or plain
    return MediaRange(main, sub, parameters, 1.0)


def _weight(text: str) -> float:
    # An invalid weight counts as a missing one.
    return float(text) if re.fullmatch(r"0(\.\d*)?|1(\.0*)?", text, re.ASCII) else 1.0


def _preference(media_type: str, ranges: list[MediaRange]) -> Preference:
    """The most specific range that matches decides."""
    matching = [each for each in ranges if each.matches(media_type)]
    if not matching:
        return Preference(0.0, False)
    deciding = max(matching, key=lambda each: each.precedence)
    return Preference(deciding.quality, deciding.sub != "*")
