"""What a format is: a DRF renderer that declares its names and writes a listing as bytes."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from rest_framework.renderers import BaseRenderer

from feeds.listing import Listing
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import Text


class Format(BaseRenderer):
    """One representation of the programme. A subclass in this folder is all that it takes.

    `extension` is its name in paths and in `?format=`, without the dot; `media_types` those under
    which `Accept` finds it, the first being the one it is sent as; `rank` its place among the
    formats, which breaks ties; `label` what people call it; `purpose` what they use
    it for, as the subscribe page says; `depends_on_time` whether it says anything
    that time alone makes untrue (`idag`, `updated`); `is_file` whether people take one occasion in it
    for a file, which needs a name; `is_pushed` whether a WebSub hub is told of changes in it.
    """

    extension: ClassVar[str] = ""
    media_types: ClassVar[tuple[str, ...]] = ()
    rank: ClassVar[int] = 0
    label: ClassVar[Text] = Text()
    purpose: ClassVar[Text] = Text()
    depends_on_time: ClassVar[bool] = True
    is_file: ClassVar[bool] = False
    is_pushed: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        if "extension" in vars(cls) and "purpose" not in vars(cls):
            message = f'{cls.__name__} must say what it is for: purpose = Text(sv="för …", en="for …")'
            raise TypeError(message)
        if cls.extension:
            cls.format = cls.extension
            cls.media_type = cls.media_types[0]

    @classmethod
    def prepare(cls, programme: Programme) -> None:
        """Write ahead what holds nothing of the clock, so that the first reader need not wait for it."""

    def write_events(self, listing: Listing) -> bytes:
        """Return a selection of occasions."""
        raise NotImplementedError

    # A format that can write the areas too says so by having this method: (snapshot) -> bytes.
    write_areas: ClassVar[Callable[[Any, Snapshot], bytes] | None] = None

    def render(
        self,
        data: Listing,
        accepted_media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        return self.write_events(data)

    @classmethod
    def hub(cls, listing: Listing) -> str:
        """Return the hub that a document announces; empty: none is told of its changes."""
        return listing.site.hub if cls.is_pushed and listing.is_topic else ""

    @classmethod
    def headers(cls, listing: Listing) -> dict[str, str]:
        """Return what an answer says beside the document."""
        headers = listing.headers(cls.extension)
        if hub := cls.hub(listing):
            headers["Link"] = f'<{hub}>; rel="hub", <{listing.url(cls.extension)}>; rel="self"'
        return headers

    @classmethod
    def content_type(cls, media_type: str) -> str:
        """Return the Content-Type of an answer in one of the format's media types.

        Text says its charset; a text without it may be read as anything.
        """
        return f"{media_type}; charset=utf-8" if media_type.startswith("text/") else media_type
