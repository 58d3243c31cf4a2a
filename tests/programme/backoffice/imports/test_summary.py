"""Where an import leads when it is done: to the events that it has written, and to no others."""

import pytest
from bs4 import BeautifulSoup

from programme.history import edits
from programme.models import Event
from tests.programme.backoffice.imports.pages import ROWS, apply_preview, build_sheet, show_preview

pytestmark = pytest.mark.django_db


def listed(client, page) -> list[str]:
    answer = client.get(apply_preview(client, page)["Location"], follow=True)
    found = BeautifulSoup(answer.content.decode(), "lxml").select("#result_list th.field-title")
    return [each.get_text(strip=True) for each in found]


def test_only_what_was_imported_is_listed(client):
    assert listed(client, show_preview(client, build_sheet(*ROWS))) == ["Fest", "Konsert"]
    with edits.record():
        Event.objects.filter(title="Fest").update(highlighted=True)
    assert listed(client, show_preview(client, build_sheet(*ROWS[:2], ROWS[2].replace("50", "60")))) == [
        "Konsert"
    ]
    # An occasion alone.
    assert listed(client, show_preview(client, build_sheet(ROWS[0], ROWS[1].replace("20", "21")))) == ["Fest"]


def test_an_import_that_has_written_nothing_leads_to_the_whole_list(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    assert listed(client, show_preview(client, build_sheet(ROWS[2]))) == ["Fest", "Konsert"]


@pytest.mark.parametrize("number", ["", "x", "0", "9" * 30, "²"])
def test_an_edit_that_is_none_narrows_nothing(client, number):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    answer = client.get("/admin/programme/event/", {"edit": number}, follow=True)
    assert len(BeautifulSoup(answer.content.decode(), "lxml").select("#result_list tbody tr")) == 2
