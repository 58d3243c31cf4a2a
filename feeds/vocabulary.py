"""The values of a programme, immutable, from which formats and pages are written.

All instants are aware and in UTC. A text that was not entered is the empty string.
"""

from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Literal
from uuid import UUID

import msgspec

from feeds.festival_time import FestivalTime
from feeds.names import order_name

WEB = ("http://", "https://")


def safe_url(url: str) -> str:
    """Return a web address, or '' for any other text: imported values pass no form."""
    return url if url.lower().startswith(WEB) else ""


LanguageCode = Literal["sv", "en"]
NewsKind = Literal["new", "moved", "cancelled", "reinstated", "withdrawn", "changed"]
LANGUAGES: tuple[LanguageCode, ...] = ("sv", "en")


class Value(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A value object, equal to others with the same fields.

    No value can refer to itself, so the garbage collector need not visit them (`gc=False`, inherited).
    """


class TextHolder(Value, frozen=True, dict=True, gc=True):
    """A value that holds texts written of it, apart from its fields (feeds/memoization.py)."""


class Text(Value, frozen=True):
    """A text in Swedish and English, either of which may be missing."""

    sv: str = ""
    en: str = ""

    def within(self, language: LanguageCode) -> str:
        """Return the text in a language, or in the other one if it is missing."""
        return self.en or self.sv if language == "en" else self.sv or self.en

    def find_other_language(self, language: LanguageCode) -> str:
        """Return the language that replaces a missing text, '' if the text is not missing or in neither."""
        here, other = (self.en, "sv") if language == "en" else (self.sv, "en")
        return other if self and not here else ""

    def __bool__(self) -> bool:
        return bool(self.sv or self.en)


class Site(Value, frozen=True):
    """The values of settings: the URLs of the service, and the festival's time."""

    base_url: str = "http://localhost:8000"
    extension_namespace: str = "http://localhost:8000/ns/programme"
    occasion_url_sv: str = ""
    occasion_url_en: str = ""
    time: FestivalTime = FestivalTime()

    @property
    def pages_are_elsewhere(self) -> bool:
        """Whether occasions have pages on the festival's own website, at least in one language."""
        return bool(self.occasion_url_sv or self.occasion_url_en)

    def occasion_url(self, identity: "Identity", language: LanguageCode) -> str:
        template = self.occasion_url_en if language == "en" else self.occasion_url_sv
        if template:
            return template.format(id=identity.id, uuid=identity.uuid, event_id=identity.event_id)
        return f"{self.base_url}{build_occasion_path(identity.id, language)}"


def build_occasion_path(occasion_id: int | str, language: LanguageCode) -> str:
    return f"/en/occasion/{occasion_id}" if language == "en" else f"/tillfalle/{occasion_id}"


def build_news_path(language: LanguageCode, identity: UUID | None = None) -> str:
    """Return the path of the news page, or of the page of one entry."""
    path = "/en/news" if language == "en" else "/nytt"
    return f"{path}/{identity}" if identity else path


class Headings(StrEnum):
    """The kinds of fonts for headings of pages, all of which are installed on readers' devices."""

    SERIF = "serif"
    SANS = "sans"
    ROUNDED = "rounded"
    SLAB = "slab"


class Palette(Value, frozen=True):
    """A festival's further colours, as codes of six digits or ''."""

    background: str = ""
    ink: str = ""
    dark_color: str = ""
    dark_background: str = ""
    dark_ink: str = ""


# The focus of an image where it is cropped, from the left and from the top in percent.
IMAGE_MIDDLE = (50, 50)


class Picture(Value, frozen=True):
    """An uploaded image of which there are files in several sizes, in a folder."""

    folder: str
    width: int
    height: int
    focus: tuple[int, int] = IMAGE_MIDDLE


class Theme(Value, frozen=True):
    """The look of pages: a colour of six digits, kinds of typefaces, URLs of files and the icon's folder."""

    color: str = ""
    logo_url: str = ""
    headings: str = Headings.SERIF
    palette: Palette = Palette()
    body: str = ""
    hero_url: str = ""
    icon_url: str = ""
    map_url: str = ""
    map_picture: Picture | None = None


class FooterLinks(Value, frozen=True):
    """The links in the footer of pages; `sponsors` has a line with name and address for each."""

    contact_url: str = ""
    privacy_url: str = ""
    accessibility_url: str = ""
    sponsors: str = ""


class Terms(Value, frozen=True):
    """The licence of the programme, and the contact for questions about the API."""

    license_name: str = ""
    license_url: str = ""
    terms_url: str = ""
    contact_name: str = ""
    contact_email: str = ""


class Festival(Value, frozen=True):
    """The festival. Its town and country (ISO 3166-1, `SE`) complete addresses without them."""

    name: Text
    subtitle: Text
    website: str
    saved_at: datetime
    theme: Theme = Theme()
    terms: Terms = Terms()
    town: str = ""
    country: str = ""
    links: FooterLinks = FooterLinks()
    practical: Text = Text()
    map_alt: Text = Text()
    swedish_only: bool = False

    @property
    def languages(self) -> tuple[LanguageCode, ...]:
        """The languages in which there are pages."""
        return LANGUAGES[:1] if self.swedish_only else LANGUAGES


class Stream(Value, frozen=True):
    name: str
    url: str
    source: int


class AreaDay(Value, frozen=True):
    """The opening hours and notes of an area on one festival day."""

    date: date
    opens: time | None = None
    closes: time | None = None
    ticket_opens: time | None = None
    ticket_closes: time | None = None
    title: str = ""
    price_info: str = ""


class AnyArea(Value, frozen=True):
    """The common fields of areas and sub areas."""

    id: int
    name: str = ""
    full_name: str = ""
    color: str = ""
    location_name: str = ""
    address: str = ""
    info: Text = Text()
    external_url: str = ""


class SubArea(AnyArea, frozen=True):
    area_id: int = 0
    streams: tuple[Stream, ...] = ()
    # Whether it is a place, not a theme or a series.
    physical: bool = True


class Area(AnyArea, frozen=True):
    price: str = ""
    ticket_url: str = ""
    sort_order: int = 0
    streams: tuple[Stream, ...] = ()
    days: tuple[AreaDay, ...] = ()
    # Whether it is listed even if the current edition has no events in it.
    current: bool = True

    @property
    def order(self) -> tuple[int, str, int]:
        """The sort key of areas (decisions, "Areas")."""
        return (self.sort_order, order_name(self.name), self.id)


class Organizer(TextHolder, frozen=True):
    id: int
    name: str = ""
    info: Text = Text()
    external_url: str = ""
    offer_count: int = 0
    # Former and everyday names, one a line, for search only (also those of types, rooms and locations).
    other_names: str = ""


class Language(Value, frozen=True):
    code: str
    name: Text


class EventType(Value, frozen=True):
    id: int
    name: Text = Text()
    color: str = ""
    other_names: str = ""


class Room(Value, frozen=True):
    id: int
    name: str
    floor: str
    accessibility: Text
    # As `Location.stated`.
    stated: tuple[str, ...] = ()
    other_names: str = ""


class Location(Value, frozen=True):
    id: int
    name: str
    address: str = ""
    online: bool = False
    accessibility: Text = Text()
    public_transport_station: str = ""
    # WGS 84, in degrees: both or none.
    latitude: float | None = None
    longitude: float | None = None
    # The stored texts of its facts (feeds/facts.py, `facts_of`).
    stated: tuple[str, ...] = ()
    other_names: str = ""


class Place(TextHolder, frozen=True):
    """Where an occasion is held: a location, and perhaps a room of it."""

    location: Location
    room: Room | None = None

    @property
    def full_name(self) -> str:
        return f"{self.location.name}, {self.room.name}" if self.room else self.location.name

    @property
    def stated(self) -> tuple[str, ...]:
        room, location = self.room, self.location
        return choose_stated(room.stated, room.accessibility, location.stated) if room else location.stated


def choose_stated(room: tuple[str, ...], text: Text, location: tuple[str, ...]) -> tuple[str, ...]:
    """Return the facts of a room: its own if it states any or has a text, else those of its location."""
    return room if any(room) or text else location


BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


class Event(TextHolder, frozen=True):
    id: int
    area: Area
    sub_area: SubArea | None
    title: str
    organizer: Organizer | None = None
    highlighted: bool = False
    production: int = 0
    language: Language | None = None
    type: EventType = EventType(0)
    price: str = ""
    intro: Text = Text()
    description: Text = Text()
    image_url: str = ""
    image_caption: str = ""
    external_url: str = ""
    ticket_url: str = ""
    published_at: datetime = BEFORE_ALL
    last_modified: datetime = BEFORE_ALL
    image_focus: tuple[int, int] = IMAGE_MIDDLE
    # In order after `type`, each once.
    further_types: tuple[EventType, ...] = ()
    image_alt: str = ""
    picture: Picture | None = None

    @property
    def types(self) -> tuple[EventType, ...]:
        return (self.type, *self.further_types)


class Identity(Value, frozen=True):
    """The identity of an occasion, which no edit changes and which outlives it."""

    id: int
    uuid: UUID
    event_id: int
    # The UID from another service, if that is no UUID; `uuid` is derived from it.
    uid: str = ""

    @property
    def calendar_uid(self) -> str:
        return self.uid or str(self.uuid)


class GoneOccasion(Identity, frozen=True, kw_only=True):
    """The identity of an occasion that is no longer published, and the instant of its removal."""

    at: datetime


class Occasion(TextHolder, frozen=True):
    """One time at which an event takes place.

    `change_info` and `changed_at` are its mark of change, `previous_start` and `previous_place` the published
    ones before it was moved (feeds/marks.py). `facts` are the tokens of the facts of its place, its event and
    the occasion (feeds/facts.py).
    """

    identity: Identity
    event: Event
    start: datetime
    end: datetime
    cancelled: bool
    place: Place | None
    stream: Stream | None
    change_info: Text = Text()
    changed_at: datetime | None = None
    previous_start: datetime | None = None
    previous_place: str = ""
    facts: tuple[str, ...] = ()
    booking_url: str = ""
    booking_from: datetime | None = None

    @property
    def id(self) -> int:
        return self.identity.id

    @property
    def order(self) -> tuple[datetime, datetime, tuple[int, str, int], str, int]:
        """The sort key of occasions, in every format (decisions, "Order")."""
        return (self.start, self.end, self.event.area.order, order_name(self.event.title), self.id)


class OccasionList(Value, frozen=True):
    """A list made by editors, of occasions and of events with all of their occasions, by ID.

    `saved_at`: when the list or an item of it was last saved.
    """

    id: int
    title: Text
    text: Text
    saved_at: datetime
    event_ids: frozenset[int] = frozenset()
    occasion_ids: frozenset[int] = frozenset()

    def has(self, occasion: Occasion) -> bool:
        return occasion.id in self.occasion_ids or occasion.event.id in self.event_ids


class Revision(Value, frozen=True):
    """The version of the programme: a number that increases with every edit, and the instant of the last.

    `withdrawn_at`: when anything published was last withdrawn or deleted, if ever. `lineage`: only numbers of
    one lineage can be compared, and only between them the change log is complete.
    """

    number: int
    moved_at: datetime
    withdrawn_at: datetime | None = None
    lineage: str = ""
