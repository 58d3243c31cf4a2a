"""Uploaded images are there in several sizes, cut around the focal point, as long as somebody may ask for them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, ImageStat
from pytest_django.fixtures import Settings

from feeds.vocabulary import Picture as Sizes
from programme.backoffice.pictures import sweep_images
from programme.models import Event, Picture
from programme.publishing import loading
from tests.conftest import NOW
from tests.programme.backoffice.images import grey_ramp, photo
from tests.programme.backoffice.restore.history_pages import FORM, HISTORY, list_links, restore, save
from tests.programmes import JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("day_old_sample")


@pytest.fixture(autouse=True)
def sizes(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path / "sizes"


def upload(office: Client, size: tuple[int, int] = (2000, 1000), **values: Any) -> None:
    file = SimpleUploadedFile("natt.jpg", photo("JPEG", size), "image/jpeg")
    save(office, image=file, **values)


def read_sizes(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in sorted(folder.iterdir()):
        with Image.open(path) as image:
            assert image.format == ("JPEG" if path.name.endswith("-shared.jpg") else "WEBP")
            found[path.name] = image.size
    return found


def find_color(path: Path, x: int) -> str:
    with Image.open(path) as image:
        pixel: Any = image.convert("RGB").getpixel((x, image.height // 2))
    return "red" if pixel[0] > pixel[2] else "blue"


def get_picture() -> Sizes | None:
    return loading.load().by_event[NIGHT][0].event.picture


def test_an_upload_is_there_in_several_sizes_cut_around_its_focal_point(office, sizes):
    upload(office, image_focus_x="0", image_focus_y="50")
    name = str(Event.objects.get(pk=NIGHT).image)
    folder = sizes / name
    assert read_sizes(folder) == {
        "480.webp": (480, 240),
        "960.webp": (960, 480),
        "1600.webp": (1600, 800),
        "0-50-240.webp": (240, 160),
        "0-50-480.webp": (480, 320),
        "0-50-shared.jpg": (1200, 630),
    }
    # 1500 of 2000 pixels, of which the left 1000 are red.
    assert find_color(folder / "0-50-480.webp", 310) == "red"
    assert find_color(folder / "0-50-480.webp", 330) == "blue"
    picture = get_picture()
    assert picture == Sizes(f"/media/sizes/{name}/", 2000, 1000, (0, 50))
    # A focal point on the right has files of its own, and the former are there for pages in caches.
    save(office, image_focus_x="100")
    assert get_picture().focus == (100, 50)
    assert {"0-50-480.webp", "100-50-480.webp"} <= {*read_sizes(folder)}
    assert find_color(folder / "100-50-480.webp", 170) == "blue"
    _shown, _done = restore(office, list_links(office, HISTORY)[0])
    assert get_picture() == picture


def test_nothing_is_made_larger(office, sizes):
    upload(office, (300, 90))
    # Nor does a preview make anything.
    assert office.post(f"/admin/programme/event/{NIGHT}/preview/", {"image_focus_x": "7"}).status_code == 200
    assert read_sizes(sizes / str(Event.objects.get(pk=NIGHT).image)) == {
        "300.webp": (300, 90),
        "50-50-240.webp": (135, 90),
        "50-50-shared.jpg": (171, 90),
    }


def test_a_grey_scan_is_grey_in_every_size(office, sizes):
    save(office, image=SimpleUploadedFile("skannad.png", grey_ramp(600, 400), "image/png"))
    # One that was stored before there were rules for it.
    event = Event.objects.get(pk=JAZZ)
    event.image.save("jazz.png", ContentFile(grey_ramp(600, 400)))
    sweep_images(NOW)
    names = Event.objects.exclude(image="").values_list("image", flat=True)
    found = [path for name in names for path in (sizes / name).iterdir()]
    assert len(found) == 10
    for path in found:
        with Image.open(path) as image:
            assert 125 < ImageStat.Stat(image.convert("L")).mean[0] < 129


@pytest.fixture
def unsized(sizes: Path) -> Event:
    """An event whose image was uploaded before there were sizes."""
    event = Event.objects.get(pk=JAZZ)
    event.image.save("jazz.png", ContentFile(photo("PNG", (600, 600))))
    return event


def test_earlier_images_get_their_sizes_once_and_readers_know(unsized, sizes):
    before = loading.load()
    modified = Event.objects.values_list("last_modified", flat=True).get(pk=JAZZ)
    assert sweep_images(NOW) == 0
    names = ["480.webp", "50-50-240.webp", "50-50-480.webp", "50-50-shared.jpg", "600.webp"]
    assert [*read_sizes(sizes / "events" / "jazz.png")] == names
    after = loading.load(before)
    assert after.by_event[JAZZ][0].event.picture == Sizes("/media/sizes/events/jazz.png/", 600, 600)
    # It is no edit.
    assert Event.objects.values_list("last_modified", flat=True).get(pk=JAZZ) == modified
    assert after.by_event[NIGHT][0] is before.by_event[NIGHT][0]
    revision = after.revision
    assert sweep_images(NOW) == 0
    assert loading.fetch_revision() == revision


def test_sizes_go_with_their_original_and_come_back_if_they_are_lost(unsized, sizes):
    sweep_images(NOW)
    folder = sizes / "events" / "jazz.png"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    sweep_images(NOW)
    assert len(read_sizes(folder)) == 5
    Path(unsized.image.path).unlink()
    sweep_images(NOW)
    assert not folder.exists()
    assert not Picture.objects.exists()
    assert loading.load().by_event[JAZZ][0].event.picture is None


def test_what_is_no_image_stops_nothing(office, sizes, caplog):
    Event.objects.filter(pk=NIGHT).update(image="events/torn.jpg")
    (sizes.parent / "events").mkdir()
    (sizes.parent / "events" / "torn.jpg").write_bytes(photo("JPEG", (800, 800))[:3000])
    save(office, FORM, title="Natten")
    assert Event.objects.get(pk=NIGHT).title == "Natten"
    assert get_picture() is None
    assert "events/torn.jpg has no other sizes" in caplog.text
