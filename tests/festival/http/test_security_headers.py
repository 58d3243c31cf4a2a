"""The headers that protect readers and editors: over TLS, and whatever a proxy or a client says."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from pages.rendering import FEATURES


@pytest.fixture
def _served_over_tls(settings: Settings) -> None:
    settings.SERVED_OVER_TLS, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True


PATHS = ["/", "/api/events", "/api/areas.json", "/lista.css", "/media/x.png", "/admin/login/", "/nowhere"]


@pytest.mark.usefixtures("sample", "at", "_served_over_tls")
@pytest.mark.parametrize(
    ("path", "hop"),
    [*((path, "http") for path in PATHS), *(("/", each) for each in ("", "https", "https, http"))],
)
def test_hsts_is_sent_whatever_the_proxy_says_of_its_hop(client: Client, path: str, hop: str) -> None:
    response = client.get(path, headers={"X-Forwarded-Proto": hop} if hop else {})
    assert response["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.usefixtures("sample", "at")
@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_the_headers_that_protect(client: Client, path: str) -> None:
    response = client.get(path)
    resources = "same-origin" if path.startswith("/admin/") else "cross-origin"
    expected = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": resources,
        "Permissions-Policy": FEATURES.format("self" if path == "/" else ""),
        "Strict-Transport-Security": None,
    }
    assert {name: response.get(name) for name in expected} == expected


@pytest.mark.usefixtures("db", "_served_over_tls")
def test_a_form_over_tls_must_come_from_the_service_itself(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["program.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://program.example"]
    client = Client(enforce_csrf_checks=True, headers={"Host": "program.example"})
    token = client.get("/admin/login/").cookies[settings.CSRF_COOKIE_NAME].value
    form = {"username": "x", "password": "x", "csrfmiddlewaretoken": token}

    def post(**headers: str) -> int:
        return client.post("/admin/login/", form, headers=headers).status_code

    assert post(Origin="https://program.example") == 200
    assert post(Referer="https://program.example/admin/login/") == 200
    assert post(Origin="https://evil.example") == 403
    assert post(Origin="null") == 403
    assert post(Referer="https://evil.example/") == 403
    assert post() == 403
