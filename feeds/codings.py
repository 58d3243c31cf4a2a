"""Content codings (RFC 9110, sections 8.4.1 and 12.5.3): compression, and its negotiation.

Measured on the JSON of a festival's 1,351 occasions (5.2 MB): gzip by ISA-L at level 2 takes 2.4 ms per
MB and leaves 769 KB (zlib at level 6 takes 18.6 and leaves 699), zstd at level 3 2.9 ms and 545 KB,
brotli at level 4 11.7 ms and 496 KB. Each body is compressed once in the life of its snapshot.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import brotli
import zstandard
from isal import igzip

GZIP_LEVEL, ZSTD_LEVEL, BROTLI_LEVEL = 2, 3, 4
# Of documents that apps keep: 5 times as long, and a tenth smaller (3.2 MB: 260 ms, 0.69 instead of 0.78 MB).
THOROUGH_BROTLI_LEVEL = 9


class Coding(NamedTuple):
    """A content coding by its registered name; `suffix` distinguishes its ETags.

    `compress_thoroughly` takes longer and leaves less, where the coding gains much by it.
    """

    name: str
    suffix: str
    compress: Callable[[bytes], bytes]
    compress_thoroughly: Callable[[bytes], bytes] | None = None


def _gzip(body: bytes) -> bytes:
    # No timestamp in the header, so that equal bodies give equal bytes.
    return igzip.compress(body, GZIP_LEVEL, mtime=0)


def _zstd(body: bytes) -> bytes:
    # A compressor must not be shared by threads; the length in the header spares clients a guess.
    return zstandard.ZstdCompressor(level=ZSTD_LEVEL).compress(body)


def _brotli(body: bytes, level: int = BROTLI_LEVEL) -> bytes:
    written: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, quality=level)
    return written


IDENTITY = Coding("identity", "", bytes)
GZIP = Coding("gzip", "-gzip", _gzip)
# The first of those that are wanted equally. What costs a fifth of brotli's time and is a tenth larger
# comes first, because the first reader after an edit waits for it.
CODINGS = (
    Coding("zstd", "-zstd", _zstd),
    Coding("br", "-br", _brotli, partial(_brotli, level=THOROUGH_BROTLI_LEVEL)),
    GZIP,
    IDENTITY,
)
_ALIASES = {"x-gzip": "gzip"}

_ELEMENT = re.compile(r"\s*([^\s;,]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)\s*)?", re.ASCII)


def choose_coding(accept_encoding: str | None) -> Coding | None:
    """Return the coding of the highest quality, the first of equals; None if the header excludes all.

    Without the header any coding would be acceptable, but such a client may not be able to read it.
    """
    if accept_encoding is None:
        return IDENTITY
    stated = _qualities(accept_encoding)
    qualities = [_quality(coding, stated) for coding in CODINGS]
    best = max(qualities)
    return CODINGS[qualities.index(best)] if best else None


def _qualities(header: str) -> dict[str, float]:
    """Return the weight of each coding in the header; invalid elements are ignored."""
    qualities = {}
    for element in header.lower().split(","):
        if match := _ELEMENT.fullmatch(element):
            name, weight = match.groups()
            qualities[_ALIASES.get(name, name)] = float(weight) if weight else 1.0
    return qualities


# No compression is acceptable unless excluded, but less preferred than any coding that is named.
_UNNAMED_IDENTITY = 0.0001


def _quality(coding: Coding, stated: dict[str, float]) -> float:
    if coding.name in stated:
        return stated[coding.name]
    if coding is IDENTITY:
        return _UNNAMED_IDENTITY if stated.get("*", 1.0) else 0.0
    return stated.get("*", 0.0)
