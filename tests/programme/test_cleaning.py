"""Nothing that a writer of XML, or a reader, could stumble over gets into the database."""

import sys
from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.cleaning import clean_line, clean_prose


def belongs_into_a_text(character: str) -> bool:
    """Return whether a character is one of XML 1.0 (section 2.2), and no control character."""
    code = ord(character)
    allowed = code in (0x9, 0xA) or 0x20 <= code < 0xD800 or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    return allowed and not 0x7F <= code <= 0x9F and code & 0xFFFE != 0xFFFE and code != 0xFEFF


def test_of_all_characters_only_those_that_belong_into_a_text_get_through():
    for begin in range(0, sys.maxunicode, 16):
        sixteen = "".join(map(chr, range(begin, begin + 16)))
        assert all(map(belongs_into_a_text, clean_prose(f"a{sixteen}b")))


@given(st.text())
def test_cleaning_a_clean_text_changes_nothing(text):
    assert clean_prose(clean_prose(text)) == clean_prose(text)
    assert clean_line(clean_line(text)) == clean_line(text)
    assert is_normalized("NFC", clean_prose(text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_line_ends_of_every_kind_are_one_kind(end):
    assert clean_prose(f"\u200b one{end}two \ufeff\n") == "one\ntwo"
    assert clean_line(f"\u200b one{end}two \ufeff\n") == "one two"
