"""Content negotiation (RFC 9110, section 12.5): which media type is wanted, and which compression."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import brotli
import zstandard
from isal import igzip

# Commas inside quoted parameters do not part media ranges.
_RANGE = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*"?)+')
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))')
# Everything is written in UTF-8, so asking for it is asking for what there is; so is asking Atom for a feed,
# not an entry (RFC 5023, section 12.1).
_CHARSET, _ATOM_FEED = ("charset", "utf-8"), ("application/atom+xml", "type", "feed")


class MediaRange(NamedTuple):
    """One element of `Accept`."""

    main: str
    sub: str
    parameters: dict[str, str]
    quality: float

    @property
    def full_type(self) -> str:
        return f"{self.main}/{self.sub}"


def choose_media_type(accept: str, offered: Sequence[str]) -> str | None:
    """Return the offered media type of the highest quality; None if none will do.

    Of equals, one that the header names goes before one that only a wildcard matches, then the first. An
    empty list is the same as no header: everything is acceptable.
    """
    if not accept.strip(", \t"):
        return offered[0]
    ranges = _ranges(accept, offered)
    preferences = [_prefer(each, ranges) for each in offered]
    best = max(preferences)
    return offered[preferences.index(best)] if best[0] else None


def _ranges(accept: str, offered: Sequence[str]) -> list[MediaRange]:
    """Return the ranges that can match what is offered, each once, with the highest of its qualities."""
    highest: dict[tuple[str, int], MediaRange] = {}
    possible = {"*/*", *offered, *(media_type.partition("/")[0] + "/*" for media_type in offered)}
    for text in dict.fromkeys(_RANGE.findall(accept.lower())):
        found = _range(text)
        if found is None or found.full_type not in possible:
            continue
        parameters = found.parameters.items()
        if all(each == _CHARSET or (found.full_type, *each) == _ATOM_FEED for each in parameters):
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
            # An invalid weight counts as a missing one.
            is_valid = re.fullmatch(r"0(\.\d*)?|1(\.0*)?", quoted or plain, re.ASCII)
            return MediaRange(main, sub, parameters, float(quoted or plain) if is_valid else 1.0)
        parameters[name] = quoted or plain
    return MediaRange(main, sub, parameters, 1.0)


def _prefer(media_type: str, ranges: list[MediaRange]) -> tuple[float, bool]:
    """Return its quality, and whether it is named, by the most specific range that matches."""
    main, _, sub = media_type.partition("/")
    matching = [each for each in ranges if each.main in ("*", main) and each.sub in ("*", sub)]
    deciding = max(
        matching,
        key=lambda each: (each.main != "*", each.sub != "*", len(each.parameters), each.quality),
        default=None,
    )
    return (deciding.quality, deciding.sub != "*") if deciding else (0.0, False)


# Measured on the JSON of 1,351 occasions (5.2 MB): gzip by ISA-L takes 2.4 ms per MB and leaves 769 KB
# (zlib at level 6 takes 18.6 and leaves 699), zstd 2.9 ms and 545 KB, brotli 11.7 ms and 496 KB.
GZIP_LEVEL, ZSTD_LEVEL, BROTLI_LEVEL = 2, 3, 4


class Coding(NamedTuple):
    """A content coding by its registered name; `suffix` distinguishes its ETags."""

    name: str
    suffix: str
    compress: Callable[[bytes], bytes]


IDENTITY = Coding("identity", "", bytes)
# The first of those that are wanted equally. What costs a fifth of brotli's time and is a tenth larger
# comes first, because the first reader after an edit waits for it.
CODINGS = (
    # A compressor must not be shared by threads; the length in the header spares clients a guess.
    Coding("zstd", "-zstd", lambda body: zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(body)),
    Coding("br", "-br", partial(brotli.compress, mode=brotli.MODE_TEXT, quality=BROTLI_LEVEL)),
    # No timestamp in the header, so that equal bodies give equal bytes.
    Coding("gzip", "-gzip", partial(igzip.compress, compresslevel=GZIP_LEVEL, mtime=0)),
    IDENTITY,
)
_ALIASES = {"x-gzip": "gzip"}
_UNNAMED_IDENTITY = 0.0001

_ELEMENT = re.compile(r"\s*([^\s;,]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*)?", re.ASCII)


def choose_coding(accept_encoding: str | None) -> Coding | None:
    """Return the coding of the highest quality, the first of equals; None if the header excludes all."""
    if accept_encoding is None:
        return IDENTITY
    # Invalid elements are ignored.
    elements = filter(None, map(_ELEMENT.fullmatch, accept_encoding.lower().split(",")))
    stated = {_ALIASES.get(each[1], each[1]): float(each[2] or 1) for each in elements}
    # No compression is acceptable unless excluded, but less preferred than any coding that is named.
    stated.setdefault(IDENTITY.name, _UNNAMED_IDENTITY if stated.get("*", 1.0) else 0.0)
    qualities = [stated.get(coding.name, stated.get("*", 0.0)) for coding in CODINGS]
    best = max(qualities)
    return CODINGS[qualities.index(best)] if best else None
