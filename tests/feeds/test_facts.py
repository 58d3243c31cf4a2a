"""The facts by which visitors choose: who states them, what is asked for, and in which words."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.fact import NO, Fact, FactKind, list_known
from feeds.facts import (
    ACCESS,
    AGE,
    BY_NAME,
    FACTS,
    FREE,
    derive_free,
    derive_stated,
    facts_of,
    find_tokens,
    split_token,
)
from feeds.formats import BY_EXTENSION, Format
from feeds.json_parts import encode
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.programme_document import build_programme
from feeds.selection import Selection
from feeds.vocabulary import Occasion
from feeds.wording import format_booking
from tests.conftest import SITE
from tests.feeds.parsers import PARSERS
from tests.feeds.selections import build_listing, find_ids, list_errors, parse_selection
from tests.feeds.strategies import programmes

CODES = [(fact, code) for fact in FACTS for code, *_ in list_known(fact)]


@pytest.mark.parametrize(
    ("fact", "code"), CODES, ids=lambda each: each if isinstance(each, str) else each.name
)
def test_each_value_is_known_by_its_code_and_its_words(fact: Fact, code: str) -> None:
    label = fact.label(code)
    assert [fact.parse(text) for text in (code, label.sv.upper(), f" {label.en} ")] == [code] * 3
    assert fact.split(code) == [code]


@given(first=st.none() | st.integers(0, 60), last=st.none() | st.integers(60, 120))
def test_ages_are_known_by_their_words(first: int | None, last: int | None) -> None:
    code = "-".join("" if end is None else str(end) for end in (first, last))
    if code == "-":
        return
    label = AGE.label(code)
    expected = None if first == last else code
    assert [AGE.parse(text) for text in (code, label.sv, label.en)] == [code, expected, expected]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("från 7 år", "7-"), ("7+", "7-"), ("12 år och uppåt", "12-"), ("fr.o.m. 15", "15-")),
        *(("upp till 5", "-5"), ("6 – 12 år", "6-12"), ("6 till 9", "6-9"), ("Ages 6 to 9", "6-9")),
        # A limit or an age, neither, backwards, and too old.
        *(("18", None), ("18 år", None), ("barn", None), ("12-6", None), ("7-130", None), ("", None)),
    ],
)
def test_ages_as_they_are_written(text: str, code: str | None) -> None:
    assert AGE.parse(text) == code


@pytest.mark.parametrize(
    ("price", "free"),
    [
        *((each, "true") for each in ("0", "0 kr", "Gratis", "FRI ENTRÉ.", "Free admission", "0:-")),
        *(
            (each, "false")
            for each in ("150 kr", "1 000 kr", "50", "100–200 kr", "Vuxen 150 kr, barn 50 kr", "120:-", "3 €")
        ),
        *(
            (each, "")
            for each in ("", "0–50 kr", "Gratis för barn, 50 kr vuxna", "Gratis för barn", "Ring 0701")
        ),
        *((each, "") for each in ("50 kr; barn 0 kr", "barn 0 kr", "Fri entré 20 kr i garderob", "webben")),
    ],
)
def test_a_price_says_that_it_is_free_only_where_it_says_so_for_all(price: str, free: str) -> None:
    assert derive_free(price) == free


def test_what_an_editor_says_goes_before_the_price() -> None:
    assert derive_stated(("", "", ""), "150 kr") == ("", "", "false")
    assert derive_stated(("", "", "true"), "150 kr") == ("", "", "true")


def test_what_holds_is_what_place_event_and_occasion_state() -> None:
    location = ("step-free no-hearing-loop",)
    event = ("families children", "6-12", "true")
    assert find_tokens(location, event, ("full", "no-loud sign-language")) == (
        *("audience:children", "audience:families", "age:6-12", "free:true", "booking:full"),
        *("access:step-free", "access:no-hearing-loop", "access:sign-language", "access:no-loud"),
    )


@pytest.mark.parametrize("fact", FACTS, ids=lambda each: each.name)
def test_each_value_is_stated_by_one_kind_of_rows(fact: Fact) -> None:
    kinds = [each for model in ("event", "occasion", "location") for each in facts_of(model)]
    stated = [value for each in kinds if each.name == fact.name for value in each.values]
    assert sorted(stated) == sorted(fact.values)
    assert facts_of("room") == facts_of("location")


MEANT = {"children": "0-12", "families": "0-120", "youth": "13-19", "adults": "18-120", "seniors": "65-120"}


def is_found(occasion: Occasion, asked: dict[str, list[str]]) -> bool:
    """Return what a query finds, in the plainest way."""
    has = {
        name: [code for each, code in map(split_token, occasion.facts) if each == name] for name in BY_NAME
    }

    def holds(name: str, codes: list[str]) -> bool:
        if BY_NAME[name].kind is FactKind.RANGE:
            ends = [code.split("-") for code in has[name] or filter(None, map(MEANT.get, has["audience"]))]
            return any(int(a or 0) <= int(age) <= int(b or 120) for a, b in ends for age in codes)
        matched = [code in has[name] for code in codes]
        return all(matched) if BY_NAME[name].kind is FactKind.STATES else any(matched)

    return all(holds(name, codes) for name, codes in asked.items())


def ask(fact: Fact) -> Any:
    codes = st.sampled_from(fact.codes) if fact.codes else st.integers(0, 60).map(str)
    return st.lists(codes, min_size=1, max_size=2, unique=True)


# Where a document has an occasion's address; other formats may have none.
ADDRESS = re.compile(r"/tillfalle/(\d+)")


def list_ids(kind: type[Format], listing: Listing) -> list[int]:
    text = kind().write_events(listing).decode().replace("\r\n ", "")
    if kind.extension == "json":
        return [each["occation"]["id"] for each in json.loads(text)]
    return [*dict.fromkeys(map(int, ADDRESS.findall(text)))]


IN_ORDER = [BY_EXTENSION[each] for each in (*PARSERS, "csv")]


@given(
    programme=programmes(),
    asked=st.lists(st.sampled_from(FACTS), min_size=1, max_size=2, unique=True).flatmap(
        lambda facts: st.fixed_dictionaries({fact.name: ask(fact) for fact in facts})
    ),
)
def test_every_format_has_what_a_query_finds_in_order(
    programme: Programme, asked: dict[str, list[str]]
) -> None:
    query = "&".join(f"{name}={code}" for name, codes in asked.items() for code in codes)
    expected = [each.id for each in programme.occasions if is_found(each, asked)]
    assert find_ids(programme, query) == expected
    listing = build_listing(programme, query)
    document = json.loads(encode(build_programme(listing)))
    assert [each["id"] for each in document["occasions"]] == expected
    for kind in IN_ORDER:
        assert list_ids(kind, listing) == expected, kind.extension
    # What is found is found again by the canonical query, and by a test without the index.
    assert find_ids(programme, listing.selection.query) == expected
    snapshot = listing.snapshot
    test = programme.index.build_test(listing.selection, snapshot.now, snapshot.today)
    assert [each.id for each in programme.occasions if test(each)] == expected


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.name)
def test_a_value_that_is_none_is_refused_with_those_that_are(fact: Fact) -> None:
    valid = ", ".join(fact.codes) or "0 to 120"
    message = f"'okänt' is not available. Use one of {valid}."
    assert list_errors(f"{fact.name}=okänt") == {fact.name: [message]}


def test_values_are_understood_in_words_and_written_as_codes() -> None:
    query = parse_selection("free=GRATIS&audience=barn&age=007&access=h%C3%B6rslinga&access=no-loud").query
    assert query == "audience=children&age=7&free=true&access=hearing-loop&access=no-loud"
    assert {code for code in ACCESS.codes if code.startswith(NO)} == {"no-strobe-light", "no-loud"}
    assert list_errors("access=no-step-free") != {}
    assert FREE.codes == ("true", "false")


@pytest.mark.parametrize(
    "state", ["", "booking:needed", "booking:waiting-list", "booking:full", "booking:not-needed"]
)
def test_nobody_is_asked_to_book_what_is_full_or_not_booked(sample_programme: Programme, state: str) -> None:
    occasion = replace(
        sample_programme.by_id[8001], facts=(state,) if state else (), booking_url="https://boka.example/"
    )
    said = {format_booking(each, SITE.time, "sv") for each in (occasion, replace(occasion, cancelled=True))}
    assert said == ({"", "Boka"} if state in {"", "booking:needed", "booking:waiting-list"} else {""})


AGES = {0, 12, 13, 17, 18, 19, 20, 64, 65, 120}


@pytest.mark.parametrize(
    ("stated", "ages"),
    [
        ("children", {0, 12}),
        ("youth", {13, 17, 18, 19}),
        ("families", AGES),
        ("adults", {18, 19, 20, 64, 65, 120}),
        ("seniors", {65, 120}),
        ("children seniors", {0, 12, 65, 120}),
        ("professionals", set()),
        ("", set()),
    ],
)
def test_an_age_goes_by_words_where_no_ages_are_stated(
    sample_programme: Programme, stated: str, ages: set[int]
) -> None:
    words = tuple(f"audience:{each}" for each in stated.split())
    occasion = replace(sample_programme.by_id[8001], facts=words)
    aged = replace(occasion, facts=(*words, "age:3-5"))

    def is_found(age: int, occasion: Occasion) -> bool:
        selection = Selection(facts=(f"age:{age}",))
        return sample_programme.index.build_test(selection, occasion.start, occasion.start.date())(occasion)

    assert {age for age in AGES if is_found(age, occasion)} == ages
    assert {age for age in range(10) if is_found(age, aged)} == {3, 4, 5}
