"""Cards of link previews: what pages name, what is drawn ahead of readers, and what answers until then."""

import os
from io import BytesIO
from threading import Event

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageDraw

from feeds.cards import SIZE, Card, draw
from feeds.snapshot import Snapshot
from programme import models
from programme.publishing import cards
from programme.publishing.current import current
from tests.conftest import NOW
from tests.pages.reading import opened
from tests.programmes import JAZZ

CARD = Card("Jazz i parken", "fredag 14 augusti 2026 20:00–21:00", "Stadsparken", festival="Kulturnatten")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def nothing(name):
    raise FileNotFoundError(name)


def test_a_card_is_what_it_says_alone() -> None:
    drawn = draw(CARD, nothing)
    image = Image.open(BytesIO(drawn))
    assert (image.format, image.size, CARD.name[-4:]) == ("PNG", SIZE, ".png")
    assert draw(CARD, nothing) == drawn
    cancelled = replace(CARD, mark="Inställt")
    assert (draw(cancelled, nothing) != drawn, cancelled.name != CARD.name) == (True, True)


@pytest.mark.parametrize("title", ["🎉 Jazz 🎶 i parken 💃", "Jazz\u200d i\ufe0f parken"])
def test_what_the_font_lacks_is_left_out(title) -> None:
    assert draw(replace(CARD, title=title), nothing) == draw(CARD, nothing)


@pytest.mark.parametrize("title", ["ليلة الحكايات – sagokväll i pyjamas", "夜市 🎉", "🎉🎉"])
def test_a_title_that_cannot_be_drawn_whole_gives_way_to_the_festival_s_name(title) -> None:
    card = replace(CARD, title=title)
    assert draw(card, nothing) == draw(replace(CARD, title=CARD.festival), nothing)
    assert card.words == "Kulturnatten, fredag 14 augusti 2026 20:00–21:00, Stadsparken"
    assert replace(CARD, title="🎷 Jazz").words.startswith("Jazz, ")


def test_a_long_word_is_set_smaller_rather_than_torn(monkeypatch) -> None:
    written = []
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda _pen, _at, text, *_: written.append(text))
    content = BytesIO()
    Image.new("RGB", (900, 600)).save(content, "PNG")
    general = Card("Ängelholmsfestivalen", picture="hero.png")
    draw(general, lambda _name: content.getvalue())
    assert written[0] == "Ängelholmsfestivalen"


def test_what_is_transparent_in_a_picture_is_the_card_s_background() -> None:
    content = BytesIO()
    Image.new("RGBA", (900, 600)).save(content, "PNG")
    card = replace(CARD, picture="events/a.png", paper="#ffe600")
    image = Image.open(BytesIO(draw(card, lambda _name: content.getvalue())))
    assert image.getpixel((1000, 200)) == image.getpixel((20, 20))


def test_a_logo_says_the_festival_s_name_alone() -> None:
    content = BytesIO()
    Image.new("RGB", (400, 90), "#00ff00").save(content, "PNG")
    card = replace(CARD, logo="logo.png")
    band = Image.open(BytesIO(draw(card, lambda _name: content.getvalue()))).crop((0, 550, 1200, 620))
    assert max(high - low for low, high in band.getextrema()) < 16
    # A logo that cannot be read says nothing.
    with_name = Image.open(BytesIO(draw(card, nothing))).crop((0, 550, 1200, 620))
    assert max(high - low for low, high in with_name.getextrema()) > 100


@pytest.mark.parametrize(("lettering", "behind"), [("#000000", 255), ("#ffffff", 16)])
def test_a_logo_of_the_background_s_colour_stands_on_a_plate(lettering, behind) -> None:
    content, logo = BytesIO(), Image.new("RGBA", (400, 90))
    logo.paste(lettering, (100, 20, 300, 70))
    logo.save(content, "PNG")
    card = replace(CARD, logo="logo.png", paper="#101010", ink="#ffffff")
    image = Image.open(BytesIO(draw(card, lambda _name: content.getvalue()))).convert("L")
    assert abs(image.getpixel((72, 72)) - behind) < 16


@pytest.mark.parametrize("title", ["Åäöéü ŁŽ", "Υπαίθρια συναυλία", "Концерт под небом"])
def test_languages_of_europe_are_written(title) -> None:
    assert draw(replace(CARD, title=title), nothing) != draw(replace(CARD, title=""), nothing)


@pytest.mark.parametrize("title", ["Mycket att säga " * 40, "Långtordutanslut" * 30, "مرحبا بالعالم", ""])
def test_no_title_leaves_its_room(title) -> None:
    """Neither the margins nor what stands below is written on."""
    with_title, without = (
        Image.open(BytesIO(draw(replace(CARD, title=each, festival=""), nothing))).convert("L")
        for each in (title, "")
    )
    for box in ((0, 0, 48, 630), (1152, 0, 1200, 630), (0, 400, 1200, 630), (0, 0, 1200, 48)):
        # A palette is approximate.
        assert ImageChops.difference(with_title.crop(box), without.crop(box)).getextrema()[1] < 16


