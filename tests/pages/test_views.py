"""What every page has in common: its headers, its caching and its addresses."""

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from feeds.formats import FORMATS
from pages.rendering import FEATURES, build_content_policy
from programme import models
from programme.publishing.current import current
from tests.conftest import NOW
from tests.pages.reading import links, opened, text, texts
from tests.programmes import DRAFT, JAZZ, NIGHT, OCCASIONS, utc

pytestmark = pytest.mark.usefixtures("sample", "at")

PAGES = [
    *("/", "/en/", "/tillfalle/8001", "/en/occasion/8001", "/ns/programme"),
    *(
        *("/prenumerera", "/en/subscribe", "/utvecklare", "/en/developers", "/mitt-program"),
        *("/en/my-programme", "/utan-nat", "/en/offline"),
    ),
]
GONE = "Programpunkten finns inte längre"

# Where what is near is asked for.
POSITIONED = ("/", "/en/", "/utan-nat", "/en/offline")
SECURITY = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "cross-origin",
}

every_page = pytest.mark.parametrize("path", PAGES)


def test_every_occasion_url_in_every_format_leads_to_a_page(client):
    published = [row[0] for row in OCCASIONS if row[1] != DRAFT]
    every = {f"{path}/{each}" for path in ("/tillfalle", "/en/occasion") for each in published}
    for extension in (each.extension for each in FORMATS):
        bodies = [client.get(f"/api/events.{extension}?language={each}").content for each in ("sv", "en")]
        # iCalendar folds long lines (RFC 5545, section 3.1).
        unfolded = b"".join(bodies).decode().replace("\r\n ", "")
        named = set(re.findall(r"https://program\.example(/tillfalle/\d+|/en/occasion/\d+)(?!\d)", unfolded))
        # A format need not name addresses at all; its golden file says whether it does.
        assert named in (set(), every)
    assert {path: client.get(path).status_code for path in every} == dict.fromkeys(every, 200)


@every_page
def test_a_page_is_the_same_for_everybody_and_must_be_revalidated(client, path):
    first = client.get(path)
    assert first.status_code == 200
    assert dict(first.headers) == {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": str(len(first.content)),
        "ETag": first["ETag"],
        "Cache-Control": "public, no-cache",
        "Vary": "Accept-Encoding",
        "Content-Security-Policy": build_content_policy("".join(texts(opened(client, path), "//style"))),
        **SECURITY,
        "Permissions-Policy": FEATURES.format("self" if path in POSITIONED else ""),
    }
    editor = Client(headers={"Accept-Language": "fi", "Accept": "application/json", "Host": "localhost"})
    editor.force_login(get_user_model().objects.create_superuser("editor"))
    second = editor.get(path)
    assert (second.content, dict(second.headers)) == (first.content, dict(first.headers))


@every_page
def test_a_page_obeys_preconditions_and_answers_reading_alone(client, path):
    got = client.get(path)
    known = client.get(path, headers={"If-None-Match": got["ETag"]})
    assert (known.status_code, known.content, known["ETag"]) == (304, b"", got["ETag"])
    other = client.get(path, headers={"If-Match": '"another"'})
    assert (other.status_code, other.content) == (412, b"")
    head = client.head(path)
    assert (head.status_code, head.content, dict(head.headers)) == (200, b"", dict(got.headers))
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        refused = Client(enforce_csrf_checks=True).generic(method, path)
        assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")


@every_page
def test_a_page_takes_one_query_at_most_and_is_written_once(client, path, django_assert_num_queries):
    client.get("/tillfalle/8004")
    with django_assert_num_queries(1):
        client.get(path)
    kept = current.at(NOW).responses
    size = kept.size
    current.renew()
    client.get("/tillfalle/8004")
    with django_assert_num_queries(0):
        client.get(path)
        client.get(path, headers={"If-None-Match": '"another"'})
    assert current.at(NOW).responses is kept
    assert kept.size == size


@pytest.mark.parametrize("instant", [NOW, utc(2026, 7, 29, 14, 59), utc(2026, 12, 31, 23, 30)])
def test_a_page_is_the_same_until_its_snapshot_ends(client, at, instant):
    at(instant)
    ends = current.at(instant).ends

    def pages_at(moment):
        current.clear()
        at(moment)
        return [client.get(path).content for path in PAGES]

    first = pages_at(instant)
    assert pages_at(ends - timedelta(microseconds=1)) == first
    assert pages_at(ends) != first


def withdraw(event_id):
    event = models.Event.objects.get(id=event_id)
    event.status = models.Status.DRAFT
    event.save()


@pytest.mark.parametrize(
    ("path", "heading", "because"),
    [
        (
            "/tillfalle/8004",
            "Programpunkten finns inte längre",
            "Den fanns i programmet, men har tagits bort.",
        ),
        (
            "/en/occasion/8004",
            "This event is no longer there",
            "It was in the programme, but has been removed.",
        ),
    ],
)
def test_an_occasion_of_a_withdrawn_event_is_gone(client, path, heading, because):
    withdraw(NIGHT)
    page = opened(client, path, HTTPStatus.GONE)
    assert texts(page, "//main/h1|//main/p[@class='intro']") == [heading, because]
    language, twin, whole = {
        "sv": ("English", "/en/occasion/8004", ("Hela programmet", "/")),
        "en": ("Svenska", "/tillfalle/8004", ("The whole programme", "/en/")),
    }[page.get("lang")]
    assert links(page, "//a[@class='twin']|//main//a") == [(language, twin), whole]
    assert page.xpath("//main//form/@action") == [whole[1]]
    assert page.xpath("//link[@rel='canonical' or @hreflang]") == []


def test_a_deleted_occasion_is_gone_and_leads_to_those_that_are_left(client):
    models.Occasion.objects.get(id=8002).delete()
    page = opened(client, "/tillfalle/8002", HTTPStatus.GONE)
    assert texts(page, "//h1|//h2") == [GONE, "Samma programpunkt, andra tider"]
    assert text(page.xpath("//main/section/p")[0]) == models.Event.objects.get(id=JAZZ).title
    assert texts(page, "//ol/li") == [
        "idag 16:00–17:00 Biblioteket, Sal 2",
        "lör 1 aug 16:00–17:00 Inställt Magasinet; kaj 3, port B, Övre, golvet",
    ]
    assert [href for _, href in links(page, "//ol//a")] == ["/tillfalle/8001", "/tillfalle/8003"]
    assert page.xpath("//main//form//input/@name") == ["q"]


def test_what_is_gone_takes_one_query_and_answers_head(client, django_assert_num_queries):
    withdraw(NIGHT)
    client.get("/tillfalle/8004")
    with django_assert_num_queries(1):
        response = client.head("/tillfalle/8004")
    assert (response.status_code, response.content) == (410, b"")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/prenumerera/?area=x&q=%C3%A5", "/prenumerera?area=x&q=%C3%A5"),
        ("/en/my-programme/", "/en/my-programme"),
        ("/tillfalle/8001/", "/tillfalle/8001"),
        ("/api/docs/", "/api/docs"),
    ],
)
def test_a_slash_at_the_end_leads_to_the_page_without(client, path, target):
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (301, target)


@pytest.mark.parametrize(
    "path", ["/finns-inte/", "/%2Fprenumerera/", "/%2Fevil.example/", "/tillfalle/x/", "/english"]
)
def test_a_slash_leads_nowhere_that_is_not_there(client, path):
    assert client.get(path).status_code == 404
