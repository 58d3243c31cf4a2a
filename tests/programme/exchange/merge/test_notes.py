"""Notes on a file that repeat are reported once, with a count."""

import pytest

from tests.programme.backoffice.imports.pages import build_sheet, show_preview
from tests.programme.backoffice.requests import parse

HEADINGS = "Titel;Område;Datum;Start;Slut;Språk"
ROWS = (
    *("Fest;Parken;2026-09-12;19;;Svenska, English", "Dans;Parken;2026-09-12;19;20;Svenska, English"),
    *("Kör;Parken;2026-09-12;19;20;klingonska", "Tal;Parken;2026-09-12;19;20;Svenska, English"),
)
SEVERAL = "several languages; the first is taken"


@pytest.mark.django_db
def test_the_preview_says_it_once(client):
    page = show_preview(client, build_sheet(*ROWS, headings=HEADINGS))
    notes = parse(page).select(".notes > li")
    assert [" ".join(each.get_text(" ", strip=True).split()) for each in notes] == [
        "row 2, Slut : no end: 30 minutes assumed",
        "Several languages; the first is taken (3 times) row 2, Språk · row 3, Språk · row 5, Språk",
        "row 4, Språk : “klingonska” is no language that is known here; left out",
    ]
    assert "3 notes on the file" in page.content.decode()
