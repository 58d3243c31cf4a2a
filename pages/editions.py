"""The editions on pages: the page's own edition, and links to others."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from feeds.editions import Edition, find_current
from feeds.selection import DayRange, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from feeds.wording import EN_DASH, format_date
from pages.addresses import START, build_path
from pages.rows import count_occasions


def describe_edition(snapshot: Snapshot, language: LanguageCode) -> dict[str, Any]:
    """Return the edition of a snapshot and the current one; nothing if there are no editions."""
    edition, present = snapshot.programme.edition, find_current(snapshot.programme.editions)
    if edition is None or present is None:
        return {}
    return {
        "name": edition.name.within(language),
        "is_other": edition != present,
        "is_over": edition.last_day < snapshot.today,
        "present": present.name.within(language),
        "path": START[language],
    }


def select_days(snapshot: Snapshot, selection: Selection) -> Selection:
    """Return a selection with the days of an edition that is over: elements show coming days by default."""
    edition = snapshot.programme.edition if selection.edition else None
    is_dated = selection.moments or selection.days or selection.during
    if edition is None or edition.last_day >= snapshot.today or is_dated:
        return selection
    return replace(selection, during=(DayRange(edition.first_day, edition.last_day),))


def list_others(
    snapshot: Snapshot, language: LanguageCode, sizes: Mapping[int, int]
) -> Iterator[dict[str, Any]]:
    """Yield the other editions with occasions (`sizes`, by ID), coming ones first."""
    editions, today = snapshot.programme.editions, snapshot.today
    coming = [each for each in editions if each.last_day >= today]
    for each in [*coming, *reversed(editions[: len(editions) - len(coming)])]:
        if each != find_current(editions) and sizes[each.id]:
            yield {
                "name": each.name.within(language),
                "is_over": each.last_day < snapshot.today,
                "path": build_path(START[language], Selection(edition=each.slug)),
                "days": _name_days(each, language),
                "size": count_occasions(sizes[each.id]),
            }


def name_following(snapshot: Snapshot, language: LanguageCode) -> str:
    """Return `Kulturnatten 2027, 1–3 augusti 2027`, the next edition, '' if there is none."""
    ahead = (each for each in snapshot.programme.editions if each.first_day > snapshot.today)
    return next((f"{each.name.within(language)}, {_name_days(each, language)}" for each in ahead), "")


def _name_days(edition: Edition, language: LanguageCode) -> str:
    """Return `1–3 augusti 2025`."""
    first, last = edition.first_day, edition.last_day
    if first < last and first.replace(day=last.day) == last:
        return f"{first.day}{EN_DASH}{format_date(last, language)}"
    return DayRange(first, last).label(language)
