"""The columns of sheets: their fields, their headings in exported sheets, and other words for them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from feeds.names import fold

_BLANKS = re.compile(r"[\s_*:.\-/]+")


class Column(NamedTuple):
    """A column: its field, its heading in exported sheets, and other words for it.

    A field that ends in `_` is a text in the language of its heading: `words` are Swedish, `english` English.
    """

    field: str
    sv: str
    en: str
    words: str = ""
    english: str = ""


# In the order of exported sheets; columns without a heading there are only read.
COLUMNS = (
    Column("event_id", "Nr", "No", "id|programpunkt-id|programpunktens id|event id|event-id|kod|code|number"),
    Column("title", "Titel", "Title", "rubrik|namn|programpunkt|evenemang|aktivitet|programpunktens namn|benämning", "name|event|event title|event name|heading|activity"),
    Column("status", "Status", "Status", "läge", "state"),
    Column("area", "Område", "Area", "festivalområde|zon", "zone|venue area"),
    Column("sub_area", "Delområde", "Sub area", "delområde", "subarea|sub-area"),
    Column("type", "Typ", "Type", "kategori|programtyp|genre|art|spår|evenemangstyp", "category|event type|track|kind"),
    Column("organizer", "Arrangör", "Organizer", "arrangörer|värd|organisation|medverkande|artist", "organiser|organizers|organisers|host|speaker|speakers|persons|performer"),
    Column("language", "Språk", "Language", "programspråk", "event language"),
    Column("location", "Plats", "Location", "lokal|ställe|platsnamn|scenplats|var", "place|venue|where"),
    Column("address", "Adress", "Address", "gatuadress|besöksadress", "street address|street"),
    Column("room", "Rum", "Room", "sal|scen|lokalnamn|rum/scen", "hall|stage"),
    Column("day", "Datum", "Date", "startdatum|datum start|när|dag|startdag", "start date|day|when"),
    Column("start", "Start", "Start", "starttid|tid|klockslag|börjar|från|kl|tid start|start kl", "start time|starts|from|time|begins"),
    Column("end_day", "Slutdatum", "End date", "till datum|slutdag|datum slut", "end day|to date"),
    Column("end", "Slut", "End", "sluttid|slutar|till|tid slut|slut kl", "end time|ends|to|until"),
    Column("occasion_cancelled", "Tillfället inställt", "Occasion cancelled"),
    Column("occasion_change_info", "Vad som har ändrats i tillfället", "What has changed in the occasion"),
    Column("occasion_location", "Tillfällets plats", "Occasion's location", "", "occasion location"),
    Column("occasion_address", "Tillfällets adress", "Occasion's address", "", "occasion address"),
    Column("occasion_room", "Tillfällets rum", "Occasion's room", "", "occasion room"),
    Column("intro_sv", "Ingress på svenska", "Intro in Swedish", "ingress sv|ingress (sv)|ingress (svenska)|ingress svenska"),
    Column("intro_en", "Ingress på engelska", "Intro in English", "ingress en|ingress (en)|ingress (engelska)|ingress engelska"),
    Column("description_sv", "Beskrivning på svenska", "Description in Swedish", "beskrivning sv|beskrivning (sv)|beskrivning (svenska)|beskrivning svenska|text svenska|text på svenska", "swedish description|swedish text"),
    Column("description_en", "Beskrivning på engelska", "Description in English", "beskrivning en|beskrivning (en)|beskrivning (engelska)|beskrivning engelska|text engelska|text på engelska", "english description|english text"),
    Column("price", "Pris", "Price", "inträde|biljettpris|kostnad|entré", "admission|cost|fee|ticket price"),
    Column("ticket_url", "Biljettlänk", "Ticket link", "biljetter|köp biljett|boka", "tickets|ticket url|booking"),
    Column("external_url", "Webbsida", "Web page", "länk|hemsida|webb|webbadress|www|webbplats", "url|link|website|web|homepage"),
    Column("image_url", "Bildadress", "Image address", "bild|bildlänk", "image|image url|picture|logo"),
    Column("image_caption", "Bildtext", "Image caption", "", "caption"),
    Column("cancelled", "Inställt", "Cancelled", "inställd|inställda", "canceled"),
    Column("highlighted", "Framhävt", "Highlighted", "framhävd|höjdpunkt|utvald", "highlight|featured"),
    Column("sign_interpreted", "Teckenspråkstolkat", "Sign language interpreted", "teckenspråk|teckentolkat|tolkas", "sign language"),
    Column("production", "Produktion", "Production"),
    Column("change_info", "Vad som har ändrats", "What has changed", "ändring|ändringsnotis", "change|change note"),
    Column("occasion_id", "Tillfällets ID", "Occasion's ID", "tillfälle-id|tillfälles-id|guid|uid", "occasion id|uuid"),
    Column("last_modified", "Senast ändrad", "Last modified"),
    Column("festival_day", "", "", "festivaldag|programdag", "festival day"),
    Column("duration", "", "", "längd|varaktighet|speltid|tidsåtgång", "duration|length"),
    Column("intro_", "", "", "ingress|kort beskrivning|kortbeskrivning|underrubrik|sammanfattning", "intro|summary|abstract|subtitle|short description"),
    Column("description_", "", "", "beskrivning|text|programtext|brödtext|info|information|om programpunkten|längre beskrivning", "description|long description|about"),
)  # fmt: skip
EXPORTED_COLUMNS = tuple(column for column in COLUMNS if column.sv)
# Only exported sheets know the identities of occasions.
IDENTITY = "occasion_id"


def fold_heading(heading: str) -> str:
    """Return a heading in a form that all its spellings share."""
    return _BLANKS.sub(" ", fold(heading)).strip()


_OWN_FIELDS = {fold_heading(word): each.field for each in EXPORTED_COLUMNS for word in (each.sv, each.en)}


def _fields() -> dict[str, str]:
    """Return the field of each heading; the headings of exported sheets win over other words."""
    fields = dict(_OWN_FIELDS)
    for column in COLUMNS:
        for language, words in (("sv", column.words), ("en", column.english)):
            field = column.field + (language if column.field.endswith("_") else "")
            for word in filter(None, words.split("|")):
                fields.setdefault(fold_heading(word), field)
    return fields


FIELDS = _fields()


def find_field(heading: str) -> str:
    return FIELDS.get(fold_heading(heading), "")


def find_fields(headings: Sequence[str]) -> list[str]:
    """Return the field of each heading, '' for unknown ones.

    Of two headings for one field the second counts as unknown, so that somebody looks at it.
    """
    found: list[str] = []
    keys = [fold_heading(heading) for heading in headings]
    own = {_OWN_FIELDS.get(key) for key in keys}
    for key in keys:
        field = FIELDS.get(key, "")
        # The column is there under its own heading, too.
        taken = field in found or (key not in _OWN_FIELDS and field in own)
        found.append("" if taken else field)
    return found
