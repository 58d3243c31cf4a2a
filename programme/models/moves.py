"""What the database keeps of a move, while an occasion or its event is marked as changed: SQL of triggers.

That is from when and from where it was moved, the first time of several, until it is back there or the mark
is removed, and when readers were last told of a move.
"""


def _find_place(row: str) -> str:
    """Return where an occasion is held, in the words of `Place.full_name`; or ''."""
    return (
        "coalesce((SELECT place.name || coalesce(', ' || room.name, '') FROM {Location} AS place"
        f" LEFT JOIN {{Room}} AS room ON room.location_id = place.id AND room.id = {row}.room_id"
        f" WHERE place.id = {row}.location_id), '')"
    )


def _find_mark(own: str, event: str) -> str:
    return f"{{later}}(coalesce({own}, {event}), coalesce({event}, {own}))"


def _find_edited_at(mark: str) -> str:
    """Return the moment of the edit that writes; outside of one the mark is all that is known."""
    return f"coalesce((SELECT moment FROM {{Editing}} WHERE {{own_editing}}), {mark})"


# Whether another place is stated.
_IS_PLACED = " OR ".join(
    f"coalesce(NEW.{name}, 0) <> coalesce({{before}}.{name}, 0)" for name in ("location_id", "room_id")
)

# --- In the row of an occasion --------------------------------------------------------------------

_MARK = _find_mark("NEW.changed_at", "(SELECT changed_at FROM {Event} WHERE id = NEW.event_id)")
_FORMER_PLACE, _PLACE = map(_find_place, ("{before}", "NEW"))
_EDITED_AT = _find_edited_at(_MARK)
PREVIOUS_START = (
    f"CASE WHEN {_MARK} IS NOT NULL"
    " THEN nullif(coalesce(NEW.previous_start, CASE WHEN NEW.start <> {before}.start"
    " THEN coalesce({before}.previous_start, {before}.start) END), NEW.start) END"
)
PREVIOUS_PLACE = (
    f"CASE WHEN {_MARK} IS NULL OR (NEW.previous_place = '' AND NOT ({_IS_PLACED})) THEN ''"
    f" ELSE coalesce(nullif(coalesce(nullif(NEW.previous_place, ''), CASE WHEN {_PLACE} <> {_FORMER_PLACE}"
    f" THEN coalesce(nullif({{before}}.previous_place, ''), {_FORMER_PLACE}) END), {_PLACE}), '') END"
)
# Of several moves, the last one with a mark of its own.
MOVED_AT = (
    f"CASE WHEN ({PREVIOUS_START}) IS NULL AND ({PREVIOUS_PLACE}) = '' THEN NULL"
    f" WHEN (NEW.start <> {{before}}.start OR {_IS_PLACED})"
    f" AND (NEW.moved_at IS NULL OR {_MARK} >= {_EDITED_AT}) THEN {_EDITED_AT} ELSE NEW.moved_at END"
)

# --- In the row of an event, about its occasions --------------------------------------------------

FORGET_MOVES = (
    "UPDATE {Occasion} SET previous_start = NULL, previous_place = '', moved_at = NULL"
    " WHERE event_id = NEW.id AND (previous_start IS NOT NULL OR previous_place <> '')"
    " AND NEW.changed_at IS NULL AND changed_at IS NULL"
)
