"""Whole answers, byte for byte, from the database to the wire: one golden file for each format.

`pytest tests/feeds/test_golden.py --regolden` writes them; read what has changed before you
commit it.
"""

import pytest
from django.test import Client

from feeds.formats import FORMATS
from tests.golden_files import assert_golden, list_golden

PATHS = {f"events.{each.extension}": f"/api/events.{each.extension}" for each in FORMATS}
PATHS |= {f"events.en.{each.extension}": f"/api/events.{each.extension}?language=en" for each in FORMATS}
PATHS |= {f"occations.{each.extension}": f"/api/occations/8001.{each.extension}" for each in FORMATS}
PATHS |= {"areas.json": "/api/areas.json", "programme.json": "/api/programme.json"}

pytestmark = pytest.mark.usefixtures("sample", "at")


@pytest.mark.parametrize("name", PATHS)
def test_an_answer_is_its_golden_file(name: str, client: Client, request: pytest.FixtureRequest) -> None:
    assert_golden(request, name, client.get(PATHS[name]).content)


def test_there_is_a_golden_file_for_each_format_and_no_other() -> None:
    existing = list_golden()
    assert sorted(set(PATHS) - existing) == [], "Write these with `--regolden`, and review them."
    assert sorted(existing - set(PATHS)) == [], "Delete these: no format has them."


def test_no_two_formats_have_one_extension_or_rank():
    assert len({each.extension for each in FORMATS}) == len({each.rank for each in FORMATS}) == len(FORMATS)
