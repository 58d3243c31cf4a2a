"""Moving in on the page: several files at once, and an address that only an administrator may give."""

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.backoffice.imports import steps
from programme.backoffice.roles import Role
from programme.exchange.readers.interface.documents import pack
from programme.exchange.values import UnreadableFileError
from programme.models import Area, Event, Occasion, Upload
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    create_user_in_role,
    messages_on,
    read_upload,
    remarks_on,
    upload,
)
from tests.programme.exchange.moving.elements import build_elements, build_occasion, encode, write_calendar

pytestmark = pytest.mark.django_db
EVENING = build_occasion(31, "2026-07-31", "19:00:00", "20:30:00", "fre 31 jul 19:00–20:30")
FILES = {
    "events.json": encode(build_elements(21, "Fest", EVENING)),
    "events.ics": write_calendar((31, "31@annan.example", "20260731T170000Z", "20260731T190000Z")),
}
ADDRESS = "https://program.annan.example/api"


def choose(client: Client, files: dict[str, bytes], **data: str):
    chosen = [SimpleUploadedFile(name, content) for name, content in files.items()]
    return client.post("/admin/import/", {"file": chosen, "source": "", "new_events": "published"} | data)


def errors_on(page) -> list[str]:
    return [each.get_text() for each in BeautifulSoup(page.content.decode(), "lxml").select(".errorlist li")]


def test_files_that_belong_together_are_one_import(client):
    page = read_upload(client, choose(client, FILES)["Location"])
    assert "events.json, events.ics" in page.content.decode()
    assert remarks_on(page) == [
        "There is no areas.json beside it: areas without events are not in it, nor the areas’ order",
        "Its texts are in one language: add the events.json of the other one (language=en, language=sv)",
    ]
    assert apply_and_list_messages(client, page) == ["Imported: 1 event, 1 occasion."]
    assert Event.objects.values_list("id", "source").get() == (21, "program.annan.example")
    assert Occasion.objects.values_list("id", "uid").get() == (31, "31@annan.example")


def describe(color: str) -> dict[str, bytes]:
    area = {"id": 5, "name": "Torget", "fullName": "Stora torget", "color": color}
    return {"events.json": encode(build_elements(21, "Fest", EVENING, area=area))}


def test_a_repeated_import_updates_an_area_for_those_who_may(client):
    apply_and_list_messages(client, read_upload(client, choose(client, describe("#2f6f4e"))["Location"]))
    editor = Client(headers={"accept-language": "en"})
    editor.force_login(create_user_in_role(Role.AREA_EDITOR, "Torget"))
    page = read_upload(editor, choose(editor, describe("#000000"))["Location"])
    assert "Changed along with them" not in page.content.decode()
    page = read_upload(client, choose(client, describe("#000000"))["Location"])
    described = BeautifulSoup(page.content, "lxml").find("summary", string="Changed along with them: 1")
    assert described.parent.dt.get_text() == "Torget"
    assert described.parent.li.get_text() == "colour: #2f6f4e → #000000"
    assert apply_and_list_messages(client, page) == ["Updated: Torget."]
    assert Area.objects.get().color == "#000000"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a.csv": b"x", "b.csv": b"y"}, "Import one file at a time."),
        ({}, "Choose a file."),
    ],
)
def test_files_that_do_not_are_refused(files, says, client):
    assert any(text.startswith(says) for text in errors_on(choose(client, files)))
    assert not Upload.objects.exists()


def test_an_administrator_gives_an_address(client, monkeypatch):
    asked = []
    monkeypatch.setattr(steps, "fetch_bundle", lambda address: asked.append(address) or pack(FILES))
    page = choose(client, {}, address="https://program.annan.example/")
    preview = read_upload(client, page["Location"])
    assert ADDRESS in preview.content.decode()
    assert apply_and_list_messages(client, preview) == ["Imported: 1 event, 1 occasion."]
    # What is applied is what was shown: it is not fetched again.
    assert asked == [ADDRESS]


def test_what_cannot_be_fetched_is_reported(client, monkeypatch):
    def fail(address: str) -> bytes:
        raise UnreadableFileError("it does not answer")

    monkeypatch.setattr(steps, "fetch_bundle", fail)
    page = read_upload(client, choose(client, {}, address=ADDRESS)["Location"])
    assert messages_on(page) == [f"Nothing is imported from “{ADDRESS}”: it does not answer."]


@pytest.mark.parametrize(
    ("files", "address", "says"),
    [
        ({}, "ftp://program.annan.example/", "It is no web address"),
        (FILES, ADDRESS, "Give one of them: a file, an address or a pasted text."),
    ],
)
def test_an_address_that_is_none_is_refused(files, address, says, client):
    assert errors_on(choose(client, files, address=address))[0].startswith(says)


def test_nobody_else_may_give_one(db, monkeypatch):
    monkeypatch.setattr(steps, "fetch_bundle", lambda _address: pack(FILES))
    client = Client(headers={"accept-language": "en"})
    for role in (Role.CHIEF_EDITOR, Role.EDITOR):
        client.force_login(create_user_in_role(role.value))
        assert "id_address" not in client.get("/admin/import/").content.decode()
        assert errors_on(choose(client, {}, address=ADDRESS)) == ["Choose a file."]
        # Beside a file it is not looked at.
        page = upload(client, FILES["events.json"], "events.json", address=ADDRESS)
        assert page.status_code == 302
        assert Upload.objects.latest("id").options["address"] == ""
    client.force_login(create_user_in_role(Role.ADMINISTRATOR.value))
    assert "id_address" in client.get("/admin/import/").content.decode()
