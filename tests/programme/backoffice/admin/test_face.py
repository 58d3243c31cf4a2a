"""The festival's face in the back office: its preview, what is made of its files, and where they are served."""

from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from lxml import html
from PIL import Image

from programme import models
from programme.publishing.current import current
from tests.programme.backoffice.requests import submission

pytestmark = pytest.mark.usefixtures("sample", "at")

CHANGE = "/admin/programme/festival/1/change/"
PREVIEW = "/admin/programme/festival/preview/"
FORM = {"name_sv": "Kulturnatten", "headings": "serif"}


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def draw(size=(600, 400), color="#ffe600", kind="PNG"):
    content = BytesIO()
    Image.new("RGB", size, color).save(content, kind)
    return ContentFile(content.getvalue(), name=f"own.{kind.lower()}")


def opened(content):
    return Image.open(BytesIO(content))


def save(client, **typed):
    sent = submission(client.get(CHANGE)) | typed
    page = client.post(CHANGE, sent, headers={"Accept-Language": "en"}, follow=True)
    assert page.redirect_chain, page.context["adminform"].form.errors
    current.clear()
    return page


def test_the_preview_shows_what_is_typed_and_stores_nothing(admin_client) -> None:
    before = models.Revision.objects.get().number, models.Festival.history.count()
    typed = {
        "name_sv": "Nya namnet",
        "color": "#ffe600",
        "privacy_url": "exempel.se/gdpr",
        "face-scheme": "dark",
    }
    answer = admin_client.post(PREVIEW, FORM | typed, headers={"Accept-Language": "sv"}).json()
    page = html.fromstring(answer["page"])
    assert page.xpath("string(//h1)").strip() == "Nya namnet"
    style = page.xpath("string(//style)")
    assert style.startswith(":root{color-scheme:dark}:root{--accent-light:#1d1b19;--accent-dark:#ffe600;")
    assert page.xpath("//footer//a[@href='https://exempel.se/gdpr']/text()") == ["Personuppgifter"]
    assert answer["notes"] == {
        "color": "För ljus att läsa på den här bakgrunden: länkar får textens färg. Knappar behåller din."
    }
    occasion = admin_client.post(PREVIEW, FORM | typed | {"face-page": "occasion"}).json()["page"]
    assert html.fromstring(occasion).xpath("//article[contains(@class, 'occasion')]")
    shown = admin_client.post(PREVIEW, FORM | {"chosen-logo": "on", "chosen-hero": "on"}).json()["page"]
    pictures = {"https://chosen.invalid/logo", "https://chosen.invalid/hero"}
    assert pictures <= {*html.fromstring(shown).xpath("//img/@src")}
    swapped = FORM | {"background": "#000000", "dark_background": "#ffffff"}
    assert admin_client.post(PREVIEW, swapped, headers={"Accept-Language": "sv"}).json()["notes"] == {
        "background": "Mörkare än bakgrunden i mörkt läge: de två har bytt plats."
    }
    assert (models.Revision.objects.get().number, models.Festival.history.count()) == before
    assert models.Festival.objects.get().name_sv == "Kulturnatten i Åsunda"


def test_the_preview_shows_what_is_valid_and_names_what_is_not(admin_client) -> None:
    save(admin_client, color="#005500")
    typed = {"color": "#ff", "contact_url": "mailto", "name_sv": "Nya namnet", "background": "#123456"}
    answer = admin_client.post(PREVIEW, FORM | typed, headers={"Accept-Language": "en"}).json()
    assert answer["notes"].keys() == {"color", "contact_url"}
    assert answer["notes"]["color"].startswith("Write the colour as #")
    page = html.fromstring(answer["page"])
    assert page.xpath("string(//h1)").strip() == "Nya namnet"
    style = page.xpath("string(//style)")
    assert ("--fill-light:#005500" in style, "#123456" in style) == (True, True)
    assert models.Festival.objects.get().name_sv == "Kulturnatten i Åsunda"


def test_a_colour_of_three_digits_is_completed_and_what_is_used_now_is_offered(admin_client) -> None:
    save(admin_client, color="FE0", background="#000")
    stored = models.Festival.objects.get()
    assert (stored.color, stored.background) == ("#ffee00", "#000000")
    form = html.fromstring(admin_client.get(CHANGE, headers={"Accept-Language": "sv"}).content)
    assert "ljus platta" in form.xpath("string(//div[contains(@class, 'field-logo')])")
    fields = form.xpath("//span[@class='color']/input[1]")
    assert {each.get("name"): each.get("placeholder") for each in fields} == {
        "color": "#ffee00",
        "background": "#000000",
        "ink": "#ffffff",
        "dark_color": "#ffee00",
        "dark_background": "#000000",
        "dark_ink": "#ffffff",
    }


