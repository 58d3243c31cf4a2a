"""What the settings make of the environment, read by a process of its own."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

READ = "import json, festival.settings as read; print(json.dumps(read.DATABASES['default']['OPTIONS']))"


def options(folder, **variables):
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), **variables}
    read = [sys.executable, "-c", READ]
    return json.loads(subprocess.check_output(read, cwd=settings.BASE_DIR, env=environment, timeout=60))


@pytest.mark.parametrize(
    ("stated", "query", "connect", "unanswered"),
    [
        ({}, "", 3, 3000),
        ({"DATABASE_CONNECT_TIMEOUT": "5"}, "", 5, 5000),
        ({}, "?connect_timeout=10&sslmode=require", 10, 3000),
    ],
)
def test_a_postgresql_server_that_does_not_answer_is_given_up(tmp_path, stated, query, connect, unanswered):
    url = f"postgres://user:password@program.example/festival{query}"
    found = options(tmp_path, DATABASE_URL=url, **stated)
    assert (int(found["connect_timeout"]), found["tcp_user_timeout"]) == (connect, unanswered)
    assert found.get("sslmode") == ("require" if query else None)


LOADED = """
import json, sys
from django.urls import get_resolver
import festival.wsgi, festival.server.renewal, festival.monitoring.gauges
get_resolver().url_patterns
print(json.dumps(list(sys.modules)))
"""


def load(folder, **variables):
    """Return the names of the modules that a process loads before its first request."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), **variables}
    run = [sys.executable, "-c", LOADED]
    names = json.loads(subprocess.check_output(run, cwd=settings.BASE_DIR, env=environment, timeout=60))
    return {name for name in names if name.startswith(BACK_OFFICE)}


BACK_OFFICE = (
    "allauth.",
    "fido2.",
    "festival.accounts.views",
    "programme.backoffice.",
    "programme.exchange.",
)


def test_a_process_for_readers_does_not_load_the_back_office(tmp_path):
    assert load(tmp_path, BACK_OFFICE_SOCKET=str(tmp_path / "socket")) == set()


def test_a_process_without_another_for_the_back_office_loads_it(tmp_path):
    assert load(tmp_path) >= {"allauth.account.views", "programme.backoffice.urls", "festival.accounts.views"}
