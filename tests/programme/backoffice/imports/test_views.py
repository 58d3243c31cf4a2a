"""The page of importing: upload, see row by row what would happen, decide, apply all or nothing."""

import json
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.db import IntegrityError, OperationalError
from django.test import Client

from programme.backoffice.imports import uploads, views
from programme.backoffice.roles import Role
from programme.models import Area, Edit, Event, ImportedRow, Location, Occasion, Status, Upload
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_and_list_messages,
    apply_preview,
    build_sheet,
    create_user_in_role,
    messages_on,
    odd_on,
    preview_rows,
    read_upload,
    refusals_on,
    revision_number,
    show_preview,
    upload,
)
from tests.programme.backoffice.requests import parse
from tests.programme.exchange.imports import import_file

pytestmark = pytest.mark.django_db


def test_a_file_is_shown_row_by_row_and_then_applied(client):
    before = revision_number()
    page = show_preview(client, build_sheet(*ROWS, "Trasig;Parken;;igår;19;20;"))
    assert preview_rows(page) == [
        ("5", "refused", "Trasig", "Left out: “igår” is no date: write it in figures, like 2026-09-12"),
        ("2", "new", "Fest", "Status: published · Area: Parken · Type: Other · Price: Fri"),
        ("2", "new", "Sat 12 Sep 19:00–20:00, Scen", ""),
        ("3", "new", "Sun 13 Sep 19:00–20:00, Scen", ""),
        ("4", "new", "Konsert", "Status: published · Area: Parken · Type: Other · Price: 50 kr"),
        ("4", "new", "Mon 14 Sep 19:00–20:00", ""),
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
        ("2", "changed", "Fest", "Price Fri → becomes 20 kr"),
        (
            *("2", "changed", "Sat 12 Sep 18:00–20:00, Scen"),
            "Time Sat 12 Sep 19:00–20:00 → becomes Sat 12 Sep 18:00–20:00",
        ),
        ("3", "left alone", "Sun 13 Sep 19:00–20:00, Scen", ""),
    ]
    assert [row[2] for row in preview_rows(client.get(page.redirect_chain[-1][0] + "?show=unchanged"))] == [
        "Konsert",
        "Mon 14 Sep 19:00–20:00",
    ]


