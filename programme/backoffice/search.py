"""The search of lists: the index that readers' search has, of drafts and of events without occasions, too."""

from uuid import UUID

from feeds.index import SelectionIndex
from feeds.vocabulary import Identity, Occasion
from programme import models
from programme.publishing import loading
from programme.publishing.programme_reader import EventRows, OccasionReader
from programme.publishing.revision_cache import RevisionCache
from programme.publishing.shared_values import EPOCH, SharedValues

NO_UUID = UUID(int=0)


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


search = RevisionCache(build_index)


def find_keys(text: str, model: type[models.Event | models.Occasion]) -> set[int]:
    """Return the IDs of the events or the occasions that have all words of a text."""
    index = search.get()
    found = index.search.find([text])
    return {index.by_id[key].event.id for key in found} if model is models.Event else found
