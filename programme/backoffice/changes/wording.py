"""What batches did, in words."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from programme.backoffice.editions import SHOWN
from programme.changes.difference import format_span
from programme.changes.memory import IMPORT
from programme.changes.merging import MERGED
from programme.history import batches
from programme.history.batches import REDID, RESTORED, RETURNING, UNDID, Batch, Doing, WrittenRows, find_root
from programme.history.versions import CHANGED, CREATED, DELETED, format_reason
from programme.models import Edit, Event, Occasion
from programme.models.dates import format_instant

# The reasons of edits that put rows on a list, and take them from it.
ADDED, REMOVED = gettext_noop("put on a list:"), gettext_noop("taken from a list:")

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
        return _("Restored %(what)s") % {
            "what": ", ".join(dict.fromkeys(map(_name_rows, _sort(batch.written))))
        }
    if edit.reason in (MERGED, ADDED, REMOVED, SHOWN):
        return capfirst(format_reason(edit))
    if batch.count > batches.MOST_SUMMARIZED and edit.reason:
        # The detail of a bulk edit says how many rows it was about.
        return capfirst(format_reason(edit)) + ("" if edit.detail else f": {_count_all(batch)}")
    return "; ".join(_describe_rows(batch)) or _("Nothing is known of this change any more.")


def says_reason(edit: Edit) -> bool:
    """Return whether the words of a batch say its reason, too: one with a detail says what was done."""
    return bool(edit.detail) or edit.reason in (*RETURNING, IMPORT)


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
            name = _name_rows(written) if written.count == 1 else count_rows(written.model, count)
            moved = _describe_move(found[0], {"what": name}) if len(found) == 1 else ""
            if span := found[0].span:
                name = f"{name}, {format_instant(span[0])}"
            yield moved or str(_VERBS[verb]) % {"what": name}


def _describe_move(doing: Doing, what: dict[str, str]) -> str:
    if doing.span and (doing.shift or doing.place):
        where = ", ".join(filter(None, (format_span(*doing.span), doing.place)))
        return _("Moved %(what)s to %(place)s") % (what | {"place": where})
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
