"""Reads events, occasions and gone occasions, and joins their rows into values in Python."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from feeds import vocabulary
from feeds.editions import Edition, find_current
from feeds.facts import Stated, derive_stated, facts_of, find_tokens
from feeds.grouping import by_order
from feeds.marks import find_mark
from feeds.news import NEVER, News, NewsState, choose_newest
from feeds.programme import Programme
from feeds.vocabulary import GoneOccasion, Identity, Revision, Site
from programme import models
from programme.models.editions import within
from programme.models.event_types import FURTHER_TYPES
from programme.publishing.news_reader import read_rows
from programme.publishing.shared_values import KEPT, Known, SharedValues, build_url, find_known
from programme.publishing.struct_columns import StructColumns, parse_instant

Rows = Iterable[tuple[Any, ...]]

ORGANIZER = StructColumns(vocabulary.Organizer, models.Organizer)
EVENT = StructColumns(vocabulary.Event, models.Event)
_IMAGE_COLUMNS = ("image", "image_focus_x", "image_focus_y")
_REFERENCES = ("area_id", "sub_area_id", "language_id", "type_id", "organizer_id")
_FURTHER_TYPES = [f"{name}_id" for name in FURTHER_TYPES]


def read_programme(
    revision: Revision, site: Site, before: Programme | None, asked: str | None = None
) -> Programme:
    """Return the programme of an edition, by its slug, or of the current one.

    Raise `LookupError` if there is no such edition.
    """
    known = find_known(before.occasions if before else ())
    shared = SharedValues(site, known)
    by_slug = {each.slug: each for each in shared.editions}
    edition = find_current(shared.editions) if asked is None else by_slug[asked]
    news, gone = [*read_rows(models.News.objects.all())], build_gone(select_gone())
    return _join(revision, shared, known, ALL.within(edition, site), news, gone, edition)


def within_edition(news: Collection[News], edition: Edition | None, site: Site) -> Iterator[News]:
    """Yield the news of an edition's feeds, about occasions that are or were in it."""
    for each in news:
        if each.appears_at != NEVER and (
            edition is None or any(edition.holds(site.time.day_of(state.start)) for state in each.states)
        ):
            yield each


def read_events(revision: Revision, site: Site, events: QuerySet[models.Event]) -> Programme:
    """Return a programme of some events, whether they are published or not."""
    organizers = models.Organizer.objects.filter(id__in=events.values("organizer_id"))
    occasions = models.Occasion.objects.filter(event__in=events)
    news = read_rows(models.News.objects.filter(occasion_id__in=occasions.values("id")))
    return _join(revision, SharedValues(site, {}), {}, EventRows(events, occasions, organizers), [*news])


def _join(  # noqa: PLR0913, PLR0917 - the parts of a programme
    revision: Revision,
    shared: SharedValues,
    known: Known,
    rows: "EventRows",
    news: Collection[News],
    gone: Iterable[GoneOccasion] = (),
    edition: Edition | None = None,
) -> Programme:
    programme = Programme(
        revision=revision,
        site=shared.site,
        occasions=tuple(
            sorted(OccasionReader(shared, known, news).read(*rows.select()), key=lambda each: each.order)
        ),
        gone={each.id: each for each in gone},
        news=choose_newest(sorted(within_edition(news, edition, shared.site), key=by_order)),
        edition=edition,
        **shared.fields,
    )
    vars(programme)[KEPT] = shared
    return programme


class EventRows(NamedTuple):
    """Queries for some events, all of their occasions, and at least their organizers."""

    events: QuerySet[models.Event]
    occasions: QuerySet[models.Occasion]
    organizers: QuerySet[models.Organizer]

    def within(self, edition: Edition | None, site: Site) -> "EventRows":
        """Return the queries restricted to an edition, if any."""
        if edition is None:
            return self
        in_edition = within(edition.span(site.time))
        occasions = models.Occasion.objects.filter(in_edition).order_by()
        events = self.events.filter(id__in=occasions.values("event_id"))
        organizers = self.organizers.filter(id__in=events.order_by().values("organizer_id"))
        return EventRows(events, self.occasions.filter(in_edition), organizers)

    def select(self) -> tuple[QuerySet[Any, Any], ...]:
        """Return the queries for the columns of events, occasions and organizers."""
        further = (*_IMAGE_COLUMNS, *EVENT_FACTS, *_REFERENCES, *_FURTHER_TYPES)
        events = EVENT.select(self.events, *further)
        return events, _select_occasions(self.occasions), ORGANIZER.select(self.organizers)

    def of_events(self, event_ids: Collection[int]) -> "EventRows":
        events = self.events.filter(id__in=event_ids)
        return EventRows(
            events,
            self.occasions.filter(event__in=event_ids),
            self.organizers.filter(id__in=events.values("organizer_id")),
        )


