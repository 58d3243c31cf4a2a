"""Whole answers, byte for byte, from the database to the wire: one golden file for each format.

`pytest tests/feeds/test_golden.py --regolden` writes them; read what has changed before you
commit it. JSON is kept indented, because one line of 60 kB hides what has changed.
"""

from pathlib import Path

import msgspec
import pytest
from django.test import Client

from feeds.formats import FORMATS

GOLDEN = Path(__file__).parents[1] / "golden"
REGOLDEN = ".venv/bin/python -m pytest tests/feeds/test_golden.py --regolden"

PATHS = {f"events.{each.extension}": f"/api/events.{each.extension}" for each in FORMATS}
PATHS |= {f"events.en.{each.extension}": f"/api/events.{each.extension}?language=en" for each in FORMATS}
PATHS |= {f"occations.{each.extension}": f"/api/occations/8001.{each.extension}" for each in FORMATS}
PATHS |= {
    f"areas.{each.extension}": f"/api/areas.{each.extension}" for each in FORMATS if each.can_write_areas()
}
PATHS |= {"programme.json": "/api/programme.json"}

pytestmark = pytest.mark.usefixtures("sample", "at")


def readable(name: str, body: bytes) -> bytes:
    return msgspec.json.format(body, indent=1) + b"\n" if name.endswith("json") else body


def as_sent(name: str, kept: bytes) -> bytes:
    return msgspec.json.format(kept, indent=-1) if name.endswith("json") else kept


@pytest.mark.parametrize("name", PATHS)
def test_an_answer_is_its_golden_file(name: str, client: Client, request: pytest.FixtureRequest) -> None:
    body = client.get(PATHS[name]).content
    if request.config.getoption("regolden"):
        (GOLDEN / name).write_bytes(readable(name, body))
    assert (GOLDEN / name).exists(), f"Write tests/golden/{name} with `{REGOLDEN}`, and review it."
    assert body == as_sent(name, (GOLDEN / name).read_bytes())


def test_there_is_a_golden_file_for_each_format_and_no_other() -> None:
    existing = {path.name for path in GOLDEN.iterdir()}
    assert sorted(set(PATHS) - existing) == [], f"Write these with `{REGOLDEN}`, and review them."
    assert sorted(existing - set(PATHS)) == [], "Delete these: no format has them."
