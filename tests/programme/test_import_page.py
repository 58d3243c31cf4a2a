"""The page of importing: upload, see row by row what would happen, decide, apply all or nothing."""

import json
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from django.test import Client

from programme.admin import import_forms
from programme.models import (
    Area,
    AreaEditor,
    Event,
    ImportedRow,
    Location,
    Occasion,
    Revision,
    SheetMapping,
    Status,
    Upload,
)
from programme.roles import Role
from tests.programme.test_import_schedule import TEA, in_xml

pytestmark = pytest.mark.django_db
EXPORT = "/admin/programme/event/export/"
HEADINGS = "Titel;Område;Plats;Datum;Start;Slut;Pris"
ROWS = [
    "Fest;Parken;Scen;2026-09-12;19;20;Fri",
    ";;;2026-09-13;19;20;",
    "Konsert;Parken;;2026-09-14;19;20;50 kr",
]


def sheet(*rows: str, headings: str = HEADINGS) -> bytes:
    return "\n".join([headings, *rows]).encode()


@pytest.fixture
def client(db: None) -> Client:
    user = User.objects.create_superuser("ada", password="x")
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def upload(client: Client, content: bytes, name: str = "programme.csv", **options: str):
    data = {
        "file": SimpleUploadedFile(name, content),
        "source": "office",
        "new_events": "published",
    } | options
    return client.post("/admin/import/", data)


def shown(client: Client, content: bytes, **options: str):
    """Upload a file, let it be read, and return the page that shows what would happen."""
    page = upload(client, content, **options)
    assert page.status_code == 302, page.content.decode()
    return read(client, page["Location"])


def read(client: Client, address: str):
    assert "data-progress" in client.get(address).content.decode()
    done = client.post(f"{address}read/")
    assert done["Location"] == "/admin/import/done/"
    return client.get(done["Location"], follow=True)


def rows_of(page) -> list[tuple[str, ...]]:
    found = BeautifulSoup(page.content.decode(), "html5lib").select(".rows-of-file tbody tr")
    return [tuple(cell.get_text(" ", strip=True) for cell in row.select("td, th")) for row in found]


def said(page) -> list[str]:
    return [
        each.get_text(strip=True)
        for each in BeautifulSoup(page.content.decode(), "html5lib").select(".messagelist li")
    ]


def apply(client: Client, page, *overwrite: str, **headers: str):
    address = (
        page.redirect_chain[-1][0] + "apply/" if page.redirect_chain else page.request["PATH_INFO"] + "apply/"
    )
    return client.post(address, {"apply": "1", "overwrite": list(overwrite)}, headers=headers)


def number() -> int:
    return Revision.objects.get().number if Revision.objects.exists() else 0


def test_a_file_is_shown_row_by_row_and_then_applied(client):
    before = number()
    page = shown(client, sheet(*ROWS, "Trasig;Parken;;igår;19;20;"))
    assert rows_of(page) == [
        ("2", "new", "Fest", "status: published · area: Parken · type: Övrigt · location: Scen · price: Fri"),
        ("2", "new", "2026-09-12 19:00–20:00, Scen", ""),
        ("3", "new", "2026-09-13 19:00–20:00", ""),
        ("4", "new", "Konsert", "status: published · area: Parken · type: Övrigt · price: 50 kr"),
        ("4", "new", "2026-09-14 19:00–20:00", ""),
        ("5", "refused", "row 5, Datum", "left out: “igår” is no date: write it like 2026-09-12"),
    ]  # fmt: skip
    assert (Event.objects.count(), number()) == (0, before)
    done = client.get(apply(client, page)["Location"], follow=True)
    assert said(done) == ["Imported: 2 events, 3 occasions."]
    assert list(Event.objects.values_list("title", "status", "source").order_by("title")) == [
        ("Fest", Status.PUBLISHED, "office"),
        ("Konsert", Status.PUBLISHED, "office"),
    ]
    assert Upload.objects.count() == 0


