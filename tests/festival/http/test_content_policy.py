"""The Content-Security-Policy of every kind of response, and templates that keep to it."""

import re
from pathlib import Path

import pytest
from django.conf import settings as django_settings

from festival.http.headers import FRAGMENT_POLICY
from pages.rendering import hash_source
from programme.publishing.current import current
from tests.programmes import JAZZ

_FOUND = sorted((Path(django_settings.BASE_DIR) / "templates").rglob("*.html"))
# Those in `code/` are for other websites.
TEMPLATES = [each for each in _FOUND if each.parent.name != "code"]


def read_policy(response: object) -> dict[str, str]:
    directives = (each.partition(" ") for each in response["Content-Security-Policy"].split("; "))
    return {name: sources for name, _, sources in directives}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_templates_have_nothing_inline_that_the_policy_blocks(template):
    text = template.read_text()
    assert re.findall(r"\sstyle=", text) == []
    assert re.findall(r"\son\w+=", text) == []
    assert re.findall(r"javascript:", text) == []
    # A style element has a nonce in the back office; on pages there is one, whose hash is in the header.
    styles = re.findall(r"<style[^>]*>(?:{{ style\|safe }}</style>)?", text)
    has_nonce = "admin" in template.parts or template.name == "back_office_away.html"
    nonce, page = '<style nonce="{{ request.csp_nonce }}">', "<style>{{ style|safe }}</style>"
    assert set(styles) <= {nonce if has_nonce else page}
    scripts = re.findall(r"<script\b([^>]*)>", text)
    assert [each for each in scripts if "src=" not in each and "application/" not in each] == []


@pytest.mark.usefixtures("at", "sample")
def test_a_changed_policy_has_another_etag(client, monkeypatch):
    before = client.get("/")["ETag"]
    current.clear()
    assert client.get("/")["ETag"] == before
    current.clear()
    monkeypatch.setattr("pages.rendering.build_content_policy", lambda *_, **__: "default-src 'none'")
    assert client.get("/")["ETag"] != before


def test_the_back_office_has_a_nonce_for_each_response(admin_client, sample, at):
    def ask() -> tuple[str, str]:
        response = admin_client.get("/admin/timetable/2026-07-29/")
        [nonce] = re.findall(r'<style nonce="([\w-]{22})">', response.content.decode())
        return nonce, read_policy(response)["style-src"]

    (first, first_sources), (second, second_sources) = ask(), ask()
    assert first != second
    assert (first_sources, second_sources) == (f"'self' 'nonce-{first}'", f"'self' 'nonce-{second}'")


@pytest.mark.parametrize(
    "path", ["/admin/login/", "/admin/", "/admin/nowhere/", "/admin/programme/event/add/"]
)
def test_the_back_office_allows_its_own_files_only_and_no_frame(admin_client, path):
    response = admin_client.get(path, follow=True)
    policy = read_policy(response)
    names = ("default-src", "script-src", "style-src", "base-uri", "frame-ancestors", "form-action")
    assert {name: policy[name] for name in names} == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "form-action": "'self'",
    }
    assert response["X-Frame-Options"] == "DENY"


@pytest.mark.usefixtures("at", "sample")
def test_the_frames_of_a_preview_may_have_their_style(admin_client):
    response = admin_client.get(f"/admin/programme/event/{JAZZ}/preview/")
    pages = response.context_data["shown"]
    styles = [re.search(r"<style>(.*?)</style>", each["page"])[1] for each in pages]
    sources = read_policy(response)["style-src"].split()
    assert set(map(hash_source, styles)) == {each for each in sources if each.startswith("'sha256-")}


@pytest.mark.usefixtures("at", "sample")
@pytest.mark.parametrize("path", ["/api/events.qx1", "/api/occations/8001.qx1"])
def test_a_fragment_runs_nothing(client, path):
    assert client.get(path)["Content-Security-Policy"] == FRAGMENT_POLICY


@pytest.mark.usefixtures("at", "sample")
@pytest.mark.parametrize("path", ["/api/events", "/api/events.ics", "/sw.js", "/lista.css"])
def test_what_is_no_document_has_no_policy(client, path):
    assert "Content-Security-Policy" not in client.get(path)
