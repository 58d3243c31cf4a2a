"""The code with which other websites embed a selection."""

from base64 import b64encode
from hashlib import sha256

import pytest
from lxml import html

from feeds.selection import DateKeyword, Selection
from pages.embed import EmbeddingCode, build_attributes

BASE = "https://program.example"


def hash_of(source):
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def code(**selection):
    return EmbeddingCode(BASE, Selection(**selection), 'Natten: "A" & B')


@pytest.mark.parametrize(
    ("selection", "attributes"),
    [
        (Selection(), [("language", "sv")]),
        (
            Selection(moments=(DateKeyword.UPCOMING,), areas=('A & "B"',), language="en"),
            [("date", "upcoming"), ("area", 'A & "B"'), ("language", "en")],
        ),
        (
            Selection(areas=("Torget", "Ängen"), highlighted=True, chosen=(8001, 8002)),
            [
                *(("highlighted", "true"), ("occation", "8001.8002")),
                *(("query", "area=Torget&area=%C3%84ngen"), ("language", "sv")),
            ],
        ),
    ],
)
def test_parameters_are_attributes_and_repeated_ones_a_query(selection, attributes):
    assert build_attributes(selection) == attributes


def test_the_element_holds_a_link_for_those_without_scripts():
    assert code(areas=('A & "B"',), language="en").element == (
        f'<script type="module" src="{BASE}/embed/v1.js"></script>\n'
        '<festival-programme area="A &amp; &quot;B&quot;" language="en">\n'
        f'  <a href="{BASE}/en/?area=A%20%26%20%22B%22">Natten: &quot;A&quot; &amp; B</a>\n'
        "</festival-programme>"
    )


def test_the_frame_is_named_and_may_say_how_tall_it_is():
    frame, script = html.fragments_fromstring(code(areas=("A",)).frame)
    assert dict(frame.attrib) == {
        "src": f"{BASE}/lista?area=A",
        "title": 'Natten: "A" & B',
        "width": "100%",
        "height": "600",
        "frameborder": "0",
        "loading": "lazy",
    }
    assert f'origin !== "{BASE}"' in script.text


def test_the_servers_line_keeps_the_old_list_when_the_service_is_away():
    assert code(areas=("Ängen",)).cron == (
        "* * * * * cd /var/www/html && curl -fsS --compressed -o program.new"
        r" 'https://program.example/lista.html?area=\%C3\%84ngen' && mv program.new program.html"
    )


def test_each_way_names_what_a_policy_must_allow():
    given = code()
    assert given.element_policy == f"script-src {BASE}; connect-src {BASE}; img-src https:"
    _, script = html.fragments_fromstring(given.frame)
    assert given.frame_policy == f"frame-src {BASE}; script-src {hash_of(script.text)}"
    _, style = html.fragments_fromstring(given.include)[:2]
    assert given.include_policy == f"style-src {BASE} {hash_of(style.text)}"
    assert "style=" not in given.frame + given.element + given.include
