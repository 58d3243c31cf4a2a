"""Pasted lists of people: every form in which mail programs and sheets have names and addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festival.accounts.people.pasted import read_people

NAMES = st.text("abcdefghåäöéABCÅÄÖ-", min_size=1, max_size=12).filter(lambda name: name.strip("-"))
ADDRESSES = st.from_regex(r"[a-z0-9]{1,8}(\.[a-z0-9]{1,8})?@[a-z0-9]{1,8}\.(se|org)", fullmatch=True)
NO_ADDRESS = "Ange en giltig mejladress."
NO_USERNAME = (
    "Fyll i ett giltigt användarnamn. Detta värde får endast innehålla bokstäver, siffror och @/./+/-/_."
)
FORMS = [
    "{first} {last} <{address}>",
    '"{last}, {first}" <{address}>',
    "{last}, {first} <{address}>",
    "{first} {last}\t{address}",
    "{first}\t{last}\t{address}\t070-123 45 67",
    "{address}\t{first} {last}\tTorget",
    "{first} {last}; {address}",
    "{first} {last}, {address}",
    "{first} {last} (Torget) <mailto:{address}>",
    "{first} {last} {address}",
]


def read(text: str) -> list[tuple[str, str, str, str]]:
    return [(row.first_name, row.last_name, row.email, row.error) for row in read_people(text)]


@given(st.sampled_from(FORMS), NAMES, NAMES, ADDRESSES)
def test_a_person_is_read_from_every_form(form: str, first: str, last: str, address: str) -> None:
    first, last = first.strip("-"), last.strip("-")
    text = form.format(first=first, last=last, address=address)
    assert read(text) == [(first, last, address, "")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("anna@x.se", ("", "", "anna@x.se", "")),
        (" \u00a0Anna.Berg@X.SE ", ("", "", "anna.berg@x.se", "")),
        ("<anna@x.se>;", ("", "", "anna@x.se", "")),
        ("anna@@x.se", ("", "", "anna@@x.se", NO_ADDRESS)),
        ("E-post: anna@x.se", ("", "", "anna@x.se", "")),
        ("Anna von Essen <anna@x.se>", ("Anna", "von Essen", "anna@x.se", "")),
        ("‘Anna’ Berg\u200b <anna@x.se>", ("‘Anna’", "Berg", "anna@x.se", "")),
        ("Anna", ("", "", "", "Det finns ingen e-postadress på raden.")),
        ("anna@", ("", "", "anna@", NO_ADDRESS)),
        ("Anna <anna@x>", ("Anna", "", "anna@x", NO_ADDRESS)),
        ("'anna@x.se'", ("", "", "anna@x.se", "")),
        (
            "Pat O'Brien <o'brien@x.se>",
            ("Pat", "O'Brien", "o'brien@x.se", NO_USERNAME),
        ),
        ("a!b@x.se", ("", "", "a!b@x.se", NO_USERNAME)),
        ("anna@x.se\tanna@y.se", ("", "", "", "Det finns flera e-postadresser på raden. Behåll en.")),
        (
            "a" * (151) + " <anna@x.se>",
            (
                "a" * (151),
                "",
                "anna@x.se",
                "Säkerställ att detta värde har som mest 150 tecken (den har 151).",
            ),
        ),
    ],
)
def test_a_line_is_read_or_refused(text: str, found: tuple[str, str, str, str]) -> None:
    assert read(text) == [found]


def test_people_on_one_line_are_several() -> None:
    line = '"Berg, Anna" <anna@x.se>; Bo Ek <bo@x.se>, cilla@x.se'
    assert read(line) == [
        ("Anna", "Berg", "anna@x.se", ""),
        ("Bo", "Ek", "bo@x.se", ""),
        ("", "", "cilla@x.se", ""),
    ]


def test_a_row_of_headings_and_empty_lines_are_no_people() -> None:
    rows = read_people("\nFörnamn\tEfternamn\tE-post\r\n\r\nAnna\tBerg\tanna@x.se\n\t\n")
    assert [(row.line, row.name, row.email) for row in rows] == [(4, "Anna Berg", "anna@x.se")]


def test_who_stands_there_twice_is_invited_once() -> None:
    rows = read_people("Anna Berg <anna@x.se>\nbo@x.se\nANNA@x.se\nAnna Berg\tanna@x.se\nbo\u200b@x.se\u200b")
    assert [(row.line, row.email, row.error) for row in rows] == [(1, "anna@x.se", ""), (2, "bo@x.se", "")]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for row in read_people(text):
        assert row.error or row.email
