"""Which occasions a query string selects, in which order, and what a selection is called."""

from pathlib import Path
from unicodedata import normalize

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.festival_time import FestivalTime
from feeds.names import SIMPLE_CHARACTERS, _fold_cached, fold, fold_text
from feeds.vocabulary import OccasionList, Text
from tests.conftest import SITE
from tests.feeds.selections import build_listing, find_ids, list_errors, parse_selection
from tests.feeds.strategies import NOONS, names, programmes, texts
from tests.tables import read_table

# By start, end, area, title, ID; see tests/programmes.py.
ALL = [*(8011, 8007, 8010, 8006, 8005, 8015, 8016, 8001, 8014, 8013, 8004, 8002, 8009, 8003, 8008, 8012)]
WEDNESDAY = [8006, 8005, 8015, 8016, 8001, 8014, 8013, 8004]
TORGET = [8011, 8015, 8016, 8001, 8013, 8004, 8002, 8003, 8012]
FORENINGEN = [8007, 8001, 8014, 8002, 8003, 8008]
HIGHLIGHTED = [8010, 8001, 8002, 8009, 8003]
LIBRARY = [8001, 8014, 8002, 8009]
JAZZ = [8001, 8002, 8003]
CONCERTS = [8007, 8010, 8001, 8014, 8002, 8009, 8003, 8008]
IN_NO_SUB_AREA = [8011, 8007, 8010, 8015, 8016, 8014, 8013, 8004, 8009, 8008, 8012]
PARKEN = "Parken; norr, söder %26 \\mitt"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ALL),
        # Dates.
        ("date=2026-07-29", WEDNESDAY),
        ("date=2026-03-29", [8007]),
        ("date=2027-01-01", [8012]),
        ("date=2026-07-30/2026-08-01", [8002, 8009, 8003]),
        ("date=2026-07-29/2026-07-30", [*WEDNESDAY, 8002]),
        ("date=0001-01-01/9999-12-31", ALL),
        ("date=today", WEDNESDAY),
        ("date=tomorrow", [8002]),
        # At 14:00: one starts, and another one ends.
        ("date=now", [8005]),
        ("date=upcoming", [8015, 8016, 8001, 8014, 8013, 8004, 8002, 8009, 8003, 8008, 8012]),
        ("date=now&date=tomorrow&date=2027-01-01", [8005, 8002, 8012]),
        # Areas.
        ("area=Ångtorget", TORGET),
        (f"area={normalize('NFD', 'ångtorget')}", TORGET),
        (f"area={PARKEN}", [8007, 8010, 8006, 8005, 8014, 8009, 8008]),
        ("area=Ångtorget&area=" + PARKEN, ALL),
        ("area=Tomten", []),
        ("area=Ång", []),
        ("area=1001", []),
        # Sub areas.
        ("subarea=Scenen", [8006, 8005, 8001, 8002, 8003]),
        ("subarea=SCENEN PÅ ÅNGTORGET", [8001, 8002, 8003]),
        ("subarea=none", IN_NO_SUB_AREA),
        (f"subarea=scenen&area={PARKEN}", [8006, 8005]),
        # Rooms: the occasion's own, else the event's.
        ("room=sal 2", [8001, 8014]),
        ("room=Sal 2&room=Källaren", [8001, 8014, 8002]),
        # Locations: the occasion's own, else the event's; digits are an ID.
        ("location=BIBLIOTEKET", LIBRARY),
        ("location=5001", LIBRARY),
        ("location=biblioteket&room=sal 2", [8001, 8014]),
        # Organizers: digits are an ID.
        ("organizer=3001", FORENINGEN),
        ("organizer=FÖRENINGEN jazz", FORENINGEN),
        ("organizer=<åsa> %26 CO; ek., för.", [8010, 8004, 8009]),
        (
            "organizer=3001&organizer=<åsa> %26 CO; ek., för.",
            sorted([*FORENINGEN, 8010, 8004, 8009], key=ALL.index),
        ),
        ("organizer=" + "9" * 400, []),
        ("organizer=٣٠٠١", []),
        # Highlighted.
        ("highlighted", HIGHLIGHTED),
        ("highlighted=false", ALL),
        ("highlighted=off&highlighted=on", HIGHLIGHTED),
        # Types: digits are an ID.
        ("type=KONSERT", CONCERTS),
        ("type=4001&type=övrigt, blandat", ALL),
        # The language in which the event is held.
        ("spoken=SV", JAZZ),
        ("spoken=sv&spoken=en", [8006, 8005, *JAZZ]),
        ("spoken=Svenska", []),
        # Words: of titles, texts in both languages, names and places; in any order (test_search.py).
        ("q=vän kom", JAZZ),
        ("q=jazz", sorted(FORENINGEN, key=ALL.index)),
        (f"q={normalize('NFD', 'ÅTTA ättling')}", [8010, 8009]),
        ("q=källaren&q=ångbåtar", [8010, 8002, 8009]),
        # A text's end and the next one's beginning are no word.
        ("q=vänkom", []),
        ("q=%2B-%2B", []),
        # Sign language interpreted.
        ("signinterpreted", JAZZ),
        # Occasions chosen one by one.
        ("occation=8003.8001", [8001, 8003]),
        ("occation=8003,8001,8003&occation=08002", JAZZ),
        ("occation=1", []),
        ("occation=8003&date=today", []),
        # Different parameters all hold.
        ("date=today&area=Ångtorget&subarea=none&organizer=3002", [8004]),
        # Empty values are the same as none.
        ("date=&area=&subarea=&room=&organizer=&language=", ALL),
        # The language selects nothing.
        ("language=en", ALL),
    ],
)
def test_a_query_selects(sample_programme, query, expected):
    assert find_ids(sample_programme, query) == expected


