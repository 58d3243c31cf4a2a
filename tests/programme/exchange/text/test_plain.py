"""Descriptions become plain text, and plain text stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programme.exchange.text.plain import remove_indentation, split_description, to_plain_text
from programme.models.cleaning import clean_prose


@pytest.mark.parametrize(
    "text",
    [
        "Ett stycke.\n\nEtt till,\nmed radbrytning.",
        "Wissenschaftler*innen und Journalist*innen, für Sinti*zze und Roma*nja.",
        "5 * 3 * 2 = 30 och 1*(2+3)*(678+9)",
        "Kaffe*, te* och bulle\n* endast lördag",
        "Filer som *.txt och *.doc, snake_case_name och __init__",
        "A <yawn> and the <table> tag, 3 < 4 > 2",
        r"¯\_(ツ)_/¯ och C:\_temp",
        "TeX-style ``quotes'' and `these'",
        "C&C och R&B",
        "** ALL AGES VERY WELCOME **",
        "See [1] and [sic](1)",
        "#hashtag\n##Outline",
        "*** Please note: ***",
        "- first\n- second",
        "https://example.org/_a_/*b*/c_d_e",
    ],
)
def test_plain_text_stays_as_it_is(text):
    assert to_plain_text(text) == text.strip()


@given(st.text(alphabet=st.characters(exclude_characters="*_`[]<>&\\#+"), max_size=200))
def test_text_without_any_mark_is_only_cleaned(text):
    assert to_plain_text(text) == remove_indentation(clean_prose(text))


@given(st.text(alphabet=" \nab<>/p&;*_`[](){}#\\-!li=\"'1", max_size=80))
def test_no_text_fails(text):
    assert isinstance(to_plain_text(text), str)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("    Ett\n    två\n\ttre", "Ett\ntvå\ntre"),
        ("Ett.\n \xa0\n\u202f Två  ord.", "Ett.\n\nTvå  ord."),
        ("Med\r\n  - te\r\n  1. kaffe", "Med\n- te\n1. kaffe"),
    ],
)
def test_spaces_after_line_breaks_are_removed(text, plain):
    assert to_plain_text(text) == plain


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("See [the wiki](https://wiki.example/a_b_c).", "See the wiki (https://wiki.example/a_b_c)."),
        ("[https://wiki.example](https://wiki.example/)", "https://wiki.example/"),
        ("[wiki.example](https://wiki.example)", "https://wiki.example"),
        ("<https://wiki.example>", "https://wiki.example"),
        ("[Skriv](mailto:info@example.org)", "Skriv (info@example.org)"),
        ("![A map](https://example.org/map.png)", "A map (https://example.org/map.png)"),
        ("**Obs:** det är *verkligen* _sant_.", "Obs: det är verkligen sant."),
        ("**two\nlines**", "two\nlines"),
        ("**see https://a.example/_b_**", "see https://a.example/_b_"),
        ("**[Wiki](https://wiki.example)**", "Wiki (https://wiki.example)"),
        ("Use `cat *` and `dog_x_y`.", "Use cat * and dog_x_y."),
        ("# Rubrik\nText\n### Till ###", "Rubrik\nText\nTill"),
        ("Med:\n* te\n  + grönt\n* kaffe", "Med:\n- te\n- grönt\n- kaffe"),
        ("```sh\nls *.py _x_\n```\nslut", "ls *.py _x_\nslut"),
        (r"Junghacker\*innen, snake\_case", "Junghacker*innen, snake_case"),
        ("Fish &amp; chips&nbsp;&copy;", "Fish & chips\xa0©"),
    ],
)
def test_markdowns_marks_are_removed(markdown, plain):
    assert to_plain_text(markdown) == plain


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<p>One\nline &amp; more.</p>\n\n<p>Two.</p>", "One line & more.\n\nTwo."),
        ("<p>Hi</p><ul>\n<li>a</li>\n\n<li><p>b</p></li>\n</ul>\n<p>end</p>", "Hi\n\n- a\n- b\n\nend"),
        ("<ol start=3><li>c</li><li>d</li></ol>", "3. c\n4. d"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n- b\n- c"),
        ("one<br>two<br />\n<br>three", "one\ntwo\n\nthree"),
        ('<a href="https://a.example/">A</a>, <a href="/b">B</a>', "A (https://a.example/), B"),
        ('<a href="https://a.example">a.example</a>', "https://a.example"),
        ('<a href="javascript:alert(1)">x</a>', "x"),
        ("<h2>Title</h2>text<pre>a\n  b</pre>", "Title\n\ntext\n\na\nb"),
        ("Plain lines\nstay, <b>bold</b> or not.\n\nNext", "Plain lines\nstay, bold or not.\n\nNext"),
        ("<p>Topics:\n - one\n - two</p>", "Topics:\n- one\n- two"),
        ("<s>over</s>still on", "still on"),
        ("<script>alert(1)</script>text", "text"),
        ("text<!-- not shown -->", "text"),
        ("<p><img src=x alt='A map'></p>", "A map"),
        ("<https://a.example>A</a> <p>a <yawn> b</p>", "<https://a.example>A\n\na <yawn> b"),
        ("<b>[Wiki](https://wiki.example)</b>", "Wiki (https://wiki.example)"),
        ("<p>5 *stars*</p>", "5 *stars*"),
    ],
)
def test_html_becomes_text(html, plain):
    assert to_plain_text(html) == plain


def test_very_deep_html_is_read():
    assert to_plain_text("<div>" * 20_000 + "deep" + "</div>" * 20_000) == "deep"


@pytest.mark.parametrize(
    ("stated", "intro", "description"),
    [
        (("Sub", "Abstract.", "More."), "Sub", "Abstract.\n\nMore."),
        (("", "Abstract.", "More."), "Abstract.", "More."),
        (("", "One.\n\nTwo.", "More."), "One.", "Two.\n\nMore."),
        (("", "", "One.\n\nTwo."), "One.", "Two."),
        (("", "Same.", "Same."), "Same.", ""),
        (("Sub", "Begins.", "Begins. And goes on."), "Sub", "Begins. And goes on."),
        (("Sub", "Begins. And goes on.", "Begins."), "Sub", "Begins. And goes on."),
        (("Same.", "Same.", ""), "Same.", ""),
        (("", "", ""), "", ""),
    ],
)
def test_intro_and_description_repeat_nothing(stated, intro, description):
    assert split_description(*stated) == (intro, description)
