"""Editors see what they have saved at once, whichever process answers; nobody else waits or asks for it."""

from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client

from festival.http import read_your_writes
from festival.http.read_your_writes import find_revision
from festival.http.replay_cache import ReplayCache
from programme.models import Area, Revision
from programme.publishing import loading
from programme.publishing.current import current
from programme.publishing.serving_snapshot import ServedProgramme
from tests.conftest import NOW
from tests.programme.backoffice.requests import submission
from tests.wsgi import send_request

# PostgreSQL moves the revision once in a transaction.
pytestmark = pytest.mark.django_db(transaction=True)


def rename_area(client: Client, name: str) -> Any:
    """Return the response to the form of the first area."""
    area = Area.objects.first()
    page = f"/admin/programme/area/{area.pk}/change/"
    response = client.post(page, submission(client.get(page)) | {"name": name})
    assert response.status_code == 302
    return response


def read_names(**headers: str) -> list[str]:
    """Return the areas' names as a process answers that trusts its programme."""
    return [each["name"] for each in Client(headers=headers).get("/api/areas").json()]


def send_cookie(response: Any) -> dict[str, str]:
    """Return the environ of a request with the cookies that a response has set."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in response.cookies.items())
    return {"PATH_INFO": "/api/areas", "HTTP_COOKIE": f"sessionid=abc; {cookies}"}


def test_a_save_tells_its_sender_the_revision(sample, admin_client):
    response = rename_area(admin_client, "Nya torget")
    cookie = response.cookies["revision"]
    assert {name: value for name, value in cookie.items() if value and name != "expires"} == {
        "max-age": 10,
        "path": "/",
        "httponly": True,
        "samesite": "Lax",
    }
    assert find_revision(send_cookie(response)) == Revision.objects.get().number


def test_over_tls_the_cookie_is_the_host_s_alone(sample, admin_client, settings):
    settings.SERVED_OVER_TLS = True
    response = rename_area(admin_client, "Nya torget")
    assert response.cookies["__Host-revision"]["secure"] is True
    assert find_revision(send_cookie(response)) == Revision.objects.get().number


def test_the_result_of_an_import_tells_what_its_stream_has_saved(sample, admin_client):
    response = admin_client.get("/admin/import/done/")
    assert find_revision(send_cookie(response)) == Revision.objects.get().number


@pytest.mark.parametrize("path", ["/api/areas", "/nothing", "/admin/login/nothing", "/admin/login/"])
def test_who_saves_nothing_is_told_nothing(sample, client, admin_client, path):
    assert "revision" not in admin_client.post("/admin/nothing").cookies
    assert "revision" not in client.post(path).cookies
    assert "revision" not in client.get(path).cookies


def test_a_save_without_a_revision_is_answered_all_the_same(sample, admin_client, monkeypatch):
    def refuse() -> None:
        raise read_your_writes.Error

    monkeypatch.setattr(loading, "fetch_revision", refuse)
    assert "revision" not in rename_area(admin_client, "Nya torget").cookies


@pytest.mark.parametrize(
    "cookie", ["", "revision=", "revision=99", "revision=99:abc", "revision=x:y", "otherrevision=1"]
)
def test_what_nobody_was_told_is_ignored(cookie):
    assert find_revision({"PATH_INFO": "/", "HTTP_COOKIE": cookie}) is None


def test_a_later_request_of_the_editor_is_answered_with_the_edit_and_no_other(sample, admin_client, at):
    process = ReplayCache(WSGIHandler())
    current.renew()
    before = [area.name for area in current.at(NOW).programme.areas]
    cookies = send_cookie(rename_area(admin_client, "Nya torget"))["HTTP_COOKIE"]
    assert SimpleCookie(cookies).keys() >= {"revision"}
    current.renew(lambda programme: ServedProgramme(programme, NOW + timedelta(seconds=1)))
    answer = send_request(process, "/api/areas", cookie=cookies).body.decode()
    assert ("Nya torget" in answer, read_names()) == (True, before)


def test_the_back_office_waits_for_nothing(sample, admin_client):
    environ = send_cookie(rename_area(admin_client, "Nya torget"))
    assert find_revision(environ | {"PATH_INFO": "/admin/programme/area/"}) is None