EVENT_FACTS = [fact.name for fact in facts_of("event")]
OCCASION_FACTS = [fact.name for fact in facts_of("occasion")]
# The place of the first fact in a row of an occasion, before the four columns of its identity.
_FIRST_FACT = -4 - len(OCCASION_FACTS)
ALL = EventRows(
    models.Event.objects.filter(status=models.Status.PUBLISHED),
    models.Occasion.objects.filter(event__status=models.Status.PUBLISHED),
    models.Organizer.objects.all(),
)


class OccasionReader:
    """Reads the tables in the order in which rows refer to each other."""

    def __init__(self, shared: SharedValues, known: Known, news: Iterable[News]) -> None:
        self.shared = shared
        self.known = known
        # By occasion.
        self.news: dict[int, list[News]] = defaultdict(list)
        for each in news:
            self.news[each.occasion_id].append(each)
        # The stated facts of each event, by ID.
        self.facts: dict[int, Stated] = {}

    def read(self, events: Rows, occasions: Rows, organizers: Rows) -> Iterator[vocabulary.Occasion]:
        """Yield the occasions of rows (`EventRows.select`)."""
        read = (vocabulary.Organizer(**values) for values, _ in ORGANIZER.build(organizers))
        found = {organizer.id: self.known.get(organizer, organizer) for organizer in read}
        self.related = {**self.shared.related, "organizer_id": found}
        self.events = {event.id: event for event in self._events(events)}
        return self._occasions(occasions)

    def _events(self, rows: Rows) -> Iterator[vocabulary.Event]:
        references = [(column.removesuffix("_id"), self.related[column]) for column in _REFERENCES]
        for values, (image, x, y, *others) in EVENT.build(rows):
            keys = iter(others[len(EVENT_FACTS) :])
            for (name, related), key in zip(references, keys, strict=False):
                values[name] = related.get(key)
            self.facts[values["id"]] = derive_stated(tuple(others[: len(EVENT_FACTS)]), values["price"])
            values["image_url"] = build_url(image, self.shared.site) or values["image_url"]
            values["image_focus"] = (x, y)
            values["picture"] = self.shared.picture(values["image_url"], (x, y))
            values["published_at"] = values["published_at"] or values["last_modified"]
            if found := dict.fromkeys(self.related["type_id"][key] for key in keys if key):
                found.pop(values["type"], None)
                values["further_types"] = tuple(found)
            event = vocabulary.Event(**values)
            yield self.known.get(event, event)

    def _occasions(self, rows: Rows) -> Iterator[vocabulary.Occasion]:
        for row in rows:
            columns, stated, identity = row[:_FIRST_FACT], row[_FIRST_FACT:-4], Identity(*row[-4:])
            *instants, opens, cancelled, location, room, stream, url = columns
            event, (start, end) = self.events[identity.event_id], map(parse_instant, instants)
            place, mark = self.shared.place(location, room), {}
            if news := self.news.get(identity.id):
                known_as = NewsState(start, end, cancelled, location, room, place.full_name if place else "")
                mark = find_mark(news, known_as, self.shared.fields["merged"])._asdict()
            occasion = vocabulary.Occasion(
                identity=identity,
                event=event,
                start=start,
                end=end,
                cancelled=cancelled,
                place=place,
                stream=self.shared.streams.get(stream),
                **mark,
                facts=find_tokens(place.stated if place else (), self.facts[event.id], stated),
                booking_url=url,
                booking_from=parse_instant(opens) if opens else None,
            )
            yield self.known.get(occasion, occasion)


def _select_occasions(query: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    instants = [Cast(name, TextField()) for name in ("start", "end", "booking_from")]
    own = ("cancelled", "location_id", "room_id", "stream_id", "booking_url", *OCCASION_FACTS)
    identity = ("id", "uuid", "event_id", "uid")
    rows: QuerySet[Any, Any] = query.order_by().values_list(*instants, *own, *identity)
    return rows


def select_gone(event_ids: Collection[int] | None = None) -> QuerySet[Any, Any]:
    """Return the query for deleted and withdrawn occasions of all or some events.

    The time of a withdrawal is that of the last modification of its event, which may be later.
    """
    former = models.Occasion.objects.filter(published_at__isnull=False)
    every: Any = (models.GoneOccasion.objects.all(), former.exclude(event__status=models.Status.PUBLISHED))
    deleted, withdrawn = (
        query if event_ids is None else query.filter(event_id__in=event_ids) for query in every
    )
    columns = ("id", "uuid", "event_id", "uid")
    rows: QuerySet[Any, Any] = deleted.order_by().values_list(*columns, Cast("gone_at", TextField()))
    modified = Cast("event__last_modified", TextField())
    return rows.union(withdrawn.order_by().values_list(*columns, modified), all=True)


def build_gone(rows: Rows) -> Iterator[GoneOccasion]:
    return (GoneOccasion(*identity, at=parse_instant(at)) for *identity, at in rows)
