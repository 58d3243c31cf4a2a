"""The columns of sheets, shared by the import, the export and the format CSV."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from feeds.fact import FactKind
from feeds.facts import FACTS
from feeds.vocabulary import LanguageCode, Text

# The kinds of facts whose values may have columns of their own.
HAS_SINGLES = (FactKind.SEVERAL, FactKind.STATES)


class Column(NamedTuple):
    """A column: its field, its headings, and further headings in imported sheets.

    A field that ends in `_` is a text in the requested language, which imports detect from its cells. Further
    headings are separated by `|`; `english` are those that state that a text is in English.
    """

    field: str
    sv: str
    en: str
    words: str = ""
    english: str = ""
    is_exported: bool = True


def _list_single_values() -> Iterator[Column]:
    """Yield a column for each value that is stated by yes and no: `Barn`, `För barn`, `Hörslinga`."""
    for fact in (each for each in FACTS if each.kind in HAS_SINGLES):
        for value in fact.values:
            sv, en = (f"{fact.title.within(each)}: {value.label.within(each)}" for each in ("sv", "en"))
            words = "|".join((value.label.sv, value.label.en, *value.spellings))
            yield Column(fact.token(value.code), sv, en, words, is_exported=False)


# In the order of exported sheets.
COLUMNS = (
    Column("event_id", "Nr", "No", "id|programpunkt-id|programpunktens id|event id|event-id|kod|code|number|film-id|filmnr|filmnummer|produktionsnr|produktionsnummer|verk-id|programnr|programnummer|arrangemangsnr|arrangemangs-id|evenemangsnr|evenemangs-id|aktivitets-id", "film number|film no|production number|production no|production id|event number|event no|programme number|programme no|activity id"),
    Column("title", "Titel", "Title", "veranstaltung|rubrik|namn|programpunkt|evenemang|aktivitet|programpunktens namn|benämning|filmtitel|filmens titel|filmnamn|svensk titel|pjäs|pjästitel|föreställningstitel|föreställningens namn|programtitel|programnamn|evenemangstitel|evenemangsnamn|evenemangets namn|arrangemang|arrangemangets namn|aktivitetens namn|händelse|gudstjänst", "name|event|event title|event name|heading|activity|film title|movie title|movie|play title|production title|show title|performance title|programme title|activity name"),
    Column("status", "Status", "Status", "läge", "state"),
    Column("area", "Område", "Area", "festivalområde|zon|stadsdel|kommundel", "zone|venue area|district|neighbourhood|neighborhood"),
    Column("sub_area", "Delområde", "Sub area", "delområde", "subarea|sub-area"),
    Column("type", "Typ", "Type", "kategori|programtyp|genre|art|spår|evenemangstyp|sektion|programsektion|filmsektion|programserie|programkategori|evenemangskategori|konstform|aktivitetstyp|arrangemangstyp|gudstjänsttyp|typ av evenemang|typ av aktivitet|typ av gudstjänst", "category|event type|track|kind|section|film section|strand|art form|event category|activity type|programme type"),
    Column("organizer", "Arrangör", "Organizer", "veranstalter|arrangörer|värd|organisation|medverkande|artist|arrangeras av|arrangörens namn|anordnare|församling|förening|teatergrupp", "organiser|organizers|organisers|host|speaker|speakers|persons|performer|organized by|organised by|parish|company|theatre company"),
    Column("language", "Språk", "Language", "programspråk|talat språk|talspråk|filmens språk|originalspråk", "event language|spoken language|original language"),
    Column("location", "Plats", "Location", "wo|ort|veranstaltungsort|ställe|platsnamn|scenplats|var|biograf|biografens namn|teater|kyrka|kyrkans namn|kyrkolokal|bibliotek|museum|kulturhus|församlingshem|spelplats|spellokal|visningsplats|visningslokal|konsertlokal|evenemangsplats|mötesplats|anläggning|byggnad|galleri|arena", "place|venue|where|cinema|movie theater|movie theatre|theatre|theater|church|library|building|premises|gallery|venue name"),
    Column("address", "Adress", "Address", "gatuadress|besöksadress|platsens adress|postadress", "street address|street|venue address"),
    Column("latitude", "Latitud", "Latitude", "lat|breddgrad|platsens latitud|latitud (wgs84)|wgs84 latitud|lat (wgs84)|wgs84 lat", "latitude (wgs84)|wgs84 latitude|venue latitude"),
    Column("longitude", "Longitud", "Longitude", "lng|längdgrad|platsens longitud|longitud (wgs84)|wgs84 longitud|lng (wgs84)|lon (wgs84)|wgs84 lon|wgs84 lng|wgs84 long", "longitude (wgs84)|wgs84 longitude|venue longitude"),
    Column("room", "Platsens lokal", "Room", "raum|saal|rum|sal|lokalnamn|rum/scen|salong|salongens namn|salongsnamn|salongsnr|salongsnummer|biosalong|rumsnamn", "hall|screen|screen name|screen no|screen number|auditorium|auditorium name|room name|room number"),
    Column("day", "Datum", "Date", "startdatum|datum start|startdag|visningsdatum|visningsdag|speldatum|speldag|föreställningsdatum|föreställningsdag|evenemangsdatum|datum från|från datum|fr o m", "start date|screening date|show date|performance date|event date|date from|from date"),
    Column("start", "Start", "Start", "uhrzeit|beginn|alkaa|zeit|starttid|tid|klockslag|börjar|från|kl|tid start|start kl|föreställningstid|starttidpunkt|startar|startar kl|börjar kl|tidpunkt|tider|klockan|från kl|spelas|datum och tid|datum/tid|dag och tid|tid och datum", "start time|starts|from|time|begins|screening time|show time|showtime|performance time|starting time|starts at|curtain|date and time|date/time|datetime|time and date"),
    Column("end_day", "Slutdatum", "End date", "till datum|slutdag|datum slut|datum till|t o m|till och med", "end day|to date|date to|until date"),
    Column("end", "Slut", "End", "ende|loppuu|sluttid|slutar|till|tid slut|slut kl|slutar kl|slutar ca|till kl|beräknad sluttid|beräknat slut", "end time|ends|to|until|ending time|ends at|finish|finishes"),
    Column("intro_sv", "Ingress på svenska", "Intro in Swedish", "ingress sv|ingress (sv)|ingress (svenska)|ingress svenska"),
    Column("intro_en", "Ingress på engelska", "Intro in English", "ingress en|ingress (en)|ingress (engelska)|ingress engelska"),
    Column("description_sv", "Beskrivning på svenska", "Description in Swedish", "beskrivning sv|beskrivning (sv)|beskrivning (svenska)|beskrivning svenska|text svenska|text på svenska", "swedish description|swedish text"),
    Column("description_en", "Beskrivning på engelska", "Description in English", "beskrivning en|beskrivning (en)|beskrivning (engelska)|beskrivning engelska|text engelska|text på engelska", "english description|english text"),
    Column("price", "Pris", "Price", "inträde|biljettpris|kostnad|entré|biljettpriser|avgift|entréavgift|inträdesavgift|eintritt|ordinarie pris|prisinformation", "admission|cost|fee|ticket price|prices|ticket prices|entrance fee|charge"),
    Column("ticket_url", "Biljettlänk", "Ticket link", "köp biljett|biljettsida|länk till biljetter", "ticket url|ticket link|tickets link"),
    *(Column(fact.name, fact.title.sv, fact.title.en, "|".join(fact.headings)) for fact in FACTS),
    Column("booking_url", "Bokningslänk", "Booking link", "anmälningslänk|länk till anmälan|länk till bokning", "booking url|registration link|registration url"),
    Column("booking_from", "Bokning öppnar", "Booking opens", "bokning från|bokningen öppnar|anmälan öppnar|anmälan från", "booking from|registration opens|registration from"),
    Column("external_url", "Webbsida", "Web page", "länk|hemsida|webb|webbadress|www|webbplats|evenemangslänk|länk till evenemanget", "url|link|website|web|homepage|website url|event url|event link|web site|webpage"),
    Column("image_url", "Bildadress", "Image address", "bild|bildlänk", "image|image url|picture|logo"),
    Column("image_caption", "Bildtext", "Image caption", "", "caption"),
    Column("image_alt", "Alternativtext", "Alternative text", "alt|alt-text|bildbeskrivning", "alt text|image description"),
    Column("cancelled", "Inställt", "Cancelled", "inställd|inställda", "canceled"),
    Column("highlighted", "Framhävt", "Highlighted", "framhävd|höjdpunkt|utvald", "highlight|featured"),
    Column("production", "Produktion", "Production"),
    Column("change_info", "Vad som har ändrats", "What has changed", "ändring|ändringsnotis", "change|change note"),
    Column("change_info_en", "Vad som har ändrats, på engelska", "What has changed, in English"),
    Column("occasion_id", "Tillfällets ID", "Occasion's ID", "tillfälle-id|tillfälles-id|guid|uid|visningsnr|visningsnummer|visnings-id|föreställningsnr|föreställningsnummer|föreställnings-id|tillfällesnr|tillfällesnummer", "occasion id|uuid|screening id|screening no|screening number|showing id|showing no|showing number|show id|show no|show number|performance id|performance no|performance number|session id|occasion no"),
    Column("occasion_no", "Tillfällets nr", "Occasion's no"),
    Column("occasion_uid", "Tillfällets UID i kalendrar", "Occasion's UID in calendars"),
    Column("version", "Exportens nr", "Export's no"),
    Column("last_modified", "Senast ändrad", "Last modified"),
    Column("coordinates", "Koordinater", "Coordinates", "koordinat|latlong|latlng|lat,lng|lat, lng|lat, long|lat, lon|gps|gps koordinater|kartlänk|länk till karta|wgs84|wgs 84|koordinater (wgs84)", "latlon|lat,lon|gps coordinates|map link|map url|link to map|coordinates (wgs84)|geo", is_exported=False),
    Column("festival_day", "Festivaldag", "Festival day", "programdag", "", is_exported=False),
    Column("weekday", "Veckodag", "Weekday", "dag i veckan", "day of week|day of the week", is_exported=False),
    Column("duration", "Längd", "Duration", "varaktighet|tidsåtgång|filmens längd|filmlängd|föreställningens längd|tidslängd|total längd", "length|running time|runtime|run time|film length", is_exported=False),
    Column("intro_", "Ingress", "Intro", "ingress|kort beskrivning|kortbeskrivning|underrubrik|sammanfattning|kort synopsis|kort om filmen|kort text|korttext|kort presentation|introduktion|puff|pufftext|säljtext", "intro|summary|abstract|subtitle|short description|short synopsis|short text|introduction|standfirst|logline|tagline|teaser", is_exported=False),
    Column("description_", "Beskrivning", "Description", "beskrivning|text|programtext|brödtext|info|information|om programpunkten|längre beskrivning|handling|om filmen|om föreställningen|om evenemanget|om pjäsen|om konserten|filmbeskrivning|föreställningsbeskrivning|evenemangsbeskrivning|programbeskrivning|innehåll|presentation|katalogtext|lång beskrivning|långtext|webbtext|mer information", "description|long description|about|long synopsis|plot|storyline|full description|film description|event description|about the film|about the event|content|contents|programme note|programme text", is_exported=False),
    *_list_single_values(),
)  # fmt: skip
EXPORTED_COLUMNS = tuple(column for column in COLUMNS if column.is_exported)
# The fields of texts in a language that the heading does not state.
TEXTS = tuple(column.field for column in COLUMNS if column.field.endswith("_"))
# The columns for people, and the columns that identify the rows in an import of corrections.
_USUAL = (
    *("title", "area", "organizer", "location", "room", "day", "start", "end_day", "end"),
    *("cancelled", "occasion_id", "version"),
)
Columns = tuple[Column, ...]
USUAL_COLUMNS = tuple(column for column in COLUMNS if column.field in _USUAL)
# Further columns of the format, which no import reads.
PUBLISHED_COLUMNS = (
    Column("floor", "Våning", "Floor"),
    Column("accessibility", "Tillgänglighet", "Accessibility"),
    Column("stop", "Hållplats", "Public transport stop"),
    Column("page", "Sida", "Page"),
    Column("stream", "Sändning", "Stream"),
    Column("sign_interpreted", "Teckenspråkstolkat", "Sign language interpreted"),
)

# The fields of the note of change, in both languages.
NOTE = ("change_info", "change_info_en")

# --- Cells

YES = Text("ja", "yes")
# By code; 0 is "not stated" (decisions, "production").
PRODUCTION = (
    Text(),
    Text("av festivalen", "by the festival"),
    Text("tillsammans med andra", "together with others"),
    Text("av andra", "by others"),
)


def say_yes(holds: bool, language: LanguageCode) -> str:
    return YES.within(language) if holds else ""


def build_event_cells(event: Any, language: LanguageCode, fields: Iterable[str]) -> dict[str, str]:
    """Return the cells of an event, a value or an instance: `fields` unchanged, and names of related rows."""
    found = {field: getattr(event, field) for field in fields}
    return {
        **{field: say_yes(it, language) if isinstance(it, bool) else it for field, it in found.items()},
        "event_id": str(event.id),
        "area": event.area.name,
        "sub_area": event.sub_area.name if event.sub_area else "",
        "organizer": event.organizer.name if event.organizer else "",
        "language": event.language.code if event.language else "",
        "production": PRODUCTION[event.production].within(language),
    }


def build_place_cells(location: Any, room: Any) -> dict[str, Any]:
    """Return the cells of a place, coordinates as numbers."""
    degrees = {name: getattr(location, name, None) for name in ("latitude", "longitude")}
    return {
        "location": location.name if location else "",
        "address": location.address if location else "",
        **{name: "" if value is None else value for name, value in degrees.items()},
        "room": room.name if room else "",
    }


# Texts that spreadsheet programs execute, perhaps after apostrophes that `defuse_formula` has added.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")


def defuse_formula(text: str) -> str:
    """Return a text that no spreadsheet program executes as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def restore_formula(text: str) -> str:
    """Return the text that `defuse_formula` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
