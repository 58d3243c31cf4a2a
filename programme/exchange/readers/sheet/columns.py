"""Finds the fields of headings in sheets, by their words and by what the cells below them look like."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise

from feeds.columns import COLUMNS, EXPORTED_COLUMNS
from feeds.names import fold
from programme.exchange.readers.sheet.date_cells import read_weekday
from programme.exchange.readers.sheet.values import NO, YES, find_fact, looks_like_fact
from programme.exchange.text.languages import detect_language
from programme.exchange.text.times import parse_duration
from programme.exchange.text.when import split_days, split_moment
from programme.models.cleaning import complete_address
from programme.models.coordinates import parse_coordinates, read_pair
from programme.models.dates import editor_language

# Words that may be one of several fields: the first that no other column is, and that the cells look like.
AMBIGUOUS = {
    "lokal|lokaler|scen|scenens namn|stage|stage name|bühne": ("location", "room"),
    "visning|föreställning|screening|showing|performance|show|session": ("title", "start", "occasion_id"),
    "film|konsert|mässa|utställning|föreläsning|kurs|workshop|concert|exhibition|lecture|service|"
    "program|programme|vad|what|was|originaltitel|original title|engelsk titel|english title": ("title",),
    "speltid|playing time": ("duration", "start"),
    "visningstid": ("start", "duration"),
    "dag|day|tag|när|when|wann": ("day", "weekday"),
    "om|about|beschreibung": ("description_",),
    "synopsis|sammandrag": ("description_", "intro_"),
    "läs mer|mer info|read more|more info": ("external_url", "description_"),
    "biljett|biljetter|boka|bokning|ticket|tickets|booking|book tickets": ("ticket_url", "price"),
    "karta|kartan|map|position|maps|google maps": ("coordinates",),
    "lon|long": ("longitude",),
    "affisch|pressbild|stillbild|foto|poster|still|photo|featured image": ("image_url",),
    # As programs write them: Google Calendar, Outlook, Sched, pretalx, The Events Calendar.
    "subject|session name|session title|proposal title|talk title": ("title",),
    "all day event|all day|heldag": ("all_day",),
    "private|privat": ("private",),
    "session type|categories|tags": ("type",),
    "organizer name|organiser name|speaker names|artist name": ("organizer",),
    "session location|room names": ("location", "room"),
    "event summary|session abstract": ("description_", "intro_"),
    "source url|permalink|session url": ("external_url",),
    "gratuito|gratuit|kostenlos|free admission": ("free",),
    "präst|predikant|ledare|kursledare|föreläsare|talare|författare|"
    "solist|ensemble|grupp|band|akt|act|artister|vem|lecturer|"
    "artists|author|authors|who": ("organizer",),
}
# What names the event where nothing else does.
_PERFORMERS = {"artist", "artister", "artists", "akt", "act", "band", "grupp", "medverkande", "solist"}
_ID_WORDS, _NEARLY_ALL, _MORNING = {"id", "nr", "no", "nummer", "number"}, 0.9, "06:00"
_LEAST_NUMBERS, _LONG = 2, 5
# Above types, where there are several.
_NUMBERED_TYPES = {"ämne", "topic", "subject", "tema", "theme", "tagg", "tag"}
_LISTS_OF_TYPES = {
    *("typer", "kategorier", "genrer", "ämnen", "teman", "taggar"),
    *("types", "categories", "genres", "topics", "subjects", "themes", "tags"),
}
# What calendars say of an entry, beside all that events have.
FLAGGED = {"all_day", "private"}
# Only exported sheets know the identities of all occasions, and which export they are.
IDENTITY, VERSION = "occasion_id", "version"

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


def are_exported(fields: Collection[str]) -> bool:
    """Return whether these are columns by which this service knows its own sheets."""
    return IDENTITY in fields and VERSION in fields


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


def find_fields(
    headings: Sequence[str], rows: Sequence[Sequence[str]] = (), said: Sequence[Sequence[str] | None] = ()
) -> list[str]:
    """Return the field of each heading above some rows, '' for unknown ones.

    Of two headings for one field the second counts as unknown, so that somebody looks at it. `said` are the
    fields of columns of which an editor has said them: no other column has these.
    """
    keys = [_build_key(heading) for heading in headings]
    named = {number: fields for number, fields in enumerate(said) if fields is not None}
    taken = {field for fields in named.values() for field in fields}
    # A row that repeats, word for word, is taken once.
    different = dict.fromkeys(map(tuple, rows))
    columns = [
        [row[place] for row in different if place < len(row) and row[place]] for place in range(len(keys))
    ]
    found = [""] * len(keys)
    for choices in (_own_field, _known_field, _possible_fields):
        for place, (key, cells) in enumerate(zip(keys, columns, strict=True)):
            if not found[place] and place not in named:
                possible = (_in_language(field, key, cells, keys) for field in choices(key, cells))
                found[place] = next((field for field in possible if field not in {*found, *taken}), "")
    performers = [
        place for place, key in enumerate(keys) if key in _PERFORMERS and found[place] == "organizer"
    ]
    if performers and "title" not in {*found, *taken}:
        found[performers[0]] = "title"
    if "event_id" in found and not {IDENTITY, VERSION} & {*found}:
        place = found.index("event_id")
        found[place] = "" if _counts_rows(columns[place]) else "event_id"
    for place, fields in named.items():
        found[place : place + 1] = [next(iter(fields), "")]
    return found


def propose_fields(
    headings: Sequence[str], rows: Sequence[Sequence[str]], found: Sequence[str], *, with_title: bool = False
) -> dict[int, tuple[str, bool]]:
    """Return what columns with unknown headings are by their cells, and whether these leave little doubt.

    Clock times are starts, or ends if they are after the starts; numbers that are all different are IDs.
    """
    columns = [[row[n] if n < len(row) else "" for row in rows] for n in range(len(headings))]
    free = [n for n, field in enumerate(found) if not field and headings[n] and any(columns[n])]
    fields, proposed = dict(enumerate(found)), dict[int, tuple[str, bool]]()
    clocks = [n for n in free if looks_like("start", [*filter(None, columns[n])])]
    # A start is followed by others, wherever its column is.
    followers = {n: sum(_follow(columns[n], columns[other]) for other in clocks) for n in clocks}
    for number in sorted(free, key=lambda n: (-followers.get(n, 0), sorted(columns[n]))):
        field, is_sure = _propose(_build_key(headings[number]), columns[number], fields, columns)
        if field and field not in fields.values():
            proposed[number] = field, is_sure
            fields[number] = field
    named = [n for n in free if n not in proposed and looks_like("title", [*filter(None, columns[n])])]
    if with_title and named and "title" not in fields.values():
        length = {n: sum(map(len, columns[n])) / len(columns[n]) for n in named}
        # Sentences describe.
        names = [n for n in named if not all(text.endswith(".") for text in columns[n] if text)] or named
        title = max(names, key=lambda n: (length[n] <= _LONGEST_NAME, len({*columns[n]}), length[n]))
        proposed[title] = "title", True
    return proposed


def _propose(
    key: str, cells: Sequence[str], fields: Mapping[int, str], columns: Sequence[Sequence[str]]
) -> tuple[str, bool]:
    places = {field: n for n, field in fields.items() if field}
    filled = [cell for cell in cells if cell]
    starts = columns[places["start"]] if "start" in places else []
    if looks_like("start", filled) and not any(split_moment(each)[0] for each in filled[:_SAMPLES]):
        if not starts:
            return "start", True
        is_end = not {"end", "duration"} & places.keys() and _follow(starts, cells)
        return ("end", True) if is_end else ("", False)
    if looks_like("festival_day", filled):
        is_dated = {"day", "festival_day"} & places.keys() or any(split_moment(each)[0] for each in starts)
        return ("", False) if is_dated else ("day", True)
    is_id = (
        len(filled) > 1 and len({*filled}) == len(filled) == len(cells) and all(map(str.isdecimal, filled))
    )
    is_known = {"event_id", IDENTITY} & places.keys()
    is_sure = key.rpartition(" ")[2] in _ID_WORDS and not _counts_rows(filled)
    return ("event_id", is_sure) if is_id and not is_known else ("", False)


def _counts_rows(cells: Sequence[str]) -> bool:
    """Return whether cells are 1, 2, 3 …, from the beginning again on each sheet: the numbers of rows."""
    if len({*cells}) < _LEAST_NUMBERS or not all(cell.isdecimal() and len(cell) < _LONG for cell in cells):
        return False
    numbers = [*map(int, cells)]
    follow = all(after == before + 1 or after == 1 < before for before, after in pairwise([0, *numbers]))
    return follow or sorted(numbers) == [*range(1, len(numbers) + 1)]


def _follow(starts: Sequence[str], ends: Sequence[str]) -> bool:
    """Return whether nearly all ends are after their starts, or in the night after them."""
    pairs = [
        (first[-1].partition("–")[0], last[-1])
        for start, end in zip(starts[:_SAMPLES], ends, strict=False)
        if (first := split_moment(start)[1]) and (last := split_moment(end)[1])
    ]
    return sum(last > first or last < _MORNING for first, last in pairs) > len(pairs) * _NEARLY_ALL


def may_be_room(heading: str) -> bool:
    """Return whether rooms may stand below a heading of places."""
    return "room" in _AMBIGUOUS.get(_build_key(heading), ())


def names_types(heading: str) -> bool:
    """Return whether there are further types below a heading: `Typ 2`, `topic_1`, `Taggar`."""
    key = _build_key(heading)
    word, _blank, number = key.rpartition(" ")
    return key in _LISTS_OF_TYPES or (
        number.isdecimal() and (_FIELDS.get(word) == "type" or word in _NUMBERED_TYPES)
    )


def looks_like(field: str, cells: Sequence[str]) -> bool:
    """Return whether the cells of a column may be this field."""
    if field in FLAGGED:
        return {cell.casefold() for cell in cells} <= YES | NO
    if find_fact(field)[0]:
        return looks_like_fact(field, cells)
    return not cells or field not in _LOOKS or _LOOKS[field](cells)


def name_field(field: str) -> str:
    """Return the heading of a field in exported sheets, in the language in use."""
    return next((getattr(each, editor_language()) for each in COLUMNS if each.field == field), field)


def _strip(key: str) -> str:
    """Return a heading without what programs write before all of them: `event_start_time`."""
    return key.removeprefix("event ").removeprefix("evenemangets ")


def _own_field(key: str, cells: Sequence[str]) -> Sequence[str]:
    field = _OWN_FIELDS.get(key, "")
    return [field] if field and looks_like_fact(field, cells) else []


def _known_field(key: str, cells: Sequence[str]) -> Sequence[str]:
    field = _FIELDS.get(key) or ("" if key in _AMBIGUOUS else _FIELDS.get(_strip(key), ""))
    # A number that repeats, such as that of a film's first showing, identifies none.
    is_repeated = field == IDENTITY and len(set(cells)) < len(cells)
    return [field] if field and not is_repeated and looks_like_fact(field, cells) else []


def _possible_fields(key: str, cells: Sequence[str]) -> Sequence[str]:
    fields = _AMBIGUOUS.get(key) or _AMBIGUOUS.get(_strip(key), ())
    return [field for field in fields if looks_like(field, cells)]


def _in_language(field: str, key: str, cells: Sequence[str], keys: Sequence[str]) -> str:
    """Return a field; one that ends in `_` with the language of its cells.

    English headings say nothing of it, unless there is a Swedish one for such a text too.
    """
    if not field.endswith("_"):
        return field
    has_both = any(_FIELDS.get(each) == field and each not in _ENGLISH for each in keys)
    language = detect_language(" ".join(cell[:_SAMPLED] for cell in cells[:_SAMPLES]))
    return field + (language or ("en" if has_both and key in _ENGLISH else "sv"))


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
        len(set(cells)) == len(cells) and all(re.fullmatch(r"[^\s\d]*\d\S*", cell) for cell in cells)
    ),
}
