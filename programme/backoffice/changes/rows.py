"""What batches did, in words and row by row, and what undoing them does."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from programme.backoffice.editions import SHOWN
from programme.backoffice.lists import ADDED, REMOVED
from programme.exchange.merge.history import IMPORT
from programme.history import batches
from programme.history.batches import Batch, Doing, RowState, WrittenRows, load_rows
from programme.history.merging import MERGED
from programme.history.row_undo import RowUndo, Why
from programme.history.timeline import (
    CHANGED,
    CREATED,
    RowChange,
    RowNames,
    compare_fields,
    format_part_title,
    label_field,
)
from programme.history.undo import REDID, RESTORED, UNDID, find_root
from programme.history.versions import DELETED, format_reason, select_latest
from programme.models import Edit, Event, ListItem, Occasion, OccasionList

_KINDS = {
    CREATED: gettext_lazy("Created %(what)s"),
    DELETED: gettext_lazy("Deleted %(what)s"),
    CHANGED: gettext_lazy("Changed %(what)s"),
}
_VERBS = {
    batches.MOVED: gettext_lazy("Moved %(what)s"),
    batches.RELOCATED: gettext_lazy("Moved %(what)s to another place"),
    batches.CANCELLED: gettext_lazy("Cancelled %(what)s"),
    batches.REINSTATED: gettext_lazy("Reinstated %(what)s"),
    batches.PUBLISHED: gettext_lazy("Published %(what)s"),
    batches.WITHDRAWN: gettext_lazy("Withdrew %(what)s"),
    batches.HIGHLIGHTED: gettext_lazy("Highlighted %(what)s"),
    batches.UNHIGHLIGHTED: gettext_lazy("Took the highlight from %(what)s"),
    batches.OTHERWISE: _KINDS[CHANGED],
}
_MINUTE, _HOUR, _DAY = dt.timedelta(minutes=1), dt.timedelta(hours=1), dt.timedelta(days=1)


def describe_batch(batch: Batch, roots: dict[int, Batch]) -> str:
    """Return `Moved 11 occasions 2 h later`; `roots` are the batches that were undone or done again."""
    edit = batch.edit
    if edit.reason in (UNDID, REDID):
        root = roots.get(find_root(edit))
        what = describe_batch(root, {}) if root else _("Change %(number)s") % {"number": edit.detail}
        text = _("Undid: %(what)s") if edit.reason == UNDID else _("Did again: %(what)s")
        return text % {"what": what}
    if edit.reason == IMPORT:
        text = _("Imported %(source)s: %(what)s") if edit.detail else _("Imported: %(what)s")
        return text % {"source": edit.detail, "what": _count_all(batch)}
    if edit.reason == RESTORED:
        return _("Restored: %(what)s") % {"what": "; ".join(_describe_rows(batch))}
    if edit.reason in (MERGED, ADDED, REMOVED, SHOWN):
        return capfirst(format_reason(edit))
    if batch.count > batches.MOST_SUMMARIZED and edit.reason:
        # The detail of a bulk edit says how many rows it was about.
        return capfirst(format_reason(edit)) + ("" if edit.detail else f": {_count_all(batch)}")
    return "; ".join(_describe_rows(batch)) or _("Nothing is known of this change any more.")


def says_reason(edit: Edit) -> bool:
    """Return whether the words of a batch say its reason, too: one with a detail says what was done."""
    return bool(edit.detail) or edit.reason in (UNDID, REDID, RESTORED, IMPORT)


def _describe_rows(batch: Batch) -> Iterator[str]:
    for kind in (CREATED, DELETED):
        if found := [each for each in batch.written if each.kind == kind]:
            # An event and its only occasion have one name.
            names = dict.fromkeys(map(_name_rows, _sort(found)))
            yield str(_KINDS[kind]) % {"what": ", ".join(names)}
    yield from _describe_changes(batch)


def _describe_changes(batch: Batch) -> Iterator[str]:
    for written in _sort(each for each in batch.written if each.kind == CHANGED):
        doings = {doing: count for doing, count in batch.doings.items() if doing.model is written.model}
        if sum(doings.values()) != written.count:
            # Some of them are new, or nobody has looked.
            yield str(_KINDS[CHANGED]) % {"what": _name_rows(written)}
            continue
        for verb in dict.fromkeys(doing.verb for doing in doings):
            if not verb:
                continue
            found = [doing for doing in doings if doing.verb == verb]
            count = sum(doings[doing] for doing in found)
            what = {"what": _name_rows(written) if written.count == 1 else count_rows(written.model, count)}
            moved = _describe_move(found[0], what) if len(found) == 1 else ""
            yield moved or str(_VERBS[verb]) % what


def _describe_move(doing: Doing, what: dict[str, str]) -> str:
    if doing.place:
        return _("Moved %(what)s to %(place)s") % (what | {"place": doing.place})
    shift = doing.shift
    if not shift or shift[0] != shift[1] or shift[0] % _MINUTE:
        return ""
    later, earlier = _("Moved %(what)s %(time)s later"), _("Moved %(what)s %(time)s earlier")
    text = later if shift[0] > dt.timedelta() else earlier
    return text % (what | {"time": format_duration(abs(shift[0]))})


def format_duration(time: dt.timedelta) -> str:
    """Return `1 d 2 h 30 min`."""
    days, rest = divmod(time, _DAY)
    hours, rest = divmod(rest, _HOUR)
    units = ((days, _("d")), (hours, _("h")), (rest // _MINUTE, _("min")))
    return " ".join(f"{number} {unit}" for number, unit in units if number)


def _sort(written: Iterable[WrittenRows]) -> list[WrittenRows]:
    return sorted(written, key=lambda each: (each.model is not Event, each.model is not Occasion))


def _name_rows(written: WrittenRows) -> str:
    # An occasion has none any more once its event is deleted.
    return (written.count == 1 and written.name) or count_rows(written.model, written.count)


def _count_all(batch: Batch) -> str:
    main = [each for each in batch.written if each.model in (Event, Occasion)] or batch.written
    return ", ".join(count_rows(each.model, each.count) for each in _sort(main))


def count_rows(model: Any, count: int) -> str:
    """Return `1,614 events`."""
    meta = model._meta
    number = number_format(count, use_l10n=True, force_grouping=True)
    return f"{number} {meta.verbose_name if count == 1 else meta.verbose_name_plural}"


@dataclass
class ShownRow(RowChange):
    """A row with the address of its form, '' where it has none."""

    address: str = ""


@dataclass
class StayingRow:
    """A row, or fields of it, that undoing leaves as they are: why, and who has edited it last."""

    title: str
    why: str
    fields: list[str] = field(default_factory=list)
    address: str = ""
    edit: Edit | None = None


def list_done(places: Iterable[tuple[Any, int]], edit: int) -> list[ShownRow]:
    """Return what a batch did to these rows, in a number of queries that depends on their models alone."""
    keys: dict[Any, list[int]] = {}
    for model, key in places:
        keys.setdefault(model, []).append(key)
    written = [
        (model, row)
        for model, wanted in keys.items()
        for _key, row in sorted(load_rows(model, edit, wanted).items())
    ]
    names = _name([(model, state) for model, row in written for state in (row.before, row.last)])
    return [_show(model, (row.before, row.after), row.last, names) for model, row in written]


def list_planned(rows: list[RowUndo]) -> list[ShownRow]:
    names = _name([(row.model, state) for row in rows for state in (row.now, row.final)])
    return [_show(row.model, (row.now, row.final), row.now or row.final or {}, names) for row in rows]


def list_staying(rows: list[RowUndo]) -> list[StayingRow]:
    """Return what stays of these rows, all of which do."""
    names = _name([(row.model, row.now or row.after or row.before) for row in rows])
    latest = _find_latest_edits(rows)
    return [
        StayingRow(
            _title(row.model, row.now or row.after or row.before or {}, names),
            str((row.why or row.kept[row.shown_kept[0]]).label),
            [] if row.why else _label_fields(row),
            _form_address(row.model, row.key) if row.now else "",
            latest.get((row.model, row.key)) if Why.EDITED in (row.why, *row.kept.values()) else None,
        )
        for row in rows
    ]


def _label_fields(row: RowUndo) -> list[str]:
    fields = {each.attname: each for each in row.model._meta.local_concrete_fields}
    return [label_field(fields[name]) for name in row.shown_kept]


def _find_latest_edits(rows: list[RowUndo]) -> dict[tuple[Any, int], Edit]:
    keys: dict[Any, list[int]] = {}
    for row in rows:
        keys.setdefault(row.model, []).append(row.key)
    return {
        (model, version.id): version.edit
        for model, found in keys.items()
        for version in select_latest(model.history.filter(id__in=found)).select_related("edit")
        if version.edit
    }


def _show(model: Any, states: tuple[RowState, RowState], known: dict[str, Any], names: RowNames) -> ShownRow:
    before, after = states
    title = _title(model, before or known, names)
    address = _form_address(model, known["id"]) if after else ""
    if before and after:
        version = model.history.model
        changes = compare_fields(model, version(**before), version(**after), names)
        return ShownRow(CHANGED, title, changes, address)
    return ShownRow(CREATED if after else DELETED, title, address=address)


def _name(states: Iterable[tuple[Any, RowState]]) -> RowNames:
    return RowNames(model.history.model(**state) for model, state in states if state)


def _title(model: Any, state: dict[str, Any], names: RowNames) -> str:
    """Return `event Jazz`, or `occasion Jazz, 2026-07-29 14:00`."""
    title = format_part_title(model.history.model(**state), names) if state else ""
    if model is Occasion and state:
        title = f"{names.find(Event, state['event_id'])}, {title}"
    if model is ListItem and state:
        title = f"{title}: {names.find(OccasionList, state['on_list_id'])}"
    return f"{model._meta.verbose_name} {title}"


def _form_address(model: Any, key: int) -> str:
    try:
        return reverse(f"admin:programme_{model._meta.model_name}_change", args=[key])
    except NoReverseMatch:
        return ""
