"""Pasted lists of people: a line each, as mail programs and sheets have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festival.accounts.people.pasted import read_people

NO_ADDRESS = "Det finns ingen e-postadress på raden."
INVALID = "Ange en giltig mejladress."
NO_USERNAME = (
    "Fyll i ett giltigt användarnamn. Detta värde får endast innehålla bokstäver, siffror och @/./+/-/_."
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("anna@x.se", ("", "", "anna@x.se", "")),
        (" \u00a0Anna.Berg@X.SE ", ("", "", "anna.berg@x.se", "")),
        ("Anna von Essen <anna@x.se>;", ("Anna", "von Essen", "anna@x.se", "")),
        ('"Berg, Anna" <anna@x.se>', ("Anna", "Berg", "anna@x.se", "")),
        ("Berg, Anna <anna@x.se>", ("Anna", "Berg", "anna@x.se", "")),
        ("Anna Berg <mailto:anna@x.se>", ("Anna", "Berg", "anna@x.se", "")),
        ("Anna\tBerg\tanna@x.se\t070-123 45 67", ("Anna", "Berg", "anna@x.se", "")),
        ("anna@x.se\tAnna Berg\tTorget", ("Anna", "Berg", "anna@x.se", "")),
        ("Anna Berg; anna@x.se", ("Anna", "Berg", "anna@x.se", "")),
        ("Anna", ("", "", "", NO_ADDRESS)),
        ("anna@x.se Anna", ("", "", "", NO_ADDRESS)),
        ("Anna <anna@x>", ("Anna", "", "anna@x", INVALID)),
        ("o'brien@x.se", ("", "", "o'brien@x.se", NO_USERNAME)),
        ("anna@x.se, bo@x.se", ("", "", "", "Det finns flera e-postadresser på raden. Behåll en.")),
    ],
)
def test_a_line_is_read_or_refused(text: str, found: tuple[str, str, str, str]) -> None:
    rows = read_people(f"\n{text}\r\n")
    assert [(row.first_name, row.last_name, row.email, row.error) for row in rows] == [found]
    assert rows[0].line == 2


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("anna@x.se, Anna Berg, editor", ("Anna", "Berg", "Programme: editor")),
        ("anna@x.se, Anna, Områdesredaktör,", ("Anna", "", "Programme: area editor")),
        ("Berg, Anna <anna@x.se>; chefredaktör", ("Anna", "Berg", "Programme: chief editor")),
        ("Anna Berg\tanna@x.se\tAdministratör", ("Anna", "Berg", "Programme: administrator")),
        ("anna@x.se, Editor Berg", ("Editor", "Berg", "")),
        ("Anna Berg <anna@x.se>, redaktör", ("Anna", "Berg", "Programme: editor")),
        ("editor", ("", "", "")),
    ],
)
def test_a_line_may_end_with_a_role_in_any_language(text: str, found: tuple[str, str, str]) -> None:
    assert [(row.first_name, row.last_name, row.role) for row in read_people(text)] == [found]


def test_who_stands_there_twice_is_invited_once() -> None:
    rows = read_people("Anna Berg <anna@x.se>\nbo@x.se\nANNA@x.se\nfel\nfel")
    assert [(row.line, row.email or row.text) for row in rows] == [
        *((1, "anna@x.se"), (2, "bo@x.se")),
        *((4, "fel"), (5, "fel")),
    ]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for row in read_people(text):
        assert row.error or row.email
