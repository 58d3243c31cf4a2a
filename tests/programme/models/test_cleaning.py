"""Nothing that a writer of XML, or a reader, could stumble over gets into the database."""

import sys
from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.models.cleaning import clean_line, clean_prose

# Format characters that are drawn: signs above numbers in Arabic and Syriac, and joiners of hieroglyphs.
SHOWN_FORMATS = [
    *map(chr, range(0x0600, 0x0606)),
    *"\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd",
    *map(chr, range(0x13430, 0x13440)),
    *map(chr, range(0x1BCA0, 0x1BCA4)),
]


def belongs_into_a_text(character: str) -> bool:
    """Return whether a character is one of XML 1.0 (section 2.2), and no control character."""
    code = ord(character)
    allowed = code in (0x9, 0xA) or 0x20 <= code < 0xD800 or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    turning = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    unwanted = 0x7F <= code <= 0x9F or code & 0xFFFE == 0xFFFE or code == 0xFEFF or turning
    return allowed and not unwanted


def test_only_characters_of_text_remain():
    for begin in range(0, sys.maxunicode, 16):
        sixteen = "".join(map(chr, range(begin, begin + 16)))
        assert all(map(belongs_into_a_text, clean_prose(f"a{sixteen}b")))


@given(st.text())
def test_cleaning_a_clean_text_changes_nothing(text):
    assert clean_prose(clean_prose(text)) == clean_prose(text)
    assert clean_line(clean_line(text)) == clean_line(text)
    assert is_normalized("NFC", clean_prose(text))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_all_line_ends_become_line_feeds(end):
    assert clean_prose(f"\u200b one{end}two \ufeff\n") == "one\ntwo"
    assert clean_line(f"\u200b one{end}two \ufeff\n") == "one two"


# Format characters, blanks and the fillers that fonts draw as nothing (Unicode's Default_Ignorable_Code_Point).
INVISIBLE = st.text(
    st.one_of(
        st.characters(categories=["Cf", "Zs", "Zl", "Zp", "Cc"], exclude_characters=SHOWN_FORMATS),
        st.sampled_from("\u034f\u115f\u1160\u2800\u3164\ufe0f\uffa0"),
    )
)
JOINED = [
    *("👩\u200d👩\u200d👧", "❤\ufe0f", "می\u200cخواهم", "a\u200fb", "\u200eA\u200e", "🏴\U000e0067\U000e007f")
]


@given(INVISIBLE)
def test_a_text_without_visible_characters_becomes_empty(text):
    assert clean_line(text) == clean_prose(text) == ""


@given(st.text(st.sampled_from("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069aé\u0301שب \n")))
def test_direction_overrides_are_removed(text):
    for cleaned in (clean_line(text), clean_prose(text)):
        assert not set(cleaned) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@pytest.mark.parametrize("text", JOINED)
def test_joiners_and_direction_marks_remain(text):
    assert clean_line(f" {text} ") == clean_prose(text) == text
