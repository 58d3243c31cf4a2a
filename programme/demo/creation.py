"""Creates the demo festival in the database, around the day of an instant, and deletes it."""

from datetime import datetime, time, timedelta
from functools import partial
from typing import Any

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_noop

from feeds.festival_time import FestivalTime
from feeds.marks import NO_MARK, Mark
from feeds.vocabulary import Text
from programme import models
from programme.demo import files
from programme.demo.files import Row
from programme.history import edits, news
from programme.models.festival_images import make_icons

# The reason of the edit.
REASON = gettext_noop("the demo festival")
# What was done, for whoever has asked for it.
CREATED = "The demo festival was created: five days, with today in the middle."
UNCHANGED = "The demo festival exists already; nothing was changed."
PAST = f"{UNCHANGED}\nIts days are over: --start-over creates it again around today."
# The `source` of the demo's events and occasions.
SOURCE = "demo"
# In the order in which they can be deleted.
MODELS: tuple[Any, ...] = (
    *(
        models.News,
        models.ListItem,
        models.OccasionList,
        models.Occasion,
        models.Event,
        models.Organizer,
        models.EventType,
        models.Language,
        models.Room,
        models.Location,
    ),
    *(models.Stream, models.SubArea, models.AreaDay, models.Area, models.Day, models.Festival),
)
# The programme was published in three parts, so many days before today, at ten in the morning.
RELEASES = (49, 35, 21)
MORNING = time(10)
# What an event's entry says of all of its occasions that do not say it themselves.
_SHARED = {"location", "room", "cancelled", "booking", "booking_url", "booking_opens", "access", "change"}


def has_programme() -> bool:
    return any(model.objects.exists() for model in (models.Festival, models.Area, models.Event))


def has_demo() -> bool:
    """Return whether the programme began as the demo, whatever has been edited since."""
    return models.Event.objects.filter(source=SOURCE).exists()


def describe_other_content() -> list[str]:
    """Return descriptions of what does not belong to the demo, which `clear` would delete for good."""
    found = []
    name = models.Festival.objects.values_list("name_sv", flat=True).first()
    if name not in {None, files.read_festival()["festival"]["name_sv"]}:
        found.append(f"the festival “{name}”")
    if events := models.Event.objects.exclude(source=SOURCE).count():
        found.append(f"{events} event{'' if events == 1 else 's'} of other origin")
    return found


@transaction.atomic
def clear() -> None:
    """Delete the whole programme with its history, and on commit the demo's pictures."""
    for event in models.Event.objects.filter(source=SOURCE).exclude(image=""):
        transaction.on_commit(partial(event.image.storage.delete, str(event.image.name)))
    for model in MODELS:
        model.objects.all().delete()
    versioned: list[Any] = models.models_with_history()
    for model in versioned:
        model.history.all().delete()
    models.Edit.objects.all().delete()


def create_or_keep(instant: datetime, festival_time: FestivalTime, *, start_over: bool) -> str:
    """Create the demo in an empty database, or instead of what is there; return what was done."""
    if start_over:
        clear()
    if has_programme():
        return UNCHANGED if models.Occasion.objects.filter(end__gt=instant).exists() else PAST
    create(instant, festival_time)
    return CREATED


def create(instant: datetime, festival_time: FestivalTime) -> None:
    with edits.record(moment=instant, reason=REASON):
        _Creation(instant, festival_time).run()
    released = festival_time.instant(festival_time.day_of(instant) - timedelta(days=RELEASES[-1]), MORNING)
    models.News.objects.filter(kind="new").update(told_at=released, appears_at=released)


