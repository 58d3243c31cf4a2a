"""The columns of sheets: their fields, their headings in exported sheets, and other words for them."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from feeds.names import fold
from feeds.nearness import find_misspelt
from programme.exchange.readers.sheet.date_cells import find_language, read_weekday
from programme.exchange.readers.sheet.fact_columns import (
    find_fact,
    list_columns,
    list_single_columns,
    looks_like_fact,
)
from programme.exchange.text.languages import detect_language
from programme.exchange.text.times import parse_duration
from programme.exchange.text.when import split_days, split_moment
from programme.models.cleaning import complete_address
from programme.models.coordinates import parse_coordinates, read_pair


class Column(NamedTuple):
    """A column: its field, its heading in exported sheets, and other words for it.

    A field that ends in `_` is a text in the language that it looks like, or else in that of its heading:
    `words` are Swedish, `english` English.
    """

    field: str
    sv: str
    en: str
    words: str = ""
    english: str = ""
    is_exported: bool = True


# In the order of exported sheets.
COLUMNS = (
    Column("event_id", "Nr", "No", "id|programpunkt-id|programpunktens id|event id|event-id|kod|code|number|film-id|filmnr|filmnummer|produktionsnr|produktionsnummer|verk-id|programnr|programnummer|arrangemangsnr|arrangemangs-id|evenemangsnr|evenemangs-id|aktivitets-id", "film number|film no|production number|production no|production id|event number|event no|programme number|programme no|activity id"),
    Column("title", "Titel", "Title", "veranstaltung|rubrik|namn|programpunkt|evenemang|aktivitet|programpunktens namn|benämning|filmtitel|filmens titel|filmnamn|svensk titel|pjäs|pjästitel|föreställningstitel|föreställningens namn|programtitel|programnamn|evenemangstitel|evenemangsnamn|evenemangets namn|arrangemang|arrangemangets namn|aktivitetens namn|händelse|gudstjänst", "name|event|event title|event name|heading|activity|film title|movie title|movie|play title|production title|show title|performance title|programme title|activity name"),
    Column("status", "Status", "Status", "läge", "state"),
    Column("area", "Område", "Area", "festivalområde|zon|stadsdel|kommundel", "zone|venue area|district|neighbourhood|neighborhood"),
    Column("sub_area", "Delområde", "Sub area", "delområde", "subarea|sub-area"),
    Column("type", "Typ", "Type", "kategori|programtyp|genre|art|spår|evenemangstyp|sektion|programsektion|filmsektion|programserie|programkategori|evenemangskategori|konstform|aktivitetstyp|arrangemangstyp|gudstjänsttyp|typ av evenemang|typ av aktivitet|typ av gudstjänst", "category|event type|track|kind|section|film section|strand|art form|event category|activity type|programme type"),
    Column("organizer", "Arrangör", "Organizer", "arrangörer|värd|organisation|medverkande|artist|arrangeras av|arrangörens namn|anordnare|församling|förening|teatergrupp", "organiser|organizers|organisers|host|speaker|speakers|persons|performer|organized by|organised by|parish|company|theatre company"),
    Column("language", "Språk", "Language", "programspråk|talat språk|talspråk|filmens språk|originalspråk", "event language|spoken language|original language"),
    Column("location", "Plats", "Location", "wo|veranstaltungsort|ställe|platsnamn|scenplats|var|biograf|biografens namn|teater|kyrka|kyrkans namn|kyrkolokal|bibliotek|museum|kulturhus|församlingshem|spelplats|spellokal|visningsplats|visningslokal|konsertlokal|evenemangsplats|mötesplats|anläggning|byggnad|galleri|arena", "place|venue|where|cinema|movie theater|movie theatre|theatre|theater|church|library|building|premises|gallery|venue name"),
    Column("address", "Adress", "Address", "gatuadress|besöksadress|platsens adress|postadress", "street address|street|venue address"),
    Column("latitude", "Latitud", "Latitude", "lat|breddgrad|platsens latitud|latitud (wgs84)|wgs84 latitud|lat (wgs84)|wgs84 lat", "latitude (wgs84)|wgs84 latitude|venue latitude"),
    Column("longitude", "Longitud", "Longitude", "lng|längdgrad|platsens longitud|longitud (wgs84)|wgs84 longitud|lng (wgs84)|lon (wgs84)|wgs84 lon|wgs84 lng|wgs84 long", "longitude (wgs84)|wgs84 longitude|venue longitude"),
    Column("room", "Platsens lokal", "Room", "raum|saal|rum|sal|lokalnamn|rum/scen|salong|salongens namn|salongsnamn|salongsnr|salongsnummer|biosalong|rumsnamn", "hall|screen|screen name|screen no|screen number|auditorium|auditorium name|room name|room number"),
    Column("day", "Datum", "Date", "startdatum|datum start|startdag|visningsdatum|visningsdag|speldatum|speldag|föreställningsdatum|föreställningsdag|evenemangsdatum|datum från|från datum|fr o m", "start date|screening date|show date|performance date|event date|date from|from date"),
    Column("start", "Start", "Start", "uhrzeit|beginn|zeit|starttid|tid|klockslag|börjar|från|kl|tid start|start kl|föreställningstid|starttidpunkt|startar|startar kl|börjar kl|tidpunkt|tider|klockan|från kl|spelas|datum och tid|datum/tid|dag och tid|tid och datum", "start time|starts|from|time|begins|screening time|show time|showtime|performance time|starting time|starts at|curtain|date and time|date/time|datetime|time and date"),
    Column("end_day", "Slutdatum", "End date", "till datum|slutdag|datum slut|datum till|t o m|till och med", "end day|to date|date to|until date"),
    Column("end", "Slut", "End", "ende|sluttid|slutar|till|tid slut|slut kl|slutar kl|slutar ca|till kl|beräknad sluttid|beräknat slut", "end time|ends|to|until|ending time|ends at|finish|finishes"),
    Column("occasion_cancelled", "Tillfället inställt", "Occasion cancelled"),
    Column("occasion_change_info", "Vad som har ändrats i tillfället", "What has changed in the occasion"),
    Column("occasion_change_info_en", "Vad som har ändrats i tillfället, på engelska", "What has changed in the occasion, in English"),
    Column("occasion_location", "Tillfällets plats", "Occasion's location", "", "occasion location"),
    Column("occasion_address", "Tillfällets adress", "Occasion's address", "", "occasion address"),
    Column("occasion_latitude", "Tillfällets latitud", "Occasion's latitude", "", "occasion latitude"),
    Column("occasion_longitude", "Tillfällets longitud", "Occasion's longitude", "", "occasion longitude"),
    Column("occasion_room", "Tillfällets lokal", "Occasion's room", "tillfällets rum", "occasion room"),
    *(Column(*each) for each in list_columns("occasion")),
    Column("occasion_booking_url", "Tillfällets bokningslänk", "Occasion's booking link"),
    Column("occasion_booking_from", "Tillfällets bokning öppnar", "Occasion's booking opens"),
    Column("intro_sv", "Ingress på svenska", "Intro in Swedish", "ingress sv|ingress (sv)|ingress (svenska)|ingress svenska"),
    Column("intro_en", "Ingress på engelska", "Intro in English", "ingress en|ingress (en)|ingress (engelska)|ingress engelska"),
    Column("description_sv", "Beskrivning på svenska", "Description in Swedish", "beskrivning sv|beskrivning (sv)|beskrivning (svenska)|beskrivning svenska|text svenska|text på svenska", "swedish description|swedish text"),
    Column("description_en", "Beskrivning på engelska", "Description in English", "beskrivning en|beskrivning (en)|beskrivning (engelska)|beskrivning engelska|text engelska|text på engelska", "english description|english text"),
    Column("price", "Pris", "Price", "inträde|biljettpris|kostnad|entré|biljettpriser|avgift|entréavgift|inträdesavgift|ordinarie pris|prisinformation", "admission|cost|fee|ticket price|prices|ticket prices|entrance fee|charge"),
    Column("ticket_url", "Biljettlänk", "Ticket link", "köp biljett|biljettsida|länk till biljetter", "ticket url|ticket link|tickets link"),
    *(Column(*each) for each in list_columns("event")),
    Column("booking_url", "Bokningslänk", "Booking link", "anmälningslänk|länk till anmälan|länk till bokning", "booking url|registration link|registration url"),
    Column("booking_from", "Bokning öppnar", "Booking opens", "bokning från|bokningen öppnar|anmälan öppnar|anmälan från", "booking from|registration opens|registration from"),
    Column("external_url", "Webbsida", "Web page", "länk|hemsida|webb|webbadress|www|webbplats|evenemangslänk|länk till evenemanget", "url|link|website|web|homepage|website url|event url|event link|web site|webpage"),
    Column("image_url", "Bildadress", "Image address", "bild|bildlänk", "image|image url|picture|logo"),
    Column("image_caption", "Bildtext", "Image caption", "", "caption"),
    Column("image_alt", "Alternativtext", "Alternative text", "alt|alt-text|bildbeskrivning", "alt text|image description"),
    Column("cancelled", "Inställt", "Cancelled", "inställd|inställda", "canceled"),
    Column("highlighted", "Framhävt", "Highlighted", "framhävd|höjdpunkt|utvald", "highlight|featured"),
    Column("sign_interpreted", "Teckenspråkstolkat", "Sign language interpreted", "teckenspråk|teckentolkat|tolkas|teckenspråkstolk|teckenspråkstolkning", "sign language|sign language interpretation"),
    Column("production", "Produktion", "Production"),
    Column("change_info", "Vad som har ändrats", "What has changed", "ändring|ändringsnotis", "change|change note"),
    Column("change_info_en", "Vad som har ändrats, på engelska", "What has changed, in English"),
    Column("occasion_id", "Tillfällets ID", "Occasion's ID", "tillfälle-id|tillfälles-id|guid|uid|visningsnr|visningsnummer|visnings-id|föreställningsnr|föreställningsnummer|föreställnings-id|tillfällesnr|tillfällesnummer", "occasion id|uuid|screening id|screening no|screening number|showing id|showing no|showing number|show id|show no|show number|performance id|performance no|performance number|session id|occasion no"),
    Column("occasion_no", "Tillfällets nr", "Occasion's no"),
    Column("occasion_uid", "Tillfällets UID i kalendrar", "Occasion's UID in calendars"),
    Column("last_modified", "Senast ändrad", "Last modified"),
    Column("coordinates", "Koordinater", "Coordinates", "koordinat|latlong|latlng|lat,lng|lat, lng|lat, long|lat, lon|gps|gps koordinater|kartlänk|länk till karta|wgs84|wgs 84|koordinater (wgs84)", "latlon|lat,lon|gps coordinates|map link|map url|link to map|coordinates (wgs84)|geo", is_exported=False),
    Column("festival_day", "Festivaldag", "Festival day", "programdag", "", is_exported=False),
    Column("weekday", "Veckodag", "Weekday", "dag i veckan", "day of week|day of the week", is_exported=False),
    Column("duration", "Längd", "Duration", "varaktighet|tidsåtgång|filmens längd|filmlängd|föreställningens längd|tidslängd|total längd", "length|running time|runtime|run time|film length", is_exported=False),
    Column("intro_", "Ingress", "Intro", "ingress|kort beskrivning|kortbeskrivning|underrubrik|sammanfattning|kort synopsis|kort om filmen|kort text|korttext|kort presentation|introduktion|puff|pufftext|säljtext", "intro|summary|abstract|subtitle|short description|short synopsis|short text|introduction|standfirst|logline|tagline|teaser", is_exported=False),
    Column("description_", "Beskrivning", "Description", "beskrivning|text|programtext|brödtext|info|information|om programpunkten|längre beskrivning|handling|om filmen|om föreställningen|om evenemanget|om pjäsen|om konserten|filmbeskrivning|föreställningsbeskrivning|evenemangsbeskrivning|programbeskrivning|innehåll|presentation|katalogtext|lång beskrivning|långtext|webbtext|mer information", "description|long description|about|long synopsis|plot|storyline|full description|film description|event description|about the film|about the event|content|contents|programme note|programme text", is_exported=False),
    *(Column(*each) for each in list_single_columns()),
)  # fmt: skip
# Words that may be one of several fields: the first that no other column is, and that the cells look like.
AMBIGUOUS = {
    "lokal|lokaler|scen|scenens namn|stage|stage name|bühne": ("location", "room"),
    "visning|föreställning|screening|showing|performance|show|session": ("title", "start", "occasion_id"),
    "film|konsert|mässa|utställning|föreläsning|kurs|workshop|concert|exhibition|lecture|service|"
    "program|programme|vad|what|originaltitel|original title|engelsk titel|english title": ("title",),
    "speltid|playing time": ("duration", "start"),
    "visningstid": ("start", "duration"),
    "dag|day|tag|när|when|wann": ("day", "weekday"),
    "om|about": ("description_",),
    "synopsis|sammandrag": ("description_", "intro_"),
    "läs mer|mer info|read more|more info": ("external_url", "description_"),
    "biljett|biljetter|boka|bokning|ticket|tickets|booking|book tickets": ("ticket_url", "price"),
    "karta|kartan|map|position|maps|google maps": ("coordinates",),
    "lon|long": ("longitude",),
    "affisch|pressbild|stillbild|foto|poster|still|photo": ("image_url",),
    "präst|predikant|ledare|kursledare|föreläsare|talare|författare|solist|ensemble|grupp|band|akt|act|artister|vem|lecturer|artists|author|authors|who": (
        "organizer",
    ),
}
# What names the event where nothing else does.
_PERFORMERS = {"artist", "artister", "artists", "akt", "act", "band", "grupp", "medverkande", "solist"}
_WHEN = {"day", "festival_day", "weekday", "start"}
EXPORTED_COLUMNS = tuple(column for column in COLUMNS if column.is_exported)
# Above types, where there are several.
_NUMBERED_TYPES = {"ämne", "topic", "subject", "tema", "theme", "tagg", "tag"}
_LISTS_OF_TYPES = {
    *("typer", "kategorier", "genrer", "ämnen", "teman", "taggar"),
    *("types", "categories", "genres", "topics", "subjects", "themes", "tags"),
}
# Only exported sheets know the identities of all occasions.
IDENTITY = "occasion_id"

_BLANKS = re.compile(r"[\s_*:.\-/]+")
_UNIT = re.compile(
    r"[\s,(]*\b(?:i |in )?(?:min|minuter|minutes|kr|sek|tt mm|hh mm|åååå mm dd|yyyy mm dd)\)?$"
)
# As programs name their columns: `isForChildren`.
_CAMEL, _IS = re.compile(r"(?<=[a-zåäö])(?=[A-ZÅÄÖ])"), re.compile(r"^(?:is|är) ")
# Enough rows and characters to see what a column is.
_SAMPLES, _SAMPLED = 100, 500
_LONGEST_SHOW = timedelta(hours=8)
_LONGEST_NAME = 80


def fold_heading(heading: str) -> str:
    """Return a heading in a form that all its spellings share."""
    return _BLANKS.sub(" ", fold(heading)).strip()


def _build_key(heading: str) -> str:
    """Return what a heading is looked up by: without a unit, as in `Längd (min)`."""
    return _IS.sub("", _UNIT.sub("", fold_heading(_CAMEL.sub(" ", heading))))


def _split(words: str) -> list[str]:
    return [fold_heading(word) for word in words.split("|") if word]


_OWN_FIELDS = {fold_heading(word): each.field for each in EXPORTED_COLUMNS for word in (each.sv, each.en)}
_AMBIGUOUS = {word: fields for words, fields in AMBIGUOUS.items() for word in _split(words)}
_ENGLISH = {word for column in COLUMNS for word in _split(column.english)}
# The headings of exported sheets win over other words, and of these the first.
_FIELDS = {
    word: column.field
    for column in reversed(COLUMNS)
    for word in _split(f"{column.sv}|{column.en}|{column.words}|{column.english}")
} | _OWN_FIELDS


def find_fields(headings: Sequence[str], rows: Sequence[Sequence[str]] = ()) -> list[str]:
    """Return the field of each heading above some rows, '' for unknown ones.

    Of two headings for one field the second counts as unknown, so that somebody looks at it.
    """
    keys = [_build_key(heading) for heading in headings]
    # A row that repeats, word for word, is taken once.
    different = dict.fromkeys(map(tuple, rows))
    columns = [
        [row[place] for row in different if place < len(row) and row[place]] for place in range(len(keys))
    ]
    found = [""] * len(keys)
    for choices in (_own_field, _known_field, _possible_fields):
        for place, (key, cells) in enumerate(zip(keys, columns, strict=True)):
            if not found[place]:
                possible = (_in_language(field, key, cells) for field in choices(key, cells))
                found[place] = next((field for field in possible if field not in found), "")
    performers = [
        place for place, key in enumerate(keys) if key in _PERFORMERS and found[place] == "organizer"
    ]
    if performers and "title" not in found:
        found[performers[0]] = "title"
    if "title" in found and not _WHEN & {*found}:
        _find_by_cells(found, columns)
    return found


def _find_by_cells(found: list[str], columns: Sequence[Sequence[str]]) -> None:
    """Fill in the columns of the times and the days, whatever stands above them, where both are there."""
    free = [place for place, cells in enumerate(columns) if cells and not found[place]]
    timed = [place for place in free if looks_like("start", columns[place])]
    dated = [place for place in free if place not in timed and looks_like("festival_day", columns[place])]
    if timed and dated:
        found[timed[0]], found[dated[0]] = "start", "day"


def find_known(heading: str) -> str:
    """Return the known heading of which another one is probably a misspelling, or ''."""
    return min(find_misspelt(_build_key(heading), _FIELDS), default="")


def names_types(heading: str) -> bool:
    """Return whether there are further types below a heading: `Typ 2`, `topic_1`, `Taggar`."""
    key = _build_key(heading)
    word, _blank, number = key.rpartition(" ")
    return key in _LISTS_OF_TYPES or (
        number.isdecimal() and (_FIELDS.get(word) == "type" or word in _NUMBERED_TYPES)
    )


def looks_like(field: str, cells: Sequence[str]) -> bool:
    """Return whether the cells of a column may be this field."""
    if find_fact(field)[0]:
        return looks_like_fact(field, cells)
    return not cells or field not in _LOOKS or _LOOKS[field](cells)


def name_field(field: str) -> str:
    """Return the heading of a field in exported sheets, in the language in use."""
    return next((getattr(each, find_language()) for each in COLUMNS if each.field == field), field)


def _own_field(key: str, cells: Sequence[str]) -> Sequence[str]:
    field = _OWN_FIELDS.get(key, "")
    return [field] if field and looks_like_fact(field, cells) else []


def _known_field(key: str, cells: Sequence[str]) -> Sequence[str]:
    field = _FIELDS.get(key, "")
    # A number that repeats, such as that of a film's first showing, identifies none.
    is_repeated = field == IDENTITY and len(set(cells)) < len(cells)
    return [field] if field and not is_repeated and looks_like_fact(field, cells) else []


def _possible_fields(key: str, cells: Sequence[str]) -> Sequence[str]:
    fields = _AMBIGUOUS.get(key, ())
    return [field for field in fields if looks_like(field, cells)]


def _in_language(field: str, key: str, cells: Sequence[str]) -> str:
    """Return a field; one that ends in `_` with the language of its cells, else of its heading."""
    if not field.endswith("_"):
        return field
    language = detect_language(" ".join(cell[:_SAMPLED] for cell in cells[:_SAMPLES]))
    return field + (language or ("en" if key in _ENGLISH else "sv"))


# --- What cells look like


def _most(test: Callable[[str], object]) -> Callable[[Sequence[str]], bool]:
    def look(cells: Sequence[str]) -> bool:
        samples = cells[:_SAMPLES]
        return sum(bool(test(cell)) for cell in samples) > len(samples) / 2

    return look


def _is_time(text: str) -> bool:
    return bool(split_moment(text)[1])


def _is_address(text: str) -> bool:
    return complete_address(text).lower().startswith(("http://", "https://"))


_LOOKS: dict[str, Callable[[Sequence[str]], bool]] = {
    "title": _most(lambda text: re.search(r"[^\W\d_]{2}", text) and not _is_time(text)),
    "day": _most(re.compile(r"\d").search),
    "festival_day": _most(lambda text: not text.isdecimal() and split_days(text)[0]),
    "weekday": _most(lambda text: read_weekday(text) is not None),
    # Whole numbers alone may be anything.
    "start": lambda cells: _most(_is_time)(cells) and not all(map(str.isdecimal, cells)),
    "duration": _most(lambda text: timedelta() < (parse_duration(text) or timedelta()) < _LONGEST_SHOW),
    "location": _most(lambda text: len(text) <= _LONGEST_NAME),
    "longitude": _most(lambda text: any(read_pair("", text))),
    "coordinates": _most(lambda text: parse_coordinates(text) or _is_address(text)),
    "organizer": _most(re.compile(r"[^\W\d_]{2}").search),
    "price": _most(re.compile(r"^\d{1,4}$|\d\s*(?:kr|:-|sek|€)|^fri|gratis|free", re.IGNORECASE).search),
    **dict.fromkeys(("ticket_url", "external_url", "image_url"), _most(_is_address)),
    IDENTITY: lambda cells: (
        len(set(cells)) == len(cells) and all(re.fullmatch(r"\S*\d\S*", cell) for cell in cells)
    ),
}
