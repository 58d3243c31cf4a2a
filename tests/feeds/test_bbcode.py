"""A text can neither open nor close a tag, and is otherwise as it was."""

import pytest

from feeds.formats.bbcode import escape_text

ZERO_WIDTH_SPACE = "\u200b"


@pytest.mark.parametrize("text", ["c't", 'a "b" – it\'s', "é ü ”x” 1/2 (c)", "]", "x = 'y"])
def test_a_text_without_brackets_and_lines_stays_as_it_is(text):
    assert escape_text(text) == text


@pytest.mark.parametrize("text", ["[b]", "[/url]", "[*]", '[url="x', "[[b]", "[", "a [b='c]"])
def test_a_bracket_is_followed_by_what_nobody_sees_and_no_name_of_a_tag(text):
    written = escape_text(text)
    assert written.replace(ZERO_WIDTH_SPACE, "") == text
    assert all(part.startswith(ZERO_WIDTH_SPACE) for part in written.split("[")[1:])


def test_a_text_is_one_line():
    assert escape_text("[b]\nit's so") == f"[{ZERO_WIDTH_SPACE}b] it's so"
