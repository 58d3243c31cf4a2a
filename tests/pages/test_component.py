"""The script of the element for other websites, as it is sent."""

import gzip

import brotli

from programme.publishing.current import DatabaseUnavailable, current

PATH = "/embed/v1.js"


def test_it_is_small(client):
    plain = client.get(PATH).content
    assert max(len(gzip.compress(plain)), len(brotli.compress(plain, quality=4))) <= 10_000
    assert b"import " not in plain


def test_every_website_may_run_it_and_corrections_arrive_in_an_hour(client):
    response = client.get(PATH, headers={"Accept-Encoding": "br"})
    assert (response.status_code, response["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert brotli.decompress(response.content) == client.get(PATH).content
    names = ("Access-Control-Allow-Origin", "Cache-Control", "Cross-Origin-Resource-Policy", "Vary")
    assert [response[name] for name in names] == [
        "*",
        "public, max-age=3600, stale-while-revalidate=2592000, stale-if-error=2592000",
        "cross-origin",
        "Accept-Encoding",
    ]


def test_it_is_asked_for_again_by_its_etag(client):
    first = client.get(PATH)
    again = client.get(PATH, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Access-Control-Allow-Origin"] == "*"
    head = client.head(PATH)
    assert (head.content, head["Content-Length"]) == (b"", str(len(first.content)))
    assert client.get(PATH, headers={"Accept-Encoding": "identity;q=0, *;q=0"}).status_code == 406


def test_it_needs_no_programme(client, monkeypatch):
    def fail(instant):
        raise DatabaseUnavailable

    monkeypatch.setattr(current, "at", fail)
    assert client.get(PATH).status_code == 200
