"""What the settings make of the environment, read by a process of its own."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

MAIL = "django.core.mail.backends"
DATABASE = "postgres://user:password@program.example/festival"
PUBLIC = {"BASE_URL": "https://program.example", "EMAIL_URL": "smtp+tls://post:word@mail.test"}
# Browsers stay with TLS; the mail server is Django's.
ARE_PUBLIC = {
    **dict.fromkeys(("SERVED_OVER_TLS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "HAS_EMAIL"), True),
    "SECURE_HSTS_SECONDS": 31_536_000,
    "SESSION_COOKIE_NAME": "__Host-sessionid",
    "EMAIL_BACKEND": f"{MAIL}.smtp.EmailBackend",
    "EMAIL_HOST": "mail.test",
    "EMAIL_PORT": 587,
    "EMAIL_USE_TLS": True,
}
ARE_LOCAL = {
    **dict.fromkeys(("SERVED_OVER_TLS", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "HAS_EMAIL"), False),
    "SECURE_HSTS_SECONDS": 0,
    "EMAIL_BACKEND": f"{MAIL}.console.EmailBackend",
}


@pytest.mark.parametrize(
    ("variables", "expected", "options"),
    [
        (
            PUBLIC | {"DATABASE_URL": DATABASE},
            ARE_PUBLIC,
            {"connect_timeout": "3", "tcp_user_timeout": "3000", "sslmode": "None"},
        ),
        (
            PUBLIC
            | {"DATABASE_URL": f"{DATABASE}?connect_timeout=10&sslmode=require", "HSTS_SECONDS": "300"},
            ARE_PUBLIC | {"SECURE_HSTS_SECONDS": 300},
            {"connect_timeout": "10", "tcp_user_timeout": "10000", "sslmode": "require"},
        ),
        ({"BASE_URL": "http://localhost:8000"}, ARE_LOCAL, {}),
    ],
    ids=["public", "with choices of its own", "local"],
)
def test_settings_follow_from_the_environment(tmp_path, variables, expected, options):
    names = [*expected, "DATABASES"]
    script = f"import json, festival.settings as read; print(json.dumps([getattr(read, name) for name in {names}]))"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), **variables}
    command = [sys.executable, "-c", script]
    output = subprocess.check_output(command, cwd=settings.BASE_DIR, env=environment, timeout=60)
    *found, databases = json.loads(output)
    assert dict(zip(expected, found, strict=True)) == expected
    # A server that does not answer is given up.
    stated = databases["default"]["OPTIONS"]
    assert {name: str(stated.get(name)) for name in options} == options