def test_what_is_made_along_is_counted_in_the_right_number(client):
    page = BeautifulSoup(shown(client, sheet(*ROWS, "Ny;Hamnen;Kajen;;;;")).content.decode(), "html5lib")
    assert page.select_one("details summary").get_text(strip=True) == (
        "Made along with them: 2 areas, 2 locations, 1 event type"
    )


def test_the_page_of_reading_says_what_comes_next_without_javascript(client):
    page = client.get(upload(client, sheet(*ROWS))["Location"]).content.decode()
    assert "Next it is read" in page.partition("<noscript>")[2].partition("</noscript>")[0]


def test_what_would_change_is_told_field_by_field(client):
    apply(client, shown(client, sheet(*ROWS)))
    page = shown(client, sheet(ROWS[0].replace("Fri", "20 kr").replace("19;", "18;"), *ROWS[1:]))
    assert rows_of(page) == [
        ("2", "changed", "Fest", "price: Fri → 20 kr"),
        ("2", "changed", "2026-09-12 18:00–20:00, Scen", "start: 2026-09-12 19:00 → 2026-09-12 18:00"),
        ("3", "left alone", "2026-09-13 19:00–20:00", ""),
        ("4", "left alone", "Konsert", ""),
        ("4", "left alone", "2026-09-14 19:00–20:00", ""),
    ]
    assert [row[2] for row in rows_of(client.get(page.redirect_chain[-1][0] + "?show=unchanged"))] == [
        "Konsert",
        "2026-09-14 19:00–20:00",
    ]


def test_conflicts_are_decided_one_by_one(client):
    apply(client, shown(client, sheet(*ROWS)))
    Event.objects.update(price="Edited")
    page = shown(client, sheet(ROWS[0].replace("Fri", "20 kr"), ROWS[1], ROWS[2].replace("50 kr", "60 kr")))
    keys = [
        box["value"] for box in BeautifulSoup(page.content.decode(), "html5lib").select(".conflicts input")
    ]
    fest = Event.objects.get(title="Fest")
    assert keys == [f"event-{each.pk}-price" for each in Event.objects.order_by("title")]
    apply(client, page, f"event-{fest.pk}-price")
    assert dict(Event.objects.values_list("title", "price")) == {"Fest": "20 kr", "Konsert": "Edited"}


def test_an_import_after_something_changed_is_shown_anew(client):
    apply(client, shown(client, sheet(*ROWS)))
    page = shown(client, sheet(ROWS[0].replace("Fri", "20 kr"), *ROWS[1:]))
    Event.objects.filter(title="Fest").update(price="Edited")
    again = client.get(apply(client, page)["Location"], follow=True)
    assert said(again) == [
        "The programme has changed in the meantime. This is what would happen now: look again."
    ]
    assert Event.objects.get(title="Fest").price == "Edited"
    assert "Edited here since the last import" in again.content.decode()
    client.get(apply(client, again)["Location"])
    assert Event.objects.get(title="Fest").price == "Edited"


def test_what_else_changes_is_no_reason_to_ask_again(client):
    page = shown(client, sheet(*ROWS))
    other = Event.objects.create(title="Annat", area_id=_an_area(), type_id=_a_type())
    apply(client, page)
    assert set(Event.objects.values_list("title", flat=True)) == {"Fest", "Konsert", other.title}


def _an_area() -> int:
    from programme.models import Area  # noqa: PLC0415

    return Area.objects.create(name="Annorstädes").pk


def _a_type() -> int:
    from programme.models import EventType  # noqa: PLC0415

    return EventType.objects.create(name_sv="Annan").pk


