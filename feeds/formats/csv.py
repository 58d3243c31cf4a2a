"""CSV: a row for each occasion, with named columns, for press lists and open data."""

import csv
import io

from msgspec.structs import fields

from feeds import columns
from feeds.facts import FACTS, group_tokens, is_sign_interpreted
from feeds.formats.base import Format
from feeds.listing import Listing
from feeds.memoization import memoize
from feeds.vocabulary import Event, LanguageCode, Occasion, Site, Text
from feeds.wording import format_clock, format_news

# In the order of the columns: new ones are added at the end.
_FIELDS = (
    *("occasion_no", "event_id", "title", "day", "start", "end_day", "end", "cancelled", "change_info"),
    *("location", "address", "latitude", "longitude", "room", "floor", "accessibility", "stop"),
    *("area", "sub_area", "type", "organizer", "production", "language", "intro_", "description_", "price"),
    *(fact.name for fact in FACTS),
    *("booking_url", "booking_from", "ticket_url", "external_url", "page", "stream"),
    *("image_url", "image_caption", "highlighted", "sign_interpreted"),
)
_COLUMNS = {column.field: column for column in (*columns.COLUMNS, *columns.PUBLISHED_COLUMNS)}
_TYPES = {field.name: field.type for field in fields(Event)}
# The fields of an event that are written unchanged, and its texts in the requested language.
_AS_STORED = tuple(field for field in _FIELDS if _TYPES.get(field) in (str, bool))
_TEXTS = tuple(field for field in _FIELDS if _TYPES.get(field.removesuffix("_")) is Text)


class CsvFormat(Format):
    """CSV by RFC 4180, with a byte order mark, without which Excel misreads UTF-8."""

    extension = "csv"
    media_types = ("text/csv",)
    rank = 86
    label = Text(sv="CSV", en="CSV")
    purpose = Text(sv="för kalkylprogram och öppna data", en="for spreadsheets and open data")
    depends_on_time = False

    def write_events(self, listing: Listing) -> bytes:
        language = listing.language
        headings = _write_row([getattr(_COLUMNS[field], language) for field in _FIELDS])
        rows = (_write_occasion(each, listing.site, language) for each in listing.occasions)
        return b"".join(["\ufeff".encode(), headings, *rows])


@memoize
def _write_occasion(occasion: Occasion, site: Site, language: LanguageCode) -> bytes:
    event, place, festival = occasion.event, occasion.place, site.time
    location, room = (place.location, place.room) if place else (None, None)
    accessibility = (each.accessibility.within(language) for each in (location, room) if each)
    span, opens = festival.span(occasion.start, occasion.end), occasion.booking_from
    stated = group_tokens(occasion.facts)
    labels = {fact.name: map(fact.label, stated.get(fact.name, ())) for fact in FACTS}
    cells = {
        **columns.build_event_cells(event, language, _AS_STORED),
        "type": "; ".join(each.name.within(language) for each in event.types),
        **{field: getattr(event, field.removesuffix("_")).within(language) for field in _TEXTS},
        "day": span.start.date().isoformat(),
        "start": format_clock(span.start),
        "end_day": span.end.date().isoformat(),
        "end": format_clock(span.end),
        **columns.build_place_cells(location, room),
        "floor": room.floor if room else "",
        "accessibility": "\n".join(filter(None, accessibility)),
        "stop": location.public_transport_station if location else "",
        **{name: "; ".join(each.within(language) for each in found) for name, found in labels.items()},
        "occasion_no": str(occasion.id),
        "cancelled": columns.say_yes(occasion.cancelled, language),
        "sign_interpreted": columns.say_yes(is_sign_interpreted(occasion), language),
        "change_info": format_news(occasion, festival, language),
        "booking_url": occasion.booking_url,
        "booking_from": f"{festival.local(opens):%Y-%m-%d %H:%M}" if opens else "",
        "page": site.occasion_url(occasion.identity, language),
        "stream": occasion.stream.url if occasion.stream else "",
    }
    values = (cells[field] for field in _FIELDS)
    # Programs execute no numbers.
    return _write_row(
        [columns.defuse_formula(each) if isinstance(each, str) else f"{each:.6f}" for each in values]
    )


def _write_row(cells: list[str]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().encode()