def test_a_picture_fills_the_right_and_the_colours_are_the_festival_s() -> None:
    content = BytesIO()
    Image.new("RGB", (900, 300), "#00ff00").save(content, "PNG")
    card = replace(CARD, picture="events/a.png", paper="#ffe600", fill="#161513")
    image = Image.open(BytesIO(draw(card, lambda _name: content.getvalue())))
    assert (image.format, card.name[-4:]) == ("JPEG", ".jpg")
    near = [
        tuple(round(part / 32) for part in image.getpixel(at)) for at in ((1000, 200), (20, 20), (1100, 600))
    ]
    assert near == [(0, 8, 0), (8, 7, 0), (1, 1, 1)]


def named(client, path):
    """Return the path of the card that a page names."""
    return (
        opened(client, path)
        .xpath("string(//meta[@property='og:image']/@content)")
        .removeprefix("https://program.example")
    )


def make_all():
    assert cards.make_all(Snapshot(current.at(NOW).programme, NOW), Event())


@pytest.mark.usefixtures("sample", "at")
def test_pages_name_cards_that_are_drawn_ahead_and_anew_after_an_edit(client, settings) -> None:
    settings.BASE_URL = "https://program.example"
    paths = ["/", "/en/", "/tillfalle/8001", "/en/occasion/8001"]
    before = [named(client, path) for path in paths]
    assert len({*before}) == 4
    occasion = before[2]
    waiting = client.get(occasion)
    assert (waiting.status_code, waiting["Cache-Control"]) == (302, "no-store")
    assert waiting["Location"].endswith("icon-512.png")
    make_all()
    for each in before:
        answer = client.get(each)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
        assert Image.open(BytesIO(answer.content)).size == SIZE
    models.Event.objects.filter(id=JAZZ).update(cancelled=True)
    current.clear()
    after = named(client, "/tillfalle/8001")
    assert after != occasion
    # The general one, until it is drawn.
    assert client.get(after)["Location"] == f"/card/{cards.describe_festival(current.programme, 'sv').name}"
    make_all()
    assert client.get(after).content != client.get(occasion).content
    page = opened(client, "/tillfalle/8001")
    meta = {each.get("property"): each.get("content") for each in page.xpath("//meta[@property]")}
    assert (meta["og:image:width"], meta["og:image:height"]) == ("1200", "630")
    assert meta["og:image:alt"].startswith("Inställt, Jazz")


@pytest.mark.usefixtures("sample", "at")
def test_nothing_is_drawn_twice_and_what_nobody_names_goes_after_a_week(media, monkeypatch) -> None:
    make_all()
    stored = {each.name for each in (media / "cards").iterdir()}
    drawn = []
    monkeypatch.setattr(cards, "draw", lambda card, _read: drawn.append(card) or b"")
    for name, age in (("0" * 32, 8), ("1" * 32, 6)):
        path = media / "cards" / f"{name}.png"
        path.write_bytes(b"")
        moment = NOW.timestamp() - age * 86_400
        os.utime(path, (moment, moment))
    make_all()
    assert (drawn, {each.name for each in (media / "cards").iterdir()}) == ([], stored | {f"{'1' * 32}.png"})


@pytest.mark.usefixtures("sample", "at")
def test_what_is_over_keeps_its_card_which_is_drawn_last(client, media) -> None:
    models.Occasion.objects.filter(id=8001).update(start="2020-01-01T10:00Z", end="2020-01-01T11:00Z")
    current.clear()
    name = named(client, "/tillfalle/8001").removeprefix("/card/")
    programme = current.at(NOW).programme
    wanted = [each.name for each in cards.list_wanted(Snapshot(programme, NOW))]
    ahead = [
        cards.describe_occasion(programme, each, "sv").name for each in programme.occasions if each.end > NOW
    ]
    assert ahead
    assert wanted.index(name) > max(map(wanted.index, ahead))
    make_all()
    moment = NOW.timestamp() - 30 * 86_400
    os.utime(media / "cards" / name, (moment, moment))
    make_all()
    assert (media / "cards" / name).is_file()


@pytest.mark.usefixtures("sample", "at")
def test_the_first_page_has_the_festival_s_card_and_a_day_its_own_with_its_events(client) -> None:
    programme = current.at(NOW).programme
    day, occasions = next(
        (day, each) for day, each in sorted(programme.index.by_day.items()) if len(each) > 1
    )
    assert named(client, "/") == f"/card/{cards.describe_festival(programme, 'sv').name}"
    dated = f"/en/?date={day}"
    assert named(client, dated) == f"/card/{cards.describe_day(programme, day, 'en').name}"
    alt = opened(client, dated).xpath("string(//meta[@property='og:image:alt']/@content)")
    assert f", {len(occasions)} events" in alt
    # A part of the day is not what its card counts.
    assert named(client, f"{dated}&area=1") == f"/card/{cards.describe_festival(programme, 'en').name}"


def test_another_process_that_draws_is_left_to_it(media) -> None:
    (media / "cards").mkdir()
    (media / "cards" / f"{CARD.name[:-4]}.part").write_bytes(b"")
    assert not cards.make(CARD)
