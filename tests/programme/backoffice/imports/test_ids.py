"""Whose the IDs of a sheet are: the command asks, and remembers it."""

from pathlib import Path

import pytest
from django.core.management import CommandError

from programme.models import Event
from tests.programme.backoffice.imports.pages import build_sheet
from tests.programme.exchange.imports import import_file

pytestmark = pytest.mark.django_db


def test_the_command_says_whose_the_ids_are(tmp_path: Path):
    file = tmp_path / "sheet.csv"
    rows = ("71;Fanny;Bio;2026-09-11;18", "72;Sv;Bio;2026-09-11;21", "73;Fanny;Bio;2026-09-12;18")
    file.write_bytes(build_sheet(*rows, headings="ID;Titel;Område;Datum;Start"))
    with pytest.raises(CommandError, match="ids=occasion"):
        import_file(file, "--source", "x")
    # The answer is remembered.
    for options in (["--ids", "event"], []):
        import_file(file, "--source", "x", *options)
        events = sorted(Event.objects.values_list("source_id", "title"))
        assert events == [("71", "Fanny"), ("72", "Sv"), ("73", "Fanny")]
