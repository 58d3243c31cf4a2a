"""Steady readers: each asks on one connection, question by question, and records what it is told."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from itertools import cycle, pairwise
from threading import Event, Thread
from typing import Any, NamedTuple, Self

from tests.failures.service import ask, connect
from tests.failures.wait import until

GZIP: Mapping[str, str] = {"Accept-Encoding": "gzip"}


class Question(NamedTuple):
    """What a reader asks.

    `understand` makes of a body what is recorded of it, and raises `AssertionError` where the body
    cannot be true. `conditional` questions name the ETag that the reader was given last.
    """

    path: str
    understand: Callable[[bytes], Any] = len
    conditional: bool = False


class Read(NamedTuple):
    """What came of one question; `error` is empty where it was answered with 200 or 304."""

    path: str
    begun: float
    status: int
    told: Any
    error: str


class Reader(Thread):
    """Asks the questions in turn, again and again, with a pause before each.

    A connection goes to one worker for as long as it is open. With more `attempts`
    than one, what is cut off is asked again on a new connection, as browsers and proxies do.
    """

    def __init__(self, port: int, questions: Iterable[Question], pause: float, attempts: int) -> None:
        super().__init__(daemon=True)
        self.questions = cycle(questions)
        self.pause = pause
        self.attempts = attempts
        self.port = port
        self.stopping = Event()
        self.reads: list[Read] = []
        self.cut_off = 0
        self._known: dict[str, tuple[str, Any]] = {}

    def run(self) -> None:
        with closing(connect(self.port)) as connection:
            while not self.stopping.wait(self.pause):
                self.reads.append(self._read(connection, next(self.questions)))

    def _read(self, connection: HTTPConnection, question: Question) -> Read:
        begun = time.perf_counter()
        try:
            status, told = self._ask_again(connection, question)
        except (OSError, HTTPException, AssertionError, ValueError) as error:
            return Read(question.path, begun, 0, None, repr(error))
        fine = status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}
        return Read(question.path, begun, status, told, "" if fine else f"{status}: {told}")

    def _ask_again(self, connection: HTTPConnection, question: Question) -> tuple[int, Any]:
        for left in reversed(range(self.attempts)):
            try:
                return self._ask(connection, question)
            except (OSError, HTTPException):
                connection.close()
                if not left:
                    raise
                self.cut_off += 1
        raise AssertionError("no attempt at all")

    def _ask(self, connection: HTTPConnection, question: Question) -> tuple[int, Any]:
        etag, told = self._known.get(question.path, ("", None))
        headers = {**GZIP, "If-None-Match": etag} if question.conditional and etag else GZIP
        answer = ask(connection, question.path, headers)
        if answer.status == HTTPStatus.OK:
            told = question.understand(answer.body)
            self._known[question.path] = (answer.headers["ETag"], told)
        elif answer.status != HTTPStatus.NOT_MODIFIED:
            told = answer.body[:1000]
        return answer.status, told


class Readers:
    """Readers that begin when the context is entered and have ended when it is left."""

    def __init__(
        self,
        port: int,
        questions: Sequence[Question],
        *,
        number: int = 4,
        pause: float = 0.02,
        attempts: int = 1,
    ) -> None:
        turned = [[*questions[at:], *questions[:at]] for at in (n % len(questions) for n in range(number))]
        self.readers = [Reader(port, each, pause, attempts) for each in turned]

    def __enter__(self) -> Self:
        for reader in self.readers:
            reader.start()
        self.go_on(1)
        return self

    def __exit__(self, *_error: object) -> None:
        for reader in self.readers:
            reader.stopping.set()
        for reader in self.readers:
            reader.join()

    def go_on(self, reads: int = 10, *, without: int = 0) -> None:
        """Return once each reader has read so many times more, but for those that it may go on without."""
        ends = [(reader, len(reader.reads) + reads) for reader in self.readers]
        enough = len(ends) - without
        until(f"{reads} reads more", lambda: sum(len(reader.reads) >= end for reader, end in ends) >= enough)

    @property
    def reads(self) -> list[Read]:
        return [read for reader in self.readers for read in reader.reads]

    @property
    def failed(self) -> list[Read]:
        return [read for read in self.reads if read.error]

    @property
    def cut_off(self) -> int:
        """How often a reader had to ask once more."""
        return sum(reader.cut_off for reader in self.readers)

    def went_back(self, is_older: Callable[[Any, Any], bool]) -> list[tuple[Read, Read]]:
        """Return each two reads that one reader made one after the other, and the later is older."""
        return [
            (before, after)
            for reader in self.readers
            for before, after in pairwise(reader.reads)
            if not before.error and not after.error and is_older(after.told, before.told)
        ]