def test_conflicts_are_decided_one_by_one(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    Event.objects.update(price="Edited")
    page = show_preview(
        client, build_sheet(ROWS[0].replace("Fri", "20 kr"), ROWS[1], ROWS[2].replace("50 kr", "60 kr"))
    )
    keys = [box["value"] for box in parse(page).select(".conflicts input")]
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
    # Three areas, places and the like, two events and three occasions.
    assert [line["done"] for line in lines[:-1] if line["of"] == 8] == [1, 2, 3, 5, 8]
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
    page = upload(client, build_sheet(*ROWS))
    assert "The file is larger than 0 MB: divide it into several files." in page.content.decode()
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


def test_the_history_leaves_out_what_changed_an_identity_alone(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    event = Event.objects.get(title="Konsert")
    Event.objects.filter(pk=event.pk).update(source_id="another")
    page = client.get(f"/admin/programme/event/{event.pk}/history/")
    assert len(page.context["page"].object_list) == 1


def test_an_import_leads_to_what_it_has_written(client):
    done = client.get(apply_preview(client, show_preview(client, build_sheet(*ROWS)))["Location"])
    assert done["Location"] == f"/admin/changes/{Edit.objects.latest('pk').pk}/"
    again = client.get(apply_preview(client, show_preview(client, build_sheet(*ROWS)))["Location"])
    assert again["Location"] == "/admin/programme/event/"


# --- Imports that were begun stay on the page of importing until they are carried out or given up


def list_begun(page: Any) -> list[tuple[str, str]]:
    """Return what stands on the page of importing: the names of files, and what they would do."""
    found = parse(page).select("[aria-labelledby=pending] li")
    return [(each.select_one("a").text, " ".join(each.select_one(".samples").text.split())) for each in found]


def test_what_looks_odd_stands_first_and_has_to_be_ticked(client):
    page = show_preview(client, build_sheet(*ROWS, "Natt;Parken;Scen;2026-09-12;3;4;"))
    assert odd_on(page) == {"nights": "In the night, though the others there are not: 1"}
    assert parse(page).select_one("#content-main > section")["aria-labelledby"] == "odd"
    assert "row 5: Natt, Sat 12 Sep 03:00–04:00, Scen" in page.content.decode()
    address = f"{page.wsgi_request.path}apply/"
    refused = client.post(address, {"apply": "1"}, follow=True)
    assert messages_on(refused) == ["Say first that what looks odd is right: nothing has been imported."]
    client.post(address, {"apply": "1", "accept": "nights"})
    assert Event.objects.count() == 3


def test_what_is_answered_and_ticked_is_kept_whichever_button_is_pressed(client):
    Area.objects.create(name="Parken")
    page = show_preview(client, WITHOUT_AREA + b"Natt;2026-09-12;3;4\n")
    assert "Area:" not in str(preview_rows(page))
    address = page.wsgi_request.path
    said = {"answer-area": "Parken", "accept": "nights", "show": ""}
    for name, pressed in (("table", {"shown": "", "save": "1"}), ("cells", {"correct": "1"})):
        client.post(f"{address}{name}/", said | pressed)
        page = read_upload(client, address)
        assert parse(page).select_one("[name=answer-area] [selected], [name=answer-area][checked]")
        assert parse(page).select_one("[name=accept][checked]")["value"] == "nights"
        assert "Area: Parken" in str(preview_rows(page))
    # What is said with the import itself is looked at first.
    chosen = {"options": "1", "source": "office", "new_events": "draft", "area": "", "language": ""}
    done = client.post(f"{address}apply/", said | chosen, follow=True)
    assert (messages_on(done)[0][-11:], Event.objects.count()) == ("Look again.", 0)
    client.post(f"{address}apply/", said | chosen)
    assert {*Event.objects.values_list("area__name", "status")} == {("Parken", "draft")}


def test_a_new_upload_leaves_the_one_before_and_both_are_found_again(client):
    assert list_begun(client.get("/admin/import/")) == []
    first = show_preview(client, build_sheet(*ROWS, "Trasig;Parken;;igår;19;20;"), source="one")
    upload(client, build_sheet(*ROWS[:1]), name="later.csv", source="two")
    page = client.get("/admin/import/")
    assert list_begun(page) == [("later.csv", "not looked at yet"), ("programme.csv", "New: 2 · Refused: 1")]
    address = parse(page).select("[aria-labelledby=pending] li a")[1]["href"]
    assert address == first.redirect_chain[-1][0]
    # Nobody else sees them.
    other = Client()
    other.force_login(User.objects.create_superuser("bo"))
    assert list_begun(other.get("/admin/import/")) == []
    client.post(f"{address}apply/", {"apply": "1"})
    assert set(Event.objects.values_list("title", flat=True)) == {"Fest", "Konsert"}
    assert list_begun(client.get("/admin/import/")) == [("later.csv", "not looked at yet")]
    later = parse(client.get("/admin/import/")).select_one("[aria-labelledby=pending] li a")
    done = client.post(f"{later['href']}apply/", {"discard": "1"}, follow=True)
    assert (messages_on(done), list_begun(done)) == (["Nothing was imported."], [])


def test_the_list_is_one_query_whatever_the_files_hold(client, django_assert_num_queries):
    user = User.objects.get()
    for number in range(3):
        Upload.objects.create(user=user, name=f"{number}.csv", content=b"x" * 1000, options={})
    with django_assert_num_queries(1) as queries:
        assert len(uploads.list_pending(user)) == 3
    assert '"content"' not in queries[0]["sql"]


# --- How it is imported


WITHOUT_AREA = b"Titel;Datum;Start;Slut\nFest;2026-09-12;19;20\n"


def test_the_first_page_is_a_file_and_the_preview_has_what_it_suggests(client):
    form = parse(client.get("/admin/import/")).select_one("form[enctype]")
    fields = form.select(":is(input, textarea)[name]:not([type=hidden])")
    assert [each["name"] for each in fields] == ["file", "pasted"]
    page = client.post("/admin/import/", {"file": SimpleUploadedFile("Kulturnatt.csv", build_sheet(*ROWS))})
    page = read_upload(client, page["Location"])
    said = " ".join(parse(page).select_one("details.options summary").text.split())
    assert said == "How it is imported: source Kulturnatt · new events become drafts"
    address = page.wsgi_request.path
    chosen = {"options": "1", "source": "office", "new_events": "published", "area": "Hamnen"}
    chosen["language"] = "en"
    client.post(f"{address}answers/", chosen)
    apply_preview(client, read_upload(client, address))
    found = {*Event.objects.values_list("source", "status", "area__name")}
    assert found == {("office", "published", "Hamnen")}
    # The next file of the source is imported in the same way.
    upload(client, build_sheet(*ROWS), name="office v2.csv")
    assert Upload.objects.get().options.items() >= {"draft": False, "area": ""}.items()


@pytest.mark.parametrize(("answer", "new"), [("office", 0), ("office 2026-11-30", 2)])
def test_a_file_whose_name_has_other_numbers_is_asked_for_its_source(client, answer, new):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    file = SimpleUploadedFile("office 2026-11-30.csv", build_sheet(*ROWS))
    page = read_upload(client, client.post("/admin/import/", {"file": file})["Location"])
    assert page.context["preview"]["unanswered"] == 1
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {"answer-source": answer})
    assert read_upload(client, address).context["preview"]["counts"]["created"] == new
    assert Upload.objects.get().options.items() >= {"source": answer, "draft": bool(new)}.items()


def test_a_file_without_an_area_is_asked_for_one_that_is_there(client):
    Area.objects.create(name="Parken")
    page = show_preview(client, WITHOUT_AREA)
    choices = [each["value"] for each in parse(page).select("[name=answer-area]")]
    assert choices == ["Parken", "office"]
    address = page.wsgi_request.path
    client.post(f"{address}answers/", {"answer-area": "Parken"})
    apply_preview(client, read_upload(client, address))
    assert list(Event.objects.values_list("title", "area__name")) == [("Fest", "Parken")]
    # What came before says it of what comes now.
    assert show_preview(client, WITHOUT_AREA).context["folded"] == 1


def test_the_first_area_of_an_empty_service_is_called_as_the_source(client):
    apply_preview(client, show_preview(client, WITHOUT_AREA))
    assert list(Event.objects.values_list("title", "area__name")) == [("Fest", "office")]


def test_an_area_editor_has_the_area_that_may_be(client):
    for name in ("Parken", "Hamnen"):
        Area.objects.create(name=name)
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    found = parse(show_preview(client, WITHOUT_AREA)).select("[name=answer-area]")
    assert [(each["value"], each.has_attr("checked")) for each in found] == [("Parken", True)]


# --- Who may import what: rights, areas, drafts


@pytest.mark.parametrize("held", [[], ["view_event"], ["add_event"], ["change_event"]])
def test_importing_takes_the_rights_to_add_and_change(client, held):
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=held))
    client.force_login(user)
    assert client.get("/admin/import/").status_code == 403
    assert upload(client, build_sheet(*ROWS)).status_code == 403


