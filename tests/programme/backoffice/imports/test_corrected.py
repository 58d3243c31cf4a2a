"""Of a corrected file, only the file is chosen: source, options, columns and answers stay."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.models import Area, Event, Upload
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    messages_on,
    read_upload,
    refusals_on,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db
BROKEN = "Trasig;Parken;;igår;19;20;"
MENDED = "Trasig;Parken;;2026-09-15;19;20;"


def correct(client: Client, address: str, content: bytes, name: str = "version 2.csv") -> Any:
    """Upload a file in the place of the one that a preview shows."""
    done = client.post(address, {"file": SimpleUploadedFile(name, content)})
    assert done["Location"] == address
    return read_upload(client, address)


def fields_of(page: Any) -> dict[str, str]:
    """Return what is chosen in the form of an upload."""
    form = BeautifulSoup(page.content.decode(), "lxml").select_one("form[enctype]")
    chosen = {each["name"]: each.get("value", "on") for each in form.select("input[checked]")}
    chosen |= {each["name"]: each.get("value", "") for each in form.select("input[type=text]")}
    return chosen | {
        each["name"]: each.select_one("option[selected]").text.strip()
        for each in form.select("select:has(option[selected][value]:not([value='']))")
    }


def test_the_corrected_file_takes_the_place_of_the_one_that_was_read(client: Client) -> None:
    page = show_preview(client, build_sheet(*ROWS, BROKEN), source="")
    assert len(refusals_on(page)) == 1
    address = page.wsgi_request.path
    form = BeautifulSoup(client.post(address).content, "lxml").select_one("details.corrected[open]")
    assert form.select_one(".errorlist").text == "Choose a file."
    page = correct(client, address, build_sheet(*ROWS, MENDED))
    assert refusals_on(page) == []
    # It is named after the first file, and the next one has another name.
    assert page.context["preview"]["source"] == "programme"
    assert apply_and_list_messages(client, page) == ["Imported: 3 events, 4 occasions."]


def test_after_the_import_all_is_as_it_was_chosen(client: Client) -> None:
    park = Area.objects.create(name="Parken")
    page = show_preview(
        client, build_sheet(*ROWS), source="", area=str(park.pk), language="sv", withdraw_missing="on"
    )
    done = client.get(apply_preview(client, page)["Location"], follow=True)
    link = BeautifulSoup(done.content.decode(), "lxml").select_one(".messagelist a[href*=source]")
    assert link["href"] == "/admin/import/?source=programme"
    page = client.get(link["href"])
    assert fields_of(page) == {
        "source": "programme",
        "new_events": "published",
        "area": "Parken",
        "language": "Swedish",
        "withdraw_missing": "on",
    }
    page = upload(client, build_sheet(*ROWS), name="version 2.csv", source="programme")
    assert read_upload(client, page["Location"]).context["folded"] == 2


def test_the_area_of_events_without_one_stays_even_after_an_undo(client: Client) -> None:
    headings = "Titel;Datum;Start"
    address = upload(client, build_sheet("Fest;2026-09-12;19", headings=headings))["Location"]
    client.post(f"{address}read/")
    client.post(f"{address}area/", {"new": "Parken"})
    apply_preview(client, read_upload(client, address))
    Event.objects.all().delete()
    again = upload(client, build_sheet("Fest;2026-09-12;20", headings=headings))["Location"]
    page = read_upload(client, again)
    assert page.context["otherwise"] == "Parken"


def test_a_file_that_cannot_be_read_is_not_kept_and_leaves_the_choices(client: Client) -> None:
    address = upload(client, b"<schedule", name="trasig.xml", source="office", language="sv")["Location"]
    page = client.get(client.post(f"{address}read/")["Location"], follow=True)
    assert page.redirect_chain[-1][0] == "/admin/import/"
    reason = "it is cut off or damaged (line 1)"
    assert messages_on(page) == [f"Nothing is imported from “trasig.xml”: {reason}."]
    assert not Upload.objects.exists()
    assert fields_of(page) == {"source": "office", "new_events": "published", "language": "Swedish"}
    # Only once.
    assert fields_of(client.get("/admin/import/"))["source"] == ""


def test_the_language_of_the_texts_is_said_without_another_upload(client: Client) -> None:
    row = "Talk;Parken;2026-09-12;19;All that you have to know of the sea and how it is"
    page = show_preview(
        client, build_sheet(row, headings="Titel;Område;Datum;Start;Beskrivning"), language="sv"
    )
    address = page.wsgi_request.path
    assert page.context["preview"]["languages"] == ["en"]
    client.post(f"{address}answers/", {"language": "en"})
    page = read_upload(client, address)
    assert page.context["preview"]["languages"] == []
    apply_preview(client, page)
    assert Event.objects.get().description_en.startswith("All that you")


def test_a_file_without_a_source_is_the_next_version_of_the_one_that_is_called_like_it(
    client: Client,
) -> None:
    apply_preview(client, show_preview(client, build_sheet(*ROWS), name="Kulturnatt 2026.csv", source=""))
    for name in ("Kulturnatt 2026 v2.csv", "kulturnatt 2026 - kopia (1).csv", "Kulturnatt 2027.csv"):
        upload(client, build_sheet(*ROWS), name=name, source="")
    found = Upload.objects.order_by("pk").values_list("options__source", flat=True)
    assert list(found) == ["Kulturnatt 2026", "Kulturnatt 2026", ""]
