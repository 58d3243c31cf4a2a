"""Ready answers: bytes with what HTTP needs to know of them, kept for as long as they are true."""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

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
        self._being_written: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, write: Callable[[], bytes]) -> Answer:
        """Return the answer of a key, written if it is not there.

        Equal requests wait for one writing; others are not kept waiting by it.
        """
        with self._lock:
            if answer := self._find(key):
                return answer
            writing = self._being_written.setdefault(key, Lock())
        with writing:
            with self._lock:
                if answer := self._find(key):
                    return answer
            try:
                answer = Answer.of(write())
                with self._lock:
                    self._keep(key, answer)
            finally:
                with self._lock:
                    self._being_written.pop(key, None)
            return answer

    def _find(self, key: Hashable) -> Answer | None:
        if answer := self._kept.get(key):
            self._kept.move_to_end(key)
        return answer

    def _keep(self, key: Hashable, answer: Answer) -> None:
        if key in self._kept or len(answer.body) > self.most_bytes:
            return
        self._kept[key] = answer
        self.bytes += len(answer.body)
        while self.bytes > self.most_bytes:
            _, dropped = self._kept.popitem(last=False)
            self.bytes -= len(dropped.body)
