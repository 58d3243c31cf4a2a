"""Edits of every kind, made at random: by models, in bulk, by imports and restorations, and by SQL."""

from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model

from feeds.formats import FORMATS
from feeds.json_parts import build_areas, encode
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.programme_document import build_programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Text
from programme import models
from programme.changes.undo import plan_restoration
from programme.changes.writing import write
from programme.history.versions import find_state_before_deletion
from tests.conftest import NOW
from tests.programme.exchange.imports import import_file
from tests.programme.exchange.schedules import JAZZ, TEA, build_xml
from tests.programme.triggers.writing import execute, make_name
from tests.programmes import make_sample, mark_changed

# Most are published, so that there is something to compare.
STATUSES = 4 * [models.Status.PUBLISHED.value] + [models.Status.DRAFT.value]


class RandomEdits:
    """Edits of what there is in the database; `folder` is for files."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = Random(seed)  # noqa: S311 - no secrets
        self.folder = folder
        self.edits: list[Callable[[], object]] = [
            *(getattr(self, name) for name in sorted(dir(self)) if name.startswith("edit_")),
            # Most edits are of events and occasions.
            *4 * [self.edit_event, self.edit_occasion],
            self.edit_edition,
        ]

    def edit(self) -> None:
        """Make one edit, or several in one transaction, and now and then one that is not committed."""
        chosen = [self.random.choice(self.edits) for _ in range(self.random.choice((1, 1, 1, 2, 4)))]
        with transaction.atomic():
            for edit in chosen:
                edit()
        if self.random.random() < 0.1:
            with transaction.atomic():
                self.edit_event()
                transaction.set_rollback(True)

    def one(self, model: type[Model], **conditions: Any) -> Any:
        keys = list(model._default_manager.filter(**conditions).order_by("pk").values_list("pk", flat=True))
        return model._default_manager.get(pk=self.random.choice(keys)) if keys else None

    def some(self, model: type[Model]) -> Any:
        """Return a row or, now and then, None."""
        return self.one(model) if self.random.random() < 0.7 else None

    def write(self, row: Any, **values: Any) -> None:
        """Write values by the model or in its table."""
        if row is None:
            return
        if self.random.random() < 0.5:
            type(row)._default_manager.filter(pk=row.pk).update(**values)
        else:
            for name, value in values.items():
                setattr(row, name, value)
            row.save()

    def moment(self) -> Any:
        return NOW + timedelta(minutes=self.random.randrange(-60_000, 60_000))

    def edit_event(self) -> None:
        area = self.one(models.Area)
        values: dict[str, Any] = {
            "title": make_name(),
            "status": self.random.choice(STATUSES),
            "area": area,
            "sub_area": self.one(models.SubArea, area=area),
            "type": self.one(models.EventType),
            "organizer": self.some(models.Organizer),
            "language": self.some(models.Language),
            "highlighted": self.random.random() < 0.5,
            "image": self.random.choice(("", "events/ny.jpg")),
            "image_caption": self.random.choice(("", "Bild: Åsa")),
            "intro_sv": self.random.choice(("", "Ny ingress")),
            "audience": self.random.choice(("", "children families")),
            "price": self.random.choice(("", "Gratis", "120 kr")),
        }
        chosen = self.random.sample(sorted(values), 2)
        self.write(self.one(models.Event), **{name: values[name] for name in chosen})

    def edit_new_event(self) -> None:
        status = self.random.choice(STATUSES)
        event = models.Event.objects.create(
            title=make_name(), status=status, area=self.one(models.Area), type=models.EventType.other()
        )
        for _ in range(self.random.randrange(3)):
            self._add_occasion(event)

    def _add_occasion(self, event: models.Event) -> None:
        start = self.moment()
        models.Occasion.objects.create(event=event, start=start, end=start + timedelta(hours=1))

    def edit_delete_event(self) -> None:
        if models.Event.objects.count() > 6:
            self.one(models.Event).delete()

    def edit_occasion(self) -> None:
        start = self.moment()
        values: dict[str, Any] = {
            "start": start,
            "event": self.one(models.Event),
            "cancelled": self.random.random() < 0.5,
            "location": self.some(models.Location),
            "room": self.some(models.Room),
            "stream": self.some(models.Stream),
            "booking": self.random.choice(("", "full")),
            "access": self.random.choice(("", "sign-language")),
            "booking_from": self.random.choice((None, self.moment())),
        }
        chosen = {name: values[name] for name in self.random.sample(sorted(values), 2)}
        if "start" in chosen:
            chosen["end"] = start + timedelta(hours=2)
        if room := chosen.get("room"):
            chosen["location"] = room.location
        elif "location" in chosen:
            chosen["room"] = None
        self.write(self.one(models.Occasion), **chosen)

    def edit_new_occasion(self) -> None:
        self._add_occasion(self.one(models.Event))

    def edit_delete_occasion(self) -> None:
        if models.Occasion.objects.count() > 9:
            self.one(models.Occasion).delete()

    def edit_occasion_comes_back_elsewhere(self) -> None:
        if gone := self.one(models.GoneOccasion):
            models.Occasion.objects.filter(uuid=gone.uuid).delete()
            event = self.one(models.Event)
            models.Occasion.objects.create(
                id=gone.id, uuid=gone.uuid, event=event, start=NOW, end=NOW + timedelta(hours=1)
            )

    def edit_restore_event(self) -> None:
        deleted = models.Event.history.filter(history_type="-").exclude(
            id__in=models.Event.objects.values("id")
        )
        keys = sorted(set(deleted.values_list("id", flat=True)))
        if keys:
            key, parts = self.random.choice(keys), [(models.Occasion, "event")]
            # What it refers to may have changed so that it is refused.
            with suppress(ValidationError), transaction.atomic():
                state = find_state_before_deletion(models.Event, key, parts)
                write(plan_restoration(models.Event, key, parts, state))

    def edit_import(self) -> None:
        path = self.folder / "schedule.xml"
        tea = TEA | {"title": make_name(), "date": self.moment().isoformat()}
        path.write_text(build_xml(*self.random.choice(([tea], [JAZZ], [tea, JAZZ]))))
        import_file(path)

    def edit_area(self) -> None:
        values = {"name": make_name(), "sort_order": self.random.randrange(9), "price": make_name()}
        name = self.random.choice(sorted(values))
        self.write(self.one(models.Area), **{name: values[name]})

    def edit_areas(self) -> None:
        area = models.Area.objects.create(name=make_name(), sort_order=self.random.randrange(9))
        models.SubArea.objects.create(name=make_name(), area=self.one(models.Area))
        if empty := self.one(models.Area, events=None, sub_areas=None):
            empty.delete()
        self.write(self.one(models.Event), area=self.one(models.Area) or area)

    def edit_sub_area(self) -> None:
        self.write(self.one(models.SubArea), name=make_name(), area=self.one(models.Area))

    def edit_day_of_area(self) -> None:
        day = models.Day.on(date(2026, 7, self.random.randrange(1, 32)))
        models.AreaDay.objects.update_or_create(
            area=self.one(models.Area), day=day, defaults={"title": make_name()}
        )
        if self.random.random() < 0.5:
            self.one(models.AreaDay).delete()

    def edit_stream(self) -> None:
        self.write(self.one(models.Stream), name=make_name())
        models.Stream.objects.create(
            name=make_name(),
            url="https://video.example/",
            **self.random.choice(({"area": self.one(models.Area)}, {})),
        )
        self.write(self.one(models.Stream, area=None), sub_area=self.some(models.SubArea))
        if self.random.random() < 0.3:
            self.one(models.Stream).delete()

    def edit_people_and_words(self) -> None:
        models.Organizer.objects.create(name=make_name())
        self.write(self.one(self.random.choice((models.Organizer, models.Location))), name=make_name())
        self.write(self.one(self.random.choice((models.EventType, models.Language))), name_sv=make_name())
        if unused := self.one(models.Organizer, events=None):
            unused.delete()

    def edit_room(self) -> None:
        self.write(self.one(models.Room), name=make_name(), location=self.one(models.Location))
        self.write(self.one(models.Room), parallel=self.random.random() < 0.5)

    def edit_festival(self) -> None:
        models.Festival.objects.update_or_create(defaults={"name_sv": make_name(), "country": "SE"})

    def edit_edition(self) -> None:
        """Begin, move or choose an edition, or delete one; most of the programme is in the second one."""
        days = [NOW.date() + timedelta(each) for each in (-200, -25, 15, 200)]
        place = self.random.randrange(3)
        edition = self.one(models.Edition, first_day__range=days[place : place + 2]) or models.Edition(
            slug=make_name()
        )
        edition.name_sv = make_name()
        edition.first_day = days[place] + timedelta(self.random.randrange(1, 10))
        edition.last_day = days[place + 1] - timedelta(self.random.randrange(10))
        edition.save()
        if self.random.random() < 0.5:
            self.write(self.one(models.Edition), current_since=self.moment())
        if self.random.random() < 0.1:
            models.Edition.objects.all().delete()

    def edit_delete_edition(self) -> None:
        if self.random.random() < 0.3 and (edition := self.one(models.Edition)):
            edition.delete()

    def edit_name_of_edition(self) -> None:
        self.write(
            self.one(models.Edition), **{self.random.choice(("slug", "name_sv", "name_en")): make_name()}
        )

    def edit_many(self) -> None:
        models.Event.objects.filter(id__in=[self.one(models.Event).pk for _ in range(3)]).update(price="5 kr")

    def edit_news(self) -> None:
        told = models.Occasion.objects.filter(id__in=[self.one(models.Occasion).pk for _ in range(3)])
        former = self.random.choice(
            ({}, {"start": self.moment().isoformat()}, {"location": 0, "place": "Där"})
        )
        mark_changed(told, Text("Ny", "New"), self.moment(), former, appears_at=self.moment())

    def edit_delete_news(self) -> None:
        if news := self.one(models.News):
            news.delete()

    def edit_by_sql(self) -> None:
        event, organizer = self.one(models.Event).pk, self.one(models.Organizer).pk
        statements = (
            f"UPDATE programme_event SET title = '{make_name()}' WHERE id = {event}",
            f"UPDATE programme_occasion SET cancelled = NOT cancelled WHERE event_id = {event}",
            f"DELETE FROM programme_occasion WHERE event_id = {event}",
            f"UPDATE programme_organizer SET offer_count = offer_count + 1 WHERE id = {organizer}",
            f"UPDATE programme_event SET status = 'draft' WHERE id = {event}",
            f"UPDATE programme_occasion SET id = id + 100000 WHERE event_id = {event}",
            "UPDATE programme_location SET online = NOT online",
            "UPDATE programme_organizer SET name_key = name_key WHERE 0 = 1",
            "DELETE FROM programme_changedevent",
            "DELETE FROM programme_revision",
        )
        execute(self.random.choice(statements))

    def edit_what_triggers_write(self) -> None:
        models.GoneOccasion.objects.update(gone_at=self.moment())
        models.PublishedYear.objects.update(published_at=self.moment())
        self.edit_event()

    def edit_without_triggers(self) -> None:
        if self.random.random() < 0.3:
            if connection.vendor == "postgresql":
                execute("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE programme_occasion CASCADE")
                for event in models.Event.objects.all():
                    self._add_occasion(event)
            else:
                execute(
                    "REPLACE INTO programme_location (id, name, name_key, address, online, accessibility_sv,"
                    " accessibility_en, public_transport_station) SELECT id, name, name_key, address, online,"
                    " 'Trappa', '', '' FROM programme_location"
                )


def flush() -> None:
    call_command("flush", interactive=False, verbosity=0)
    make_sample()


def write_documents(programme: Programme, instant: datetime) -> dict[str, bytes]:
    """Return every document of the whole programme as of an instant, by path."""
    programme.precompute()
    snapshot = Snapshot(programme, instant)
    documents = {"areas.json": encode(build_areas(programme))}
    documents["programme"] = encode(build_programme(Listing(snapshot, Selection())))
    for language in LANGUAGES:
        listing = Listing(snapshot, Selection(language=language))
        documents |= {f"events.{each.extension}?{language}": each().write_events(listing) for each in FORMATS}
    return documents
