"""Reads events of the Linked Events API (Helsinki and other Finnish cities) in JSON."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from feeds.festival_time import FestivalTime
from programme.exchange.readers.entries import LAST_MINUTE
from programme.exchange.readers.fields import (
    as_dict,
    as_dicts,
    as_list,
    fit_line,
    parse_web_address,
    read_document,
    read_text,
)
from programme.exchange.readers.linked_facts import read_facts
from programme.exchange.text.plain import split_description, to_plain_text
from programme.exchange.values import (
    Conference,
    Entry,
    ImportDefaults,
    Problem,
    Schedule,
    UnreadableFileError,
)
from programme.models import Event
from programme.models.cleaning import clean_line

# The languages of a name, in order of preference.
_LANGUAGES = ("sv", "en", "fi")
_EVENT_KEYS = {"super_event", "sub_events", "event_status", "super_event_type"}
# More levels of series than any file has.
_DEEPEST = 5


def is_linked_events(content: bytes, _ending: str = "") -> bool:
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return False
    try:
        return any(_is_event(item) for item in _items(read_document(content)))
    except UnreadableFileError:
        return False


def read_linked_events(content: bytes, defaults: ImportDefaults) -> Schedule:
    """Return the schedule in a page of events, in a list of them, or in a list of pages.

    Places and keywords that the events link to are taken from the same file.
    """
    document = read_document(content)
    reader = _LinkedEventsReader(list(_items(document)), defaults.time)
    entries = tuple(reader.entries())
    sources = {clean_line(str(event.get("data_source") or "")) for event in reader.events.values()}
    conference = Conference(acronym=sources.pop() if len(sources) == 1 else "")
    return Schedule(
        conference, entries, (*_find_missing_pages(document), *reader.problems), tuple(reader.unread)
    )


def _items(document: Any) -> Iterator[dict[str, Any]]:
    for item in document if isinstance(document, list) else [document]:
        page = as_dict(item)
        yield from map(as_dict, page["data"]) if isinstance(page.get("data"), list) else [page]


def _is_event(item: dict[str, Any]) -> bool:
    return str(item.get("@type", "")).startswith("Event") or len(_EVENT_KEYS & item.keys()) > 1


def _find_missing_pages(document: Any) -> Iterator[Problem]:
    pages = [as_dict(page) for page in (document if isinstance(document, list) else [document])]
    pages = [page for page in pages if any(map(_is_event, as_dicts(page.get("data"))))]
    counts = [count for page in pages if isinstance(count := as_dict(page.get("meta")).get("count"), int)]
    here = sum(len(as_dicts(page.get("data"))) for page in pages)
    if counts and counts[0] > here:
        what = _("only %(here)d of %(count)d events are in the file; the others are on further pages")
        yield Problem(_("the file"), what % {"here": here, "count": counts[0]})


class _LinkedEventsReader:
    def __init__(self, items: list[dict[str, Any]], time: FestivalTime) -> None:
        self.time = time
        self.problems: list[Problem] = []
        self.unread: list[Entry] = []
        self.named = {
            name: item
            for item in items
            for name in (item.get("@id"), item.get("id"))
            if isinstance(name, str)
        }
        self.events: dict[str, dict[str, Any]] = {}
        for item in items:
            self._collect(item)

    def _collect(self, item: dict[str, Any], depth: int = 0) -> None:
        """Collect an event and those inside it, each in its latest version."""
        if depth > _DEEPEST or not _is_event(item) or not isinstance(item.get("id"), str):
            return
        known = self.events.get(item["id"])
        if not known or str(item.get("last_modified_time")) >= str(known.get("last_modified_time")):
            self.events[item["id"]] = item
        for inside in as_dicts(item.get("sub_events")):
            self._collect({"super_event": {"@id": item.get("@id"), "id": item["id"]}} | inside, depth + 1)
        self._collect(as_dict(item.get("super_event")), depth + 1)

    def entries(self) -> Iterator[Entry]:
        """Yield the occasions, with those further fields that any of them states."""
        entries = list(self._entries())
        stated = {name for entry in entries for name, value in entry.more if value}
        for entry in entries:
            more = tuple((name, value) for name, value in entry.more if name in stated)
            yield msgspec.structs.replace(entry, more=more)

    def _entries(self) -> Iterator[Entry]:
        published = [event for event in self.events.values() if self._is_published(event)]
        above = {event["id"]: self._series(event) for event in published}
        series = {name for identifier, name in above.items() if name != identifier}
        for event in published:
            name = above[event["id"]]
            if name == event["id"] and name not in series:
                what = _("left out, because the file does not hold the occasions of this series")
                self._leave_out(event, what)
            elif name != event["id"]:
                yield from self._entry(event, self.events.get(name, {}), name or event["id"])

    def _is_published(self, event: dict[str, Any]) -> bool:
        if event.get("deleted") or event.get("replaced_by"):
            return False
        if event.get("publication_status") == "draft":
            self._leave_out(event, _("left out, because it is a draft there"))
            return False
        return True

    def _series(self, event: dict[str, Any]) -> str:
        """Return the identifier of the series that an event belongs to, or is itself; '' without one."""
        for _step in range(_DEEPEST):
            above = as_dict(event.get("super_event"))
            found = self.events.get(_link_id(above)) or self.named.get(str(above.get("@id")))
            if not found or found.get("super_event_type") != "recurring" or found is event:
                break
            event = found
        else:
            return ""
        return str(event["id"]) if event.get("super_event_type") == "recurring" else ""

    def _leave_out(self, event: dict[str, Any], what: str) -> None:
        self.problems.append(Problem(self._label(event), what, left_out=True))
        self.unread.append(Entry(id=self._series(event) or event["id"], guid=event["id"]))

    def _label(self, event: dict[str, Any]) -> str:
        title = clean_line(_any_text(event.get("name")))
        return f"{title} ({event['id']})" if title else str(event["id"])

    def _entry(self, event: dict[str, Any], above: dict[str, Any], key: str) -> Iterator[Entry]:
        """Yield an event as an occasion of the one above it, which states what the event itself does not."""
        stated = above | {name: value for name, value in event.items() if value not in (None, "", [], {})}
        start, end = self._times(event)
        if not start and event.get("event_status") == "EventPostponed":
            self._leave_out(event, _("left out, because it is postponed and has no time yet"))
            return
        place = self._follow(as_dict(stated.get("location")))
        keywords = as_dicts(stated.get("keywords"))
        street, town = _any_text(place.get("street_address")), _any_text(place.get("address_locality"))
        yield Entry(
            place=event["id"],
            id=key,
            guid=event["id"],
            title=_any_text(stated.get("name")),
            type="; ".join(filter(None, (_any_text(self._follow(each).get("name")) for each in keywords))),
            language=", ".join(_link_id(link) for link in as_dicts(stated.get("in_language"))),
            url=_any_text(stated.get("info_url")),
            logo=next((str(each["url"]) for each in as_dicts(stated.get("images")) if each.get("url")), ""),
            state="cancelled" if event.get("event_status") == "EventCancelled" else "",
            location=_any_text(place.get("name")),
            address=", ".join(filter(None, (street, town))),
            coordinates=_find_coordinates(place),
            persons=(_any_text(stated.get("provider")),),
            date=start,
            end=end,
            more=tuple(
                (self._texts(stated, event) | _price_and_caption(stated) | self._facts(stated)).items()
            ),
        )

    def _facts(self, stated: dict[str, Any]) -> dict[str, Any]:
        named = (
            self._follow(each) for name in ("audience", "keywords") for each in as_dicts(stated.get(name))
        )
        names = (text for each in named for text in as_dict(each.get("name")).values())
        return read_facts(stated, [text for text in names if isinstance(text, str)], self.time.zone)

    def _times(self, event: dict[str, Any]) -> tuple[str, str]:
        """Return start and end, '' without one; a day without a time is the whole festival day."""
        start, end = (str(event.get(name) or "") for name in ("start_time", "end_time"))
        first, last = _parse_day(start), _parse_day(end)
        if first:
            start = self.time.day_begins(first).isoformat()
            last = last or (first if not end else None)
            what = _("has no time of day, and stands for the whole festival day")
            self.problems.append(Problem(self._label(event), what))
        # The last day is included.
        return start, self.time.instant(last, LAST_MINUTE).isoformat() if last else end

    def _follow(self, link: dict[str, Any]) -> dict[str, Any]:
        """Return the object of a link: the link itself if it has a name, else the one in the file."""
        if link.get("name"):
            return link
        address = str(link.get("@id") or link.get("id") or "")
        found = self.named.get(address) or self.named.get(address.rstrip("/").rpartition("/")[2]) or {}
        if not found and address.rstrip("/").endswith(":internet"):
            return {"name": "Internet"}
        return found

    def _texts(self, event: dict[str, Any], own: dict[str, Any]) -> dict[str, str]:
        texts: dict[str, str] = {}
        for language in ("sv", "en"):
            short, long, where = (
                to_plain_text(read_text(as_dict(event.get(name)), language))
                for name in ("short_description", "description", "location_extra_info")
            )
            intro, description = split_description(short, "", long)
            texts[f"intro_{language}"] = intro
            texts[f"description_{language}"] = "\n\n".join(filter(None, (description, where)))
        stated = as_dict(event.get("description")) | as_dict(event.get("short_description"))
        if not any(texts.values()) and any(stated.values()):
            what = _("its texts are neither in Swedish nor in English, and left out")
            self.problems.append(Problem(self._label(own), what))
        return texts


def _link_id(link: dict[str, Any]) -> str:
    return str(link.get("id") or str(link.get("@id") or "").rstrip("/").rpartition("/")[2])


def _any_text(value: Any) -> str:
    """Return a text in the first language that it has, or a plain text."""
    if isinstance(value, str):
        return value
    return next(
        (text for language in _LANGUAGES if (text := read_text(as_dict(value), language).strip())), ""
    )


def _find_coordinates(place: dict[str, Any]) -> str:
    """Return latitude and longitude, which GeoJSON has the other way around; '' without both."""
    longitude, latitude, *_height = (*as_list(as_dict(place.get("position")).get("coordinates")), None, None)
    return "" if latitude is None else f"{latitude}; {longitude}"


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-07-28") else None
    except ValueError:
        return None


def _price_and_caption(event: dict[str, Any]) -> dict[str, str]:
    offers = as_dicts(event.get("offers"))
    prices = dict.fromkeys(clean_line(_any_text(offer.get("price"))) for offer in offers)
    price = ", ".join(filter(None, prices)) or (
        "Gratis" if any(offer.get("is_free") for offer in offers) else ""
    )
    tickets = (parse_web_address(_any_text(offer.get("info_url"))) for offer in offers)
    image = next(iter(as_dicts(event.get("images"))), {})
    photographer = clean_line(str(image.get("photographer_name") or ""))
    caption = (clean_line(_any_text(image.get("alt_text"))), f"Foto: {photographer}" if photographer else "")
    return {
        "price": fit_line(Event, "price", price),
        "ticket_url": next(filter(None, tickets), ""),
        "image_caption": fit_line(Event, "image_caption", ". ".join(filter(None, caption))),
    }
