"""Chooses the format of a response: by path extension, then `?format=`, then `Accept` (decisions)."""

from functools import lru_cache

from django.http import Http404
from rest_framework.exceptions import NotAcceptable, ValidationError
from rest_framework.request import Request

from feeds.formats import BY_EXTENSION, Format
from feeds.negotiation import choose_media_type

Formats = tuple[type[Format], ...]

JSON_ALONE: Formats = (BY_EXTENSION["json"],)

# They say nothing of what is inside, so they come after all others.
GENERIC_TYPES = frozenset({"application/xml", "text/xml"})


def find_extension(request: Request, extension: str | None) -> str | None:
    """Return the extension that path or query name; None leaves the choice to `Accept`."""
    if extension:
        return extension
    names = {name for name in request.query_params.getlist("format") if name}
    if len(names) > 1:
        raise ValidationError({"format": ["Name only one format."]})
    return next(iter(names), None)


def choose_by_extension(formats: Formats, extension: str) -> tuple[type[Format], str]:
    """Return a format and its media type; raises Http404 for an unknown extension."""
    for each in formats:
        if each.extension == extension:
            return each, each.sent_as
    known = ", ".join(each.extension for each in formats)
    raise Http404(f"Unknown format. Available formats: {known}.")


@lru_cache(256)  # Readers' programs send few different headers.
def choose_by_accept(formats: Formats, accept: str) -> tuple[type[Format], str]:
    """Return a format and the media type to send it as; raises NotAcceptable where none will do."""
    offered = offer_types(formats)
    media_type = choose_media_type(accept, [media_type for media_type, _ in offered])
    if media_type is None:
        raise NotAcceptable
    return next(each for offer, each in offered if offer == media_type), media_type


def offer_types(formats: Formats) -> list[tuple[str, type[Format]]]:
    """Return the media types on offer in the order that breaks ties, each with its format."""
    offered = [(media_type, each) for each in formats for media_type in each.media_types]
    return sorted(offered, key=lambda offer: offer[0] in GENERIC_TYPES)
