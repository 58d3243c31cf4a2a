"""Ready answers: bytes with what HTTP needs to know of them, kept for as long as they are true."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

import msgspec
from xxhash import xxh3_128

from feeds.codings import Coding

# What keeping an answer takes beside its body: key, tag and places in tables.
OVERHEAD = 1_000


class CachedBody(msgspec.Struct, frozen=True, gc=False):
    """The body of a response and its strong ETag, quotes included (RFC 9110, section 8.8.3)."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, body: bytes, beside: Mapping[str, str] | None = None) -> "CachedBody":
        """Return the answer with a body, and with what is told beside it in headers."""
        # Nobody gains by two bodies with one tag, so it need not withstand attacks: SHA-256 is slow.
        digest = xxh3_128(body)
        if beside:
            digest.update(repr(beside).encode())
        return cls(body, f'"{digest.hexdigest()}"')

    def etag_in(self, coding: Coding) -> str:
        """Return the ETag of the answer in a content coding, which is known before it is compressed."""
        return f'{self.etag[:-1]}{coding.suffix}"'

    def coded(self, coding: Coding) -> "CachedBody":
        return CachedBody(coding.compress(self.body), self.etag_in(coding))


class ResponseCache:
    """Keeps answers up to a bound in bytes; the least recently used go first."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, CachedBody] = OrderedDict()
        self._being_made: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def peek(self, key: Hashable) -> CachedBody | None:
        """Return the answer of a key if it is there."""
        with self._lock:
            return self._find(key)

    def get(self, key: Hashable, make: Callable[[], CachedBody]) -> CachedBody:
        """Return the answer of a key, made if it is not there.

        Equal requests wait for one making; others are not kept waiting by it.
        """
        with self._lock:
            if answer := self._find(key):
                return answer
            making = self._being_made.setdefault(key, Lock())
        with making:
            with self._lock:
                if answer := self._find(key):
                    return answer
            try:
                answer = make()
                with self._lock:
                    self._keep(key, answer)
            finally:
                with self._lock:
                    self._being_made.pop(key, None)
            return answer

    def _find(self, key: Hashable) -> CachedBody | None:
        if answer := self._kept.get(key):
            self._kept.move_to_end(key)
        return answer

    def _keep(self, key: Hashable, answer: CachedBody) -> None:
        if key in self._kept or _size(answer) > self.most_bytes:
            return
        self._kept[key] = answer
        self.bytes += _size(answer)
        while self.bytes > self.most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= _size(dropped)


def _size(answer: CachedBody) -> int:
    return len(answer.body) + OVERHEAD
