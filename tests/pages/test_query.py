"""What is said of an address that cannot be understood."""

from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from pages.query import MESSAGES, PARAMETER_LABELS, parse_query
from programme.api.parameters import ErrorKind, SelectionParameters
from tests.pages.reading import opened, texts

with_sample = pytest.mark.usefixtures("sample", "at")


@with_sample
def test_what_cannot_be_understood_is_named_and_the_programme_shown(client):
    page = opened(client, "/?date=igårr&highlighted=perhaps&area=Ångtorget", 400)
    assert texts(page, "//div[@role='alert']/p") == [
        "Något i adressen går inte att förstå, så här är programmet utan det."
    ]
    assert texts(page, "//div[@role='alert']//li") == [
        "Datum: ”igårr” är inget datum.",
        "Höjdpunkt: ”perhaps” är varken ja eller nej.",
    ]
    assert len(page.xpath("//section[@aria-labelledby='day']//li/@data-o")) == 5


@with_sample
@pytest.mark.parametrize(
    ("query", "messages"),
    [
        ("date=2026-07-30/2026-07-29", ["Date: “2026-07-30/2026-07-29” ends before it begins."]),
        ("date=2026-02-30&date=x", ["Date: “2026-02-30” is not a date.", "Date: “x” is not a date."]),
        ("date=a&date=b&date=c&date=d", [f"Date: “{each}” is not a date." for each in "abc"]),
        ("signinterpreted=x", ["Sign language interpreted: “x” is neither yes nor no."]),
        ("occation=8001.x", ["Occasions: “x” is no occasion."]),
        (f"q={'a+' * 21}", ["Search: At most 20 words at once."]),
        ("language=fi", ["Language of the page: There is no “fi”, only Swedish and English."]),
        ("language=sv&language=en", ["Language of the page: “sv, en” are several: choose one."]),
        ("date=<b>%00%0a{}%25s</b>", ["Date: “<b> {}%s</b>” is not a date."]),
        (f"date={'x' * 100}", [f"Date: “{'x' * 59}…” is not a date."]),
    ],
)
def test_messages_are_in_the_words_of_visitors(client, query, messages):
    for path in ("/en/", "/en/subscribe"):
        assert texts(opened(client, f"{path}?{query}", 400), "//div[@role='alert']//li") == messages


def test_every_kind_of_error_and_every_parameter_has_a_message():
    assert set(MESSAGES) == set(ErrorKind)
    faulty = dict.fromkeys(SelectionParameters.base_filters, "x") | {"q": "a " * 21}
    wrong = parse_query(QueryDict(urlencode(faulty)), "sv").invalid
    assert {each.name for each in wrong} == set(PARAMETER_LABELS)
