"""Which format a request asks for: by path extension, then `?format=`, then `Accept` (decisions)."""

from collections.abc import Sequence

from django.http import Http404
from rest_framework.exceptions import NotAcceptable, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request

from feeds.formats import Format
from feeds.negotiation import choose_media_type


def requested_extension(request: Request, extension: str | None) -> str | None:
    """Return the extension that path or query name; None leaves the choice to `Accept`."""
    if extension:
        return extension
    names = {name for name in request.query_params.getlist("format") if name}
    if len(names) > 1:
        raise ValidationError({"format": ["Name one format, not several."]})
    return next(iter(names), None)


class FormatNegotiation(BaseContentNegotiation):
    """DRF's hook. Its own classes ignore q-values and let `Accept` win over an extension."""

    def select_renderer(
        self, request: Request, renderers: Sequence[Format], format_suffix: str | None = None
    ) -> tuple[Format, str]:
        """Return the format and the media type to send it as.

        Raises Http404 for an unknown name, NotAcceptable where nothing on offer will do.
        """
        if name := requested_extension(request, format_suffix):
            return _by_name(renderers, name)
        offered = {media_type: each for each in reversed(renderers) for media_type in each.media_types}
        in_order = [media_type for each in renderers for media_type in each.media_types]
        wanted = choose_media_type(request.headers.get("Accept", ""), in_order)
        if wanted is None:
            raise NotAcceptable
        return offered[wanted], wanted


def _by_name(renderers: Sequence[Format], name: str) -> tuple[Format, str]:
    for each in renderers:
        if each.extension == name:
            return each, each.media_types[0]
    known = ", ".join(each.extension for each in renderers)
    raise Http404(f"There is no format of that name here. There are: {known}.")
