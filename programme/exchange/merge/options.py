"""The options of an import, from the file and from the person who imports it."""

from typing import Any

from django.utils.translation import gettext as _

from programme.exchange.merge.answers import recall_answers
from programme.exchange.merge.directory import OTHER
from programme.exchange.questions import Answers
from programme.exchange.readers.fields import field_length
from programme.exchange.text.truncate import truncate
from programme.exchange.values import ImportOptions, ReadResult, UnreadableFileError
from programme.models import Event
from programme.models.cleaning import clean_line


class AreaNeededError(UnreadableFileError):
    """A file names no area for some of its events: the person who imports it has to choose one."""


def build_options(reading: ReadResult, *names: str, answers: Answers, **chosen: Any) -> ImportOptions:
    """Return the options of an import from the source of the first of these names that is not empty.

    Besides the given answers it has those of earlier imports, with which the file has to be read again if
    `was_read_otherwise`. Raises `AreaNeededError` where events would be new and nothing names their area.
    """
    conference, own_sheet = reading.conference, reading.contents.is_own_export
    source = next(filter(None, map(clean_line, names)), "")
    # A sheet of this service names everything by its identity.
    if not source and not own_sheet:
        raise UnreadableFileError(_("it does not say which conference it is of: name it with --source"))
    title = clean_line(conference.title) or source or OTHER
    source = "" if own_sheet else truncate(source, field_length(Event, "source"))
    options = ImportOptions(
        source=source,
        title=title,
        venue=_find_venue(reading, title),
        answers={**recall_answers(source), **answers},
        **chosen,
    )
    if not _names_area(reading, options):
        raise AreaNeededError(
            _("it does not say in which area its events are: name one with --area-otherwise")
        )
    return options


def _find_venue(reading: ReadResult, title: str) -> str:
    """Return the place of occasions for which the file names none, '' where it says nothing of one.

    A conference that names no place is held at one that is called like it.
    """
    if "location" in reading.contents.stated:
        return ""
    return clean_line(reading.conference.venue) or (title if reading.is_conference else "")


def _names_area(reading: ReadResult, options: ImportOptions) -> bool:
    """Return whether new events have an area: a conference is one, and so is a calendar's name."""
    return bool(
        reading.is_conference
        or clean_line(reading.conference.title)
        or options.area
        or options.default_area
        or all(event.more.get("area") for event in reading.contents.events)
        # They go where most events of this source are.
        or Event.objects.filter(source=options.source).exists()
    )
