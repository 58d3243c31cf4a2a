"""The link of an organizer: what it opens, for how long, and that following it changes nothing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from pages.organizers import views
from programme.backoffice.suggestions import links
from programme.models import OrganizerLink, Suggestion
from tests.conftest import NOW
from tests.organizers import MONTH, enter_path, event_path, organizer_of, send
from tests.programmes import ASA, FORENINGEN, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("at", "sample")

SECOND = timedelta(seconds=1)


@pytest.fixture
def client() -> Client:
    return Client(SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE="en")


def test_the_token_becomes_a_cookie_of_these_pages_alone(client):
    answer = client.get(enter_path())
    assert (answer.status_code, answer["Location"]) == (302, "/admin/organizer/")
    assert {name: answer[name] for name in ("Referrer-Policy", "Cache-Control", "X-Robots-Tag")} == {
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
    }
    assert list(answer.cookies) == ["organizer"]
    cookie = answer.cookies["organizer"]
    assert {name: cookie[name] for name in ("path", "samesite", "httponly", "secure", "max-age")} == {
        "path": "/admin/organizer/",
        "samesite": "Lax",
        "httponly": True,
        "secure": "",
        "max-age": MONTH.total_seconds(),
    }


def test_with_an_https_address_the_cookie_is_secure(client, monkeypatch):
    monkeypatch.setattr(views, "COOKIE", "__Secure-organizer")
    with override_settings(SERVED_OVER_TLS=True):
        cookie = client.get(enter_path()).cookies["__Secure-organizer"]
    assert cookie["secure"] is True


def test_following_the_link_writes_nothing_and_leaves_it_valid(client):
    path = enter_path()
    before = list(OrganizerLink.objects.values())
    with CaptureQueriesContext(connection) as queries:
        for method in (client.get, client.head, client.get):
            assert method(path).status_code == 302
        for path in ("/admin/organizer/", event_path()):
            answer = client.get(path)
            assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("no-store", "noindex")
    assert [each for each in queries if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))] == []
    assert list(OrganizerLink.objects.values()) == before
    assert not Suggestion.objects.exists()


def test_the_token_is_stored_as_a_digest_alone():
    token = enter_path().split("/")[-2]
    stored = str(list(OrganizerLink.objects.values()))
    assert links.digest(token) in stored
    assert token not in stored


def refused(client: Client, path: str) -> bool:
    answer = client.get(path)
    return answer.status_code == 403 and "This link does not work any more" in answer.content.decode()


def test_a_link_expires(client, at):
    path = enter_path()
    at(NOW + MONTH - SECOND)
    assert client.get(path).status_code == 302
    assert client.get("/admin/organizer/").status_code == 200
    at(NOW + MONTH)
    assert refused(client, path)
    assert refused(client, "/admin/organizer/")
    assert refused(client, event_path())
    assert client.post(event_path(), {"title": "x"}).status_code == 403
    assert not Suggestion.objects.exists()


def test_a_link_is_revoked_and_replaced(client):
    first = enter_path()
    client.get(first)
    second = enter_path()
    assert refused(client, "/admin/organizer/")
    assert refused(client, first)
    assert client.get(second).status_code == 302
    links.revoke_link(FORENINGEN)
    assert refused(client, second)
    assert refused(client, "/admin/organizer/")


@pytest.mark.parametrize("copied", ["", ".", "/ ", "/)", "/?utm_source=mail", "/x/y"])
def test_a_link_works_with_what_was_copied_along(client, copied):
    path = enter_path().rstrip("/") + copied
    answer = client.get(path)
    if copied == ".":
        # It may be part of the token.
        assert refused(client, path)
    else:
        assert (answer.status_code, answer["Location"]) == (302, "/admin/organizer/")
        assert answer["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("rest", ["x", "event/", "event/7001/x/", "%00", f"{'0' * 32}/"])
def test_an_address_of_none_of_its_pages_asks_nobody_to_sign_in(client, rest):
    assert refused(client, f"/admin/organizer/{rest}")


def test_a_link_that_is_revoked_while_something_is_sent_sends_nothing(client, monkeypatch):
    client.get(enter_path())
    stale = OrganizerLink.objects.select_related("organizer").get()
    links.revoke_link(FORENINGEN)
    monkeypatch.setattr(views, "find_link", lambda _token, _instant: stale)
    assert client.post(event_path(), {"message": "Hej"}).status_code == 404
    assert not Suggestion.objects.exists()


def test_it_opens_its_own_events_alone():
    client = organizer_of(ASA)
    page = client.get("/admin/organizer/").content.decode()
    assert "Nattpoesi" in page
    assert "Jazz, blues" not in page
    assert client.get(event_path(NIGHT)).status_code == 200
    for path in (event_path(JAZZ), f"{event_path(JAZZ)}image/"):
        assert client.get(path).status_code == 404
    assert client.post(event_path(JAZZ), {"title": "x"}).status_code == 404


def test_it_opens_nothing_else_of_the_back_office():
    client = organizer_of()
    client.cookies["organizer"]["path"] = "/"
    for path in ("/admin/", "/admin/suggestions/", f"/admin/programme/event/{JAZZ}/change/"):
        assert client.get(path).status_code == 302
        assert client.get(path)["Location"].startswith("/admin/login/")


def test_its_forms_must_come_from_its_own_pages():
    client = Client(enforce_csrf_checks=True, SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE="en")
    client.get(enter_path())
    page = client.get(event_path())
    assert client.post(event_path(), {"title": "Elak"}).status_code == 403
    assert not Suggestion.objects.exists()
    token = page.content.decode().partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    assert send(client, message="Hej", csrfmiddlewaretoken=token).status_code == 302
    assert Suggestion.objects.get().message == "Hej"
