"""The base class of formats: a DRF renderer that writes a listing as bytes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.renderers import BaseRenderer

from feeds.listing import Listing
from feeds.vocabulary import Text


class Format(BaseRenderer):
    """One representation of the programme. A subclass with an extension, in this folder, is a format."""

    # The name in paths and in `?format=`, without the dot.
    extension: ClassVar[str] = ""
    # The media types by which `Accept` chooses it.
    media_types: ClassVar[tuple[str, ...]] = ()
    # The media type that is sent if the request names the extension; by default the first.
    sent_as: ClassVar[str] = ""
    # The place among the formats, which breaks ties in negotiation.
    rank: ClassVar[int] = 0
    # The name and the use that pages show.
    label: ClassVar[Text] = Text()
    purpose: ClassVar[Text] = Text()
    # Whether a document changes with time alone (`idag`, `updated`).
    depends_on_time: ClassVar[bool] = True
    # Whether a single occasion is downloaded as a named file.
    is_file: ClassVar[bool] = False
    # Whether it has the parameter `cancelled`, for programs that hide or ignore the status of cancellation.
    takes_cancelled: ClassVar[bool] = False
    # The number of elements that its programs can take.
    suggested_limit: ClassVar[int | None] = None

    def __init_subclass__(cls) -> None:
        if not cls.extension:
            return
        if "sent_as" not in vars(cls):
            cls.sent_as = cls.media_types[0]
        cls.format = cls.extension
        cls.media_type = cls.sent_as
        cls.charset = "utf-8" if cls.sent_as.startswith("text/") else None

    def render(
        self,
        data: Listing,
        accepted_media_type: str | None = None,  # noqa: ARG002
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        """Return a listing as the body of a response (DRF's hook)."""
        return self.write_events(data)

    def write_events(self, listing: Listing) -> bytes:
        raise NotImplementedError

    @classmethod
    def content_type(cls, media_type: str) -> str:
        """Return the Content-Type of a response in one of the format's media types."""
        return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
