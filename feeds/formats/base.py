"""The base class of formats: a DRF renderer that declares its names and writes a listing as bytes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.renderers import BaseRenderer

from feeds.listing import Listing
from feeds.vocabulary import Text


class Format(BaseRenderer):
    """One representation of the programme. A subclass with an extension, in this folder, is a format.

    `extension` is its name in paths and in `?format=`, without the dot; `media_types` those under which
    `Accept` finds it, perhaps none; `sent_as` the one it is sent as where the request names the extension, by
    default the first; `rank` its place among the formats, which breaks ties; `label` its name, and `purpose`
    what it is for, on pages; `depends_on_time` whether time alone makes a document untrue (`idag`,
    `updated`); `is_file` whether one occasion is downloaded as a file with a name;
    `takes_cancelled` whether programs that read it hide what is cancelled, or show it like anything else, so
    that it has the parameter `cancelled`; `suggested_limit` how many elements its programs can take.
    """

    extension: ClassVar[str] = ""
    media_types: ClassVar[tuple[str, ...]] = ()
    sent_as: ClassVar[str] = ""
    rank: ClassVar[int] = 0
    label: ClassVar[Text] = Text()
    purpose: ClassVar[Text] = Text()
    depends_on_time: ClassVar[bool] = True
    is_file: ClassVar[bool] = False
    takes_cancelled: ClassVar[bool] = False
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
        """Return what a response of DRF's has as its body: a listing, written in the format."""
        return self.write_events(data)

    def write_events(self, listing: Listing) -> bytes:
        raise NotImplementedError

    @classmethod
    def content_type(cls, media_type: str) -> str:
        """Return the Content-Type of a response in one of the format's media types."""
        return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
