"""A festival in Swedish alone has no pages, fields and problems in English; the API answers as before."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from programme.models import Event, Festival, Location, OccasionList
from programme.publishing.current import current
from tests.editions import make_editions
from tests.pages import all_pages
from tests.programme.backoffice.requests import parse, submission
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("sample", "at")

NAMES = "area", "event", "eventtype", "language", "occasionlist", "organizer", "edition"
FORMS = [f"{each}/add" for each in NAMES]
FORMS += [f"event/{JAZZ}/change", "location/5001/change", "festival/1/change"]


def say(*, alone: bool) -> None:
    Festival.objects.update(swedish_only=alone)
    current.clear()
    Client().get("/")


def is_english(path: str) -> bool:
    return bool(re.match(r"/en(/|$|\?)", path))


def test_english_addresses_lead_to_the_swedish_pages_which_name_no_others(client: Client) -> None:
    say(alone=True)
    english = [path for path in all_pages.paths() if is_english(path)]
    assert len(english) > 20
    for path in english:
        found: Any = client.get(path)
        assert (found.status_code, is_english(found["Location"])) == (302, False)
        assert client.get(found["Location"]).status_code in {200, 404, 410}
    place = client.get("/en/place/5001?edition=x")["Location"]
    assert place == "/plats/5001?edition=x"
    for path, page in all_pages.pages(client):
        if page.status_code == 200 and not path.startswith("/api"):
            text = page.content.decode()
            assert 'hreflang="en"' not in text, path
    lost = client.get("/en/lost/and/gone").content.decode()
    assert ('lang="sv"' in lost, 'href="/en' in lost) == (True, False)
    sitemap = client.get("/sitemap.xml").content.decode()
    assert "/plats/5001" in sitemap
    assert "/en/" not in sitemap


def test_the_api_answers_in_both_languages_as_before(client: Client) -> None:
    paths = ("/api/events.json?language=en", "/api/events.atom?language=en", "/api/areas", "/api/programme")
    say(alone=False)
    before = [client.get(path).content for path in paths]
    say(alone=True)
    assert [client.get(path).content for path in paths] == before


def read_names(office: Client, address: str) -> set[str]:
    page = parse(office.get(address))
    return {each["name"] for each in page.select("#content-main [name]:not([type=hidden])")}


def test_forms_have_no_english_fields_and_keep_what_is_in_them(office: Client) -> None:
    addresses = [f"/admin/programme/{each}/" for each in FORMS]
    say(alone=False)
    for address in addresses:
        assert any(each.endswith("_en") for each in read_names(office, address)), address
    say(alone=True)
    for address in addresses:
        assert [each for each in read_names(office, address) if each.endswith("_en")] == [], address
    Location.objects.filter(pk=5001).update(accessibility_en="Ramp")
    form = "/admin/programme/location/5001/change/"
    office.post(form, submission(office.get(form)) | {"name": "Bibblan"})
    assert Location.objects.values_list("name", "accessibility_en").get(pk=5001) == ("Bibblan", "Ramp")


def test_what_is_in_english_alone_can_be_translated_or_removed(office: Client) -> None:
    say(alone=True)
    Event.objects.filter(pk=JAZZ).update(intro_sv="", intro_en="Jazz")
    names = read_names(office, f"/admin/programme/event/{JAZZ}/change/")
    assert [each for each in names if each.endswith("_en")] == ["intro_en"]
    preview = parse(office.get(f"/admin/programme/event/{JAZZ}/preview/"))
    assert [each["for"] for each in preview.select("[for^=language-]")] == ["language-sv"]


@pytest.mark.parametrize("of", ["eventtype", "occasionlist", "edition"])
def test_a_list_names_a_language_only_beside_the_other_one(office: Client, of: str) -> None:
    make_editions()
    OccasionList.objects.create(title_sv="Lördag")
    for alone in (False, True):
        say(alone=alone)
        heads = " ".join(map(str, parse(office.get(f"/admin/programme/{of}/?o=1")).select("#result_list th")))
        assert ("in Swedish" in heads) == ("in English" in heads) == (not alone and of != "edition")


@pytest.mark.parametrize("alone", [False, True])
def test_nothing_is_missing_in_english(office: Client, alone: bool) -> None:
    say(alone=alone)
    assert ("Missing in English" in office.get(reverse("admin:problems")).content.decode()) is not alone
