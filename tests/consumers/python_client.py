"""A client that openapi-python-client makes of the description: `make consumers`, for it installs the generator."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.browser import live_server

__all__ = ["live_server"]

HERE = Path(__file__).parent
REQUIREMENTS = ("openapi-python-client==0.29.1", "mypy==1.19.1")
CLIENT = "festival_programme_client"


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """Return the Python of a new environment that has the generator and mypy."""
    run(tmp_path, sys.executable, "-m", "venv", "environment")
    programs = tmp_path / "environment" / "bin"
    install = [str(programs / "pip"), "install", "--quiet", *REQUIREMENTS]
    if subprocess.run(install, capture_output=True, timeout=300, check=False).returncode:
        pytest.skip("openapi-python-client cannot be installed: needs a registry of Python packages")
    return programs / "python"


def test_a_client_in_python_is_checked_strictly_and_reads_the_service(  # noqa: PLR0917 - fixtures
    python: Path,
    tmp_path: Path,
    transactional_db: None,
    sample: None,
    at: Any,
    live_server: Any,
    client: Client,
) -> None:
    (tmp_path / "schema.json").write_bytes(client.get("/api/schema.json").content)
    generator = str(python.with_name("openapi-python-client"))
    # The package's own name, which is derived from the title.
    run(tmp_path, generator, "generate", "--path", "schema.json")
    (package,) = tmp_path.glob(f"*/{CLIENT}")
    package.rename(tmp_path / CLIENT)
    (tmp_path / "api_client.py").write_text((HERE / "api_client.py").read_text())
    run(tmp_path, str(python), "-m", "mypy", "--strict", "api_client.py")
    answers = json.loads(run(tmp_path, str(python), "api_client.py", live_server.url))
    elements = client.get("/api/events").json()
    (jazz,) = (each for each in elements if each["occation"]["id"] == 8001)
    assert answers == {
        "events": [f"{jazz['title']} Storgatan 1, Åsunda"],
        "areas": [each["info"]["sv"] or each["fullName"] for each in client.get("/api/areas").json()],
        "changes": [[len(each["allOccations"]) for each in elements], []],
        "problem": "404 Not Found",
    }