class _Creation:
    def __init__(self, instant: datetime, festival_time: FestivalTime) -> None:
        self.instant = instant
        self.festival_time = festival_time
        self.today = festival_time.day_of(instant)
        # By name; those of sub areas and rooms come after the name of their area or location.
        self.rows: dict[tuple[type[Any], *tuple[str, ...]], Any] = {}
        self.marks: list[tuple[models.Occasion, Mark]] = []

    def run(self) -> None:
        content = files.read_festival()
        face = {path.stem: ContentFile(path.read_bytes(), path.name) for path in files.FOLDER.glob("face/*")}
        make_icons(str(models.Festival.objects.create(**content["festival"], **face).icon))
        types = [{"sort_order": number} | row for number, row in enumerate(content["types"], 1)]
        self._create_named(models.EventType, "name_sv", types)
        self._create_named(models.Language, "code", content["languages"])
        self._create_named(models.Organizer, "name", content["organizers"])
        for row in content["locations"]:
            rooms, key = row.pop("rooms", []), row["name"]
            location = self.rows[models.Location, key] = models.Location.objects.create(**row)
            for room in rooms:
                self.rows[models.Room, key, room["name"]] = models.Room.objects.create(
                    location=location, **room
                )
        self._create_streams(content["streams"])
        for day in range(files.FIRST_DAY, files.LAST_DAY + 1):
            models.Day.on(files.get_date(day, self.today))
        for number, row in enumerate(content["areas"], 1):
            self._create_area(row | {"sort_order": number})
        self._create_events()
        for row in content["lists"]:
            self._create_list(row.pop("events"), row.pop("occasions"), row)
        # The database has set its own present, which is later than the instant.
        models.Festival.objects.update(saved_at=self.instant)

    def _create_named(self, model: type[Any], key: str, rows: list[Row]) -> None:
        created = model.objects.bulk_create(model(**row) for row in rows)
        self.rows |= {(model, getattr(each, key)): each for each in created}

    def _create_streams(self, rows: list[Row], **owner: Any) -> None:
        for row in rows:
            self.rows[models.Stream, row["name"]] = models.Stream.objects.create(**row, **owner)

    def _create_area(self, row: Row) -> None:
        sub_areas, days, streams = (row.pop(name, []) for name in ("sub_areas", "days", "streams"))
        area = self.rows[models.Area, row["name"]] = models.Area.objects.create(**row)
        self._create_streams(streams, area=area)
        for number, sub_area in enumerate(sub_areas, 1):
            own_streams = sub_area.pop("streams", [])
            created = models.SubArea.objects.create(area=area, sort_order=number, **sub_area)
            self.rows[models.SubArea, area.name, created.name] = created
            self._create_streams(own_streams, sub_area=created)
        for day in days:
            date = files.get_date(day.pop("day"), self.today)
            models.AreaDay.objects.create(area=area, day=models.Day.on(date), **day)

    def _create_events(self) -> None:
        events: list[models.Event] = []
        occasions: list[models.Occasion] = []
        for area, rows in files.read_events():
            for row in rows:
                entries = row.pop("occasions", [])
                # What the occasions have in common.
                shared = {name: row.pop(name) for name in _SHARED & row.keys()}
                event = self._build_event(len(events), area, row)
                events.append(event)
                occasions += self._build_occasions(event, entries, shared)
        models.Event.objects.bulk_create(events)
        models.Occasion.objects.bulk_create(occasions)
        models.News.objects.bulk_create(news.build_pieces(self.marks, edits.begin()))
        self._set_last_modified(events)

    def _build_event(self, number: int, area: str, row: Row) -> models.Event:
        related = {
            "area": self.rows[models.Area, area],
            "sub_area": self._find(models.SubArea, area, row.get("sub_area")),
            "type": self.rows[models.EventType, row["type"]],
            "type_2": self._find(models.EventType, row.get("type_2")),
            "organizer": self._find(models.Organizer, row.get("organizer")),
            "language": self._find(models.Language, row.get("language")),
        }
        kept = {"status": models.Status.PUBLISHED, "source": SOURCE, "source_id": row["title"]}
        event = models.Event(**kept | row | related)
        if event.status == models.Status.PUBLISHED:
            event.published_at = self._morning(RELEASES[number % len(RELEASES)]) + timedelta(minutes=number)
        picture = files.FOLDER / "pictures" / f"{slugify(event.title)}.jpg"
        if picture.exists():
            event.image = ContentFile(picture.read_bytes(), picture.name)
        return event

    def _build_occasions(
        self, event: models.Event, entries: list[str | Row], shared: Row
    ) -> list[models.Occasion]:
        occasions: list[models.Occasion] = []
        for entry in entries:
            values: Row = shared | ({"at": entry} if isinstance(entry, str) else entry)
            values["room"] = self._find(models.Room, values.get("location"), values.get("room"))
            values["location"] = self._find(models.Location, values.get("location"))
            if "booking_opens" in values:
                values["booking_from"] = self._morning(-values.pop("booking_opens"))
            values["stream"] = self._find(models.Stream, values.get("stream"))
            mark = self._read_mark(values)
            for times in files.parse_times(values.pop("at")):
                start, end = times.span(self.today, self.festival_time)
                named = {"source": SOURCE, "source_id": f"{event.source_id} / {len(occasions) + 1}"}
                occasion = models.Occasion(event=event, start=start, end=end, **named, **values)
                occasion.published_at = event.published_at
                occasions.append(occasion)
                self.marks.append((occasion, mark))
        return occasions

    def _read_mark(self, values: Row) -> Mark:
        """Take out of the values of an occasion what readers were told of it."""
        change, start = values.pop("change", None), None
        place = values.pop("previous_place", "")
        if "moved_from" in values:
            [before] = files.parse_times(values.pop("moved_from"))
            start, _end = before.span(self.today, self.festival_time)
        if change is None:
            return NO_MARK
        told_at = self.instant - timedelta(hours=change["hours_ago"])
        return Mark(told_at, Text(change["note"], change.get("note_en", "")), start, place)

    def _create_list(self, events: list[str], occasions: list[str], row: Row) -> None:
        created = models.OccasionList.objects.create(published=True, **row)
        items: list[Row] = [{"event": each} for each in models.Event.objects.filter(source_id__in=events)]
        items += [{"occasion": each} for each in models.Occasion.objects.filter(source_id__in=occasions)]
        models.ListItem.objects.bulk_create(models.ListItem(on_list=created, **each) for each in items)

    def _find(self, model: type[Any], *names: str | None) -> Any:
        """Return the row of a name, None without any; KeyError for a name that no row has."""
        return self.rows[model, *names] if names[-1] else None  # type: ignore[index]

    def _morning(self, days_ago: int) -> datetime:
        return self.festival_time.instant(self.today - timedelta(days=days_ago), MORNING)

    def _set_last_modified(self, events: list[models.Event]) -> None:
        """Set a plausible moment of the last edit of each event, instead of the database's present."""
        told_at = {each.event_id: mark.changed_at for each, mark in self.marks if mark.changed_at}
        for number, event in enumerate(events):
            edited = self._morning(3 + number % 17) + timedelta(minutes=7 * number % 400)
            event.last_modified = told_at.get(event.pk) or edited
        models.Event.objects.bulk_update(events, ["last_modified"])