def test_an_area_editor_imports_into_their_areas_only(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    mine = [ROWS[0].replace("Fri", "5 kr"), ROWS[1], "Nytt;Parken;Scen;2026-09-15;19;20;"]
    others = ["Mässa;Hamnen;;2026-09-14;19;20;99 kr", "Ny mässa;Hamnen;;2026-09-14;19;20;"]
    unknown = ["Ny plats;Parken;Nya scenen;2026-09-15;19;20;", "Konsert;Annan;;2026-09-14;19;20;"]
    page = show_preview(
        client, build_sheet(*mine, *others, *unknown), new_events="published", withdraw_missing="on"
    )
    assert refusals_on(page) == [
        ("Mässa", "You may not change this event."),
        ("Ny mässa", "You may not put events into this area."),
        ("Ny plats", "There is no location “Nya scenen”, and you may not add it."),
        ("Konsert", "You may not put events into this area."),
    ]
    apply_preview(client, page)
    assert list(Event.objects.order_by("title").values_list("title", "price", "status", "area__name")) == [
        ("Fest", "5 kr", "published", "Parken"),
        ("Konsert", "50 kr", "published", "Parken"),
        ("Mässa", "10 kr", "published", "Hamnen"),
        ("Nytt", "", "draft", "Parken"),
    ]
    assert set(Area.objects.values_list("name", flat=True)) == {"Parken", "Hamnen"}
    assert set(Location.objects.values_list("name", flat=True)) == {"Scen"}


def test_an_editor_imports_drafts_and_publishes_nothing(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS), new_events="draft"))
    text = (
        client.get(f"{EXPORT}?format=csv&drafts=on&all=on")
        .getvalue()
        .decode("utf-8-sig")
        .replace("draft", "published")
    )
    client.force_login(create_user_in_role(Role.EDITOR))
    page = show_preview(client, text.replace("50 kr", "70 kr").encode(), source="")
    apply_preview(client, page)
    assert set(Event.objects.values_list("title", "status", "price")) == {
        ("Fest", "draft", "Fri"),
        ("Konsert", "draft", "70 kr"),
    }


# --- Whose the IDs of a sheet are: the command asks, and remembers it


def test_the_command_says_whose_the_ids_are(tmp_path):
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
