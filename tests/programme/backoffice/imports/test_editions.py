"""The import page: a file is meant for the edition that the editor works in."""

from datetime import date, timedelta

import pytest

from programme.models import Edition, Occasion
from programme.publishing.current import current
from tests.conftest import NOW
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    odd_on,
    show_preview,
    sign_in_administrator,
)

pytestmark = pytest.mark.usefixtures("at")

ROWS = b"Titel;Omr\xc3\xa5de;Datum;Start;Slut\nFest;Parken;l\xc3\xb6r;19;20\nKonsert;Parken;13/9;19;20"


@pytest.fixture
def client(db):
    for first, since in ((date(2025, 9, 12), None), (date(2026, 9, 11), NOW)):
        Edition.objects.create(
            slug=str(first.year),
            name_sv=f"Natten {first.year}",
            name_en=f"Night {first.year}",
            first_day=first,
            last_day=first + timedelta(days=2),
            current_since=since,
        )
    current.at(NOW)
    return sign_in_administrator()


def work_in(client, slug):
    client.post("/admin/edition/", {"edition": str(Edition.objects.get(slug=slug).pk)})


def starts():
    return [f"{each:%Y-%m-%d}" for each in Occasion.objects.order_by("id").values_list("start", flat=True)]


def test_dates_are_of_the_current_edition_unless_another_is_worked_in(client):
    page = show_preview(client, ROWS)
    work_in(client, "2025")
    # What was shown is what is imported.
    apply_and_list_messages(client, page)
    assert starts() == ["2026-09-12", "2026-09-13"]
    page = show_preview(client, ROWS)
    apply_and_list_messages(client, page)
    assert starts() == ["2026-09-12", "2026-09-13", "2025-09-13", "2025-09-13"]
    # The choice is of one file.
    work_in(client, "2026")
    assert [row["kind"] for row in show_preview(client, ROWS).context["preview"]["rows"]] == ["unchanged"] * 2


def test_another_edition_looks_odd(client):
    content = ROWS.replace(b"13/9", b"2025-09-13") + b"\nBal;Parken;2026-12-31;19;20"
    page = show_preview(client, content)
    warning = "Dates outside the festival’s days (11 September 2026 – 13 September 2026): rows 3–4"
    assert warning in odd_on(page).values()
