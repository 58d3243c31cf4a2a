"""The cache of a snapshot's response bodies, with their ETags."""

from collections.abc import Callable, Hashable, Mapping
from threading import Lock

import msgspec
from xxhash import xxh3_128

from feeds.negotiation import Coding

# Bytes of an entry beside its body: its key, its ETag and its places in tables.
OVERHEAD = 1_000


class CachedBody(msgspec.Struct, frozen=True, gc=False):
    """The body of a response, its own headers, and its strong ETag with quotes (RFC 9110, section 8.8.3)."""

    body: bytes
    etag: str
    headers: Mapping[str, str] = {}

    @classmethod
    def build(cls, body: bytes, headers: Mapping[str, str] | None = None) -> "CachedBody":
        """Return a body with the ETag of the body and its headers."""
        # A collision helps no attacker, so a fast hash suffices: SHA-256 is slow.
        digest = xxh3_128(body)
        if headers:
            digest.update(repr(headers).encode())
        return cls(body, f'"{digest.hexdigest()}"', headers or {})

    def etag_in(self, coding: Coding) -> str:
        """Return the ETag in a content coding, without compressing the body."""
        return f'{self.etag[:-1]}{coding.suffix}"'

    def compress(self, coding: Coding) -> "CachedBody":
        return CachedBody(coding.compress(self.body), self.etag_in(coding))


class StoredResponse:
    """An entry of the cache; `ReplayCache` refers to it instead of looking up its key.

    `body` is None once it is dropped. `is_used` is whether it was requested since it was written, or since
    the cache last passed it over when it made room.
    """

    __slots__ = ("body", "is_used")

    def __init__(self, body: CachedBody) -> None:
        self.body: CachedBody | None = body
        self.is_used = False


class ResponseCache:
    """Response bodies up to a number of bytes; the oldest that were not used lately are dropped first."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.size = 0
        self._entries: dict[Hashable, StoredResponse] = {}
        self._writing: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def find(self, key: Hashable) -> StoredResponse | None:
        return self._entries.get(key)

    def get(self, key: Hashable, write: Callable[[], CachedBody]) -> CachedBody:
        """Return the body of a key; of simultaneous equal requests one writes it, and the others wait."""
        with self._lock:
            if body := self._find(key):
                return body
            writing = self._writing.setdefault(key, Lock())
        with writing:
            with self._lock:
                if body := self._find(key):
                    return body
            try:
                body = write()
                with self._lock:
                    self._store(key, body)
            finally:
                with self._lock:
                    self._writing.pop(key, None)
            return body

    def _find(self, key: Hashable) -> CachedBody | None:
        if entry := self._entries.get(key):
            entry.is_used = True
            return entry.body
        return None

    def _store(self, key: Hashable, body: CachedBody) -> None:
        if key in self._entries or _size(body) > self.max_bytes:
            return
        while self.size + _size(body) > self.max_bytes:
            self._drop_oldest()
        self._entries[key] = StoredResponse(body)
        self.size += _size(body)

    def _drop_oldest(self) -> None:
        """Drop the oldest body, or move it to the end if it was used."""
        key = next(iter(self._entries))
        entry = self._entries.pop(key)
        if entry.is_used:
            entry.is_used = False
            self._entries[key] = entry
        elif entry.body:
            self.size -= _size(entry.body)
            entry.body = None


def _size(entry: CachedBody) -> int:
    return len(entry.body) + OVERHEAD
