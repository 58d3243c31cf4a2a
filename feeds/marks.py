"""The mark of change of an occasion, derived from its news (decisions, "Selection")."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from feeds.news import News, NewsState
from feeds.transitions import UPDATED_FOR
from feeds.vocabulary import NewsKind, Text

MARKING: frozenset[NewsKind] = frozenset({"moved", "cancelled", "reinstated", "changed"})
# The state of cancellation that these kinds of news imply.
_OF_CANCELLED: Mapping[NewsKind, bool] = {"cancelled": True, "reinstated": False}


class Mark(NamedTuple):
    """When a change was announced, and why; and the time and place before an occasion was moved."""

    changed_at: datetime | None = None
    change_info: Text = Text()
    previous_start: datetime | None = None
    previous_place: str = ""


NO_MARK = Mark()


def find_mark(news: Iterable[News], now: NewsState, merged: Mapping[str, Mapping[int, int]]) -> Mark:
    """Return the mark of an occasion from all of its news and its present state.

    `merged` are the IDs of merged rows, by parameter (`Programme.merged`).
    """
    told = sorted((each for each in news if each.kind in MARKING), key=lambda each: each.told_at)
    while told and _OF_CANCELLED.get(told[-1].kind, now.cancelled) != now.cancelled:
        told.pop()
    if not told:
        return NO_MARK
    latest = told.pop()
    former = (None, "") if now.cancelled else _find_former(latest, told, now, merged)
    after = latest.after
    known, present = ((each.minutes[0], _find_place(each, merged)) for each in (after or now, now))
    is_back = latest.kind == "moved" and former == (None, "") and known != present
    # The note of a move explains neither a cancellation nor an unannounced return.
    is_so = after is not None and after.cancelled == now.cancelled and not is_back
    return Mark(latest.told_at, latest.note if is_so else Text(), *former)


def _find_former(
    latest: News, earlier: list[News], now: NewsState, merged: Mapping[str, Mapping[int, int]]
) -> tuple[datetime | None, str]:
    """Return the start and the place before the first change of a series, each if it differs now.

    A series is changes that were each announced within 36 hours of the former change.
    """
    first = latest
    for each in reversed(earlier):
        if first.told_at - each.told_at >= UPDATED_FOR:
            break
        first = each
    if (before := first.before) is None:
        return None, ""
    is_elsewhere = _find_place(before, merged) != _find_place(now, merged) and before.place != now.place
    start = before.start if before.minutes[0] != now.minutes[0] else None
    return start, before.place if is_elsewhere else ""


def _find_place(state: NewsState, merged: Mapping[str, Mapping[int, int]]) -> tuple[int | None, ...]:
    places = (("location", state.location), ("room", state.room))
    return tuple(key and merged.get(name, {}).get(key, key) for name, key in places)
