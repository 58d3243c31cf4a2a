"""The page that the ext namespace names describes exactly what the feeds write."""

import pytest

from tests.feeds.parsers import parse_atom
from tests.pages.reading import opened, text, texts

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_it_describes_the_elements_of_the_feeds_in_their_order(client):
    written = list(parse_atom(client.get("/api/events.atom").content)[0]["ext"])
    rows = opened(client, "/ns/programme").xpath("//dl/div")
    assert [text(row.find("dt")) for row in rows] == [f"ext:{name}" for name in written]
    # Each is found by its name after the namespace's own address.
    assert [row.get("id") for row in rows] == written


def test_it_says_what_each_means_in_both_languages(client):
    page = opened(client, "/ns/programme")
    for row in page.xpath("//dl/div"):
        english, swedish = row.xpath("dd")
        assert (page.get("lang"), english.get("lang"), swedish.get("lang")) == ("en", None, "sv")
        assert len(text(english)) > 10
        assert len(text(swedish)) > 10
        assert text(english) != text(swedish)


def test_the_namespace_of_the_feeds_leads_to_it(client):
    feed = client.get("/api/events.atom").content.decode()
    assert 'xmlns:ext="https://program.example/ns/programme"' in feed
    page = opened(client, "/ns/programme")
    assert page.xpath("//link[@rel='canonical']/@href") == ["https://program.example/ns/programme"]
    assert texts(page, "//p[@lang='sv']/code") == ["https://program.example/ns/programme"]


def test_it_names_the_namespace_of_the_settings(client, settings):
    settings.EXTENSION_NAMESPACE = "https://kulturnatten.example/ns"
    assert texts(opened(client, "/ns/programme"), "//p[@lang='sv']/code") == [
        "https://kulturnatten.example/ns"
    ]