NO_DATE = "is not a date. Use yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of today, tomorrow, now, upcoming."


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "idag", "2026-7-29", "20260729", "2026-02-30", "2026-07-29T12:00", "29/7"),
        "0000-01-01",
        *("2026-07-29/", "/2026-07-29", "2026-07-29/2026-07-30/2026-07-31", "2026-07-29/today", "٢٠٢٦-٠٧-٢٩"),
        *("2026-W31-3", "2026-07-29 / 2026-07-30", "10000-01-01"),
    ],
)
def test_what_is_no_date_is_refused(text):
    assert list_errors(f"date={text}") == {"date": [f"{text!r} {NO_DATE}"]}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("date=2026-07-30/2026-07-29", {"date": ["'2026-07-30/2026-07-29' ends before it begins."]}),
        ("date=today&date=x", {"date": [f"'x' {NO_DATE}"]}),
        ("highlighted=maybe", {"highlighted": ["'maybe' is neither true nor false."]}),
        ("highlighted=true&highlighted=ja", {"highlighted": ["'ja' is neither true nor false."]}),
        ("signinterpreted=x", {"signinterpreted": ["'x' is neither true nor false."]}),
        ("occation=8001.x", {"occation": ["'x' is not the ID of an occasion."]}),
        ("occation=-1", {"occation": ["'-1' is not the ID of an occasion."]}),
        ("occation=1..2", {"occation": ["'' is not the ID of an occasion."]}),
        ("occation=٣", {"occation": ["'٣' is not the ID of an occasion."]}),
        ("occation=" + "9" * 200, {"occation": [f"'{'9' * 100}' is not the ID of an occasion."]}),
        ("occation=" + ".".join(map(str, range(501))), {"occation": ["Name at most 500 occasions."]}),
        ("q=" + "a " * 21, {"q": ["Search for at most 20 words."]}),
        ("q=" + "&q=".join("a" * 21), {"q": ["Search for at most 20 words."]}),
        ("language=fi", {"language": ["'fi' is not available. Use sv or en."]}),
        ("language=sv&language=en", {"language": ["Name only one language."]}),
    ],
)
def test_what_cannot_be_understood_is_refused(query, expected):
    assert list_errors(query) == expected


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("", "sv"),
        ("language=", "sv"),
        ("language=SV-fi", "sv"),
        ("language=en", "en"),
        ("language=en-GB", "en"),
        # As Android writes it.
        ("language=sv_SE", "sv"),
        ("language=en_US", "en"),
        ("language=en&language=en-GB&language=", "en"),
    ],
)
def test_a_language_is_swedish_unless_english_is_asked_for(query, language):
    assert parse_selection(query).language == language


