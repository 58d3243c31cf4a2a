"""Fetches lists of another service by their IDs: their titles, and the IDs of what is on them."""

from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings

from feeds.vocabulary import LANGUAGES, Text
from programme.exchange.readers.fields import as_dict, as_list, read_document
from programme.exchange.readers.ical.lines import parse_calendars
from programme.exchange.readers.interface.fetching import CALENDAR, JSON, fetch, find_api
from programme.exchange.readers.interface.properties import read_id
from programme.models.cleaning import clean_line


class FetchedList(NamedTuple):
    id: int
    title: Text
    occasion_ids: tuple[int, ...]


def fetch_lists(address: str, ids: Sequence[int], festival: str) -> list[FetchedList]:
    """Return lists, whose calendars are named `festival: title`. Raises `UnreadableFileError`."""
    return [_fetch_list(find_api(address), each, festival) for each in ids]


def _fetch_list(base: str, key: int, festival: str) -> FetchedList:
    path, most = f"{base}/lists/{key}/events", settings.IMPORT_UNPACKED_MB * 1_000_000
    found = fetch(f"{path}.json?language=sv", JSON, most, required=True) or b"[]"
    sv, en = (_find_name(f"{path}.ics?language={language}", festival, most) for language in LANGUAGES)
    elements = (as_dict(as_dict(each).get("occation")) for each in as_list(read_document(found)))
    title = Text(sv or f"{key}", "" if en == sv else en)
    return FetchedList(key, title, tuple(filter(None, map(read_id, elements))))


def _find_name(url: str, festival: str, most: int) -> str:
    content = fetch(url, CALENDAR, most)
    calendars = parse_calendars(content) if content else ()
    name = next((clean_line(each.text("X-WR-CALNAME") or each.text("NAME")) for each in calendars), "")
    # In English, the festival may have another name.
    before = f"{festival}: "
    return name.removeprefix(before) if name.startswith(before) else name.rpartition(": ")[2]
