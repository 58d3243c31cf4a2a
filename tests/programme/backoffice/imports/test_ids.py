"""A sheet in which every row has its own ID while titles repeat: the command asks whose they are, and remembers it."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from programme.models import Event
from tests.programme.backoffice.imports.pages import (
    build_sheet,
)

pytestmark = pytest.mark.django_db

HEADINGS = "ID;Titel;Område;Datum;Start;Slut"
ROWS = ("71;Fanny;Bio;2026-09-11;18;20", "72;Sv;Bio;2026-09-11;21;22", "73;Fanny;Bio;2026-09-12;18;20")
SHEET = build_sheet(*ROWS, headings=HEADINGS)


def test_the_command_says_whose_the_ids_are(tmp_path: Path):
    file = tmp_path / "sheet.csv"
    file.write_bytes(SHEET)
    with pytest.raises(CommandError, match="--answer ids=occasion: "):
        call_command("import", str(file), "--source", "x")
    call_command("import", str(file), "--source", "x", "--ids", "event", verbosity=0)
    events = [("71", "Fanny"), ("72", "Sv"), ("73", "Fanny")]
    assert sorted(Event.objects.values_list("source_id", "title")) == events
    # The answer is remembered.
    call_command("import", str(file), "--source", "x", verbosity=0)
    assert sorted(Event.objects.values_list("source_id", "title")) == events