@pytest.mark.parametrize(
    ("canonical", "queries"), read_table(Path(__file__).with_name("canonical_queries.md"))
)
def test_equivalent_queries_are_one_selection(sample_programme, canonical, queries):
    selections = [build_listing(sample_programme, query).selection for query in queries.split(" / ")]
    assert {selection.query for selection in selections} == {canonical}
    assert set(selections) == {build_listing(sample_programme, canonical).selection}


@pytest.mark.parametrize(
    ("query", "swedish", "english"),
    [
        ("date=today", "idag", "today"),
        ("date=tomorrow&date=now&date=upcoming", "nu, imorgon, kommande", "now, tomorrow, upcoming"),
        ("date=2026-07-29", "29 juli 2026", "29 July 2026"),
        ("date=2026-07-31/2026-08-01", "31 juli 2026 – 1 augusti 2026", "31 July 2026 – 1 August 2026"),
        ("area=stora ångtorget", "Ångtorget", "Ångtorget"),
        ("subarea=NONE", "utan delområde", "in no sub area"),
        ("organizer=3001", "Föreningen Jazz", "Föreningen Jazz"),
        ("organizer=3001&organizer=föreningen jazz", "Föreningen Jazz", "Föreningen Jazz"),
        ("room=finns inte", "finns inte", "finns inte"),
        ("location=5001", "Biblioteket", "Biblioteket"),
        ("type=concert", "Konsert", "Concert"),
        ("spoken=sv", "svenska", "Swedish"),
        ("q=jazz", "”jazz”", "“jazz”"),
        (
            "occation=8001&signinterpreted",
            "teckenspråkstolkat, mitt program",
            "sign language interpreted, my programme",
        ),
        ("highlighted&area=Tomten&room=sal 2", "Tomten, Sal 2, höjdpunkter", "Tomten, Sal 2, highlights"),
    ],
)
def test_a_selection_is_called_by_its_names(sample_programme, query, swedish, english):
    assert build_listing(sample_programme, query).title == f"Kulturnatten i Åsunda: {swedish}"
    assert build_listing(sample_programme, f"{query}&language=en").title == f"Åsunda Culture Night: {english}"


def test_the_whole_is_called_by_the_name_of_the_festival(sample_programme):
    titles = [build_listing(sample_programme, query).title for query in ("", "language=en")]
    assert titles == ["Kulturnatten i Åsunda", "Åsunda Culture Night"]


def test_in_no_sub_area_is_known_where_every_event_is_in_one(sample_programme):
    inside = tuple(occasion for occasion in sample_programme.occasions if occasion.event.sub_area)
    programme = msgspec.structs.replace(sample_programme, occasions=inside)
    nothing = build_listing(programme, "subarea=NONE")
    assert (nothing.occasions, nothing.title) == ((), "Kulturnatten i Åsunda: utan delområde")


def test_days_are_festival_days(sample_programme):
    early = msgspec.structs.replace(SITE, time=FestivalTime(first_hour=5))
    programme = msgspec.structs.replace(sample_programme, site=early)
    days = ["2025-07-28", "2025-07-29", "2026-03-28", "2026-10-24", "2026-12-31", "2027-01-01"]
    assert [find_ids(programme, f"date={day}") for day in days] == [[8011], [], [8007], [8008], [8012], []]


def test_an_organizer_named_by_digits_is_found_by_its_id_alone(sample_programme):
    occasion = sample_programme.by_id[8004]
    renamed = msgspec.structs.replace(occasion.event.organizer, name="3001")
    event = msgspec.structs.replace(occasion.event, organizer=renamed)
    digits = msgspec.structs.replace(occasion, event=event)
    programme = msgspec.structs.replace(sample_programme, occasions=(digits, sample_programme.by_id[8001]))
    assert (find_ids(programme, "organizer=3001"), find_ids(programme, "organizer=3002")) == ([8001], [8004])


def test_names_fold_alike_in_every_case_and_composition():
    # The dotless i alone is an i in capitals and itself in small letters, in Unicode's own folding.
    letters = (chr(point) for point in range(0x20, 0x20000) if not 0xD800 <= point < 0xE000)
    apart = [
        letter
        for letter in letters
        if letter != "ı"
        for spelled in (letter.upper(), letter.lower(), letter.title(), normalize("NFD", letter))
        if fold(f"a{spelled}b") != fold(f"a{letter}b")
    ]
    assert apart == []


