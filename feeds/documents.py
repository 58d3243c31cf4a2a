"""JSON documents other than listings of occasions: areas, lists, the programme, the OpenAPI schema."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from feeds.formats.json import JsonFormat
from feeds.json_parts import encode


@dataclass(frozen=True)
class JsonDocument:
    """A document, built on first use; `key` identifies it within its snapshot."""

    key: Hashable
    build: Callable[[], Any]
    depends_on_time: bool = False
    is_cacheable: bool = True


class DocumentFormat(JsonFormat):
    depends_on_time = False

    def write_events(self, listing: JsonDocument) -> bytes:  # type: ignore[override]
        return encode(listing.build())
