"""A text can neither open nor close a tag, in whatever way a parser looks for one."""

import bbcode
import pytest

from feeds.formats.bbcode import escape_texts

ZERO_WIDTH_SPACE = "\u200b"


def tags(text: str) -> list[str]:
    parser = bbcode.Parser(newline="\n", replace_links=False, replace_cosmetic=False)
    tokens = parser.tokenize(text)
    return [token[1] for token in tokens if token[0] in (1, 2)]


@pytest.mark.parametrize(
    "text",
    ["[a='b]", "[https://x.example/?a=b it's]", '[url="', "[/url]", "[", "[[b]", "[b]x[/b]", "it's = ["],
)
def test_tags_after_a_text_are_found(text):
    block = escape_texts({"title": "x", "intro": text, "description": "it's", "organizer": ""})
    written = f"{block['intro']}\n{block['description']}\n[i]by[/i] [b]next[/b]"
    assert tags(written) == ["i", "i", "b", "b"]


def test_quotes_stay_as_they_are_in_a_block_without_brackets():
    texts = {"title": "it's", "intro": 'a "b"', "description": "", "organizer": ""}
    assert escape_texts(texts) == texts


def test_a_bracket_is_followed_by_nothing_that_people_see():
    texts = escape_texts({"title": "[b]", "intro": "it's\nso", "description": "", "organizer": ""})
    assert texts == {
        "title": f"[{ZERO_WIDTH_SPACE}b]",
        "intro": "it’s so",
        "description": "",
        "organizer": "",
    }
