"""A file that was chosen in a form that is refused stays chosen, for its user alone."""

import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from programme.models import Event, KeptFile
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import list_errors, parse, send, submission
from tests.programmes import DRAFT

pytestmark = pytest.mark.usefixtures("sample")

FORM = f"/admin/programme/event/{DRAFT}/change/"


@pytest.fixture(autouse=True)
def media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def picture(name: str = "bild.png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, photo("PNG"))


def refuse(office: Client, **sent: Any) -> Any:
    """Send the event's form without a title and with a picture; return the form that is shown again."""
    return send(office, FORM, **{"title": "", "image": picture(), **sent})


def test_the_image_of_a_refused_form_is_saved_when_it_is_corrected(office: Client, media: Path) -> None:
    again = refuse(office)
    assert list_errors(again) == {"title": ["This field is required."]}
    shown = parse(again).select_one(".kept-file")
    assert shown.text.strip() == "“bild.png” is still chosen, and saved with the rest."
    address, _comma, thumbnail = shown.img["src"].partition(",")
    assert address == "data:image/webp;base64"
    with Image.open(io.BytesIO(b64decode(thumbnail))) as image:
        assert (max(image.size) <= 480, image.getexif()) == (True, {})
    # It is not where readers find it.
    assert list(media.rglob("*.png")) == []
    # Refused once more, it is kept once.
    still = office.post(FORM, submission(again))
    assert KeptFile.objects.count() == 1
    assert office.post(FORM, submission(still) | {"title": "Nytt"}).status_code == 302
    event = Event.objects.get(pk=DRAFT)
    assert (event.title, Path(event.image.name).stem[:4], Path(event.image.path).exists()) == (
        "Nytt",
        "bild",
        True,
    )
    assert KeptFile.objects.count() == 0


def test_another_one_replaces_it_and_unticked_it_is_not_used(office: Client) -> None:
    form = submission(refuse(office)) | {"title": "Nytt"}
    office.post(FORM, form | {"image": picture("other.png")})
    assert Path(Event.objects.get(pk=DRAFT).image.name).name.startswith("other")
    form = submission(refuse(office)) | {"title": "Nytt"}
    del form["image-kept"]
    office.post(FORM, form)
    assert Path(Event.objects.get(pk=DRAFT).image.name).name.startswith("other")


def test_an_image_that_is_refused_itself_is_not_kept(office: Client) -> None:
    again = refuse(office, image=SimpleUploadedFile("bild.png", b"no picture"))
    assert set(list_errors(again)) == {"title", "image"}
    assert KeptFile.objects.count() == 0


@pytest.mark.parametrize("key", ["", "x", "99999999", "-1", "9" * 30])
def test_what_is_not_there_is_nothing(office: Client, key: str) -> None:
    send(office, FORM, title="Nytt", **{"image-kept": key})
    event = Event.objects.get(pk=DRAFT)
    assert (event.title, event.image.name) == ("Nytt", "")


def test_nobody_saves_what_another_has_chosen(office: Client) -> None:
    refuse(office)
    other = Client(SERVER_NAME="localhost")
    other.force_login(User.objects.create_superuser("bo"))
    key = str(KeptFile.objects.get().pk)
    other.post(FORM, submission(other.get(FORM)) | {"image-kept": key, "title": "Nytt"})
    assert Event.objects.get(pk=DRAFT).image.name == ""
    assert KeptFile.objects.count() == 1


def test_it_is_not_used_where_theirs_is_chosen(office: Client) -> None:
    sent = submission(office.get(FORM)) | {"image": picture()}
    Event.objects.filter(pk=DRAFT).update(image="events/theirs.png")
    met = office.post(FORM, sent)
    [both] = met.context["groups"][0].differences
    assert both.theirs_image == "/media/events/theirs.png"
    assert both.mine_image.startswith("data:image/webp;base64,")
    assert str(met.content).count('<img src="') == 2
    office.post(FORM, submission(met) | {"_choice-image": "theirs"})
    assert Event.objects.get(pk=DRAFT).image.name == "events/theirs.png"


@pytest.mark.parametrize(("whose", "stored"), [("theirs", "events/theirs.png"), ("mine", "")])
def test_who_takes_the_image_away_meets_the_one_that_another_has_chosen(
    office: Client, whose: str, stored: str
) -> None:
    Event.objects.filter(pk=DRAFT).update(image="events/before.png")
    sent = submission(office.get(FORM)) | {"image-clear": "on"}
    Event.objects.filter(pk=DRAFT).update(image="events/theirs.png")
    met = office.post(FORM, sent)
    [difference] = met.context["groups"][0].differences
    assert (difference.theirs, difference.mine) == ("events/theirs.png", "(empty)")
    office.post(FORM, submission(met) | {"_choice-image": whose})
    assert Event.objects.get(pk=DRAFT).image.name == stored
