"""The search of lists: the index that readers' search has, of drafts and of events without occasions, too."""

from uuid import UUID

from django.db import connection

from feeds.index import SelectionIndex
from feeds.vocabulary import Identity, Occasion, Revision
from programme import models
from programme.publishing import loading
from programme.publishing.programme_reader import EventRows, OccasionReader
from programme.publishing.shared_values import EPOCH, SharedValues

NO_UUID = UUID(int=0)


class SearchCache:
    _latest: tuple[Revision, SelectionIndex] | None = None

    def clear(self) -> None:
        self._latest = None

    def get(self) -> SelectionIndex:
        """Return the index of all that is stored, in one query as long as nothing is edited."""
        if self._latest and self._latest[0] == loading.fetch_revision():
            return self._latest[1]
        with loading.consistent_read():
            revision, index = loading.fetch_revision(), build_index()
        # What may be rolled back is not kept.
        if not connection.in_atomic_block:
            self._latest = revision, index
        return index


search = SearchCache()


def build_index() -> SelectionIndex:
    """Return the index of all events; one without occasions has one with the event's ID, below zero."""
    shared = SharedValues(loading.build_site(), {})
    reader = OccasionReader(shared, {}, ())
    every = EventRows(
        models.Event.objects.all(), models.Occasion.objects.all(), models.Organizer.objects.all()
    )
    occasions = [*reader.read(*every.select())]
    bare = reader.events.keys() - {each.event.id for each in occasions}
    occasions += [
        Occasion(Identity(-key, NO_UUID, key), reader.events[key], EPOCH, EPOCH, False, None, None)
        for key in bare
    ]
    return SelectionIndex(shared.fields["areas"], occasions, shared.site.time)


def find_keys(text: str, model: type[models.Event | models.Occasion]) -> set[int]:
    """Return the IDs of the events or the occasions that have all words of a text."""
    index = search.get()
    found = index.search.find([text])
    return {index.by_id[key].event.id for key in found} if model is models.Event else found
