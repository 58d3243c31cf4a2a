"""Addresses in texts are links, and the texts read as they were."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from feeds.links import link_addresses

# What addresses are made of, and what stands around them.
PIECES = st.sampled_from(
    [
        *(
            *("https://", "HTTP://", "www.", "malmö.se", "a.b", "/ö", "?a[]=1&b=2", "#x", "%", "@", ".", ","),
            ")",
        ),
        *("(", "”", '"', "<b>", "&amp;", " ", "\n\n", "ord", "|", "]]>", "'", "…", "{", "}"),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
)


def find_links(text: str) -> list[tuple[str, str]]:
    """Return the target of each link in a text, and what stands in it."""
    return [
        (each["href"], each.text)
        for each in BeautifulSoup(f"<p>{link_addresses(text)}</p>", "html.parser").select("a")
    ]


@given(TEXTS)
@example("(https://a.se/b_(c)). www.å.se! info@a.se")
def test_a_text_reads_as_before_and_has_no_other_markup(text: str) -> None:
    written = link_addresses(text)
    assert "".join(etree.fromstring(f"<p>{written}</p>").itertext()) == text
    tags = re.findall(r"<[^>]*>", written)
    opening = tags[::2]
    assert tags[1::2] == ["</a>"] * len(opening)
    for tag in opening:
        target = re.fullmatch(r'<a href="((?:https?|HTTPS?|mailto):[^\s"<>]+)" rel="noopener">', tag)
        assert target
        urlsplit(unescape(target[1]))


@pytest.mark.parametrize(
    ("text", "target", "shown"),
    [
        ("Läs https://a.se/b?c=1&d=2#e.", "https://a.se/b?c=1&d=2#e", "https://a.se/b?c=1&d=2#e"),
        ("Se www.malmö.se, eller ring.", "https://www.malmö.se", "www.malmö.se"),
        ("(https://sv.wikipedia.org/wiki/Jazz_(musik))", "https://sv.wikipedia.org/wiki/Jazz_(musik)", None),
        ("”https://a.se/”!", "https://a.se/", None),
        ("https://a.se/x[1]|50%", "https://a.se/x%5B1%5D%7C50%25", "https://a.se/x[1]|50%"),
        ("Boka: boka.nu+1@a-b.se.", "mailto:boka.nu+1@a-b.se", "boka.nu+1@a-b.se"),
        ("https://a.se\nNästa rad", "https://a.se", None),
        ("https://user@a.se/", "https://user@a.se/", None),
    ],
)
def test_an_address_is_a_link(text: str, target: str, shown: str | None) -> None:
    assert find_links(text) == [(target, shown or target)]


@pytest.mark.parametrize(
    "text",
    [
        *("awww.a.se", "xhttps://a.se", "javascript://a.se", "http://", "www.", "@artist", "kl. 18.30@scen"),
        *("a@b", "a.se"),
    ],
)
def test_what_is_no_address_is_no_link(text: str) -> None:
    assert find_links(text) == []
