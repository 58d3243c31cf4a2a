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
    ("query", "connect", "unanswered"),
    [("", 3, 3000), ("?connect_timeout=10&sslmode=require", 10, 10_000)],
)
def test_a_postgresql_server_that_does_not_answer_is_given_up(tmp_path, query, connect, unanswered):
    url = f"postgres://user:password@program.example/festival{query}"
    found = options(tmp_path, DATABASE_URL=url)
    assert (int(found["connect_timeout"]), found["tcp_user_timeout"]) == (connect, unanswered)
    assert found.get("sslmode") == ("require" if query else None)
