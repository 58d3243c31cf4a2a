"""What the settings make of the environment, read by a process of its own."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings


def read(folder, *names, **variables):
    """Return the values of settings."""
    script = f"import json, festival.settings as read; print(json.dumps([getattr(read, name) for name in {names}]))"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), **variables}
    command = [sys.executable, "-c", script]
    return json.loads(subprocess.check_output(command, cwd=settings.BASE_DIR, env=environment, timeout=60))


@pytest.mark.parametrize(
    ("query", "connect", "unanswered"),
    [("", 3, 3000), ("?connect_timeout=10&sslmode=require", 10, 10_000)],
)
def test_a_postgresql_server_that_does_not_answer_is_given_up(tmp_path, query, connect, unanswered):
    url = f"postgres://user:password@program.example/festival{query}"
    [databases] = read(tmp_path, "DATABASES", DATABASE_URL=url)
    found = databases["default"]["OPTIONS"]
    assert (int(found["connect_timeout"]), found["tcp_user_timeout"]) == (connect, unanswered)
    assert found.get("sslmode") == ("require" if query else None)


@pytest.mark.parametrize(
    ("variables", "is_secure", "hsts", "session"),
    [
        ({"BASE_URL": "https://program.example"}, True, 31_536_000, "__Host-sessionid"),
        ({"BASE_URL": "https://program.example", "HSTS_SECONDS": "300"}, True, 300, "__Host-sessionid"),
        ({"BASE_URL": "http://localhost:8000"}, False, 0, None),
    ],
)
def test_an_https_base_url_makes_browsers_stay_with_tls(tmp_path, variables, is_secure, hsts, session):
    names = ("SERVED_OVER_TLS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    assert read(tmp_path, *names, **variables) == [is_secure, is_secure, is_secure, hsts]
    if session:
        assert read(tmp_path, "SESSION_COOKIE_NAME", **variables) == [session]


def test_a_mail_server_is_djangos(tmp_path):
    names = ("HAS_EMAIL", "EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT", "EMAIL_USE_TLS")
    smtp = "django.core.mail.backends.smtp.EmailBackend"
    found = read(tmp_path, *names, EMAIL_URL="smtp+tls://post:word@mail.example")
    assert found == [True, smtp, "mail.example", 587, True]
    assert read(tmp_path, *names[:2]) == [False, "django.core.mail.backends.console.EmailBackend"]
