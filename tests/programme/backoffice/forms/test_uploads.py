"""A file that the server cannot write is refused beside its field, and nothing else is lost."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.files.storage.filesystem import locks
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client

from programme.models import Event, Festival, Upload
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import list_errors, submission
from tests.programmes import DRAFT

pytestmark = pytest.mark.usefixtures("sample")

FORM = f"/admin/programme/event/{DRAFT}/change/"
FESTIVAL = "/admin/programme/festival/1/change/"
FULL = "The file was not stored: the server's disk is full. Tell the person who runs the server."
LOCKED = "The file was not stored: the server may not write it. Tell the person who runs the server."
CONDITIONS = [(errno.ENOSPC, FULL), (errno.EROFS, LOCKED), (errno.EACCES, LOCKED)]
# Larger than what is read into memory.
LARGE = 3_000_000


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def refuse_with(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, number: int) -> None:
    def refuse(*_arguments: Any, **_named: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(owner, name, refuse)


def list_files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(("number", "message"), CONDITIONS)
def test_an_image_that_cannot_be_stored(
    office: Client, media: Path, monkeypatch: pytest.MonkeyPatch, number: int, message: str
) -> None:
    form = submission(office.get(FORM)) | {"title": "Nytt"}
    with monkeypatch.context() as full:
        refuse_with(full, locks, "lock", number)
        answer = office.post(FORM, form | {"image": SimpleUploadedFile("bild.png", photo("PNG"))})
    assert list_errors(answer) == {"image": [message]}
    assert list_files(media) == []
    assert Event.objects.get(pk=DRAFT).title == "Utkast"
    # All else is in the form still.
    again = submission(answer)
    assert again["title"] == "Nytt"
    again["image"] = SimpleUploadedFile("bild.png", photo("PNG"))
    assert office.post(FORM, again).status_code == 302
    event = Event.objects.get(pk=DRAFT)
    assert (event.title, list_files(media)) == ("Nytt", [Path(event.image.name).name])


def test_a_new_event_without_its_image_is_not_saved(office: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Event.objects.count()
    address = "/admin/programme/event/add/"
    form = submission(office.get(address)) | {"title": "Nytt", "area": "1001"}
    refuse_with(monkeypatch, locks, "lock", errno.ENOSPC)
    answer = office.post(address, form | {"image": SimpleUploadedFile("bild.png", photo("PNG"))})
    assert list_errors(answer) == {"image": [FULL]}
    assert Event.objects.count() == before


def test_a_font_that_cannot_be_stored(office: Client, media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = submission(office.get(FESTIVAL))
    refuse_with(monkeypatch, locks, "lock", errno.ENOSPC)
    answer = office.post(FESTIVAL, form | {"font": SimpleUploadedFile("a.woff2", b"wOF2" + b"x" * 100)})
    assert list_errors(answer) == {"font": [FULL]}
    assert (list_files(media), Festival.objects.get().font.name) == ([], "")


@pytest.mark.parametrize("step", ["__init__", "write", "seek"])
def test_a_large_image_for_which_there_is_no_temporary_file(
    office: Client, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    form = submission(office.get(FORM)) | {"title": "Nytt"}
    image = photo("PNG") + b"x" * LARGE
    refuse_with(monkeypatch, TemporaryUploadedFile, step, errno.ENOSPC)
    answer = office.post(FORM, form | {"image": SimpleUploadedFile("bild.png", image)})
    assert list_errors(answer) == {"image": [FULL]}
    assert submission(answer)["title"] == "Nytt"


def test_a_large_import_for_which_there_is_no_temporary_file(
    office: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_with(monkeypatch, TemporaryUploadedFile, "write", errno.ENOSPC)
    file = SimpleUploadedFile("schema.csv", b"x" * LARGE)
    answer = office.post("/admin/import/", {"file": file, "source": "Kören", "new_events": "draft"})
    page = BeautifulSoup(answer.content.decode(), "lxml")
    assert [each.text.strip() for each in page.select(".errorlist li")] == [FULL]
    assert page.select_one("[name=source]")["value"] == "Kören"
    assert not Upload.objects.exists()


def test_another_error_of_a_file_is_a_fault_of_ours(office: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    form = submission(office.get(FORM)) | {"image": SimpleUploadedFile("bild.png", photo("PNG"))}
    refuse_with(monkeypatch, locks, "lock", errno.EBADF)
    office.raise_request_exception = False
    assert office.post(FORM, form).status_code == 500
