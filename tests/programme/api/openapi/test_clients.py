"""A client that others' generators make of the description: typed, and usable without casts."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.browser import live_server

__all__ = ["live_server"]

CONSUMERS = Path(__file__).parents[3] / "consumers"
OPTIONS = [
    *("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--skipLibCheck"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
]

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs a program of tests/consumers in a folder with the client's source."""
    if not shutil.which("node") or not (CONSUMERS / "node_modules" / "openapi-typescript").is_dir():
        pytest.skip("openapi-typescript is not installed: needs node, and `npm ci` in tests/consumers")
    (tmp_path / "node_modules").symlink_to(CONSUMERS / "node_modules")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(CONSUMERS / "api-client.ts", tmp_path)

    def run(*command: str, code: int = 0) -> str:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    return run


def test_a_client_in_typescript_is_compiled_strictly_and_reads_the_service(  # noqa: PLR0917 - fixtures
    run: Run, tmp_path: Path, transactional_db: None, sample: None, at: Any, live_server: Any, client: Client
) -> None:
    (tmp_path / "schema.json").write_bytes(client.get("/api/schema.json").content)
    run("node_modules/.bin/openapi-typescript", "schema.json", "-o", "schema.d.ts")
    # Were it not typed, this would be no fault.
    wrong = (
        'await createClient<paths>().GET("/api/events.json", { params: { query: { highlighted: "yes" } } });'
    )
    (tmp_path / "wrong.ts").write_text(
        'import createClient from "openapi-fetch";\n'
        f'import type {{ paths }} from "./schema.js";\n{wrong}\nexport {{}};\n'
    )
    faults = run("node_modules/.bin/tsc", *OPTIONS, "api-client.ts", "wrong.ts", code=2)
    assert [line.partition(": error ")[2] for line in faults.splitlines() if not line.startswith(" ")] == [
        "TS2322: Type 'string' is not assignable to type 'boolean | undefined'."
    ]
    script = f'import("./api-client.js").then((client) => client.report("{live_server.url}"))'
    answers = json.loads(run("node", "--eval", script))
    elements = client.get("/api/events").json()
    (jazz,) = (each for each in elements if each["occation"]["id"] == 8001)
    assert answers["event"] == [jazz["title"], True, "Scenen", "Storgatan 1, Åsunda"]
    assert answers["areas"] == [
        each["info"]["sv"] or each["fullName"] for each in client.get("/api/areas").json()
    ]
    assert answers["changes"]["stored"] == [len(each["allOccations"]) for each in elements]
    assert answers["changes"]["deleted"] == []
    assert answers["changes"]["until"] is not None
    assert answers["problem"] == "404 Not Found"
