"""The shape of all exports: a class for each kind of file, which declares it and writes it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from django.db.models import QuerySet
from django.utils.functional import Promise

from programme.models import Event


class ExportError(Exception):
    """The events cannot be written as this kind of file: the message is a sentence that says why."""


class ExportFormat(ABC):
    """A kind of file: its name for commands and addresses, its label and purpose for people."""

    name: ClassVar[str]
    label: ClassVar[str]
    purpose: ClassVar[Promise]
    extension: ClassVar[str]
    media_type: ClassVar[str]

    @abstractmethod
    def stream(self, events: QuerySet[Event]) -> Iterator[bytes]:
        """Return the blocks of a file with the events.

        All blocks are read in one transaction. Raises `ExportError` before the first one.
        """

    def write(self, events: QuerySet[Event]) -> bytes:
        return b"".join(self.stream(events))

    def find_excess(self, events: QuerySet[Event]) -> list[str]:  # noqa: ARG002
        """Return in what the file would be larger than the import allows: a sentence for each limit."""
        return []
