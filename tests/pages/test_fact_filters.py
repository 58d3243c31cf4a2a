"""Filters by facts: what each of them would leave is what its link finds."""

import re
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from feeds.facts import FACTS
from feeds.snapshot import Snapshot
from pages.programme import ProgrammePage
from pages.query import parse_query
from programme import models
from tests.conftest import NOW
from tests.feeds.strategies import programmes
from tests.pages.reading import links, opened, text, texts
from tests.programmes import ABROAD, JAZZ, NIGHT

with_sample = pytest.mark.usefixtures("sample", "at")
CHIPS = "//search//p[@class='chips'][not(parent::form)]/a"

CODES = [f"{fact.name}={code}" for fact in FACTS for code in fact.codes or ("7",)]
queries = st.lists(
    st.sampled_from([*CODES, "date=today", "date=2026-07-29/2026-07-30", "days=all", "highlighted", "q=a"]),
    max_size=3,
).map("&".join)


def read(snapshot, path):
    query = parse_query(QueryDict(urlsplit(path).query), "sv")
    return ProgrammePage(snapshot, query.canonicalize(snapshot.programme.index))


def list_all(page):
    return [*page.facts.first, *(each for _title, group in page.facts.groups for each in group)]


@given(programmes(), queries)
def test_a_filter_says_how_many_its_link_finds_and_a_chosen_one_takes_itself_off(programme, query):
    snapshot = Snapshot(programme, NOW)
    page = read(snapshot, f"/?{query}")
    for chip in list_all(page):
        then = read(snapshot, chip.path)
        pairs = {*page.selection.pairs()} ^ {*then.selection.pairs()}
        assert (chip.parameter, chip.value) in {pair for pair in pairs if pair[0] != "date"}
        assert chip.chosen or len(then.occasions) == chip.size > 0


@given(programmes(), st.sampled_from(CODES))
def test_what_is_found_is_offered(programme, code):
    snapshot = Snapshot(programme, NOW)
    page = read(snapshot, "/?days=all")
    offered = {f"{each.parameter}={each.value}" for each in list_all(page)}
    can_be = {f"{fact.name}={each}" for fact in FACTS for each in fact.offered}
    finds = bool(read(snapshot, f"/?days=all&{code}").occasions)
    assert (code in offered) == (finds and code in can_be)


@pytest.fixture
def stated(sample):
    """The sample with facts: of JAZZ, which is signed, of NIGHT and of ABROAD."""
    models.Event.objects.filter(id=JAZZ).update(audience="children families", age="6-12", free="true")
    models.Event.objects.filter(id=NIGHT).update(audience="adults")
    models.Event.objects.filter(id=ABROAD).update(free="false")
    models.Occasion.objects.filter(event=NIGHT).update(booking="needed", access="no-loud")
    models.Occasion.objects.filter(event=ABROAD).update(booking="full")


@with_sample
@pytest.mark.usefixtures("stated")
def test_facts_are_offered_in_words_and_stay_chosen(client):
    page = opened(client, "/?during=2026-07-29")
    assert texts(page, CHIPS) == [
        "Höjdpunkt 1", "För barn 1", "För familjer 1", "Fri entré 1", "Teckenspråk 1",
    ]  # fmt: skip
    groups = [(text(each.find("legend")), texts(each, "label")) for each in page.xpath("//fieldset")]
    assert [
        each for each in groups if each[0] in {"Populärt", "För", "Bokning", "Tillgänglighet i korthet"}
    ] == [
        ("Populärt", ["Höjdpunkt", "Fri entré"]),
        ("För", ["För barn", "För familjer", "För vuxna"]),
        ("Bokning", ["Bokning behövs"]),
        ("Tillgänglighet i korthet", ["Teckenspråk", "Utan högt ljud"]),
    ]
    page = opened(client, "/en/?during=2026-07-29&audience=children&age=7&signinterpreted")
    assert texts(page, f"{CHIPS}[@aria-current]") == ["For children", "Signed"]
    assert texts(page, "//form/p[@class='chips']/a/bdi") == ["for children", "age 7", "signed"]
    assert page.xpath("//form//input[@checked][@name!='after']/@value") == ["children", "sign-language"]
    # An alternative adds what it has.
    page = opened(client, "/en/?during=2026-07-29&audience=children")
    assert ("For families 1", "/en/?during=2026-07-29&audience=children&audience=families") in links(
        page, CHIPS
    )


@with_sample
@pytest.mark.usefixtures("stated")
@pytest.mark.parametrize(
    ("query", "named", "path"),
    [
        ("q=gratis", ["Fri entré 3"], "/?free=true&days=all"),
        ("q=barn jazz", ["För barn 3"], "/?q=jazz&audience=children&days=all"),
        ("q=för barn&during=2026-07-29", ["För barn 1"], "/?during=2026-07-29&audience=children"),
        ("q=jazz", [], ""),
        ("q=gratis&free=true", [], ""),
    ],
)
def test_a_fact_that_is_searched_for_is_offered_as_a_filter(client, query, named, path):
    offered = "//section[@aria-labelledby='day']/p[@class='chips']/a"
    page = opened(client, f"/?{query}")
    assert texts(page, offered) == named
    for name, found in links(page, offered):
        assert found == path
        said = text(opened(client, found).xpath("//p[@class='size']")[0])
        assert re.findall(r"\d+", said)[-1] == name.split()[-1]


@with_sample
@pytest.mark.usefixtures("stated")
@pytest.mark.parametrize("path", ["/en/", "/en/subscribe"])
def test_an_age_is_typed_and_what_else_is_chosen_sent_along(client, path):
    form = opened(client, f"{path}?age=7&age=8&access=sign-language&booking=full").xpath("//main//form")[0]
    assert form.xpath("string(.//label[starts-with(., 'Age')]/input[@type='number']/@value)") == "7"
    pairs = [
        (each.get("name"), each.get("value")) for each in form.xpath(".//input[@type='hidden' or @checked]")
    ]
    assert {("age", "8"), ("access", "sign-language"), ("booking", "full")} == set(pairs)
