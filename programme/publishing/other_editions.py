"""The programmes of editions other than the current one: loaded on request, dropped when idle."""

import time
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import reduce
from operator import or_
from threading import Lock

from django.db import Error, OperationalError
from django.db.models import Count

from feeds.editions import Edition
from feeds.listing import RemovedOccasion
from feeds.programme import Programme
from feeds.vocabulary import Identity, Revision
from programme import models
from programme.models.editions import within
from programme.publishing import loading
from programme.publishing.serving_snapshot import ServedProgramme, ServingSnapshot

# Seconds after its last request until a programme is dropped, and the most programmes in memory.
KEPT_FOR, MOST = 600.0, 8
# Edition, ID, title and start of an occasion.
Titled = tuple[Edition, int, str, datetime]
PUBLISHED = models.Occasion.objects.filter(event__status=models.Status.PUBLISHED)


class OtherEditions:
    """The programmes in this process's memory by slug, with the time of the last request."""

    def __init__(self) -> None:
        self._lock = Lock()
        # Acquired by the thread that loads a programme, which takes seconds; others do not wait.
        self._loading = Lock()
        self._served: dict[str, tuple[ServedProgramme, float]] = {}

    def at(
        self, edition: Edition, present: Programme, instant: datetime, away: Error | None
    ) -> ServingSnapshot:
        """Return an edition's snapshot of an instant, not older than the present programme.

        During an outage, of which `away` is the error, or while another thread loads an edition, the snapshot
        may be older; raise `Error` if there is none in memory. Raise `LookupError` for a deleted edition.
        """
        self.forget_idle()
        served = self._load(edition.slug, present.revision, away)
        with self._lock:
            # Another thread may have loaded a newer one.
            served, _ = self._served.pop(edition.slug, (served, 0.0))
            self._served[edition.slug] = served, time.monotonic()
            # In the order of the last requests.
            for slug in [*self._served][:-MOST]:
                del self._served[slug]
            return served.find(instant) or served.renew(instant)

    def _load(self, slug: str, present: Revision, away: Error | None) -> ServedProgramme:
        is_free = self._loading.acquire(blocking=False)
        former, _ = self._served.get(slug, (None, 0.0))
        try:
            known = former.programme.revision if former else None
            if former and known and known.lineage == present.lineage and known.number >= present.number:
                return former
            if away or not is_free:
                raise away or OperationalError("An edition is being loaded.")
            served = ServedProgramme(loading.load(former.programme if former else None, slug), share=MOST)
            self._served[slug] = served, time.monotonic()
        except Error:
            if former is None:
                raise
            return former
        else:
            return served
        finally:
            if is_free:
                self._loading.release()

    def forget_idle(self) -> None:
        for slug, (_, asked) in [*self._served.items()]:
            if asked < time.monotonic() - KEPT_FOR:
                self._served.pop(slug, None)

    def find_holder(self, occasion_id: int) -> Edition | None:
        """Return the edition in memory that has an occasion."""
        programmes = [served.programme for served, _ in [*self._served.values()]]
        return next((each.edition for each in programmes if occasion_id in each.by_id), None)


def find_start(occasion_id: int) -> datetime | None:
    """Return the start of a published occasion of any edition, None if there is none with this ID."""
    return PUBLISHED.filter(pk=occasion_id).values_list("start", flat=True).first()


def find_last(location_id: int, programme: Programme) -> int | None:
    """Return the ID of the last published occasion of any edition in a place, None if there is none."""
    of_any = reduce(or_, (within(each.span(programme.site.time)) for each in programme.editions))
    found = PUBLISHED.filter(of_any, location=location_id)
    return found.order_by("-start").values_list("pk", flat=True).first()


def count_occasions(programme: Programme) -> dict[int, int]:
    """Return the number of published occasions of each edition, by its ID."""
    counts = {
        f"edition_{each.id}": Count("pk", filter=within(each.span(programme.site.time)))
        for each in programme.editions
    }
    return {int(name.removeprefix("edition_")): size for name, size in PUBLISHED.aggregate(**counts).items()}


def read_titles(ids: Collection[int], programme: Programme) -> Iterator[Titled]:
    """Yield the published occasions of any edition with some IDs, in order."""
    found = PUBLISHED.filter(pk__in=ids).order_by("start", "pk") if ids else PUBLISHED.none()
    for key, title, start in found.values_list("pk", "event__title", "start"):
        day = programme.site.time.day_of(start)
        yield from ((each, key, title, start) for each in programme.editions if each.holds(day))


def read_left(
    edition: Edition, programme: Programme, edited_at: datetime, since: datetime
) -> Iterator[RemovedOccasion]:
    """Yield published occasions outside a programme's edition that may have left it since an instant.

    Occasions may leave when editions are edited (`edited_at`) and when they are modified.
    """
    query = PUBLISHED.exclude(within(edition.span(programme.site.time)))
    if edited_at < since:
        query = query.filter(event__last_modified__gte=since)
    columns = ("id", "uuid", "event_id", "uid", "start", "event__last_modified")
    for *identity, start, modified in query.order_by().values_list(*columns):
        yield RemovedOccasion(Identity(*identity), max(modified, edited_at), start)
