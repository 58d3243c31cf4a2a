"""Reads the rows of a sheet as events with their occasions, and reports problems by cell."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.columns import COLUMNS
from feeds.facts import BY_NAME, facts_of
from programme.exchange.questions import Question
from programme.exchange.readers.coordinates import StatedCoordinates
from programme.exchange.readers.entries import clean_identifier
from programme.exchange.readers.fields import fit_line, fit_types, parse_language
from programme.exchange.readers.sheet import grouping
from programme.exchange.readers.sheet.columns import IDENTITY, VERSION, are_exported
from programme.exchange.readers.sheet.corrections import SheetCells, correct_rows
from programme.exchange.readers.sheet.date_cells import format_rows
from programme.exchange.readers.sheet.dates import SheetDates, list_date_texts, settle_dates, warn_of_dates
from programme.exchange.readers.sheet.facts import TOLD, FactReader, Stated
from programme.exchange.readers.sheet.hours import settle_hours
from programme.exchange.readers.sheet.layout import Meaning
from programme.exchange.readers.sheet.mapping import NO_DATES, NO_TIMES, UnknownHeadingsError, list_items
from programme.exchange.readers.sheet.occasions import RefusedRowError, build_occasion
from programme.exchange.readers.sheet.rows import (
    COORDINATES,
    SheetRow,
    complete_row,
    is_identity,
    read_number,
    spread_row,
)
from programme.exchange.readers.sheet.said import list_said, name_column
from programme.exchange.readers.sheet.sheets import ChosenSheets, choose_sheets
from programme.exchange.readers.sheet.shown import CELLS
from programme.exchange.readers.sheet.tables import Table, read_tables
from programme.exchange.readers.sheet.values import FIELDS, PROSE, find_fact, parse_values
from programme.exchange.text.lines import read_title, truncate
from programme.exchange.text.plain import remove_indentation
from programme.exchange.text.times import suggest_time
from programme.exchange.time_limit import check_time
from programme.exchange.values import (
    Contents,
    ImportDefaults,
    PlaceNames,
    Problem,
    ScheduledEvent,
    ScheduledOccasion,
)
from programme.exchange.workbook import answer_for_sheets
from programme.models import Event, Organizer
from programme.models.cleaning import clean_line

_FACTS = [BY_NAME[fact.name] for fact in facts_of("event")]
# What stands once for all occasions of an event: other rows may leave it out.
_OF_EVENTS = {*FIELDS, "event_id", "title", "area", "sub_area", "type", "organizer", "language"}
_OF_EVENTS |= {each.field for each in COLUMNS if find_fact(each.field)[0] in _FACTS}
# In the name of a row that is refused.
_LONGEST_TITLE = 60


def read_sheet(content: bytes, defaults: ImportDefaults) -> Contents:
    """Return the events of a sheet, or of those of a workbook that are chosen, with one row per occasion."""
    return read_listed(read_tables(content), defaults)


def read_listed(tables: Sequence[Table], defaults: ImportDefaults, only: str | None = None) -> Contents:
    """Return the events of the sheets that are chosen, or of one alone."""
    chosen = choose_sheets(tables, defaults, only)
    file = grouping.SheetRows(chosen.listed, chosen.read, defaults.language)
    return _SheetReader(file, defaults, chosen).read()


class _SheetReader:
    def __init__(self, file: grouping.SheetRows, defaults: ImportDefaults, chosen: ChosenSheets) -> None:
        self.file = file
        self.chosen = chosen
        self.defaults = defaults
        self.is_own_export = False
        self.facts = FactReader(defaults)
        self.cells = SheetCells()
        self.coordinates = StatedCoordinates(defaults.places)
        self.problems: list[Problem] = []
        self.unread_keys: set[str] = set()
        self.unread_guids: set[str] = set()

    def read(self) -> Contents:
        rows, self.problems = self.file.build()
        rows = self._correct(rows)
        known = all(are_exported(each.sources) for each in self.file.mappings.values())
        self.is_own_export = known and all(is_identity(text) for row in rows if (text := row.text(IDENTITY)))
        rows, ids = self._ask_whose_ids(rows)
        rows, refused, untitled = grouping.settle_untitled(rows, self.defaults.answers)
        for row in refused:
            self._refuse(row, "title", _("the title is missing"))
        rows = [each for row in rows for each in spread_row(row, self.defaults.days)]
        texts_of_dates = list_date_texts((row.number, row.texts) for row in rows)
        dates = settle_dates(texts_of_dates, self.defaults, self.file.listed)
        rows = [complete_row(row, dates) for row in rows]
        rows, hours = (rows, ()) if self.is_own_export else settle_hours(rows, self.defaults.answers)
        groups = self.defaults.progress([*grouping.group_rows(rows).items()])
        events = tuple(event for key, group in groups if (event := self._build_event(key, group)))
        coordinates = self.coordinates.settle()
        self._require_times(rows, events)
        own = self.is_own_export
        self._remark(dates.remarks, warns=False)
        warnings = warn_of_dates(texts_of_dates, dates, events, self.defaults, is_own_export=own)
        self._remark(warnings, warns=True)
        self._remark(() if own else self._name_unread(dates), warns=False)
        self._name_hidden()
        self._remark(self._name_struck(rows), warns=False)
        self._remark(self._name_lost(events), warns=True)
        named = tuple(sheet for sheet in self.file.listed if sheet.name)
        columns = dict.fromkeys(each for sheet in self.file.sheets for each in sheet.questions)
        asked = (*columns, *untitled, *dates.questions, *hours, *ids)
        fields = self.file.fields & {"type", "language", "organizer", "location", "room"}
        return Contents(
            events=events,
            problems=tuple(sorted(dict.fromkeys(self.problems), key=lambda problem: problem.row)),
            stated=frozenset(fields | {"title"}).union(*(event.more for event in events)),
            unread_keys=frozenset(self.unread_keys),
            unread_guids=frozenset(self.unread_guids),
            is_own_export=self.is_own_export,
            doubtful=not self.is_own_export and any(sheet.is_doubtful for sheet in self.file.sheets),
            questions=(*asked, *self.facts.questions.values()),
            sheets=named,
            shown=() if self.is_own_export else self.chosen.shown,
            settled=(*answer_for_sheets(named), *list_said(self.defaults.answers)),
            cells=self.cells,
            coordinates=coordinates,
        )

    def _correct(self, rows: Sequence[SheetRow]) -> list[SheetRow]:
        """Return the rows with the values that were said in the preview."""
        corrected, cells = correct_rows(rows, self.defaults.answers)
        self.cells = SheetCells(cells, self.file.list_headings(rows))
        return corrected

    # --- The sheet as a whole

    def _require_times(self, rows: Sequence[SheetRow], events: Sequence[ScheduledEvent]) -> None:
        """Raise `UnknownHeadingsError` if no event has a time because its column is missing."""
        if any(event.occasions for event in events) or not any(row.has_time for row in rows):
            return
        if not {"day", "festival_day", "start"} & self.file.fields:
            raise UnknownHeadingsError(str(NO_DATES))
        if "start" not in self.file.fields:
            raise UnknownHeadingsError(str(NO_TIMES))

    def _ask_whose_ids(self, rows: list[SheetRow]) -> tuple[list[SheetRow], tuple[Question, ...]]:
        """Return the rows as the answer has them, and the question if there is one."""
        column = self.file.find_heading("event_id")
        question = None if self.is_own_export else grouping.ask_whose_ids(rows, column, self.defaults.answers)
        if question is None:
            return rows, ()
        return self._correct(self.file.build_with_ids(question.answer)), (question,)

    # --- Remarks: what was derived, what looks wrong, and what was not understood

    def _remark(self, remarks: Iterable[str], *, warns: bool) -> None:
        self.problems += [Problem(_("the spreadsheet"), each, whole=True, warns=warns) for each in remarks]

    def _name_unread(self, dates: SheetDates) -> Iterator[str]:
        sheets = self.file.sheets
        unused = dict.fromkeys(each.mapping.headings[place] for each in sheets for place in each.unused)
        if unused:
            yield _("columns that are left alone: %(names)s") % {"names": ", ".join(unused)}
        if bare := {row: text for each in sheets for row, text in each.bare.items()}:
            named = {"text": truncate(min(bare.items())[1], _LONGEST_TITLE), "rows": dates.name_rows(bare)}
            yield _("texts below no heading are left alone (“%(text)s”): %(rows)s") % named

    def _name_lost(self, events: Sequence[ScheduledEvent]) -> Iterator[str]:
        shown = {each["name"]: each["columns"] for each in self.chosen.shown}
        cells = ((name, cell) for name, layout in self.chosen.layouts.items() for cell in layout.cells)
        unused = (each for each in cells if each[1].role is Meaning.UNUSED and suggest_time(each[1].text))
        lost = [cell for name, cell in unused if shown[name][cell.column]["why"] != CELLS]
        if lost:
            text = _("texts with a time that are not used: %(count)d (the first: “%(text)s”, row %(row)s)")
            named = {"text": truncate(lost[0].text, _LONGEST_TITLE), "row": str(lost[0].row)}
            yield text % {"count": len(lost), **named}
        if not self.is_own_export and len(events) > 1 and not any(each.occasions for each in events):
            yield _("no event has a day and a time")

    def _name_hidden(self) -> None:
        """Say what is hidden in the file, and therefore not read: a filter may have left rows hidden."""
        names = {sheet.name for sheet in self.file.listed if sheet.is_read}
        for table in self.chosen.tables:
            rows, columns = table.left_out if table.name in names else ((), ())
            parts = [format_rows(rows)] if rows else []
            parts += [_("column %(name)s") % {"name": name_column(column)} for column in columns]
            if parts:
                hidden = ", ".join([*filter(None, [table.name]), *parts])
                what = _("hidden in the file, and not read: %(hidden)s") % {"hidden": hidden}
                self._remark([what], warns=bool(rows))

    def _name_struck(self, rows: Sequence[SheetRow]) -> Iterator[str]:
        if struck := [row.number for row in rows if row.struck]:
            named = {"rows": format_rows(struck, self.file.listed)}
            yield _("struck through, and therefore cancelled: %(rows)s") % named

    # --- Rows and their events

    def _build_event(self, key: str, group: Sequence[SheetRow]) -> ScheduledEvent | None:
        """Return the event of its rows; None, and a problem, if all of them are refused."""
        check_time()
        first = group[0]
        places = grouping.find_places(group)
        facts = self.facts.read_rows(group, self._report)
        for row, own in zip(group, places, strict=True):
            stated = {name: row.text(name) for name in COORDINATES}
            if field := next((name for name, text in stated.items() if text), ""):
                self.coordinates.note(own, partial(self._report, row, field), **stated)
        timed = [(row, own) for row, own in zip(group, places, strict=True) if row.has_time]
        called = next(text for row in group if (text := row.text("title")))
        found = {
            id(row): each
            for row, own in timed
            if (each := self._build_occasion(row, own, facts[id(row)], called))
        }
        occasions = list(found.values())
        group = sorted(group, key=lambda row: _sort_key(row, found.get(id(row))))
        title = read_title(next(text for row in group if (text := row.text("title"))))
        if timed and not occasions:
            self.unread_keys.add(key)
            return None
        if not timed:
            what = _("no date: the event has no occasion yet")
            if any(location or room for location, _address, room in places):
                what = _("no date: the event has no occasion yet, and its place is left out")
            self._report(first, "day", what)
        texts = self._event_texts(group)
        report = partial(self._report, first)
        values = parse_values(texts, report) | self.facts.read(texts, facts_of("event"), report)
        if not self.is_own_export:
            values |= {name: remove_indentation(values[name]) for name in PROSE if name in values}
        values |= {name: clean_line(texts[name]) for name in ("area", "sub_area") if name in texts}
        texts["title"] = texts["title"] if self.is_own_export else title.text
        return self._scheduled_event(key, texts, values, occasions, group)

    def _scheduled_event(
        self,
        key: str,
        texts: dict[str, str],
        values: dict[str, Any],
        occasions: list[ScheduledOccasion],
        group: Sequence[SheetRow],
    ) -> ScheduledEvent:
        def line(field: str, model: type, name: str) -> str:
            return fit_line(model, name, texts.get(field, ""), partial(self._report, group[0], field))

        kinds = texts.get("type", "")
        kinds = kinds if self.is_own_export else "; ".join(list_items(kinds))
        return ScheduledEvent(
            key=key,
            source_id=key,
            title=line("title", Event, "title"),
            language=parse_language(texts.get("language", ""), partial(self._report, group[0], "language")),
            type=fit_types(kinds, partial(self._report, group[0], "type")),
            organizer=line("organizer", Organizer, "name"),
            occasions=tuple(sorted(occasions, key=lambda each: (each.start, each.end))),
            more=values,
            row=(first := min(group, key=lambda row: row.place)).number,
            cells=first.place,
            row_id=read_number(texts.get("event_id", "")) if self.is_own_export else 0,
            version=next((text for row in group if (text := row.text(VERSION))), ""),
        )

    def _build_occasion(
        self, row: SheetRow, place: PlaceNames, facts: tuple[Stated, Stated], event: str
    ) -> ScheduledOccasion | None:
        try:
            occasion = build_occasion(
                *(row, place, self.defaults.time, partial(self._report, row)), is_own=self.is_own_export
            )
        except RefusedRowError as refused:
            self._refuse(row, refused.field, refused.why, event)
            return None
        # A row without a title has that of its event.
        marks = [] if self.is_own_export else [row.text("title") or event, f"[{row.text('status')}]"]
        is_marked = row.struck or any(read_title(mark).cancelled for mark in marks)
        more = {**facts[0]}
        told, cancelled = more.pop(TOLD), more.pop("cancelled", None)
        return replace(occasion, cancelled=is_marked or cancelled, more=more, place_facts=facts[1], told=told)

    def _event_texts(self, group: Sequence[SheetRow]) -> dict[str, str]:
        """Return the event's texts: of each field the first by time that is not empty; report others."""
        names = chain.from_iterable({row.sheet: row.texts for row in group}.values())
        fields = [name for name in dict.fromkeys(names) if name in _OF_EVENTS]
        texts = {name: next((text for row in group if (text := row.texts.get(name))), "") for name in fields}
        compared = [field for field in fields if field != "event_id"]
        for row in group[1:]:
            for field in compared:
                if row.texts.get(field, "") in ("", texts[field]):
                    continue
                line, first = row.text(field), clean_line(texts[field])
                if line not in ("", first):
                    what = _("differs from the event's first occasion (“%(text)s”), which is taken")
                    self._report(row, field, what % {"text": truncate(first, 60)})
        return texts

    def _refuse(self, row: SheetRow, field: str, why: str, event: str = "") -> None:
        if guid := clean_identifier(row.text(IDENTITY)):
            self.unread_guids.add(guid)
        what = _("left out: %(why)s") % {"why": why}
        self._report(row, field, what, left_out=True, event=truncate(event, _LONGEST_TITLE))

    def _report(self, row: SheetRow, field: str, what: str, **more: Any) -> None:
        where = self.file.name_cell(row, field)
        self.problems.append(Problem(where, what, row.number, row.place, field, **more))


def _sort_key(row: SheetRow, occasion: ScheduledOccasion | None) -> tuple[Any, ...]:
    """Return what sorts the rows of an event, by time and texts, whatever the order of rows and columns."""
    texts = tuple(sorted(row.texts.items()))
    return (occasion is None, *((occasion.start, occasion.end) if occasion else ()), texts)
