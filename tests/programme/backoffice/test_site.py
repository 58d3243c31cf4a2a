"""The frame of the back office: its look, search boxes, and the handbook in it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib
import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client

from feeds.facts import FACTS
from festival import __version__, clock, threads
from festival.wsgi import development
from programme.models import Area, Event, EventType, Festival, Occasion, Organizer
from programme.publishing.current import current
from tests.programme.backoffice.requests import parse
from tests.programmes import utc
from tests.wsgi import send_request


def test_editors_see_which_version_this_is_and_nobody_else(office):
    version = f'<p class="version">Festival programme {__version__}</p>'
    assert version in office.get("/admin/").content.decode()
    assert __version__ not in Client().get("/admin/login/").content.decode()


@pytest.mark.parametrize(("language", "name"), [("sv", "Stadsfesten"), ("en", "The City Festival")])
def test_pages_have_the_festivals_name_and_colour(sample, office, language, name):
    Festival.objects.update(name_sv="Stadsfesten", name_en="The City Festival", color="#005f9e")
    current.clear()
    current.at(clock.now())
    response = office.get("/admin/", headers={"Accept-Language": language})
    page = parse(response)
    assert page.select_one("#site-name").text == name
    assert page.title.string.strip().endswith(f"| {name}")
    (style,) = page.select("style")
    assert "--accent-light:#005f9e;" in style.string
    assert f"'nonce-{style['nonce']}'" in response["Content-Security-Policy"]


def test_a_process_without_a_programme_asks_nothing_for_it(sample, office, django_assert_num_queries):
    current.clear()
    page = parse(office.get("/admin/handbook/"))
    assert page.select_one("#site-name").text in {"Festivalprogram", "Festival programme"}
    assert page.select("style") == []


def test_the_development_server_loads_the_name_with_the_first_page(sample, open_connection, monkeypatch):
    started: list[str] = []
    monkeypatch.setattr(threads, "start", lambda name, _run: started.append(name))
    Festival.objects.update(name_sv="Stadsfesten")
    current.clear()
    response = send_request(development, "/admin/login/", "GET", accept_language="sv")
    assert BeautifulSoup(response.body, "lxml").select_one("#site-name").text.strip() == "Stadsfesten"
    send_request(development, "/admin/login/", "GET", accept_language="sv")
    # What is planned is carried out here.
    assert started == ["schedule"]


@pytest.mark.parametrize(
    ("path", "shown", "above"),
    [
        *((path, path, "") for path in ("programme/event/", "problems/", "changes/", "import/", "settings/")),
        ("programme/occasion/", "programme/event/", ""),
        ("news/", "changes/", ""),
        ("programme/event/export/", "settings/", ""),
        ("programme/location/", "settings/", "settings/"),
        ("programme/location/add/", "settings/", "programme/location/"),
    ],
)
def test_the_navigation_says_where_one_is(sample, office, path, shown, above):
    page = parse(office.get(f"/admin/{path}"))
    assert [each["href"] for each in page.select(".main-nav [aria-current]")] == [f"/admin/{shown}"]
    assert [each["href"] for each in page.select(".up a")] == [f"/admin/{above}"] * bool(above)


def test_settings_lead_to_each_register_that_the_user_may_see_and_to_the_export(sample, office, client):
    links = [each["href"] for each in parse(office.get("/admin/settings/")).select("#content-main a")]
    assert len(links) == len(set(links)) == 13
    assert {"/admin/programme/organizer/", "/admin/auth/user/", "/admin/programme/event/export/"} < {*links}
    client.force_login(User.objects.create_user("bo", is_staff=True))
    assert not parse(client.get("/admin/settings/")).select("#content-main a")


ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "handbook"
CATALOGUE = ROOT / "locale/sv/LC_MESSAGES/django.po"
# Whatever stands in a text of the catalogues for a name, a number or a time.
_PLACEHOLDER = re.compile(r"%\\\(\w+\\\)[sd]|\\{\w*\\}")
# A text that is longer holds words, too.
_LONGEST_PLACEHOLDER = 14
# What four printed pages hold, beside their pictures.
MOST_WORDS = 1700


@pytest.mark.parametrize(
    ("language", "title"), [("sv", "Handbok för redaktörer"), ("en", "Handbook for editors")]
)
def test_the_handbook_is_read_in_the_editors_language(office, language, title):
    page = office.get("/admin/handbook/", headers={"Accept-Language": language})
    text = parse(page).select_one(".handbook")
    assert page.context["title"] == title
    written = (FOLDER / f"{language}.md").read_text()
    assert [each.text for each in text.select("h2")] == re.findall(r"^## (.*)$", written, re.MULTILINE)
    pictures = [each["src"] for each in text.select("img")]
    assert len(pictures) == written.count("![")
    assert all(each["alt"] for each in text.select("img"))
    missing = [each for each in pictures if not finders.find(each.removeprefix("/static/"))]
    assert missing == []


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_handbook_is_short(language):
    assert len((FOLDER / f"{language}.md").read_text().split()) < MOST_WORDS


@pytest.mark.parametrize("language", ["sv", "en"])
def test_what_the_handbook_names_is_called_so_on_the_screens(language):
    texts = {_fold(text) for text in _list_texts(language)}
    # What follows a name in the same text explains it.
    texts |= {re.split(r" \(| … |: ", text)[0] for text in texts}
    written = (FOLDER / f"{language}.md").read_text()
    named = {_fold(" ".join(name.split())) for name in re.findall(r"\*\*([^*]+)\*\*", written)}
    # Each language is called by itself.
    unknown = named - texts - {"svenska", "english"}
    patterns = [_PLACEHOLDER.sub(".+", re.escape(text)) for text in texts if len(text) > _LONGEST_PLACEHOLDER]
    assert [name for name in unknown if not any(re.fullmatch(each, name) for each in patterns)] == []


def _list_texts(language: str) -> Iterator[str]:
    for entry in polib.pofile(CATALOGUE):
        if language == "en":
            yield from filter(None, (entry.msgid, entry.msgid_plural))
        else:
            yield from filter(None, (entry.msgstr, *entry.msgstr_plural.values()))
    buttons = (text for fact in FACTS for value in fact.values for text in (value.mark, value.lifted))
    yield from (text.within("sv" if language == "sv" else "en") for text in buttons)


def _fold(text: str) -> str:
    return text.strip(" .:…").lower()


ASKED = {"app_label": "programme", "model_name": "occasion", "field_name": "event"}


@pytest.fixture
def jazz(db: None) -> Event:
    return Event.objects.create(title="Jazz", area=Area.objects.create(name="Torget"), type=EventType.other())


def offer(office: Client, term: str) -> list[str]:
    answer = office.get("/admin/autocomplete/", ASKED | {"term": term}).json()
    return sorted(each["text"] for each in answer["results"])


def test_events_are_offered_with_when_and_whose_they_are(office, jazz):
    school = Organizer.objects.create(name="Kulturskolan")
    values: dict[str, Any] = {"title": "Öppen scen", "area": jazz.area, "type": jazz.type}
    first, second, _third = [
        Event.objects.create(**values, organizer=organizer) for organizer in (school, school, None)
    ]
    for day, event in ((30, first), (29, second), (31, second)):
        Occasion.objects.create(event=event, start=utc(2026, 7, day, 12), end=utc(2026, 7, day, 13))
    assert offer(office, "scen") == [
        "Öppen scen (Thu 30 Jul 14:00, Kulturskolan)",
        "Öppen scen (Torget)",
        "Öppen scen (Wed 29 Jul 14:00, Kulturskolan)",
    ]
    assert offer(office, "jazz") == ["Jazz (Torget)"]
