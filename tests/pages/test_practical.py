"""The practical page: what a festival writes of itself, in the languages in which it has written it."""

import pytest

from programme import models
from programme.publishing.current import current
from tests.pages.reading import links, opened

pytestmark = pytest.mark.usefixtures("sample", "at")
SWEDISH = """\
# Toaletter & *dusch*
Bakom scenen, <b>märkta</b> WC.
Öppet dygnet runt.

- Rullstol: [Parken](/plats/5001)
- [Fel](javascript:alert(1)) [också](//ond.example)

##Första hjälpen
Ring [112](tel:112), skriv till vakt@exempel.se eller se https://vard.example/a_b_c."""
WRITTEN = """\
<h2 id="1-toaletter-dusch">Toaletter &amp; *dusch*</h2>
<p>Bakom scenen, &lt;b&gt;märkta&lt;/b&gt; WC.<br>
Öppet dygnet runt.</p>
<ul>
<li>Rullstol: <a href="/plats/5001">Parken</a></li>
<li>[Fel](javascript:alert(1)) [också](//ond.example)</li>
</ul>
<h2 id="2-första-hjälpen">Första hjälpen</h2>
<p>Ring <a href="tel:112">112</a>, skriv till \
<a href="mailto:vakt@exempel.se" rel="noopener">vakt@exempel.se</a> eller se \
<a href="https://vard.example/a_b_c" rel="noopener">https://vard.example/a_b_c</a>.</p>
"""
PATHS = {"sv": "/praktiskt", "en": "/en/practical"}


def write(**values):
    models.Festival.objects.update(**values)
    current.clear()


def test_a_text_becomes_headings_lists_and_links_and_nothing_else(client) -> None:
    write(practical_sv=SWEDISH)
    page = client.get("/praktiskt").content.decode()
    assert f'<div class="practical">{WRITTEN}</div>' in page
    anchors = opened(client, "/praktiskt").xpath("//ul[@class='ways-on']//a/@href")
    assert anchors == ["#1-toaletter-dusch", "#2-första-hjälpen"]


def test_a_search_that_the_page_may_answer_leads_to_it(client) -> None:
    link = "//main//p[starts-with(., 'Om själva festivalen:')]/a"
    assert opened(client, "/?q=parkering").xpath(link) == []
    write(practical_sv="Parkera vid arenan.")
    # Words of a fact that places have, words that are nowhere, and a name in the programme.
    found = [links(opened(client, f"/?q={typed}"), link) for typed in ("rullstol", "parkering", "jazz")]
    assert found == [[("Praktiskt", "/praktiskt")], [("Praktiskt", "/praktiskt")], []]


def test_the_page_is_in_the_languages_that_are_written_and_in_their_menu_and_the_sitemap(client) -> None:
    for values, written in (
        ({}, []),
        ({"practical_sv": "Vatten"}, ["sv"]),
        ({"practical_en": "Water", "map_alt_sv": "Karta"}, ["sv", "en"]),
        ({"practical_sv": "", "map_alt_en": "Map"}, ["en"]),
        ({"map": "festival/karta.webp"}, ["sv", "en"]),
    ):
        write(**values)
        sitemap = client.get("/sitemap.xml").content.decode()
        for language, start in {"sv": "/", "en": "/en/"}.items():
            path, is_written = PATHS[language], language in written
            assert (client.get(path).status_code == 200) is is_written, values
            assert (path in opened(client, start).xpath("//header/nav/a/@href")) is is_written
            assert (f"<loc>https://program.example{path}</loc>" in sitemap) is is_written
            if is_written:
                assert len(opened(client, path).xpath("//link[@hreflang='sv' or @hreflang='en']")) == len(
                    written
                )
