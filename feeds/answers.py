"""Ready answers: bytes with what HTTP needs to know of them, kept for as long as they are true."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock

import msgspec


class Answer(msgspec.Struct, frozen=True):
    """The body of a response and its strong ETag, quotes included (RFC 9110, section 8.8.3)."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, body: bytes) -> "Answer":
        return cls(body, f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"')


class Answers:
    """Keeps answers up to a bound in bytes; the least recently used go first."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._lock = RLock()

    def get(self, key: Hashable, write: Callable[[], bytes]) -> Answer:
        """Return the answer of a key, written if it is not there; equal requests wait for one writing."""
        with self._lock:
            answer = self._kept.get(key)
            if answer is None:
                answer = Answer.of(write())
                self._keep(key, answer)
            else:
                self._kept.move_to_end(key)
            return answer

    def _keep(self, key: Hashable, answer: Answer) -> None:
        if len(answer.body) > self.most_bytes:
            return
        self._kept[key] = answer
        self.bytes += len(answer.body)
        while self.bytes > self.most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped.body)
