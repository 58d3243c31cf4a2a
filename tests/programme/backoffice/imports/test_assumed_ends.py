"""Ends that are assumed are reported beside the row, and above the rows that no column says them."""

import pytest

from tests.programme.backoffice.imports.pages import build_sheet, preview_rows, remarks_on, show_preview

pytestmark = pytest.mark.django_db


def test_an_assumed_end_is_told_beside_the_row(client):
    row = "A;P;2026-09-12;19"
    rows = (row, row.replace("09-12", "09-13"))
    page = show_preview(client, build_sheet(*rows, headings="Titel;Område;Datum;Start"))
    assert [each[3] for each in preview_rows(page)[1:]] == ["no end: 30 minutes assumed"] * 2
    assert remarks_on(page)[0] == "No column says when it ends: 30 minutes assumed for 2 occasions"