@pytest.mark.django_db(transaction=True)
def test_progress_is_told_line_by_line(client):
    page = upload(client, sheet(*ROWS))
    answer = client.post(f"{page['Location']}read/", headers={"X-Progress": "1"})
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    assert lines[-1] == {"go": "/admin/import/done/"}
    assert lines[-2] == {"done": 100, "of": 100}
    page = client.get("/admin/import/done/", follow=True)
    answer = apply(client, page, **{"X-Progress": "1"})
    lines = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]
    done = [line["done"] for line in lines[:-1] if line["of"] != 100]
    assert done == list(range(1, len(done) + 1))
    assert Event.objects.count() == 2
    assert said(client.get("/admin/import/done/", follow=True)) == ["Imported: 2 events, 3 occasions."]


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_broken_off_leaves_no_trace(client):
    page = shown(client, sheet(*ROWS))
    before = number()
    answer = apply(client, page, **{"X-Progress": "1"})
    for line in answer.streaming_content:
        told = json.loads(line)
        # Past reading: it is writing now.
        if told["of"] != 100 and Event.objects.exists():
            break
    answer.close()
    assert (Event.objects.count(), Occasion.objects.count(), ImportedRow.objects.count()) == (0, 0, 0)
    assert number() == before


@pytest.mark.django_db(transaction=True)
def test_an_error_in_the_midst_leaves_no_trace(client, monkeypatch):
    page = shown(client, sheet(*ROWS))

    def fail(*_args, **_options):
        raise IntegrityError

    monkeypatch.setattr(ImportedRow.objects, "bulk_create", fail)
    before = number()
    done = client.get(apply(client, page)["Location"], follow=True)
    assert said(done) == ["Nothing is imported from “programme.csv”: IntegrityError."]
    assert (Event.objects.count(), number(), Upload.objects.count()) == (0, before, 1)


def test_other_kinds_of_files_take_the_same_way(client):
    page = shown(client, in_xml(TEA).encode(), name="schedule.xml", source="")
    apply(client, page)
    assert list(Event.objects.values_list("title", "source")) == [("Tea", "feast26")]


def test_a_file_that_cannot_be_read_is_told_and_not_kept(client):
    page = upload(client, b"<no", name="schedule.xml")
    done = client.post(f"{page['Location']}read/")
    again = client.get(done["Location"], follow=True)
    assert again.redirect_chain[-1][0] == "/admin/import/"
    assert said(again)[0].startswith("Nothing is imported from “schedule.xml”: it is cut off or damaged")
    assert Upload.objects.count() == 0


def test_a_file_that_is_too_large_is_refused_beside_the_field(client, monkeypatch):
    monkeypatch.setattr(import_forms, "LARGEST", 10)
    page = upload(client, sheet(*ROWS), source="The office")
    assert "The file is larger than 10 MB." in page.content.decode()
    assert 'value="The office"' in page.content.decode()
    assert Upload.objects.count() == 0


def test_uploads_are_kept_for_a_day_and_one_for_each_editor(client):
    upload(client, sheet(*ROWS))
    upload(client, sheet(*ROWS))
    assert Upload.objects.count() == 1
    Upload.objects.update(uploaded_at=Upload.objects.get().uploaded_at - timedelta(days=2))
    client.get("/admin/import/")
    assert Upload.objects.count() == 0


def test_discarding_imports_nothing(client):
    page = shown(client, sheet(*ROWS))
    client.post(page.redirect_chain[-1][0] + "apply/", {"discard": "1"})
    assert (Event.objects.count(), Upload.objects.count()) == (0, 0)


def test_nobody_sees_what_another_editor_has_uploaded(client):
    address = upload(client, sheet(*ROWS))["Location"]
    client.force_login(User.objects.create_superuser("bo", password="x"))
    assert client.get(address).status_code == 404
    assert client.post(f"{address}apply/").status_code == 404


@pytest.mark.parametrize("held", [[], ["view_event"], ["add_event"], ["change_event"]])
def test_importing_takes_the_rights_to_add_and_change(client, held):
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=held))
    client.force_login(user)
    assert client.get("/admin/import/").status_code == 403
    assert upload(client, sheet(*ROWS)).status_code == 403


def role(name: str, *areas: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=name))
    for area in areas:
        AreaEditor.objects.create(user=user, area=Area.objects.get(name=area))
    return user


def told(page) -> list[tuple[str, str]]:
    return [(row[2], row[3]) for row in rows_of(page) if row[1] == "refused" and row[3]]


