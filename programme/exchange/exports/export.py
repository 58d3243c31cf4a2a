"""The shape of all exports: a class for each kind of file, which declares it and writes it."""

from abc import ABC, abstractmethod
from typing import ClassVar

from django.db.models import QuerySet
from django.utils.functional import Promise

from feeds.vocabulary import LanguageCode
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
    def write(self, events: QuerySet[Event], language: LanguageCode = "sv") -> bytes:
        """Return the events as a file, with their texts in one language where it has a place for one only."""
