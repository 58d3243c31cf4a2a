"""CSV: a row for each occasion, with named columns, for press lists and open data."""

import csv
import io
from collections.abc import Callable
from typing import NamedTuple

from feeds.facts import BY_NAME, FACTS, group_tokens
from feeds.festival_time import LocalSpan
from feeds.formats.base import Format
from feeds.formulas import defuse_formula
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import Event, LanguageCode, Location, Occasion, Place, Site, Text, Value
from feeds.wording import format_clock, format_news

# Columns of numbers, which no program runs.
_NUMBERS = {"Latitude", "Longitude"}
# By code; 0 is not stated (decisions, "production").
_PRODUCTION = (
    Text(),
    Text("av festivalen", "by the festival"),
    Text("tillsammans med andra", "together with others"),
    Text("av andra", "by others"),
)
_YES = {"sv": "ja", "en": "yes"}


class _Row(NamedTuple):
    """An occasion with what its cells depend on besides."""

    occasion: Occasion
    site: Site
    language: LanguageCode

    @property
    def event(self) -> Event:
        return self.occasion.event

    @property
    def place(self) -> Place | None:
        return self.occasion.place

    @property
    def location(self) -> Location | None:
        return self.place.location if self.place else None

    @property
    def accessibility(self) -> str:
        """That of the location and of the room."""
        parts = (self.location, self.place and self.place.room)
        return "\n".join(filter(None, (each.accessibility.within(self.language) for each in parts if each)))

    @property
    def span(self) -> LocalSpan:
        return self.site.time.span(self.occasion.start, self.occasion.end)

    def name(self, value: Value | None, attribute: str = "name") -> str:
        return str(getattr(value, attribute)) if value else ""

    def degrees(self, attribute: str) -> str:
        value = getattr(self.location, attribute, None)
        return "" if value is None else f"{value:.6f}"

    def say_facts(self, name: str) -> str:
        labels = (BY_NAME[name].label(code) for code in group_tokens(self.occasion.facts).get(name, ()))
        return "; ".join(label.within(self.language) for label in labels)

    @property
    def booking_from(self) -> str:
        opens = self.occasion.booking_from
        return f"{self.site.time.local(opens):%Y-%m-%d %H:%M}" if opens else ""

    def say_yes(self, holds: bool) -> str:
        return _YES[self.language] if holds else ""


# The headings are those of sheets that are imported (programme.exchange.readers.sheet.columns).
_COLUMNS: tuple[tuple[Text, Callable[[_Row], str]], ...] = (
    (Text("Tillfälle", "Occasion"), lambda row: str(row.occasion.id)),
    (Text("Nr", "No"), lambda row: str(row.event.id)),
    (Text("Titel", "Title"), lambda row: row.event.title),
    (Text("Datum", "Date"), lambda row: row.span.start.date().isoformat()),
    (Text("Start", "Start"), lambda row: format_clock(row.span.start)),
    (Text("Slutdatum", "End date"), lambda row: row.span.end.date().isoformat()),
    (Text("Slut", "End"), lambda row: format_clock(row.span.end)),
    (Text("Inställt", "Cancelled"), lambda row: row.say_yes(row.occasion.cancelled)),
    (
        Text("Vad som har ändrats", "What has changed"),
        lambda row: format_news(row.occasion, row.site.time, row.language),
    ),
    (Text("Plats", "Location"), lambda row: row.name(row.location)),
    (Text("Adress", "Address"), lambda row: row.name(row.location, "address")),
    (Text("Latitud", "Latitude"), lambda row: row.degrees("latitude")),
    (Text("Longitud", "Longitude"), lambda row: row.degrees("longitude")),
    (Text("Platsens lokal", "Room"), lambda row: row.name(row.place and row.place.room)),
    (Text("Våning", "Floor"), lambda row: row.name(row.place and row.place.room, "floor")),
    (Text("Tillgänglighet", "Accessibility"), lambda row: row.accessibility),
    (
        Text("Hållplats", "Public transport stop"),
        lambda row: row.name(row.location, "public_transport_station"),
    ),
    (Text("Område", "Area"), lambda row: row.event.area.name),
    (Text("Delområde", "Sub area"), lambda row: row.name(row.event.sub_area)),
    (Text("Typ", "Type"), lambda row: "; ".join(each.name.within(row.language) for each in row.event.types)),
    (Text("Arrangör", "Organizer"), lambda row: row.name(row.event.organizer)),
    (Text("Produktion", "Production"), lambda row: _PRODUCTION[row.event.production].within(row.language)),
    (Text("Språk", "Language"), lambda row: row.name(row.event.language, "code")),
    (Text("Ingress", "Intro"), lambda row: row.event.intro.within(row.language)),
    (Text("Beskrivning", "Description"), lambda row: row.event.description.within(row.language)),
    (Text("Pris", "Price"), lambda row: row.event.price),
    *(
        (fact.title, lambda row, name=fact.name: row.say_facts(name))
        for fact in FACTS
    ),
    (Text("Bokningslänk", "Booking link"), lambda row: row.occasion.booking_url),
    (Text("Bokning öppnar", "Booking opens"), lambda row: row.booking_from),
    (Text("Biljettlänk", "Ticket link"), lambda row: row.event.ticket_url),
    (Text("Webbsida", "Web page"), lambda row: row.event.external_url),
    (Text("Sida", "Page"), lambda row: row.site.occasion_url(row.occasion.identity, row.language)),
    (Text("Sändning", "Stream"), lambda row: row.name(row.occasion.stream, "url")),
    (Text("Bildadress", "Image address"), lambda row: row.event.image_url),
    (Text("Bildtext", "Image caption"), lambda row: row.event.image_caption),
    (Text("Framhävt", "Highlighted"), lambda row: row.say_yes(row.event.highlighted)),
    (
        Text("Teckenspråkstolkat", "Sign language interpreted"),
        lambda row: row.say_yes(row.event.sign_interpreted),
    ),
)  # fmt: skip


class CsvFormat(Format):
    """As in RFC 4180, with a byte order mark, without which Excel misreads UTF-8."""

    extension = "csv"
    media_types = ("text/csv",)
    rank = 86
    label = Text(sv="CSV", en="CSV")
    purpose = Text(sv="för kalkylprogram och öppna data", en="for spreadsheets and open data")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        language = listing.language
        headings = _write_row([heading.within(language) for heading, _cell in _COLUMNS])
        rows = (_write_occasion(each, listing.site, language) for each in listing.occasions)
        return "".join(["\ufeff", headings, *rows]).encode()


@memoize
def _write_occasion(occasion: Occasion, site: Site, language: LanguageCode) -> str:
    row = _Row(occasion, site, language)
    cells = ((heading.en, cell(row)) for heading, cell in _COLUMNS)
    return _write_row([text if name in _NUMBERS else defuse_formula(text) for name, text in cells])


def _write_row(cells: list[str]) -> str:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()
