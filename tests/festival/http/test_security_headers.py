"""The headers that protect readers and editors: over TLS, and whatever a proxy or a client says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django.fixtures import Settings

NAMES = (
    *("SERVED_OVER_TLS", "SECURE_HSTS_SECONDS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE"),
    *("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_HTTPONLY", "CSRF_COOKIE_HTTPONLY"),
)
READ = (
    "import json, django; django.setup(); from django.conf import settings;"
    f" print(json.dumps([getattr(settings, name) for name in {NAMES!r}]))"
)


def read_settings(folder: Path, **variables: str) -> list[object]:
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "festival.settings",
        **variables,
    }
    command = [sys.executable, "-c", READ]
    output = subprocess.check_output(command, cwd=django_settings.BASE_DIR, env=environment, timeout=60)
    return json.loads(output)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        (
            {"BASE_URL": "https://program.example"},
            [True, 31_536_000, True, True, "__Host-sessionid", "__Host-csrftoken", True, True],
        ),
        (
            {"BASE_URL": "https://program.example", "HSTS_SECONDS": "300"},
            [True, 300, True, True, "__Host-sessionid", "__Host-csrftoken", True, True],
        ),
        (
            {"BASE_URL": "http://localhost:8000"},
            [False, 0, False, False, "sessionid", "csrftoken", True, True],
        ),
    ],
)
def test_an_https_base_url_makes_browsers_stay_with_tls(
    tmp_path: Path, variables: dict[str, str], expected: list[object]
) -> None:
    assert read_settings(tmp_path, **variables) == expected


@pytest.fixture
def _served_over_tls(settings: Settings) -> None:
    settings.SERVED_OVER_TLS, settings.SECURE_HSTS_SECONDS = True, 31_536_000
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True


PATHS = ["/", "/api/events", "/api/areas.json", "/lista.css", "/media/x.png", "/admin/login/", "/nowhere"]


@pytest.mark.usefixtures("sample", "at", "_served_over_tls")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("hop", ["", "http", "https", "https, http"])
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
