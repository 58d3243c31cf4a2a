"""The page of importing: upload, see row by row what would happen, decide, apply all or nothing."""

import json

import psycopg
import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError

from programme.backoffice.imports import views
from programme.models import (
    Area,
    Event,
    ImportedRow,
    Occasion,
    Status,
    Upload,
)
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    messages_on,
    preview_rows,
    revision_number,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


def test_a_file_is_shown_row_by_row_and_then_applied(client):
    before = revision_number()
    page = show_preview(client, build_sheet(*ROWS, "Trasig;Parken;;igår;19;20;"))
    assert preview_rows(page) == [
        ("5", "refused", "Trasig", "Left out: “igår” is no date: write it in figures, like 2026-09-12"),
        ("2", "new", "Fest", "status: published · area: Parken · type: Övrigt · location: Scen · price: Fri"),
        ("2", "new", "2026-09-12 19:00–20:00, Scen", ""),
        ("3", "new", "2026-09-13 19:00–20:00, Scen", ""),
        ("4", "new", "Konsert", "status: published · area: Parken · type: Övrigt · price: 50 kr"),
        ("4", "new", "2026-09-14 19:00–20:00", ""),
    ]  # fmt: skip
    assert (Event.objects.count(), revision_number()) == (0, before)
    done = client.get(apply_preview(client, page)["Location"], follow=True)
    assert messages_on(done) == ["Imported: 2 events, 3 occasions."]
    assert list(Event.objects.values_list("title", "status", "source").order_by("title")) == [
        ("Fest", Status.PUBLISHED, "office"),
        ("Konsert", Status.PUBLISHED, "office"),
    ]
    assert Upload.objects.count() == 0


def test_the_page_of_reading_says_what_comes_next_without_javascript(client):
    page = client.get(upload(client, build_sheet(*ROWS))["Location"]).content.decode()
    assert "Next it is read" in page.partition("<noscript>")[2].partition("</noscript>")[0]


