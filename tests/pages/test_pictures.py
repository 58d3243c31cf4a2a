"""Images in pages: which files are offered, what they show to those who do not see them, and the highlights."""

import json
import re

import pytest

from feeds.festival_time import ONE_DAY
from programme import models
from tests.conftest import NOW
from tests.pages.reading import opened, texts
from tests.programmes import JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("sample", "at")

NAME = "events/jazz.jpg"
FOLDER = f"/media/sizes/{NAME}/"
ORIGINAL = f"https://program.example/media/{NAME}"


def store(width=2000, height=1000, **values):
    models.Event.objects.filter(id=JAZZ).update(image=NAME, **values)
    x, y = values.get("image_focus_x", 50), values.get("image_focus_y", 50)
    models.Picture.objects.create(name=NAME, focus_x=x, focus_y=y, width=width, height=height)


def figure(client):
    [image] = opened(client, "/tillfalle/8001").xpath("//figure/img")
    return dict(image.attrib)


def offered(image):
    return [tuple(each.split()) for each in image.get("srcset", "").split(", ") if each]


@pytest.mark.parametrize(
    ("size", "usual", "widths"),
    [
        ((2000, 1000), f"{FOLDER}960.webp", ["480", "960", "1600"]),
        # Never the original, which may be of any weight and in the colours of a printer.
        ((1200, 800), f"{FOLDER}960.webp", ["480", "960", "1200"]),
        ((600, 900), f"{FOLDER}600.webp", ["480", "600"]),
        ((300, 200), f"{FOLDER}300.webp", ["300"]),
    ],
)
def test_a_page_offers_the_sizes_that_there_are(client, size, usual, widths):
    store(*size)
    image = figure(client)
    assert image["src"] == usual
    assert (image["width"], image["height"]) == tuple(map(str, size))
    assert offered(image) == [(f"{FOLDER}{each}.webp", f"{each}w") for each in widths]
    assert (image["fetchpriority"], image["decoding"], image.get("loading")) == ("high", "async", None)


@pytest.mark.parametrize(
    ("alt", "caption", "read"),
    [
        ("En trumpetare på en brygga.", "Foto: Åsa", "En trumpetare på en brygga."),
        # What stands below, or above as the title, is not read twice.
        ("", "Foto: Åsa", ""),
        ("", "", ""),
    ],
)
def test_an_image_says_what_it_shows_once(client, alt, caption, read):
    store(image_alt=alt, image_caption=caption)
    page = opened(client, "/tillfalle/8001")
    assert page.xpath("//figure/img/@alt") == [read]
    assert texts(page, "//figcaption") == ([caption] if caption else [])
    [image] = json.loads(page.xpath("string(//script[@type='application/ld+json'])"))["image"]
    assert image == (
        {
            "@type": "ImageObject",
            "url": ORIGINAL,
            "contentUrl": ORIGINAL,
            "description": alt,
            "caption": caption,
        }
        if alt
        else ORIGINAL
    )


def test_apps_get_the_alternative_text_and_the_interface_the_original(client):
    store(image_alt="En brygga.")
    [event] = [each for each in client.get("/api/programme").json()["events"] if each["id"] == JAZZ]
    assert (event["imageAlt"], event["imageUrl"]) == ("En brygga.", ORIGINAL)
    elements = client.get("/api/events.json").json()
    assert {each["imageUrl"] for each in elements if each["id"] == JAZZ} == {ORIGINAL}
    assert not any("alt" in key.lower() for key in elements[0])


def test_rows_with_a_picture_show_it_small_and_cut(client):
    store(image_focus_x=10)
    page = opened(client, "/?during=2026-07-29")
    [image] = page.xpath("//*[@class='slots']//li[@data-o='8001']/img")
    assert image.get("src") == f"{FOLDER}10-50-240.webp"
    assert (image.get("alt"), image.get("loading")) == ("", "lazy")
    assert {*page.xpath("//*[@class='slots']//img/../@data-o")} == {"8001"}


