"""What there is to tell of an occasion, as terms and what is said of them; what is not known is left out."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import (
    Area,
    AreaDay,
    Event,
    LanguageCode,
    Occasion,
    Organizer,
    Place,
    Stream,
    SubArea,
    Text,
)
from pages.addresses import START, address
from pages.words import Words

WEB = ("http://", "https://")
# The interface's codes (decisions, "Stream.source"); 0, another one, has no name.
STREAM_SOURCES = {1: "YouTube", 2: "Vimeo", 3: "Twitch", 4: "Facebook", 5: "SVT Play"}


class DetailText(NamedTuple):
    """A text with its language where that is not the page's, where it leads, and the moment it names."""

    text: str
    lang: str = ""
    url: str = ""
    moment: str = ""

    @property
    def is_elsewhere(self) -> bool:
        """Whether it leads to somebody else's page."""
        return bool(web(self.url))


class Detail(NamedTuple):
    term: str
    said: tuple[DetailText, ...]


def web(url: str) -> str:
    """Return an address that may be linked to, '' for any other: imported ones pass no form."""
    return url if url.lower().startswith(WEB) else ""


def in_language(text: Text, language: LanguageCode) -> DetailText:
    """Return a text in a language, or in the other one and saying so."""
    said = text.within(language)
    missing = not (text.en if language == "en" else text.sv)
    other = "sv" if language == "en" else "en"
    return DetailText(said, other if said and missing else "")


def linked(name: str, url: str) -> DetailText:
    """Return a name, as a link where there is an address for it."""
    return DetailText(name, url=web(url))


def link(text: str, url: str) -> DetailText:
    """Return a link, nothing where there is no address."""
    return DetailText(text, url=url) if web(url) else DetailText("")


def moment(instant: datetime, snapshot: Snapshot, words: Words) -> DetailText:
    local = snapshot.programme.site.time.local(instant)
    return DetailText(words.moment(local), moment=local.isoformat(timespec="seconds"))


def selected(name: str, selection: Selection) -> DetailText:
    """Return a name that leads to the programme of a selection."""
    return DetailText(name, url=address(START[selection.language], selection) if name else "")


def brief(snapshot: Snapshot, occasion: Occasion, words: Words) -> list[Detail]:
    """Return what a visitor has to know to come, but the time."""
    every = (
        *_day_facts(snapshot, occasion, words),
        *_place_facts(occasion.place, words),
        *_held_facts(occasion, words),
        _fact(words.price, occasion.event.price),
    )
    return _known(every)


def details(snapshot: Snapshot, occasion: Occasion, words: Words) -> list[Detail]:
    """Return the other facts of an occasion but its title and its texts."""
    every = (
        *_accessibility_facts(occasion.place, words),
        *_area_facts(occasion.event, words),
        *_event_facts(occasion.event, words),
        *_area_day_facts(snapshot, occasion, words),
        *_history(snapshot, occasion.event, words),
    )
    return _known(every)


def _known(facts: Iterable[Detail]) -> list[Detail]:
    told = (Detail(term, tuple(dict.fromkeys(each for each in said if each.text))) for term, said in facts)
    return [fact for fact in told if fact.said]


def _fact(term: str, *said: DetailText | str) -> Detail:
    return Detail(term, tuple(DetailText(each) if isinstance(each, str) else each for each in said))


def _day_facts(snapshot: Snapshot, occasion: Occasion, words: Words) -> Iterator[Detail]:
    time = snapshot.programme.site.time
    day, entered = time.day_of(occasion.start), area_day(snapshot, occasion)
    # The date of its start is said already.
    named = "" if day == time.local(occasion.start).date() else words.day(day)
    yield _fact(words.festival_day, named, entered.title if entered else "")


def _place_facts(place: Place | None, words: Words) -> Iterator[Detail]:
    if place is None:
        return
    location, room = place.location, place.room
    yield _fact(words.place, location.name, words.online if location.online else "")
    if room:
        yield _fact(words.room, room.name)
        yield _fact(words.floor, room.floor)
    yield _fact(words.address, location.address)
    yield _fact(words.station, location.public_transport_station)


def _held_facts(occasion: Occasion, words: Words) -> Iterator[Detail]:
    event = occasion.event
    if occasion.stream:
        yield _fact(words.stream, _stream(occasion.stream))
    if event.language:
        yield _fact(words.event_language, in_language(event.language.name, words.language))
    yield _fact(words.interpretation, words.sign_interpreted if event.sign_interpreted else "")


def _stream(stream: Stream) -> DetailText:
    source = STREAM_SOURCES.get(stream.source)
    return linked(f"{stream.name} ({source})" if source else stream.name, stream.url)


def _accessibility_facts(place: Place | None, words: Words) -> Iterator[Detail]:
    if place is None:
        return
    yield _fact(words.accessibility, in_language(place.location.accessibility, words.language))
    if place.room:
        yield _fact(words.room_accessibility, in_language(place.room.accessibility, words.language))


def _area_facts(event: Event, words: Words) -> Iterator[Detail]:
    area, inside = event.area, event.sub_area
    yield _area(words.area, area, Selection(areas=(area.name,), language=words.language), words)
    if inside:
        within = Selection(areas=(area.name,), sub_areas=(inside.name,), language=words.language)
        yield _area(words.sub_area, inside, within, words)


def _area(term: str, area: Area | SubArea, selection: Selection, words: Words) -> Detail:
    where = ", ".join(filter(None, (area.location_name, area.address)))
    info = in_language(area.info, words.language)
    return _fact(
        term, selected(area.full_name, selection), where, info, link(words.website, area.external_url)
    )


def _event_facts(event: Event, words: Words) -> Iterator[Detail]:
    language = words.language
    of_type = Selection(types=(str(event.type.id),), language=language)
    said = in_language(event.type.name, language)
    yield _fact(words.type, said._replace(url=selected(said.text, of_type).url))
    if event.organizer:
        yield _organizer(event.organizer, words)
    yield _fact(words.production, words.produced(event.production))
    yield _fact(words.more, link(event.external_url, event.external_url))


def _organizer(organizer: Organizer, words: Words) -> Detail:
    by_them = Selection(organizers=(str(organizer.id),), language=words.language)
    info = in_language(organizer.info, words.language)
    website = link(words.website, organizer.external_url)
    return _fact(words.organizer, selected(organizer.name, by_them), info, website)


def _area_day_facts(snapshot: Snapshot, occasion: Occasion, words: Words) -> Iterator[Detail]:
    area = occasion.event.area
    entered = area_day(snapshot, occasion)
    if entered:
        yield _fact(words.area_open, words.hours(entered.opens, entered.closes))
        yield _fact(words.area_ticket_office, words.hours(entered.ticket_opens, entered.ticket_closes))
    yield _fact(words.area_price, area.price, entered.price_info if entered else "")
    yield _fact(words.area_tickets, link(words.buy_tickets, area.ticket_url))


def _history(snapshot: Snapshot, event: Event, words: Words) -> Iterator[Detail]:
    # What has changed lately stands at the top of the page.
    if not snapshot.is_updated(event):
        changed = moment(event.changed_at, snapshot, words) if event.changed_at else ""
        yield _fact(words.changed, changed, event.change_info)
    yield _fact(words.published, moment(event.published_at, snapshot, words))
    yield _fact(words.last_modified, moment(event.last_modified, snapshot, words))


def area_day(snapshot: Snapshot, occasion: Occasion) -> AreaDay | None:
    """Return what was entered for the occasion's area on its festival day."""
    day = snapshot.programme.site.time.day_of(occasion.start)
    return next((each for each in occasion.event.area.days if each.date == day), None)
