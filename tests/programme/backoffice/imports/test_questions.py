"""What the page of importing asks for, refuses and tells: areas, files that are none, saved columns, rights."""

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice.roles import Role
from programme.models import (
    Area,
    Event,
    Location,
    Occasion,
    SheetMapping,
    Upload,
)
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    ROWS,
    apply_preview,
    build_sheet,
    create_user_in_role,
    messages_on,
    preview_rows,
    read_upload,
    refusals_on,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


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
        client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig").replace("draft", "published")
    )
    client.force_login(create_user_in_role(Role.EDITOR))
    page = show_preview(client, text.replace("50 kr", "70 kr").encode(), source="")
    apply_preview(client, page)
    assert set(Event.objects.values_list("title", "status", "price")) == {
        ("Fest", "draft", "Fri"),
        ("Konsert", "draft", "70 kr"),
    }


def test_an_area_editor_takes_no_occasion_from_another_area(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS, "Mässa;Hamnen;;2026-09-14;19;20;10 kr")))
    theirs = Occasion.objects.get(event__title="Mässa")
    mine = Occasion.objects.get(event__title="Konsert")
    # As new as theirs: what was edited since a sheet was written is left alone, whoever imports it.
    mine.event.save()
    text = client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig")
    header, *lines = text.splitlines()
    stolen = next(line for line in lines if str(mine.uuid) in line).replace(str(mine.uuid), str(theirs.uuid))
    kept = next(line for line in lines if str(mine.uuid) in line)
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    page = show_preview(
        client, "\n".join([header, kept, stolen.replace("2026-09-14", "2026-09-15")]).encode(), source=""
    )
    assert [why for _title, why in refusals_on(page)] == ["You may not move this occasion to another event."]
    apply_preview(client, page)
    assert Occasion.objects.get(pk=theirs.pk).event.title == "Mässa"


def test_a_row_that_was_copied_in_the_sheet_is_another_occasion(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    header, *lines = client.get(f"{EXPORT}?format=csv&drafts=on").content.decode("utf-8-sig").splitlines()
    copied = next(line for line in lines if "Konsert" in line)
    page = show_preview(
        client, "\n".join([header, *lines, copied.replace("2026-09-14", "2026-09-16")]).encode(), source=""
    )
    apply_preview(client, page)
    starts = Occasion.objects.filter(event__title="Konsert").order_by("start").values_list("start", flat=True)
    assert [f"{start:%m-%d}" for start in starts] == ["09-14", "09-16"]


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
    page = read_upload(client, address)
    assert "Events without an area: Parken." in page.content.decode()
    apply_preview(client, page)
    assert list(Event.objects.values_list("title", "area__name", "location")) == [("Fest", "Parken", None)]
    assert (Area.objects.count(), Location.objects.count()) == (1, 0)
    # What came before says it of what comes now.
    assert preview_rows(show_preview(client, UNPLACED))[0][1] == "left alone"


def test_a_new_area_is_named_and_comes_last(client):
    Area.objects.create(name="Ängen", sort_order=3)
    address = asked(client)
    client.post(f"{address}area/", {"new": "Alfa"})
    apply_preview(client, read_upload(client, address))
    assert list(Area.objects.values_list("name", flat=True)) == ["Ängen", "Alfa"]


def test_a_calendar_without_a_name_is_asked_for_its_area(client):
    event = "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Fest\r\nDTSTART:20260912T170000Z\r\nEND:VEVENT\r\n"
    calendar = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{event}END:VCALENDAR\r\n"
    address = asked(client, calendar.encode(), name="kalender.ics")
    client.post(f"{address}area/", {"new": "Parken"})
    apply_preview(client, read_upload(client, address))
    assert list(Event.objects.values_list("title", "area__name", "location")) == [("Fest", "Parken", None)]


def test_an_area_editor_chooses_among_their_areas(client):
    for name in ("Parken", "Hamnen"):
        Area.objects.create(name=name)
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    address = asked(client)
    page = BeautifulSoup(client.get(f"{address}area/").content.decode(), "html5lib")
    assert [option.get_text() for option in page.select("select option")] == ["– choose –", "Parken"]
    assert page.select("input[name=new]") == []
    client.post(f"{address}area/", {"area": Area.objects.get(name="Hamnen").pk, "new": "Annan"})
    assert Upload.objects.get().options.get("otherwise") is None


def refusal(client: Client, content: bytes, name: str) -> str:
    done = client.post(f"{upload(client, content, name=name)['Location']}read/")
    (told,) = messages_on(client.get(done["Location"], follow=True))
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
    page = show_preview(
        client, b'Titel;Omr\xc3\xa5de;Datum;Start\n"A ""x""; y";P;2026-09-12;19\n5" skiva;P;2026-09-12;20'
    )
    assert [row[2] for row in preview_rows(page)][::2] == ['A "x"; y', '5" skiva']


def test_saved_columns_are_listed_renamed_and_deleted(client):
    kept = SheetMapping.objects.create(name="Theirs", key="x", headings=["vad", "när"], sources={})
    assert "vad · när" in client.get("/admin/import/saved/").content.decode()
    assert messages_on(
        client.post("/admin/import/saved/", {"rename": kept.pk, "name": " "}, follow=True)
    ) == ["Give them a name."]
    client.post("/admin/import/saved/", {"rename": kept.pk, "name": "Ours"}, follow=True)
    assert SheetMapping.objects.get().name == "Ours"
    assert messages_on(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "“Ours” is deleted."
    ]
    assert messages_on(client.post("/admin/import/saved/", {"delete": kept.pk}, follow=True)) == [
        "These columns are no longer saved."
    ]
    user = User.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_event"))
    client.force_login(user)
    assert client.post("/admin/import/saved/", {"delete": kept.pk}).status_code == 403


def test_the_history_leaves_out_what_changed_an_identity_alone(client):
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    event = Event.objects.get(title="Konsert")
    Event.objects.filter(pk=event.pk).update(source_id="another")
    page = client.get(f"/admin/programme/event/{event.pk}/history/")
    assert len(page.context["page"].object_list) == 1