def test_simple_characters_fold_alike_in_texts_with_others():
    simple = bytes({*range(0x20, 0x100)} - {0x81, 0x8D, 0x8F, 0x90, 0x9D}).decode(SIMPLE_CHARACTERS)
    spelled = "".join(f"{before}{after}x" for before in simple for after in simple)
    assert fold_text(f"x{spelled}б") == f"{fold_text(f'x{spelled}')}б"


@pytest.mark.parametrize(
    "parameter", ["area", "subarea", "location", "room", "organizer", "type", "spoken", "q"]
)
@pytest.mark.parametrize(
    "name", ["x" * 1_001, "a" + "\u0315\u0316" * 10_000], ids=["letters", "marks on one letter"]
)
def test_what_is_longer_than_any_name_selects_nothing(sample_programme, parameter, name):
    listing = build_listing(sample_programme, f"{parameter}={name}")
    assert (listing.occasions, listing.selection.query) == ((), f"{parameter}=%EF%BF%BD")


def test_what_is_longer_than_any_name_is_not_remembered():
    before = _fold_cached.cache_info().misses
    assert (fold("Å" * 201), _fold_cached.cache_info().misses) == ("å" * 201, before)
    assert (fold("Å" * 200), _fold_cached.cache_info().misses) == ("å" * 200, before + 1)


@pytest.mark.parametrize("query", ["q=jazz", "occation=8001", "area=Finns inte", "type=x", "occation=1"])
def test_answers_of_which_there_is_no_end_are_not_kept(sample_programme, query):
    assert not sample_programme.index.is_known(build_listing(sample_programme, query).selection)
    assert sample_programme.index.is_known(
        build_listing(sample_programme, "type=concert&spoken=sv").selection
    )


def test_as_many_words_and_occasions_as_allowed_are_accepted():
    assert list_errors("q=" + "+".join(["a"] * 20)) == {}
    assert len(parse_selection("occation=" + ".".join(map(str, range(500)))).chosen) == 500


# --- Lists of editors as a filter, whatever is on them and asked for beside them


OTHERS = (
    *("", "highlighted=true", "date=2026-01-01/2026-12-31", "subarea=none", "free=true"),
    *("type=1&type=2", "q=a"),
)

ids = st.frozensets(st.integers(1, 8), max_size=4)
lists = st.lists(st.tuples(names, texts, ids, ids), max_size=3).map(
    lambda drawn: tuple(
        OccasionList(number, title, text, NOONS[0], events, occasions)
        for number, (title, text, events, occasions) in enumerate(drawn, 11)
    )
)


@given(programmes(), lists, lists, st.sampled_from(OTHERS))
def test_a_list_holds_what_is_on_it_and_meets_the_rest(programme, former, now, other):
    before = replace(programme, lists=former)
    asked = find_ids(before, f"list=11&{other}")
    assert asked == find_ids(replace(programme, lists=former), f"list=11&{other}")
    # What the former programme has grouped is not asked again.
    after = before.apply(frozenset(), (), lists=now)
    for wanted in ({11}, {11, 12}, {13, 99}):
        query = f"{'&'.join(f'list={each}' for each in sorted(wanted))}&{other}"
        chosen = [each for each in now if each.id in wanted]
        rest = {*find_ids(after, other)}
        expected = [
            each.id
            for each in programme.occasions
            if each.id in rest and any(one.has(each) for one in chosen)
        ]
        assert find_ids(after, query) == expected


def test_a_title_stands_for_its_list_and_digits_for_an_id(sample_programme):
    some = OccasionList(1, Text("15", "Best"), Text(), NOONS[0], frozenset({7001}))
    other = OccasionList(15, Text("Bäst"), Text(), NOONS[0], occasion_ids=frozenset({8005}))
    programme = replace(sample_programme, lists=(some, other))
    assert find_ids(programme, "list=best") == find_ids(programme, "list=1") == [8001, 8002, 8003]
    assert find_ids(programme, "list=15") == find_ids(programme, "list=BÄST") == [8005]
    assert build_listing(programme, "list=best&list=1").selection.query == "list=1"
