"""oEmbed: what other websites make of the address of a page."""

from urllib.parse import quote

import pytest
from lxml import html

from tests.fuzz.unusual_values import VALUES
from tests.pages.reading import opened

pytestmark = pytest.mark.usefixtures("sample", "at", "lists")

BASE = "https://program.example"


def ask(client, url, **more):
    response = client.get("/oembed", {"url": url, **more})
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    return response.json()


def frame(described):
    _, found = html.fragments_fromstring(described["html"])
    return dict(found.attrib)


def test_a_page_of_the_programme_is_the_list_of_its_selection(client):
    described = ask(client, f"{BASE}/en/?area=ångtorget&view=grid")
    assert described.pop("html") == (
        f'<blockquote><a href="{BASE}/en/?area=%C3%85ngtorget">Åsunda Culture Night: Ångtorget</a></blockquote>'
        f'<iframe src="{BASE}/en/list?area=%C3%85ngtorget" title="Åsunda Culture Night: Ångtorget"'
        ' width="600" height="600" frameborder="0"></iframe>'
    )
    assert described == {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Åsunda Culture Night",
        "provider_url": f"{BASE}/",
        "title": "Åsunda Culture Night: Ångtorget",
        "width": 600,
        "height": 600,
    }


@pytest.mark.parametrize(
    ("path", "src", "title"),
    [
        ("", "/lista", "Kulturnatten i Åsunda"),
        ("/?during=2026-07-29", "/lista?during=2026-07-29", "Kulturnatten i Åsunda: 29 juli 2026"),
        ("/lista?highlighted", "/lista?highlighted=true", None),
        (
            "/en/list?paper=fff&ink=1d1b19&accent=pink",
            "/en/list?ink=1d1b19&paper=fff",
            "Åsunda Culture Night",
        ),
        (
            "/tillfalle/8002",
            "/lista?occation=8002",
            r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]",
        ),
        ("/en/occasion/8013", "/en/list?occation=8013", None),
        ("/en/list/12/for-families", "/en/list?list=12", "Åsunda Culture Night: For families"),
        ("/plats/5002/n%C3%A4tet", "/lista?location=5002", "Kulturnatten i Åsunda: Nätet"),
    ],
)
def test_each_address_has_a_frame_that_opens(client, path, src, title):
    described = ask(client, f"{BASE}{path}")
    assert frame(described)["src"] == f"{BASE}{src}"
    assert frame(described)["title"] == described["title"]
    assert title in {None, described["title"]}
    assert opened(client, src).xpath("//main//p/strong")


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({}, (600, 600)),
        ({"maxwidth": "320", "maxheight": "240"}, (320, 240)),
        ({"maxwidth": "5000", "maxheight": "5000"}, (600, 600)),
        ({"maxwidth": "0", "maxheight": "tall"}, (600, 600)),
        ({"maxwidth": "9" * 5000}, (600, 600)),
    ],
)
def test_a_frame_is_no_larger_than_the_website_allows(client, asked, size):
    described = ask(client, f"{BASE}/", **asked)
    assert (described["width"], described["height"]) == size
    assert (frame(described)["width"], frame(described)["height"]) == tuple(map(str, size))
    assert ask(client, f"{BASE}/tillfalle/8001")["height"] == 200


@pytest.mark.parametrize(
    "url",
    [
        *("", "program.example/", "https://elsewhere.example/", "https://program.example.elsewhere.example/"),
        *("https://[", "//program.example/", "javascript:alert(1)", f"{BASE}@elsewhere.example/"),
        *(f"{BASE}/prenumerera", f"{BASE}/tillfalle/1", f"{BASE}/admin/", f"{BASE}/api/areas"),
        *(f"{BASE}/?date=soon", f"{BASE}/finns-inte", f"{BASE}/lista/13", f"{BASE}/plats/1", f"{BASE}/\x00"),
    ],
)
def test_other_addresses_are_not_found(client, url):
    assert client.get("/oembed", {"url": url}).status_code == 404
    assert client.get("/oembed").status_code == 404


@pytest.mark.parametrize("before", [f"{BASE}/", f"{BASE}/?area="])
def test_no_address_is_a_fault(client, before):
    for value in VALUES:
        response = client.get(f"/oembed?url={quote(before, safe='')}{value}")
        assert (value, response.status_code) in {(value, 200), (value, 404)}
        if response.status_code == 200:
            assert response.json()["html"].count("<") == 6


def test_there_is_json_only(client):
    assert client.get("/oembed", {"url": f"{BASE}/", "format": "json"}).status_code == 200
    assert client.get("/oembed", {"url": f"{BASE}/", "format": "xml"}).status_code == 501


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/en/", "/?area=%C3%85ngtorget", "/tillfalle/8001", "/en/occasion/8001"),
        *(
            "/lista?area=%C3%85ngtorget&accent=8c2f4b",
            "/lista/12/f%C3%B6r-familjer",
            "/en/place/5002/n%C3%A4tet",
        ),
    ],
)
def test_pages_lead_to_it(client, path):
    (link,) = opened(client, path).xpath("//link[@type='application/json+oembed']/@href")
    assert link == f"{BASE}/oembed?url={quote(BASE + path, safe='')}"
    assert client.get(link.removeprefix(BASE)).json()["type"] == "rich"


def test_other_pages_do_not(client):
    for path in ("/prenumerera", "/mitt-program"):
        assert opened(client, path).xpath("//link[@type='application/json+oembed']") == []
