"""What posts hold, and texts as HTML: shown as they were entered, and never markup."""

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.programme import Programme
from feeds.syndication import MAX_LENGTH, escape_markup, excerpt, summarize, write_content, write_paragraphs
from feeds.vocabulary import LanguageCode, Occasion, Text
from tests.conftest import SITE
from tests.feeds.parsers import read_paragraphs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<b und <b>tags</b>", "a&lt;b und &lt;b>tags&lt;/b>"),
        (
            "R&B, rock & roll; Hansson&Co; 1 > 0; 'c't' \"x\" && &;",
            "R&B, rock & roll; Hansson&Co; 1 > 0; 'c't' \"x\" && &;",
        ),
        ("&amp; &lt;b> &#38; &#x26; &#X26;", "&amp;amp; &amp;lt;b> &amp;#38; &amp;#x26; &amp;#X26;"),
        # Those that HTML knows without a semicolon, too.
        ("&copy 2026 &notit &unknown; &# &#x;", "&amp;copy 2026 &amp;notit &unknown; &# &#x;"),
        ("Två\nrader", "Två\nrader"),
    ],
)
def test_only_what_would_be_markup_is_escaped(text: str, expected: str) -> None:
    assert escape_markup(text) == expected


pieces = st.sampled_from(
    [*"&#;<>xX1a/!-?=\"' \n", "amp", "lt", "copy", "not", "&#38", "&#x", "<b>", "]]>", "å🎷"]
)


@given(st.lists(pieces).map("".join) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_a_browser_shows_an_escaped_text_as_it_was(text: str) -> None:
    parsed = html5lib.parseFragment(escape_markup(text), namespaceHTMLElements=False)
    assert "".join(parsed.itertext()) == text
    assert len(parsed) == 0


def write_post(occasion: Occasion, language: LanguageCode) -> str:
    return write_paragraphs(occasion.event, language).decode().join(write_content(occasion, SITE, language))


def test_a_post_says_first_what_is_cancelled_and_links_to_no_script(sample_programme: Programme) -> None:
    occasion = sample_programme.by_id[8003]
    event = replace(occasion.event, image_url="javascript:alert(1)")
    content = write_post(replace(occasion, event=event, cancelled=True), "en")
    assert "javascript" not in content
    assert read_paragraphs(content) == [
        ['CANCELLED. Ny sal: "Sal 2" <nu>'],
        ["Saturday 1 August 2026 16:00–17:00", "Magasinet; kaj 3, port B, Övre, golvet", "Kajen 3"],
        ['Come, come; "come"!', "Bring a friend."],
        ["First.", "Then more."],
        ["Organizer: Föreningen Jazz"],
        ["Price: 50 kr; barn 0 kr"],
        ["Read more https://program.example/en/occasion/8003"],
    ]


def test_an_address_in_a_text_or_a_note_is_a_link(sample_programme: Programme) -> None:
    occasion = sample_programme.by_id[8003]
    event = replace(occasion.event, intro=Text("Se www.a.se."), description=Text("Skriv.\n\nTill <a@b.se>"))
    noted = replace(occasion, event=event, cancelled=True, change_info=Text("Läs https://a.se/?b&c!"))
    content = write_post(noted, "sv")
    for link in (
        '<p><strong>INSTÄLLT. Läs <a href="https://a.se/?b&amp;c" rel="noopener">https://a.se/?b&amp;c</a>!</strong></p>',
        '<p>Se <a href="https://www.a.se" rel="noopener">www.a.se</a>.</p>',
        '<p>Skriv.</p>\n<p>Till &lt;<a href="mailto:a@b.se" rel="noopener">a@b.se</a>&gt;</p>',
    ):
        assert link in content


LONG = "Det är fest. " * 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Kort.", "Kort."),
        ("Två\nrader.\n\nOch ett stycke till.", "Två\nrader."),
        ("Först.\n \t\nSedan.", "Först."),
        ("x" * MAX_LENGTH, "x" * MAX_LENGTH),
        # At the end of a sentence.
        (LONG, ("Det är fest. " * 23).strip()),
        ("”Kom hit!” " + LONG, "”Kom hit!” " + ("Det är fest. " * 22).strip()),
        ("a" * 150 + ". Sedan " + "b" * 200, "a" * 150 + "."),
        # Not in the middle of one, nor so early that nothing is said.
        ("a" * 150 + " kl. 18 t.ex. dans " + "b" * 200, "a" * 150 + " kl. 18 t.ex. dans…"),
        ("Hej! " + "ord " * 100, "Hej! " + "ord " * 72 + "ord…"),
        # At a word, without the comma behind it; anywhere, where there are none.
        ("a" * 150 + ", " + "b" * 200, "a" * 150 + "…"),
        ("祭" * 400, "祭" * (MAX_LENGTH - 1) + "…"),
    ],
)
def test_the_first_paragraph_is_cut_at_a_sentence_or_a_word(text: str, expected: str) -> None:
    assert excerpt(text) == expected


@given(st.lists(st.sampled_from([*"aÅ祭 .!,\n🎷", "ord ", ". ", "\n\n", "x" * 120])).map("".join))
def test_an_excerpt_is_a_short_beginning_of_the_text(text: str) -> None:
    found = excerpt(text.strip())
    assert len(found) <= MAX_LENGTH
    assert text.strip().startswith(found.removesuffix("…"))
    assert bool(found) == bool(text.strip())


def test_an_intro_in_any_language_goes_before_a_description(sample_programme: Programme) -> None:
    event = sample_programme.by_id[8001].event
    bare = replace(event, intro=Text(), description=Text(en="A party.\n\nAnd more."))
    assert summarize(replace(bare, intro=Text(sv="Fest.")), "en") == "Fest."
    assert summarize(bare, "sv") == "A party."
    assert summarize(replace(bare, description=Text()), "sv") == ""
