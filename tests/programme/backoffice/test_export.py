"""The export page of the back office: it gives each kind of file, to those who may see the events."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from feeds.columns import USUAL_COLUMNS
from programme.exchange.exports import rows
from programme.exchange.exports.sheet import EXPORTS, select_events
from programme.exchange.readers.sheet.tables import read_tables
from programme.models import Edition, Event
from programme.publishing.current import current
from tests.conftest import NOW
from tests.programme.backoffice.imports.pages import apply_and_list_messages, show_preview
from tests.programmes import MARATHON, PARKEN, occasion_uuid

pytestmark = pytest.mark.django_db


def address() -> str:
    return reverse("admin:programme_event_export")


@pytest.mark.parametrize("name", EXPORTS)
def test_the_file_is_what_the_command_writes(name, admin_client, sample, at):
    answer = admin_client.get(address(), {"format": name, "drafts": "on", "all": "on"})
    with override(answer.headers["Content-Language"]):
        written = b"".join(EXPORTS[name].stream(select_events(drafts=True)))
    assert read_tables(answer.getvalue()) == read_tables(written)
    assert answer.headers["Content-Type"] == EXPORTS[name].media_type
    assert "private" in answer.headers["Cache-Control"]
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="programme-all-columns-2026-07-29.{EXPORTS[name].name}"'
    )


def test_drafts_and_other_areas_are_left_out_unless_asked_for(admin_client, sample):
    content = admin_client.get(address(), {"format": "csv", "area": PARKEN}).getvalue().decode()
    here = Event.objects.get(pk=MARATHON).occasions.values_list("uuid", flat=True)
    assert all(str(uuid) in content for uuid in here)
    assert str(occasion_uuid(8001)) not in content
    assert str(occasion_uuid(8017)) not in admin_client.get(address(), {"format": "csv"}).getvalue().decode()


def test_the_list_exports_the_events_that_are_selected_with_their_drafts(admin_client, sample):
    chosen = {"action": "export_csv", "_selected_action": [*Event.objects.values_list("pk", flat=True)]}
    answer = admin_client.post("/admin/programme/event/", chosen)
    with override(answer.headers["Content-Language"]):
        written = EXPORTS["csv"].stream(Event.objects.all(), columns=USUAL_COLUMNS)
        assert answer.getvalue() == b"".join(written)


def test_the_columns_of_an_office_come_back_and_change_nothing(admin_client, sample, at):
    content = admin_client.get(address(), {"format": "csv", "drafts": "on"}).getvalue()
    assert content.decode("utf-8-sig").splitlines()[0] == (
        "Titel;Område;Arrangör;Plats;Platsens lokal;Datum;Start;Slutdatum;Slut;Inställt;Tillfällets ID;"
        "Exportens nr"
    )
    page = show_preview(admin_client, content, name="programme.csv")
    assert apply_and_list_messages(admin_client, page) == ["Inget behövde ändras."]


def test_a_text_that_is_too_long_for_excel_is_told_beside_the_format(admin_client, sample):
    Event.objects.filter(pk=MARATHON).update(description_sv="å" * 33_000)
    page = admin_client.get(address(), {"format": "xlsx", "all": "on"}).content.decode()
    assert "errorlist" in page
    assert "Åtta ångbåtar" in page
    assert "errorlist" in admin_client.get(address(), {"format": "doc"}).content.decode()


def test_the_response_begins_before_the_file_is_whole(admin_client, sample, monkeypatch):
    monkeypatch.setattr(rows, "CHUNK", 1)
    answer = admin_client.get(address(), {"format": "csv", "drafts": "on"})
    assert "Content-Length" not in answer
    with CaptureQueriesContext(connection) as queries:
        content = iter(answer)
        next(content)
        begun = len(queries)
        list(content)
    assert (begun, len(queries)) == (0, 27)


def test_the_page_exports_the_edition_that_is_worked_in_and_says_so(admin_client, sample, at):
    for year, since in ((2025, None), (2026, NOW)):
        days = {"first_day": date(year, 1, 1), "last_day": date(year, 12, 31)}
        Edition.objects.create(slug=str(year), name_sv=f"Natten {year}", **days, current_since=since)
    current.at(NOW)
    assert "<strong>Natten 2026</strong>" in admin_client.get(address()).content.decode()
    assert export_years(admin_client) == {2026}
    admin_client.post("/admin/edition/", {"edition": str(Edition.objects.get(slug="2025").pk)})
    assert "<strong>Natten 2025</strong>" in admin_client.get(address()).content.decode()
    assert export_years(admin_client) == {2025}
    admin_client.post("/admin/edition/", {"edition": "all"})
    assert export_years(admin_client) == {2025, 2026}


def export_years(client):
    content = client.get(address(), {"format": "csv"}).getvalue().decode()
    return {year for year, key in ((2025, 8011), (2026, 8001)) if str(occasion_uuid(key)) in content}