def test_an_area_editor_imports_into_their_areas_only(client):
    apply(client, shown(client, sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    client.force_login(role(Role.AREA_EDITOR, "Parken"))
    mine = [ROWS[0].replace("Fri", "5 kr"), ROWS[1], "Nytt;Parken;Scen;2026-09-15;19;20;"]
    others = ["Mässa;Hamnen;;2026-09-14;19;20;99 kr", "Ny mässa;Hamnen;;2026-09-14;19;20;"]
    unknown = ["Ny plats;Parken;Nya scenen;2026-09-15;19;20;", "Konsert;Annan;;2026-09-14;19;20;"]
    page = shown(client, sheet(*mine, *others, *unknown), new_events="published", withdraw_missing="on")
    assert told(page) == [
        ("Mässa", "You may not change this event."),
        ("Ny mässa", "You may not put events into this area."),
        ("Ny plats", "There is no location “Nya scenen”, and you may not add it."),
        ("Konsert", "You may not put events into this area."),
    ]
    apply(client, page)
    assert list(Event.objects.order_by("title").values_list("title", "price", "status", "area__name")) == [
        ("Fest", "5 kr", "published", "Parken"),
        ("Konsert", "50 kr", "published", "Parken"),
        ("Mässa", "10 kr", "published", "Hamnen"),
        ("Nytt", "", "draft", "Parken"),
    ]
    assert set(Area.objects.values_list("name", flat=True)) == {"Parken", "Hamnen"}
    assert set(Location.objects.values_list("name", flat=True)) == {"Scen"}


def test_an_editor_imports_drafts_and_publishes_nothing(client):
    apply(client, shown(client, sheet(*ROWS), new_events="draft"))
    text = (
        client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig").replace("draft", "published")
    )
    client.force_login(role(Role.EDITOR))
    page = shown(client, text.replace("50 kr", "70 kr").encode(), source="")
    apply(client, page)
    assert set(Event.objects.values_list("title", "status", "price")) == {
        ("Fest", "draft", "Fri"),
        ("Konsert", "draft", "70 kr"),
    }


def test_an_area_editor_takes_no_occasion_from_another_area(client):
    apply(client, shown(client, sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    theirs = Occasion.objects.get(event__title="Mässa")
    mine = Occasion.objects.get(event__title="Konsert")
    # As new as theirs: what was edited since a sheet was written is left alone, whoever imports it.
    mine.event.save()
    text = client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig")
    header, *lines = text.splitlines()
    stolen = next(line for line in lines if str(mine.uuid) in line).replace(str(mine.uuid), str(theirs.uuid))
    kept = next(line for line in lines if str(mine.uuid) in line)
    client.force_login(role(Role.AREA_EDITOR, "Parken"))
    page = shown(
        client, "\n".join([header, kept, stolen.replace("2026-09-14", "2026-09-15")]).encode(), source=""
    )
    assert [why for _title, why in told(page)] == ["You may not move this occasion to another event."]
    apply(client, page)
    assert Occasion.objects.get(pk=theirs.pk).event.title == "Mässa"


def test_a_row_that_was_copied_in_the_sheet_is_another_occasion(client):
    apply(client, shown(client, sheet(*ROWS)))
    header, *lines = client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig").splitlines()
    copied = next(line for line in lines if "Konsert" in line)
    page = shown(
        client, "\n".join([header, *lines, copied.replace("2026-09-14", "2026-09-16")]).encode(), source=""
    )
    apply(client, page)
    starts = Occasion.objects.filter(event__title="Konsert").order_by("start").values_list("start", flat=True)
    assert [f"{start:%m-%d}" for start in starts] == ["09-14", "09-16"]


def test_columns_of_a_foreign_sheet_are_chosen_once(client):
    foreign = (
        "name of it;who;begins at;where;what;blurb\nFest;Ada;2026-09-12 19:00:00;Gata 1, Scen;Samtal;Kom!\n"
    )
    address = upload(client, foreign.encode())["Location"]
    done = client.post(f"{address}read/")
    page = client.get(done["Location"], follow=True)
    assert page.redirect_chain[-1][0] == f"{address}columns/"
    assert "Gata 1, Scen" in page.content.decode()
    chosen = {
        "column-0": "title", "column-1": "organizer", "column-2": "start", "column-3": "location", "part-3": "before",
        "column-4": "description_sv", "column-5": "description_sv", "fixed-field": ["area", "price"],
        "fixed-text": ["Parken", "Fri"], "name": "Their sheet",
    }  # fmt: skip
    refused = client.post(f"{address}columns/", chosen | {"column-0": ""})
    assert "Say which column is the title." in refused.content.decode()
    client.post(f"{address}columns/", chosen)
    assert SheetMapping.objects.get().name == "Their sheet"
    apply(client, read(client, address))
    fields = ("title", "organizer__name", "area__name", "location__name", "description_sv", "price")
    wanted = [("Fest", "Ada", "Parken", "Gata 1", "Samtal\n\nKom!", "Fri")]
    assert list(Event.objects.values_list(*fields)) == wanted
    # Found again by its headings.
    shown(client, foreign.replace("Kom!", "Kom nu!").encode())
    assert (
        client.get(f"/admin/import/{Upload.objects.get().pk}/columns/").content.decode().count("selected")
        >= 8
    )


def test_export_of_the_list_and_of_all(client):
    apply(client, shown(client, sheet(*ROWS)))
    whole = client.get(f"{EXPORT}?format=csv&drafts=on")
    assert whole["Content-Disposition"].startswith('attachment; filename="programme-')
    assert len(whole.content.splitlines()) == 4
    assert client.get(f"{EXPORT}?format=xlsx&drafts=on").content.startswith(b"PK")
    chosen = Event.objects.get(title="Konsert").pk
    listed = client.post("/admin/programme/event/", {"action": "export_csv", "_selected_action": [chosen]})
    assert len(listed.content.splitlines()) == 2


def test_an_export_that_comes_back_is_all_there_already(client):
    apply(client, shown(client, sheet(*ROWS)))
    page = shown(client, client.get(f"{EXPORT}?format=csv&drafts=on").content, source="")
    assert "There is nothing to import: all of it is here already." in page.content.decode()


# --- The area that a file does not say -----------------------------------------------------------

UNPLACED = b"Titel;Datum;Start;Slut\nFest;2026-09-12;19;20\n"


def asked(client: Client, content: bytes = UNPLACED, **options: str) -> str:
    """Upload a file that says no area, and return where the page asks for it."""
    address = upload(client, content, **options)["Location"]
    done = client.get(client.post(f"{address}read/")["Location"], follow=True)
    assert done.redirect_chain[-1][0] == f"{address}area/"
    return address


def test_a_file_without_an_area_is_asked_for_one_that_is_there(client):
    parken = Area.objects.create(name="Parken")
    address = asked(client)
    assert "Choose an area, or name a new one." in client.post(f"{address}area/").content.decode()
    both = client.post(f"{address}area/", {"area": parken.pk, "new": "Hamnen"})
    assert "Choose an area, or name a new one." in both.content.decode()
    client.post(f"{address}area/", {"area": parken.pk})
    page = read(client, address)
    assert "Events without an area: Parken." in page.content.decode()
    apply(client, page)
    assert list(Event.objects.values_list("title", "area__name", "location")) == [("Fest", "Parken", None)]
    assert (Area.objects.count(), Location.objects.count()) == (1, 0)
    # What came before says it of what comes now.
    assert rows_of(shown(client, UNPLACED))[0][1] == "left alone"


def test_a_new_area_is_named_and_comes_last(client):
    Area.objects.create(name="Ängen", sort_order=3)
    address = asked(client)
    client.post(f"{address}area/", {"new": "Alfa"})
    apply(client, read(client, address))
    assert list(Area.objects.values_list("name", flat=True)) == ["Ängen", "Alfa"]


def test_a_calendar_without_a_name_is_asked_for_its_area(client):
    event = "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Fest\r\nDTSTART:20260912T170000Z\r\nEND:VEVENT\r\n"
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{event}END:VCALENDAR\r\n"
    address = asked(client, calendar.encode(), name="kalender.ics")
    client.post(f"{address}area/", {"new": "Parken"})
    apply(client, read(client, address))
    assert list(Event.objects.values_list("title", "area__name", "location")) == [("Fest", "Parken", None)]


def test_an_area_editor_chooses_among_their_areas(client):
    for name in ("Parken", "Hamnen"):
        Area.objects.create(name=name)
    client.force_login(role(Role.AREA_EDITOR, "Parken"))
    address = asked(client)
    page = BeautifulSoup(client.get(f"{address}area/").content.decode(), "html5lib")
    assert [option.get_text() for option in page.select("select option")] == ["– choose –", "Parken"]
    assert page.select("input[name=new]") == []
    client.post(f"{address}area/", {"area": Area.objects.get(name="Hamnen").pk, "new": "Annan"})
    assert Upload.objects.get().options.get("otherwise") is None


# --- What is no file to import ---------------------------------------------------------------------


def refusal(client: Client, content: bytes, name: str) -> str:
    done = client.post(f"{upload(client, content, name=name)['Location']}read/")
    (told,) = said(client.get(done["Location"], follow=True))
    return told.partition("”: ")[2]


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"x", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as an Excel workbook (.xlsx) without one."),
        (b"<html>", "a.xls", "it is an old Excel file (.xls) or has a password: "
         "save it as an Excel workbook (.xlsx) without one."),
        (b'{"a": 1}', "a.json", "it is JSON, but neither a frab schedule nor events of the Linked Events API, "
         "which are taken."),
        (b"[1, 2]", "a.json", "it is JSON, but neither a frab schedule nor events of the Linked Events API, "
         "which are taken."),
        (b'{"a":\n 1', "a.json", "it is cut off or damaged (line 2)."),
        (b"<a>\n<b>", "a.xml", "it is cut off or damaged (line 2)."),
        (b"PK\x03\x04no", "a.xlsx", "it is cut off or damaged."),
        (b'Titel;Datum;Start\nA;2026-09-12;19\n"B;2026-09-12;19\nC;2026-09-12;19\n', "a.csv",
         "row 3: a quotation mark is opened and not closed."),
        (b'Titel;Datum;Start\n"B' + b"x" * 200_000, "a.csv",
         "row 2: a cell is far too long; is a quotation mark opened and not closed?."),
        (b"\x89PNG", "a.png", "it is no file of a kind that can be imported: a sheet (XLSX, CSV), iCalendar, "
         "frab or Linked Events."),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_in_plain_words(client, content, name, told):
    assert refusal(client, content, name) == told


def test_quotation_marks_inside_of_cells_are_no_matter(client):
    page = shown(
        client, b'Titel;Omr\xc3\xa5de;Datum;Start\n"A ""x""; y";P;2026-09-12;19\n5" skiva;P;2026-09-12;20'
    )
    assert [row[2] for row in rows_of(page)][::2] == ['A "x"; y', '5" skiva']


def test_saved_columns_are_listed_renamed_and_deleted(client):
    kept = SheetMapping.objects.create(name="Theirs", key="x", headings=["vad", "när"], sources={})
    assert "vad · när" in client.get("/admin/import/saved/").content.decode()
    assert said(client.post("/admin/import/saved/", {"rename": kept.pk, "name": " "}, follow=True)) == [
        "Give them a name."
    ]
    client.post("/admin/import/saved/", {"rename": kept.pk, "name": "Ours"}, follow=True)
    assert SheetMapping.objects.get().name == "Ours"
    assert said(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "“Ours” is deleted."
    ]
    assert said(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "These columns are no longer saved."
    ]
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_event"))
    client.force_login(user)
    assert client.post("/admin/import/saved/", {"delete": kept.pk}).status_code == 403


def test_the_history_leaves_out_what_changed_an_identity_alone(client):
    apply(client, shown(client, sheet(*ROWS)))
    event = Event.objects.get(title="Konsert")
    Event.objects.filter(pk=event.pk).update(source_id="another")
    page = client.get(f"/admin/programme/event/{event.pk}/history/")
    assert len(page.context["page"].object_list) == 1
