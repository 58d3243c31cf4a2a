"""The rows of a sheet as events with their occasions, and what is wrong with which cell."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from feeds.names import fold
from programme.exchange.readers.entries import clean_identifier
from programme.exchange.readers.sheet.columns import IDENTITY
from programme.exchange.readers.sheet.mapping import Mapping, MissingColumnError, Sheet, Source, find_sheet
from programme.exchange.readers.sheet.rows import (
    RefusedRowError,
    RowPlace,
    SheetRow,
    build_occasion,
    build_row,
    find_place,
    is_identity,
)
from programme.exchange.readers.sheet.tables import read_table
from programme.exchange.readers.sheet.values import fit_line, parse_language, parse_values
from programme.exchange.text.titles import read_title
from programme.exchange.text.truncate import truncate
from programme.exchange.values import (
    Conference,
    Contents,
    ImportDefaults,
    Problem,
    ReadResult,
    ScheduledEvent,
    ScheduledOccasion,
    UnreadableFileError,
)
from programme.models import EventType, Organizer
from programme.models.cleaning import clean_line

# Fields of an occasion: an event's other cells may be left empty below its first row.
_OF_OCCASIONS = (
    "day", "festival_day", "start", "end_day", "end", "duration", "location", "address", "room",
    "occasion_id", "occasion_cancelled", "occasion_location", "occasion_address", "occasion_room",
    "last_modified",
)  # fmt: skip
_PLACE = {"location", "room"}


def read_sheet(content: bytes, given: ImportDefaults) -> ReadResult:
    """Return what a sheet says: one row per occasion. Raises `NotASchedule`."""
    sheet = find_sheet(read_table(content), given.mappings)
    if not sheet.rows:
        raise UnreadableFileError(_("it has headings, but no rows"))
    return ReadResult(Conference(), _Sheet(sheet, given).contents())


class _Sheet:
    def __init__(self, sheet: Sheet, given: ImportDefaults) -> None:
        self.mapping = _in_one_language(sheet.mapping, given.language)
        self.sheet = sheet
        self.rows = sheet.rows
        self.given = given
        self.time = given.time
        self.problems: list[Problem] = []
        self.unread_keys: set[str] = set()
        self.unread_guids: set[str] = set()

    def contents(self) -> Contents:
        records = self._records()
        ours = self._is_ours(records)
        groups = self._groups(records)
        events = (self._event(key, group, ours=ours) for key, group in self.given.progress(groups))
        found = tuple(event for event in events if event)
        self._require_times(records, found)
        self._tell_no_ends(found)
        if not ours:
            self._tell_columns()
        problems = sorted(self.problems, key=lambda problem: problem.row)
        return Contents(
            events=found,
            problems=tuple(problems),
            stated=self._stated(),
            unread_keys=frozenset(self.unread_keys),
            unread_guids=frozenset(self.unread_guids),
            is_own_export=ours,
            doubtful=self.sheet.is_doubtful and not ours,
        )

    def _tell_no_ends(self, events: Sequence[ScheduledEvent]) -> None:
        """Say once that the sheet has no column that tells how long anything takes."""
        assumed = sum(bool(each.note) for event in events for each in event.occasions)
        if assumed and not {"end", "duration"} & self.mapping.sources.keys():
            say = ngettext(
                "no column says when it ends: 30 minutes assumed for %(count)d occasion",
                "no column says when it ends: 30 minutes assumed for %(count)d occasions",
                assumed,
            )
            self._tell_of_sheet(say % {"count": assumed})

    def _tell_of_sheet(self, what: str) -> None:
        self.problems.append(Problem(_("the sheet"), what, whole=True))

    def _tell_columns(self) -> None:
        """Say which columns of the sheet are left alone, and which of them because another was taken."""
        doubled = self.sheet.doubled
        others = [self.mapping.headings[place] for place in self.sheet.unused if place not in doubled]
        if others:
            self._tell_of_sheet(_("columns that are left alone: %(names)s") % {"names": ", ".join(others)})
        for place, taken in doubled.items():
            names = {"other": self.mapping.headings[place], "taken": self.mapping.heading_of(taken)}
            self._tell_of_sheet(_("“%(other)s” is left alone, because it is the same as “%(taken)s”") % names)

    def _require_times(self, records: Sequence[SheetRow], events: Sequence[ScheduledEvent]) -> None:
        """Raise `MissingColumnError` where nothing has a time for want of a column that says it."""
        if any(event.occasions for event in events) or not any(record.has_time for record in records):
            return
        fields = self.mapping.sources.keys()
        if not {"day", "festival_day", "start"} & fields:
            raise MissingColumnError(_("no column says the date: choose which one does on the import page"))
        if "start" not in fields:
            raise MissingColumnError(
                _("no column says the start time: choose which one does on the import page")
            )

    def _records(self) -> list[SheetRow]:
        """Return the rows, those that stand there twice word for word but once."""
        records: list[SheetRow] = []
        seen: dict[tuple[str, ...], int] = {}
        for row in self.rows:
            if row.cells in seen:
                what = _("the same as row %(row)s, word for word; taken once") % {"row": seen[row.cells]}
                self.problems.append(Problem(_("row %(row)s") % {"row": row.number}, what, row.number))
                continue
            record = build_row(row.number, row.cells, self.mapping, self.given.days)
            # A row without a title continues the event above: there it may well stand twice for two events.
            if record.text("title"):
                seen[row.cells] = row.number
            records.append(record)
        return records

    def _is_ours(self, records: Sequence[SheetRow]) -> bool:
        identities = [text for record in records if (text := record.text(IDENTITY))]
        heading = self.mapping.heading_of("last_modified")
        return bool(heading and self.mapping.heading_of(IDENTITY)) and all(map(is_identity, identities))

    def _groups(self, records: Sequence[SheetRow]) -> list[tuple[str, list[SheetRow]]]:
        """Return the rows of each event under what tells it from others, in the sheet's order."""
        groups: dict[str, list[SheetRow]] = defaultdict(list)
        above: tuple[str, SheetRow] | None = None
        for record in records:
            if above is None and not record.text("title"):
                self._refuse(record, "title", _("the title is missing"))
                continue
            key = self._key(record, above)
            groups[key].append(record)
            if record.text("title") or record.text("event_id"):
                above = (key, record)
        return list(groups.items())

    def _key(self, record: SheetRow, above: tuple[str, SheetRow] | None) -> str:
        stated = record.text("event_id")
        if above and not (record.text("title") or stated):
            return above[0]
        if stated:
            return clean_identifier(stated)
        names = [fold(record.text(name)) for name in ("title", "organizer", "area")]
        if above:
            same = [fold(above[1].text(name)) for name in ("title", "organizer", "area")]
            if names[0] == same[0] and all(
                one in ("", other) for one, other in zip(names, same, strict=True)
            ):
                return above[0]
        return clean_identifier(" | ".join(filter(None, names)))

    def _event(self, key: str, group: Sequence[SheetRow], *, ours: bool) -> ScheduledEvent | None:
        """Return the event of its rows; None, and say so, where none of them can be taken."""
        first = group[0]
        title = read_title(next((text for record in group if (text := record.text("title"))), ""))
        if not title.text:
            self._refuse(first, "title", _("the title is missing"))
            return None
        timed = [record for record in group if record.has_time]
        place = self._place(group)
        occasions = [found for record in timed if (found := self._occasion(record, place))]
        if timed and not occasions:
            self.unread_keys.add(key)
            return None
        if not timed:
            self._complain(first)("day", _("no date: the event has no occasion yet"))
        texts = self._texts(group)
        values = parse_values(texts, self._complain(first))
        if title.cancelled and not ours:
            values["cancelled"] = True
        values |= {name: clean_line(texts[name]) for name in ("area", "sub_area") if name in texts}
        if _PLACE & texts.keys():
            values["place"] = msgspec.structs.astuple(place)
        texts["title"] = texts["title"] if ours else title.text
        return self._scheduled(key, texts, values, occasions, group)

    def _scheduled(
        self,
        key: str,
        texts: dict[str, str],
        values: dict[str, Any],
        occasions: list[ScheduledOccasion],
        group: Sequence[SheetRow],
    ) -> ScheduledEvent:
        complain = self._complain(group[0])
        return ScheduledEvent(
            key=key,
            source_id=key,
            title=fit_line("title", texts["title"], complain),
            cancelled=bool(values.get("cancelled")),
            intro="",
            description="",
            text_language="sv",
            language=parse_language(texts.get("language", ""), complain),
            type=fit_line("type", texts.get("type", ""), complain, _length(EventType, "name_sv")),
            organizer=fit_line("organizer", texts.get("organizer", ""), complain, _length(Organizer, "name")),
            external_url=values.get("external_url", ""),
            image_url=values.get("image_url", ""),
            occasions=tuple(sorted(occasions, key=lambda each: (each.start, each.end))),
            more=values,
            row=group[0].number,
            last_modified=next((text for record in group if (text := record.text("last_modified"))), ""),
        )

    def _place(self, group: Sequence[SheetRow]) -> RowPlace:
        places = (find_place(record) for record in group)
        return next((place for place in places if place.location or place.room), RowPlace())

    def _occasion(self, record: SheetRow, place: RowPlace) -> ScheduledOccasion | None:
        try:
            return build_occasion(record, place, self.time, self._complain(record))
        except RefusedRowError as refused:
            self._refuse(record, refused.field, refused.why)
            return None

    def _texts(self, group: Sequence[SheetRow]) -> dict[str, str]:
        """Return the event's texts: of each field the first that is not empty; others are told."""
        fields = [name for name in group[0].texts if name not in _OF_OCCASIONS or name in _PLACE]
        texts = {field: next((text for each in group if (text := each.texts[field])), "") for field in fields}
        for record in group[1:]:
            for field in fields:
                if field in {*_PLACE, "event_id"}:
                    continue
                line, first = record.text(field), clean_line(texts[field])
                if line not in ("", first):
                    what = _("differs from the event's first row (“%(text)s”), which is taken")
                    self._complain(record)(field, what % {"text": truncate(first, 60)})
        return texts

    def _stated(self) -> frozenset[str]:
        """Return the fields that this sheet may change: those that it has columns for."""
        fields = set(self.mapping.sources)
        stated = fields & {"type", "language", "organizer", "location", "room"}
        return frozenset(stated | {"title"})

    def _refuse(self, record: SheetRow, field: str, why: str) -> None:
        if guid := clean_identifier(record.text(IDENTITY)):
            self.unread_guids.add(guid)
        what = _("left out: %(why)s") % {"why": why}
        self.problems.append(Problem(self._where(record, field), what, record.number, left_out=True))

    def _complain(self, record: SheetRow) -> Callable[[str, str], None]:
        def complain(field: str, what: str) -> None:
            self.problems.append(Problem(self._where(record, field), what, record.number))

        return complain

    def _where(self, record: SheetRow, field: str) -> str:
        heading = self.mapping.heading_of(field)
        if heading:
            return _("row %(row)s, %(column)s") % {"row": record.number, "column": heading}
        return _("row %(row)s") % {"row": record.number}


def _in_one_language(mapping: Mapping, language: str) -> Mapping:
    """Return a mapping whose texts without a stated language are in the one that was asked for."""
    if not language:
        return mapping
    other = "en" if language == "sv" else "sv"
    sources: dict[str, Source] = dict(mapping.sources)
    for name in ("intro_", "description_"):
        if name + other in sources and name + language not in sources:
            sources[name + language] = sources.pop(name + other)
    return Mapping(mapping.headings, sources)


def _length(model: type, field: str) -> int:
    return int(model._meta.get_field(field).max_length)  # type: ignore[attr-defined]
