"""Attacks on uploaded files: no path leads out of their folder, and nothing in a file can run."""

from contextlib import closing
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

# The page of an error asks for the programme.
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "media" / "events").mkdir(parents=True)
    (tmp_path / "media-of-another").mkdir()
    (tmp_path / "media-of-another" / "bild.png").write_text("secret")
    (tmp_path / "secret-key").write_text("secret")
    return tmp_path / "media" / "events"


@pytest.mark.parametrize(
    "path",
    [
        *("../secret-key", "..%2fsecret-key", "%2e%2e%2fsecret-key", "events/../../secret-key"),
        *("..%5csecret-key", "..\\secret-key", "%2fetc%2fpasswd", "/etc/passwd", "//etc/passwd"),
        *("../media-of-another/bild.png", "..%c0%afsecret-key", "%u002e%u002e/secret-key"),
        *("a%00.png", "%00", "a%0d%0aSet-Cookie:x=y", "a" * 300, "a/" * 3_000, "", ".", "events", "events/"),
    ],
)
def test_no_path_leads_out_of_the_folder_and_none_is_logged_with_a_trace(client, caplog, path):
    response = client.get(f"/media/{path}")
    assert (response.status_code, "Set-Cookie" in response) == (404, False)
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize(
    ("name", "media_type", "disposition"),
    [
        ("bild.png", "image/png", 'inline; filename="bild.png"'),
        ("BILD.JPG", "image/jpeg", 'inline; filename="BILD.JPG"'),
        ("bild.svg", "application/octet-stream", "attachment"),
        ("sida.html", "application/octet-stream", "attachment"),
        ("bild.png.html", "application/octet-stream", "attachment"),
        ("utan", "application/octet-stream", "attachment"),
        ("bild.svg.gz", "application/octet-stream", "attachment"),
    ],
)
def test_a_file_is_sent_so_that_nothing_in_it_runs(client, media, name, media_type, disposition):
    (media / name).write_bytes(b"<script>alert(1)</script>")
    with closing(client.get(f"/media/events/{name}")) as response:
        assert response.getvalue() == b"<script>alert(1)</script>"
    expected = {
        "Content-Type": media_type,
        "Content-Disposition": disposition,
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    assert {each: response.get(each) for each in expected} == expected


def test_a_known_file_is_not_sent_again(client, media):
    (media / "bild.png").write_bytes(b"x")
    with closing(client.get("/media/events/bild.png")) as first:
        modified = first["Last-Modified"]
    again = client.get("/media/events/bild.png", headers={"If-Modified-Since": modified})
    assert (again.status_code, again.get("Content-Type"), b"".join(again)) == (304, None, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_files_are_read_only(media, method):
    (media / "bild.png").write_bytes(b"x")
    response = Client(enforce_csrf_checks=True).generic(method, "/media/events/bild.png")
    assert (response.status_code, response["Allow"]) == (405, "GET, HEAD")
    assert (media / "bild.png").read_bytes() == b"x"
