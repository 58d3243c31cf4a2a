"""Chooses the format of a response: by path extension, then `?format=`, then `Accept` (decisions)."""

import re
from collections.abc import Sequence
from functools import lru_cache

from django.http import Http404
from rest_framework.exceptions import NotAcceptable, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from feeds.formats import BY_EXTENSION, Format

Formats = tuple[type[Format], ...]

JSON_ONLY: Formats = (BY_EXTENSION["json"],)

# They do not identify the content, so they come after all others.
GENERIC_TYPES = frozenset({"application/xml", "text/xml"})


class FormatNegotiation(BaseContentNegotiation):
    """Content negotiation by the path's extension, else by `?format=`, else by `Accept`."""

    def select_renderer(  # type: ignore[override]  # all renderers are formats
        self, request: Request, renderers: Sequence[Format], format_suffix: str | None = None
    ) -> tuple[Format, str]:
        """Return a format and the media type to send it as.

        Raise Http404 for an unknown extension, NotAcceptable if `Accept` excludes all formats.
        """
        formats: Formats = tuple(type(each) for each in renderers)
        extensions = list_extensions(request, format_suffix)
        if len(extensions) > 1:
            raise ValidationError({"format": ["Name only one format."]})
        if not extensions and request.method in ("GET", "HEAD"):
            chosen, media_type = choose_by_accept(formats, request.headers.get("Accept", ""))
        else:
            # Responses to other methods have no format, so `Accept` is ignored.
            chosen, media_type = choose_by_extension(formats, *(extensions or {formats[0].extension}))
        return renderers[formats.index(chosen)], media_type


def list_extensions(request: Request, format_suffix: str | None) -> set[str]:
    """Return the extensions of the path, else of the query; if empty, `Accept` decides."""
    return {format_suffix} if format_suffix else set(filter(None, request.query_params.getlist("format")))


def choose_by_extension(formats: Formats, extension: str) -> tuple[type[Format], str]:
    """Return a format and its media type; raise Http404 for an unknown extension."""
    for each in formats:
        if each.extension == extension:
            return each, each.sent_as
    known = ", ".join(each.extension for each in formats)
    raise Http404(f"Unknown format. Available formats: {known}.")


@lru_cache(256)  # Readers' programs send few different headers.
def choose_by_accept(formats: Formats, accept: str) -> tuple[type[Format], str]:
    """Return a format and the media type to send it as; raise NotAcceptable if none is acceptable."""
    offered = offer_types(formats)
    media_type = choose_media_type(accept, [media_type for media_type, _ in offered])
    if media_type is None:
        raise NotAcceptable
    return next(each for offer, each in offered if offer == media_type), media_type


def offer_types(formats: Formats) -> list[tuple[str, type[Format]]]:
    """Return the available media types in the order that breaks ties, each with its format."""
    offered = [(media_type, each) for each in formats for media_type in each.media_types]
    return sorted(offered, key=lambda offer: offer[0] in GENERIC_TYPES)


# --- Accept (RFC 9110, section 12.5.1) --------------------------------------------------------

# Commas inside quoted parameters do not separate media ranges.
_RANGE = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*"?)+')
_PARAMETER = re.compile(r';\s*([^\s;="]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;"]*))')
# Parameters that do not exclude a format: everything is in UTF-8, and Atom is a feed, not an entry (RFC 5023,
# section 12.1).
_CHARSET, _ATOM_FEED = ("charset", "utf-8"), ("application/atom+xml", "type", "feed")


# By type (`text/html`, `text/*`, `*/*`): the parameters in its most specific range, counted, and its quality.
Ranges = dict[str, tuple[int, float]]


def choose_media_type(accept: str, offered: Sequence[str]) -> str | None:
    """Return the offered media type of the highest quality, None if none is acceptable.

    Of equal ones, types that the header names precede those that only a wildcard matches, then the first
    wins. An empty header accepts everything.
    """
    if not accept.strip(", \t"):
        return offered[0]
    ranges = _read_ranges(accept, offered)
    preferences = [_prefer(each, ranges) for each in offered]
    best = max(preferences)
    return offered[preferences.index(best)] if best[0] else None


def _read_ranges(accept: str, offered: Sequence[str]) -> Ranges:
    """Return the ranges that can match offered types, each with the highest of its qualities."""
    ranges: Ranges = {}
    possible = {"*/*", *offered, *(media_type.partition("/")[0] + "/*" for media_type in offered)}
    for text in dict.fromkeys(_RANGE.findall(accept.lower())):
        full_type = text.partition(";")[0].strip()
        if full_type not in possible:
            continue
        parameters, quality = _read_parameters(text)
        if all(each == _CHARSET or (full_type, *each) == _ATOM_FEED for each in parameters.items()):
            ranges[full_type] = max(ranges.get(full_type, (0, 0.0)), (len(parameters), quality))
    return ranges


def _read_parameters(text: str) -> tuple[dict[str, str], float]:
    """Return the parameters of a range, and its weight, which ends them; an invalid weight is 1."""
    parameters: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(text):
        if name == "q":
            is_valid = re.fullmatch(r"0(\.\d*)?|1(\.0*)?", quoted or plain, re.ASCII)
            return parameters, float(quoted or plain) if is_valid else 1.0
        parameters[name] = quoted or plain
    return parameters, 1.0


def _prefer(media_type: str, ranges: Ranges) -> tuple[float, bool]:
    """Return the quality of a type in the most specific matching range, and whether the range names it."""
    for each in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if each in ranges:
            return ranges[each][1], each == media_type
    return 0.0, False
