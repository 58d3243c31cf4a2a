"""Readers that send requests continuously on one connection each, and record the responses."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from itertools import cycle, pairwise
from threading import Event, Thread
from typing import Any, NamedTuple, Self

from tests.failures.service import connect, get
from tests.failures.wait import wait_until

GZIP: Mapping[str, str] = {"Accept-Encoding": "gzip"}


class Question(NamedTuple):
    """A request that a reader sends.

    `understand` turns a body into the recorded value, and raises `AssertionError` for an impossible body.
    A `conditional` question sends the last ETag of its path.
    """

    path: str
    understand: Callable[[bytes], Any] = len
    conditional: bool = False


class Read(NamedTuple):
    """The result of one question; `error` is empty for 200 and 304."""

    path: str
    status: int
    content: Any
    error: str


class Reader(Thread):
    """Repeats its questions in turn, with a pause before each.

    A connection stays with one worker. With several `attempts`, a request that fails is repeated on a new
    connection, as browsers and proxies do.
    """

    def __init__(self, port: int, questions: Iterable[Question], pause: float, attempts: int) -> None:
        super().__init__(daemon=True)
        self.questions = cycle(questions)
        self.pause = pause
        self.attempts = attempts
        self.port = port
        self.stopping = Event()
        self.reads: list[Read] = []
        self._known: dict[str, tuple[str, Any]] = {}

    def run(self) -> None:
        with closing(connect(self.port)) as connection:
            while not self.stopping.wait(self.pause):
                self.reads.append(self._read(connection, next(self.questions)))

    def _read(self, connection: HTTPConnection, question: Question) -> Read:
        try:
            status, content = self._get_with_retries(connection, question)
        except (OSError, HTTPException, AssertionError, ValueError) as error:
            return Read(question.path, 0, None, repr(error))
        is_expected = status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}
        error = "" if is_expected else f"{status}: {content}"
        return Read(question.path, status, content, error)

    def _get_with_retries(self, connection: HTTPConnection, question: Question) -> tuple[int, Any]:
        for left in reversed(range(self.attempts)):
            try:
                return self._get(connection, question)
            except (OSError, HTTPException):
                connection.close()
                if not left:
                    raise
        raise AssertionError("no attempt at all")

    def _get(self, connection: HTTPConnection, question: Question) -> tuple[int, Any]:
        etag, content = self._known.get(question.path, ("", None))
        headers = {**GZIP, "If-None-Match": etag} if question.conditional and etag else GZIP
        answer = get(connection, question.path, headers)
        if answer.status == HTTPStatus.OK:
            content = question.understand(answer.body)
            self._known[question.path] = (answer.headers["ETag"], content)
        elif answer.status != HTTPStatus.NOT_MODIFIED:
            content = answer.body[:1000]
        return answer.status, content


class Readers:
    """Readers that run while the context is active."""

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
        self.wait_for_reads(1)
        return self

    def __exit__(self, *_error: object) -> None:
        for reader in self.readers:
            reader.stopping.set()
        for reader in self.readers:
            reader.join()

    def wait_for_reads(self, reads: int = 10, *, without: int = 0) -> None:
        """Wait until each reader, except `without` of them, has so many more responses."""
        ends = [(reader, len(reader.reads) + reads) for reader in self.readers]
        enough = len(ends) - without
        wait_until(
            f"{reads} reads more", lambda: sum(len(reader.reads) >= end for reader, end in ends) >= enough
        )

    @property
    def reads(self) -> list[Read]:
        return [read for reader in self.readers for read in reader.reads]

    @property
    def failed(self) -> list[Read]:
        return [read for read in self.reads if read.error]

    def find_regressions(self, is_older: Callable[[Any, Any], bool]) -> list[tuple[Read, Read]]:
        """Return consecutive reads of one reader of which the later one is older."""
        return [
            (before, after)
            for reader in self.readers
            for before, after in pairwise(reader.reads)
            if not before.error and not after.error and is_older(after.content, before.content)
        ]
