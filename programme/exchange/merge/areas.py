"""The area and the place of what a file brings: named by it or by whoever imports, never invented."""

from django.utils.translation import gettext as _

from programme.exchange.values import ImportOptions, ReadResult, UnreadableFileError
from programme.models import Event
from programme.models.cleaning import clean_line


class AreaNeededError(UnreadableFileError):
    """A file names no area for some of its events: somebody has to say which."""


def require_area(reading: ReadResult, order: ImportOptions) -> None:
    """Raise `AreaNeededError` where events would be new and nothing says in which area.

    The conference that a schedule names is one, and so is a calendar's name; what came from this source
    before says it of what comes now.
    """
    named = reading.is_conference or clean_line(reading.conference.title)
    if named or order.area or order.default_area:
        return
    if all(event.more.get("area") for event in reading.contents.events):
        return
    if not Event.objects.filter(source=order.source).exists():
        raise AreaNeededError(
            _("it does not say in which area its events are: name one with --area-otherwise")
        )


def venue_of(reading: ReadResult, title: str) -> str:
    """Return the place of occasions for which the file names none, '' where it says nothing of one.

    A conference that names no place is held at one that is called like it: its `title`.
    """
    if "location" in reading.contents.stated:
        return ""
    return clean_line(reading.conference.venue) or (title if reading.is_conference else "")