def test_what_would_change_is_told_field_by_field(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    page = show_preview(client, build_sheet(ROWS[0].replace("Fri", "20 kr").replace("19;", "18;"), *ROWS[1:]))
    assert preview_rows(page) == [
        ("2", "changed", "Fest", "price: Fri → 20 kr"),
        ("2", "changed", "2026-09-12 18:00–20:00, Scen", "start: 2026-09-12 19:00 → 2026-09-12 18:00"),
        ("3", "left alone", "2026-09-13 19:00–20:00, Scen", ""),
    ]
    assert [row[2] for row in preview_rows(client.get(page.redirect_chain[-1][0] + "?show=unchanged"))] == [
        "Konsert",
        "2026-09-14 19:00–20:00",
    ]


def test_conflicts_are_decided_one_by_one(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    Event.objects.update(price="Edited")
    page = show_preview(
        client, build_sheet(ROWS[0].replace("Fri", "20 kr"), ROWS[1], ROWS[2].replace("50 kr", "60 kr"))
    )
    keys = [box["value"] for box in BeautifulSoup(page.content.decode(), "lxml").select(".conflicts input")]
    fest = Event.objects.get(title="Fest")
    assert keys == [f"event-{each.pk}-price" for each in Event.objects.order_by("title")]
    apply_preview(client, page, f"event-{fest.pk}-price")
    assert dict(Event.objects.values_list("title", "price")) == {"Fest": "20 kr", "Konsert": "Edited"}


def test_an_import_after_something_changed_is_shown_anew(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    page = show_preview(client, build_sheet(ROWS[0].replace("Fri", "20 kr"), *ROWS[1:]))
    Event.objects.filter(title="Fest").update(price="Edited")
    again = client.get(apply_preview(client, page)["Location"], follow=True)
    assert messages_on(again) == [
        "The programme has changed in the meantime. This is what would happen now: look again."
    ]
    assert Event.objects.get(title="Fest").price == "Edited"
    assert "Edited here since the last import" in again.content.decode()
    client.get(apply_preview(client, again)["Location"])
    assert Event.objects.get(title="Fest").price == "Edited"


def test_what_else_changes_is_no_reason_to_ask_again(client):
    page = show_preview(client, build_sheet(*ROWS))
    Area.objects.create(name="Annorstädes")
    apply_preview(client, page)
    assert set(Event.objects.values_list("title", flat=True)) == {"Fest", "Konsert"}


@pytest.mark.django_db(transaction=True)
def test_progress_is_told_line_by_line(client):
    page = upload(client, build_sheet(*ROWS))
    answer = client.post(f"{page['Location']}read/", headers={"X-Progress": "1"})
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert lines[-1] == {"go": "/admin/import/done/"}
    assert lines[-2] == {"done": 100, "of": 100}
    page = client.get("/admin/import/done/", follow=True)
    answer = apply_preview(client, page, **{"X-Progress": "1"})
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    done = [line["done"] for line in lines[:-1] if line["of"] != 100]
    assert done == list(range(1, len(done) + 1))
    assert Event.objects.count() == 2
    assert messages_on(client.get("/admin/import/done/", follow=True)) == ["Imported: 2 events, 3 occasions."]


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_broken_off_leaves_no_trace(client):
    page = show_preview(client, build_sheet(*ROWS))
    before = revision_number()
    answer = apply_preview(client, page, **{"X-Progress": "1"})
    for line in answer.streaming_content:
        progress = json.loads(line)
        # Past reading: it is writing now.
        if progress["of"] != 100 and Event.objects.exists():
            break
    answer.close()
    assert (Event.objects.count(), Occasion.objects.count(), ImportedRow.objects.count()) == (0, 0, 0)
    assert revision_number() == before


@pytest.mark.django_db(transaction=True)
def test_without_the_database_the_progress_ends_without_a_result(client, monkeypatch, caplog):
    page = show_preview(client, build_sheet(*ROWS))

    def lose(*_arguments, **_named):
        raise OperationalError("server closed the connection") from psycopg.OperationalError()
        yield

    monkeypatch.setattr(views, "apply_upload", lose)
    answer = apply_preview(client, page, **{"X-Progress": "1"})
    assert list(answer.streaming_content) == []
    path = answer.wsgi_request.path
    assert caplog.messages == [f"POST {path} was not answered: server closed the connection"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("error", "driver", "reason"),
    [
        (IntegrityError, psycopg.IntegrityError, "IntegrityError"),
        (OperationalError, psycopg.errors.DiskFull, "the database does not answer"),
        (OperationalError, psycopg.errors.DeadlockDetected, "the database does not answer"),
    ],
)
def test_an_error_in_the_midst_leaves_no_trace(client, monkeypatch, error, driver, reason):
    page = show_preview(client, build_sheet(*ROWS))

    def fail(*_args, **_options):
        raise error from driver()

    monkeypatch.setattr(ImportedRow.objects, "bulk_create", fail)
    before = revision_number()
    done = client.get(apply_preview(client, page)["Location"], follow=True)
    assert messages_on(done) == [f"Nothing is imported from “programme.csv”: {reason}."]
    assert (Event.objects.count(), revision_number(), Upload.objects.count()) == (0, before, 1)


def test_a_file_that_is_too_large_is_refused_beside_the_field(client, settings):
    settings.IMPORT_MB = 0
    page = upload(client, build_sheet(*ROWS), source="The office")
    assert "The file is larger than 0 MB: divide it into several files." in page.content.decode()
    assert 'value="The office"' in page.content.decode()
    assert Upload.objects.count() == 0


def test_a_step_that_takes_too_long_is_stopped_and_changes_nothing(client, settings):
    page = show_preview(client, build_sheet(*ROWS))
    settings.IMPORT_SECONDS = -1
    reason = "it takes longer than -1 seconds: divide it into several files"
    assert apply_and_list_messages(client, page)[0].endswith(f"”: {reason}.")
    assert Event.objects.count() == 0
    # The preview is still there, and can be applied when there is more time.
    assert Upload.objects.get().preview is not None


def test_nobody_sees_what_another_editor_has_uploaded(client):
    address = upload(client, build_sheet(*ROWS))["Location"]
    client.force_login(User.objects.create_superuser("bo", password="x"))
    assert client.get(address).status_code == 404
    assert client.post(f"{address}apply/").status_code == 404


def test_a_row_that_was_copied_in_the_sheet_is_another_occasion(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    header, *lines = client.get(f"{EXPORT}?format=csv&drafts=on").getvalue().decode("utf-8-sig").splitlines()
    copied = next(line for line in lines if "Konsert" in line)
    page = show_preview(
        client, "\n".join([header, *lines, copied.replace("2026-09-14", "2026-09-16")]).encode(), source=""
    )
    apply_preview(client, page)
    starts = Occasion.objects.filter(event__title="Konsert").order_by("start").values_list("start", flat=True)
    assert [f"{start:%m-%d}" for start in starts] == ["09-14", "09-16"]


def test_the_history_leaves_out_what_changed_an_identity_alone(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    event = Event.objects.get(title="Konsert")
    Event.objects.filter(pk=event.pk).update(source_id="another")
    page = client.get(f"/admin/programme/event/{event.pk}/history/")
    assert len(page.context["page"].object_list) == 1