def previewed(client, path):
    tags = opened(client, path).xpath("//meta[starts-with(@property, 'og:image')]")
    return {each.get("property").removeprefix("og:image").strip(":"): each.get("content") for each in tags}


def test_link_previews_show_the_picture_cut_around_its_focal_point(client):
    store(image_focus_x=10, image_alt="En brygga.")
    models.Festival.objects.update(hero="festival/hero.webp")
    assert previewed(client, "/tillfalle/8001") == {
        "": f"https://program.example{FOLDER}10-50-shared.jpg",
        "width": "1200",
        "height": "630",
        "alt": "En brygga.",
    }


@pytest.mark.parametrize("path", ["/", "/?date=2026-07-29", "/en/", "/tillfalle/8003"])
@pytest.mark.parametrize(
    ("files", "shown"),
    [
        ({"logo": "festival/l.png", "hero": "festival/h.webp"}, "festival/h.webp"),
        ({"logo": "festival/l.png"}, "festival/l.png"),
    ],
)
def test_else_the_festival_s_picture_or_logo(client, path, files, shown):
    models.Event.objects.update(image="", image_url="")
    models.Festival.objects.update(**files)
    assert previewed(client, path)[""] == f"https://program.example/media/{shown}"


def test_and_without_any_none(client):
    models.Event.objects.update(image="", image_url="")
    assert previewed(client, "/") == previewed(client, "/tillfalle/8001") == {}


def highlights(client, path="/"):
    return texts(opened(client, path), "//*[@class='band']/li/a")


def test_highlights_to_come_stand_first_with_day_and_place(client):
    store(highlighted=True)
    models.Event.objects.filter(id=NIGHT).update(highlighted=True)
    night = models.Event.objects.get(id=NIGHT)
    page = opened(client, "/en/")
    cards = page.xpath("//*[@class='band']/li")
    [first] = [each for each in cards if each.xpath("./a/@href") == ["/en/occasion/8001"]]
    assert texts(first, "./p") == ["today 16:00–17:00\nBiblioteket, Sal 2"]
    assert first.xpath("./img/@srcset") == [f"{FOLDER}50-50-240.webp 240w, {FOLDER}50-50-480.webp 480w"]
    # Without a picture, its title on the area's colour, in black or white.
    [other] = [each for each in cards if texts(each, "./a") == [night.title]]
    assert other.xpath("./img") == []
    assert re.search(r"\.a[0-9]+\{--c:#\w{6};--f:#\w{6}\}", page.xpath("string(//head/style[1])"))
    assert cards[0].get("data-o")


@pytest.mark.parametrize(
    "path",
    [
        *("/?q=jazz", "/?during=2026-07-29", "/?days=all", "/?view=grid", "/?highlighted", "/?free=free"),
        "/?after=18",
    ],
)
def test_no_other_page_shows_them(client, path):
    store(highlighted=True)
    assert highlights(client)
    assert highlights(client, path) == []


def test_what_is_over_or_cancelled_is_no_highlight(client):
    models.Event.objects.exclude(id=JAZZ).update(highlighted=False)
    store(highlighted=True)
    assert len(highlights(client)) == 1
    models.Occasion.objects.filter(event=JAZZ).update(start=NOW - ONE_DAY, end=NOW.replace(hour=13))
    assert texts(opened(client, "/"), "//*[@class='band']/li/p/time") == ["pågår till 15:00"]
    models.Occasion.objects.filter(event=JAZZ).update(end=NOW + ONE_DAY)
    assert texts(opened(client, "/"), "//*[@class='band']/li/p/time") == ["pågår till imorgon 14:00"]
    models.Occasion.objects.filter(event=JAZZ).update(cancelled=True)
    assert highlights(client) == []
    models.Occasion.objects.filter(event=JAZZ).update(cancelled=False)
    assert len(highlights(client)) == 1
    models.Occasion.objects.filter(event=JAZZ).update(start=NOW - 2 * ONE_DAY, end=NOW - ONE_DAY)
    assert highlights(client) == []
