"""The changes of a suggestion, field by field: before, in the programme now, and as suggested."""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from programme.backoffice.conflicts.fields import join
from programme.changes.difference import CHOICE, FieldConflict, format_span
from programme.models import Event, Occasion, Suggestion
from programme.models.imports import to_json

IMAGE = "image"
# Of the keys of occasions, before their IDs.
OCCASION = "occasion-"


@dataclass
class SuggestedChange(FieldConflict):
    """A change, and whether the programme still has what it is about.

    `warnings` are about another time: what the room is taken by then, and when the area is open.
    """

    suggestion: int = 0
    is_possible: bool = True
    warnings: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{CHOICE}{self.suggestion}-{self.key}"


def parse_occasion(key: str) -> int | None:
    """Return the ID of the occasion that a key names, None for the key of a field."""
    return int(key.removeprefix(OCCASION)) if key.startswith(OCCASION) else None


def list_occasions(keys: Iterable[str]) -> list[int]:
    return [number for number in map(parse_occasion, keys) if number is not None]


def name_change(key: str, change: dict[str, Any]) -> str:
    """Return the name of a field, or what is asked for an occasion and when it was."""
    if parse_occasion(key) is None:
        return str(capfirst(Event._meta.get_field(key).verbose_name))  # type: ignore[union-attr]
    asked = _("Cancellation") if "cancelled" in change["after"] else _("Another time")
    when = decode_occasion(change["when"])
    return f"{asked}: {format_span(when['start'], when['end'])}"


def list_changes(suggestion: Suggestion) -> list[tuple[str, dict[str, Any]]]:
    """Return the changes in the order of the model's fields, then of time: PostgreSQL keeps none."""
    order = [field.name for field in Event._meta.fields]

    def place(item: tuple[str, dict[str, Any]]) -> tuple[str, int]:
        key, change = item
        return ("", order.index(key)) if "when" not in change else (change["when"]["start"], 0)

    return sorted(suggestion.changes.items(), key=place)


def find_changes(suggestion: Suggestion) -> list[SuggestedChange]:
    """Return what is suggested and would change something now; one query for occasions."""
    rows = load_occasions(suggestion.event_id, list_occasions(suggestion.changes))
    found = (_compare(suggestion, rows, key, change) for key, change in list_changes(suggestion))
    return [each for each in found if each is not None]


def load_occasions(event: int, keys: Collection[int]) -> dict[int, Occasion]:
    rows = Occasion.objects.filter(event=event).select_related("location", "room")
    return rows.in_bulk(keys) if keys else {}


def _compare(
    suggestion: Suggestion, rows: dict[int, Occasion], key: str, change: dict[str, Any]
) -> SuggestedChange | None:
    number = parse_occasion(key)
    before, after = change["before"], change["after"]
    if number is None:
        value = getattr(suggestion.event, key)
        now = value.name or "" if key == IMAGE else value
        was, here, wanted = (join([each]) for each in (before, now, after))
    else:
        now = encode_occasion(rows[number], after) if number in rows else None
        was, here, wanted = (_describe_occasion(each) for each in (before, now, after))
    if now == after and key != IMAGE:
        return None
    shown = SuggestedChange(key, name_change(key, change), was, here, wanted, suggestion=suggestion.pk)
    shown.both, shown.is_possible = now not in (before, None), now is not None
    if key == IMAGE:
        shown.theirs_image = suggestion.event.image.url if suggestion.event.image else ""
        shown.mine_image = reverse("admin:suggestion_image", args=[suggestion.pk])
    return shown


def encode_occasion(occasion: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return these of an occasion's values as they are stored: instants in ISO 8601."""
    return {name: to_json(getattr(occasion, name)) for name in names}


def decode_occasion(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name: dt.datetime.fromisoformat(value) if name in {"start", "end"} else value
        for name, value in values.items()
    }


def _describe_occasion(values: dict[str, Any] | None) -> str:
    if values is None:
        return _("This occasion is no longer here.")
    if "cancelled" in values:
        return _("cancelled") if values["cancelled"] else _("takes place")
    decoded = decode_occasion(values)
    return format_span(decoded["start"], decoded["end"])


def list_outcome(suggestion: Suggestion) -> Iterator[tuple[str, bool | None]]:
    """Yield the name of each change, and whether it was accepted; None while it waits."""
    for key, change in list_changes(suggestion):
        yield name_change(key, change), change.get("accepted")
