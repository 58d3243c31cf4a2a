"""The difference between two states of a row: by field with the form's labels, and texts word by word."""

import datetime as dt
import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.core.files.storage import default_storage
from django.db.models import ForeignKey, ImageField
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from feeds.wording import EN_DASH, format_clock, format_near_day
from programme.changes.change import widen
from programme.history.batches import RowState
from programme.history.versions import select_latest
from programme.models import Event, Occasion
from programme.models.dates import editor_language, format_day, format_instant
from programme.models.events import INTERNAL
from programme.models.facts import FactField
from programme.models.festival_time import festival_time

# Identities, and fields that the database sets: of no use to editors.
INTERNAL_FIELDS = {"id", "uuid", "uid", "published_at", "source_id"}
HIDDEN = "•••"
# The prefix of form fields that choose a value, and their values.
CHOICE = "_choice-"
THEIRS, MINE = "theirs", "mine"
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Characters; of shorter texts both are shown.
_SHORT = 60
# Words; longer texts are not compared, which takes the product of their lengths.
_LONGEST = 4000
# Words of long equal parts that are shown before and after a difference.
_AROUND = 12


class TextPart(NamedTuple):
    """A part of a text; `mark` is 'ins' for an inserted part, 'del' for a deleted one."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Difference:
    """The old and the new text of a field; for an uploaded image they are file names."""

    label: str
    before: str
    after: str
    is_image: bool = False
    # The name of the field to take back; '' if taking back is not offered.
    name: str = ""

    @cached_property
    def parts(self) -> list[TextPart]:
        """Both texts merged word by word if they are similar, with long equal parts shortened."""
        is_short = max(len(self.before), len(self.after)) <= _SHORT
        return [] if self.is_image or is_short else list(_shorten(compare_words(self.before, self.after)))

    @property
    def before_image(self) -> str:
        return find_image(self.before) if self.is_image else ""

    @property
    def after_image(self) -> str:
        return find_image(self.after) if self.is_image else ""

    @property
    def marked(self) -> list[TextPart]:
        """The new text with inserted parts marked."""
        found = [part for part in compare_words(self.before, self.after) if part.mark != "del"]
        return found or [TextPart(self.after)]


def find_image(name: str) -> str:
    """Return the URL of an image by its name, '' if its file is deleted."""
    return default_storage.url(name) if name and default_storage.exists(name) else ""


@dataclass
class FieldConflict:
    """A field or group of fields that two editors have changed: mine would replace theirs."""

    key: str
    label: str
    before: str
    theirs: str
    mine: str
    both: bool = True
    # The URLs of both images, if the field is an image.
    theirs_image: str = ""
    mine_image: str = ""

    @property
    def name(self) -> str:
        return f"{CHOICE}{self.key}"

    @property
    def theirs_marked(self) -> list[TextPart]:
        return Difference("", self.before, self.theirs).marked

    @property
    def mine_marked(self) -> list[TextPart]:
        return Difference("", self.before, self.mine).marked


def compare_words(before: str, after: str) -> list[TextPart]:
    """Return both texts merged word by word, empty if they have little in common."""
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if max(len(old), len(new)) > _LONGEST:
        return []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 1 / 2:
        return []
    found = []
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            found.append(TextPart("".join(new[begin:end])))
        else:
            pieces = TextPart("".join(old[first:last]), "del"), TextPart("".join(new[begin:end]), "ins")
            found += [part for part in pieces if part.text]
    return found


def _shorten(parts: list[TextPart]) -> Iterator[TextPart]:
    for number, part in enumerate(parts):
        words = _WORDS.findall(part.text)
        before, after = (_AROUND if each else 0 for each in (number, number < len(parts) - 1))
        if part.mark or len(words) <= 2 * _AROUND:
            yield part
        else:
            sides = "".join(words[:before]), "".join(words[len(words) - after :])
            yield TextPart(f"{sides[0].rstrip()} … {sides[1].lstrip()}")


class RowNames:
    """Names of the rows that versions refer to, by model and primary key, deleted rows included."""

    def __init__(self, versions: Iterable[Any]) -> None:
        referenced: dict[Any, set[Any]] = defaultdict(set)
        for version in versions:
            for relation in type(version).tracked_fields:
                if isinstance(relation, ForeignKey):
                    referenced[relation.related_model].add(getattr(version, relation.attname))
        self._names: dict[tuple[Any, Any], str] = {}
        self._deleted: set[tuple[Any, Any]] = set()
        for model, keys in referenced.items():
            fields = [each for each in model._meta.local_fields if isinstance(each, ForeignKey)]
            required = [each.name for each in fields if not each.null]
            stored = model.objects.filter(pk__in=keys - {None}).select_related(*required)
            names = {row.pk: str(row) for row in stored}
            gone = keys - {None} - names.keys()
            if gone and hasattr(model, "history"):
                versions = select_latest(model.history.filter(id__in=gone))
                names |= {version.id: format_title(version) for version in versions}
            self._names |= {(model, key): name for key, name in names.items()}
            self._deleted |= {(model, key) for key in gone}

    def add(self, model: Any, key: Any, row: Any) -> None:
        """Name a row in memory, which may be one that is to be created."""
        if (model, key) not in self._names:
            self._names[model, key] = str(row)

    def is_deleted(self, model: Any, key: Any) -> bool:
        return (model, key) in self._deleted

    def find(self, model: Any, key: Any) -> str:
        return "" if key is None else self._names.get((model, key)) or f"#{key}"


def format_title(version: Any) -> str:
    """Return the title of a version of a row, without a query for its relations."""
    if isinstance(version, Occasion | Occasion.history.model):
        return format_instant(version.start)
    if hasattr(version, "day_id"):
        return format_day(dt.date.fromisoformat(str(version.day_id)))
    names = ("title", "name", "name_sv", "title_sv")
    return str(next((getattr(version, name) for name in names if hasattr(version, name)), ""))


def format_part_title(version: Any, names: RowNames) -> str:
    """Return the title of a version; for a list item, of the listed event or occasion."""
    if not hasattr(version, "on_list_id"):
        return format_title(version)
    return names.find(Event, version.event_id) or names.find(Occasion, version.occasion_id)


def format_value(model_field: Any, value: Any, names: RowNames) -> str:
    """Return the value of a field as text, '' for none."""
    if isinstance(model_field, ForeignKey):
        return names.find(model_field.related_model, value)
    if isinstance(model_field, FactField):
        value = model_field.describe(value)
    if model_field.choices:
        return str(dict(model_field.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, dt.date):
        return format_instant(value) if isinstance(value, dt.datetime) else format_day(value)
    if isinstance(value, dt.time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def label_field(model_field: Any) -> str:
    return str(capfirst(model_field.verbose_name))


def format_times(start: dt.datetime, end: dt.datetime) -> str:
    """Return `22:00–03:00`, with the day of the end where it is 24 hours after the start or later."""
    festival = festival_time()
    first, last = festival.local(start), festival.local(end)
    is_long = festival.is_long(start, end)
    last_day = f"{format_near_day(last.date(), first.date(), editor_language())} " if is_long else ""
    return f"{format_clock(first)}{EN_DASH}{last_day}{format_clock(last)}"


def format_span(start: dt.datetime, end: dt.datetime) -> str:
    """Return festival day and times of an occasion, `fre 31 jul 22:00–03:00`."""
    return f"{format_day(festival_time().day_of(start))} {format_times(start, end)}"


def format_span_to_end(start: dt.datetime, end: dt.datetime) -> str:
    """Return `fre 31 jul 22:00–03:00 (lör 1 aug)`: with the date of an end after the festival day."""
    festival = festival_time()
    last = festival.local(end - dt.timedelta(seconds=1)).date()
    is_later = last > festival.day_of(start) and not festival.is_long(start, end)
    return format_span(start, end) + (f" ({format_day(last)})" if is_later else "")


def compare_states(
    model: Any, before: RowState, after: RowState, names: RowNames, now: RowState = None
) -> list[Difference]:
    """Return the differences in fields that editors see, in the order of the model's fields.

    `now` is the present state, empty of a deleted row: what it has from before needs no taking back.
    """
    if before is None or after is None:
        return []

    def offer(name: str) -> str:
        is_back = now is not None and all(
            now.get(each, before[each]) == before[each] for each in widen(model, [name])
        )
        return "" if is_back else name

    found = []
    for each in model.history.model.tracked_fields:
        name, sides = each.attname, (before, after)
        if each.name in INTERNAL_FIELDS or (name == "end" and model is Occasion):
            continue
        if name == "start" and model is Occasion:
            spans = [(side["start"], side["end"]) for side in sides]
            was, will = (format_span(*span) for span in spans) if spans[0] != spans[1] else ("", "")
            found += [Difference(_("Time"), was, will, name=offer(name))] if was != will else []
        elif before[name] != after[name]:
            was, will = (format_value(each, side[name], names) for side in sides)
            if name in INTERNAL:
                # Users who may only view the event see that it changed, not the values.
                was, will = (HIDDEN if text else "" for text in (was, will))
            # In versions an image is a text field.
            is_image = isinstance(model._meta.get_field(each.name), ImageField)
            found.append(Difference(label_field(each), was, will, is_image, offer(name)))
    return found