def test_an_icon_is_made_in_every_size_and_goes_everywhere(admin_client, client, media) -> None:
    save(admin_client, icon=draw())
    name = models.Festival.objects.get().icon.name
    made = {each.name: opened(each.read_bytes()) for each in Path(media, "sizes", name).iterdir()}
    assert {name: each.size for name, each in made.items()} == {
        f"{side}.png": (side, side) for side in (48, 180, 192, 512)
    }
    # Not square: on white, and whole.
    assert [made["192.png"].getpixel(at) for at in ((96, 2), (96, 96))] == [(255,) * 3, (255, 230, 0)]
    url = f"https://program.example/media/sizes/{name}/{{}}.png"
    page = html.fromstring(client.get("/").content)
    assert page.xpath("//link[@rel='icon']/@href") == [url.format(48)]
    assert page.xpath("//link[@rel='apple-touch-icon']/@href") == [url.format(180)]
    manifest = client.get("/manifest.webmanifest").json()
    assert [(each["src"], each["sizes"]) for each in manifest["icons"]] == [
        (url.format(192), "192x192"),
        (url.format(512), "512x512"),
    ]
    assert client.get("/favicon.ico")["Location"] == url.format(48)


def test_the_picture_is_made_small_and_stands_on_the_first_page_alone(admin_client, client, media) -> None:
    save(admin_client, hero=draw((2000, 900), kind="JPEG"))
    with models.Festival.objects.get().hero.open() as file:
        stored = opened(file.read())
    assert (stored.format, stored.size) == ("WEBP", (1600, 720))
    shown = [
        html.fromstring(client.get(path).content).xpath("//*[@class='hero']/img")
        for path in ("/", "/?q=jazz")
    ]
    assert [len(each) for each in shown] == [1, 0]


def test_a_map_needs_words_and_is_previewed_on_the_practical_page(admin_client, client) -> None:
    sent = submission(admin_client.get(CHANGE)) | {"map": draw((3000, 1500))}
    assert [*admin_client.post(CHANGE, sent).context["adminform"].form.errors] == ["map_alt_sv"]
    save(admin_client, map=draw((3000, 1500)), map_alt_sv="Toaletter i norr")
    row = models.Festival.objects.get()
    with row.map.open() as file:
        assert (opened(stored := file.read()).format, opened(stored).size) == ("WEBP", (2400, 1200))
    [shown] = html.fromstring(client.get("/praktiskt").content).xpath("//main//img")
    url = f"/media/sizes/{row.map.name}/960.webp"
    size = (shown.get("width"), shown.get("height"))
    assert (shown.get("alt"), shown.get("src"), size) == ("Toaletter i norr", url, ("2400", "1200"))
    typed = FORM | {"practical_sv": "# Vatten", "face-page": "practical", "chosen-map": "on"}
    page = html.fromstring(
        admin_client.post(PREVIEW, typed, headers={"Accept-Language": "sv"}).json()["page"]
    )
    assert page.xpath("//h2/text()") == ["Vatten"]
    assert page.xpath("//main//img/@src") == ["https://chosen.invalid/map"]


def test_links_stand_below_every_page(admin_client, client) -> None:
    wrong = admin_client.post(CHANGE, submission(admin_client.get(CHANGE)) | {"sponsors": "Banken"})
    assert [*wrong.context["adminform"].form.errors] == ["sponsors"]
    links = {"contact_url": "exempel.se/kontakt", "accessibility_url": "exempel.se/a11y"}
    save(admin_client, **links, sponsors="Banken  bank.example\nEtt Två https://b.example/")
    for path, contact, statement in (
        ("/", "Kontakt", "Tillgänglighetsredogörelse"),
        ("/en/occasion/8001", "Contact", "Accessibility statement"),
    ):
        page = html.fromstring(client.get(path).content)
        shown = page.xpath("//footer//a[@rel='external']")
        sponsors = [each.text_content() for each in page.xpath("//footer/ul[2]/li")]
        assert sponsors == ["Sponsorer" if path == "/" else "Sponsors", "Banken", "Ett Två"]
        assert [(each.text, each.get("href")) for each in shown][-4:] == [
            (contact, "https://exempel.se/kontakt"),
            (statement, "https://exempel.se/a11y"),
            ("Banken", "https://bank.example"),
            ("Ett Två", "https://b.example/"),
        ]
