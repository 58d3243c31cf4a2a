"""What becomes of rows that are merged: which one stays, with which values, and which rooms are one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.backoffice.changes.wording import count_rows
from programme.changes.change import Plan
from programme.changes.difference import RowNames, format_title, format_value
from programme.changes.merging import plan_merge
from programme.models import Edit, Event, Location, Room
from programme.models.fields import FoldedKey, folded_keys
from programme.models.parsing import parse_int

_MOST_DETAIL = Edit._meta.get_field("detail").max_length or 0


@dataclass
class FieldChoice:
    """Fields that differ, coordinates as one: a row with each of their values; the first one is chosen."""

    fields: list[Any]
    name: str
    rows: list[Any]
    chosen: Any

    @property
    def label(self) -> str:
        return capfirst(", ".join(str(each.verbose_name) for each in self.fields))

    @property
    def options(self) -> Iterator[tuple[int, str]]:
        names = RowNames(())
        for row in self.rows:
            texts = [format_value(field, getattr(row, field.attname), names) for field in self.fields]
            yield row.pk, f"{', '.join(filter(None, texts)) or _('empty')} ({row})"


class Merge:
    """Rows that become one of them."""

    def __init__(self, rows: list[Any], kept: Any, sent: Mapping[str, str]) -> None:
        self.model = type(rows[0])
        self.kept = kept
        self.others = [row for row in rows if row.pk != kept.pk]
        self.prefix = f"{self.model._meta.model_name}-{min(row.pk for row in rows)}"
        self.choices = list(self._list_choices(sent))

    def _list_choices(self, sent: Mapping[str, str]) -> Iterator[FieldChoice]:
        """Yield the fields that another row could fill, or has otherwise, without names."""
        names = {key.source for key in folded_keys(self.model)} | {"longitude", "other_names"}
        for field in self.model._meta.local_concrete_fields:
            if field.primary_key or field.is_relation or isinstance(field, FoldedKey) or field.name in names:
                continue
            # One position, not half of each.
            more = [self.model._meta.get_field("longitude")] if field.name == "latitude" else []
            rows: dict[Any, Any] = {}
            for row in (self.kept, *self.others):
                values = tuple(getattr(row, each.attname) for each in (field, *more))
                if values[0] not in field.empty_values:
                    rows.setdefault(values, row)
            # What is empty may stay so.
            found = list(dict.fromkeys([*rows.values(), self.kept]))
            if len(found) > 1:
                name = f"{self.prefix}-{field.name}"
                chosen = next((row for row in found if str(row.pk) == sent.get(name)), found[0])
                yield FieldChoice([field, *more], name, found, chosen)

    def take_chosen(self) -> tuple[Any, list[int]]:
        """Return the row that stays, with what is chosen, and the IDs of the others."""
        kept = copy(self.kept)
        for each in self.choices:
            for field in each.fields:
                setattr(kept, field.attname, getattr(each.chosen, field.attname))
        return kept, [row.pk for row in self.others]


class Merging:
    """What the page shows and does: the rows, the events that name them, and the rooms that become one."""

    def __init__(self, rows: list[Any], sent: Mapping[str, str]) -> None:
        self.rows, self.model = rows, type(rows[0])
        self.events = self._find_events()
        usual = max(rows, key=lambda row: (len(self.events[row.pk]), -row.pk))
        chosen = parse_int(sent.get("kept", ""))
        kept = next((row for row in rows if row.pk == chosen), usual)
        # What was chosen beside another row that stays is chosen again.
        sent = sent if sent.get("shown") == str(kept.pk) else {}
        self.whole = Merge(rows, kept, sent)
        self.rooms = list(self._list_rooms(sent)) if self.model is Location else []

    @property
    def parts(self) -> list[Merge]:
        return [*self.rooms, self.whole]

    def _find_events(self) -> dict[int, set[int]]:
        """Return the events that name each row, or a room of it."""
        found: dict[int, set[int]] = defaultdict(set)
        for path in self.model.trigger_rules.touches:
            named = Event.objects.filter(**{f"{path}__in": self.rows}).order_by()
            for key, event in named.values_list(path, "pk"):
                found[key].add(event)
        return found

    def _list_rooms(self, sent: Mapping[str, str]) -> Iterator[Merge]:
        kept = self.whole.kept.pk
        by_name: dict[str, list[Room]] = defaultdict(list)
        for room in Room.objects.filter(location__in=self.rows).select_related("location").order_by("pk"):
            by_name[fold(room.name)].append(room)
        for rooms in by_name.values():
            if len(rooms) > 1:
                yield Merge(rooms, next((room for room in rooms if room.location_id == kept), rooms[0]), sent)

    def plan(self) -> Plan:
        detail = Truncator(f"{self.names} → {self.name}").chars(_MOST_DETAIL)
        return plan_merge([part.take_chosen() for part in self.parts], detail)

    @property
    def names(self) -> str:
        return ", ".join(map(format_title, self.whole.others))

    @property
    def name(self) -> str:
        return format_title(self.whole.kept)


class MergeForm(forms.Form):
    """Which row stays, and whose value it has where these differ."""

    def __init__(self, merging: Merging) -> None:
        super().__init__(label_suffix="")
        counts = {row: len(merging.events[row.pk]) for row in merging.rows}
        kept = [(row.pk, f"{row} ({count_rows(Event, count)})") for row, count in counts.items()]
        self._ask("kept", _("Which one stays?"), kept, merging.whole.kept)
        self.fields["kept"].help_text = _(
            "Readers see the name of the one that stays, for all. Imports that name another one find it, too."
        )
        for part in merging.parts:
            whose = "" if part is merging.whole else f"{part.kept}: "
            for each in part.choices:
                self._ask(each.name, f"{whose}{each.label}", each.options, each.chosen)

    def _ask(self, name: str, label: str, choices: Iterable[tuple[int, str]], chosen: Any) -> None:
        widget = forms.RadioSelect
        self.fields[name] = forms.ChoiceField(
            label=label, choices=choices, initial=chosen.pk, widget=widget, required=False
        )
