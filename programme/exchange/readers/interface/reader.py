"""Reads the interface's JSON, from one file or several, into contents that keep all IDs."""

from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from programme.exchange.readers.fields import as_dict
from programme.exchange.readers.interface.documents import Documents, View, read_documents
from programme.exchange.readers.interface.events import EventReader
from programme.exchange.readers.interface.occasions import Calendar, list_urls
from programme.exchange.readers.interface.properties import PropertyReader, read_area_views, read_id
from programme.exchange.values import (
    Conference,
    Contents,
    ImportDefaults,
    Problem,
    ReadResult,
    ScheduledEvent,
)

# The fields that elements state; all others are among those of each event.
_STATED = frozenset({"title", "cancelled", "type", "organizer", "language", "location", "room"}) | {
    "external_url",
    "image_url",
}


def read_interface(content: bytes, defaults: ImportDefaults) -> ReadResult:
    documents = read_documents(content)
    calendar = Calendar(documents.calendars, defaults)
    properties = PropertyReader()
    for area in read_area_views(documents.areas):
        properties.read_area(area)
    reader = EventReader(defaults, calendar, properties)
    contents = Contents(
        events=tuple(_read_events(reader, documents, defaults)),
        problems=(*_list_missing(documents, calendar), *reader.problems),
        stated=_STATED,
        unread_keys=frozenset(reader.unread_keys),
        unread_guids=frozenset(reader.unread_guids),
        properties=properties.found,
    )
    # The source is the service that the festival moves from, whether a calendar names the festival or not.
    return ReadResult(Conference(title=calendar.title, acronym=_find_host(documents)), contents)


def _read_events(
    reader: EventReader, documents: Documents, defaults: ImportDefaults
) -> Iterator[ScheduledEvent]:
    by_id: dict[int, list[View]] = {}
    for view in documents.events:
        by_id.setdefault(read_id(view.table), []).append(view)
    nameless = by_id.pop(0, [])
    if nameless:
        what = _("left out, because they have no usable ID: %(count)d") % {"count": len(nameless)}
        reader.problems.append(Problem(_("the file"), what, left_out=True))
    for key, views in defaults.progress(list(by_id.items())):
        event = reader.read(key, views)
        if event:
            yield event


def _find_host(documents: Documents) -> str:
    occasions = (as_dict(view.table.get("occation")) for view in documents.events)
    urls = (url for each in occasions for url in list_urls([View("sv", each)]))
    with suppress(ValueError):
        return next(filter(None, (urlsplit(url).hostname for url in urls)), "")
    return ""


def _list_missing(documents: Documents, calendar: Calendar) -> Iterator[Problem]:
    """Yield what another file would complete, and what it means that it is not there."""
    if calendar.is_empty:
        what = _(
            "there is no calendar (events.ics) beside it: calendars that people subscribe to will show every "
            "occasion as a new one, because its UID is in that file alone"
        )
        yield Problem(_("the file"), what, whole=True)
    if not documents.areas:
        what = _("there is no areas.json beside it: areas without events are not in it, nor the areas’ order")
        yield Problem(_("the file"), what, whole=True)
    languages = {view.language for view in documents.events}
    texts = (as_dict(view.table.get(name)) for view in documents.events for name in ("intro", "description"))
    if len(languages) == 1 and not any(text.get("sv") and text.get("en") for text in texts):
        what = _(
            "its texts are in one language: add the events.json of the other one (language=en, language=sv)"
        )
        yield Problem(_("the file"), what, whole=True)
