"""The handbook in the back office, in both languages and with its pictures."""

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

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "handbook"
CATALOGUE = ROOT / "locale/sv/LC_MESSAGES/django.po"
# Whatever stands in a text of the catalogues for a name, a number or a time.
_PLACEHOLDER = re.compile(r"%\\\(\w+\\\)[sd]|\\{\w*\\}")
# A text that is longer holds words, too.
_LONGEST_PLACEHOLDER = 14
# What four printed pages hold, beside their pictures.
MOST_WORDS = 1650


@pytest.mark.parametrize(
    ("language", "title"), [("sv", "Handbok för redaktörer"), ("en", "Handbook for editors")]
)
def test_the_handbook_is_read_in_the_editors_language(office: Client, language: str, title: str) -> None:
    page = office.get("/admin/handbook/", headers={"Accept-Language": language})
    text = BeautifulSoup(page.content.decode(), "lxml").select_one(".handbook")
    assert page.context["title"] == title
    written = (FOLDER / f"{language}.md").read_text()
    assert [each.text for each in text.select("h2")] == re.findall(r"^## (.*)$", written, re.MULTILINE)
    pictures = [each["src"] for each in text.select("img")]
    assert len(pictures) == written.count("![")
    assert all(each["alt"] for each in text.select("img"))
    missing = [each for each in pictures if not finders.find(each.removeprefix("/static/"))]
    assert missing == []


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_handbook_is_short(language: str) -> None:
    assert len((FOLDER / f"{language}.md").read_text().split()) < MOST_WORDS


@pytest.mark.parametrize("language", ["sv", "en"])
def test_what_the_handbook_names_is_called_so_on_the_screens(language: str) -> None:
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


def _fold(text: str) -> str:
    return text.strip(" .:…").lower()


def test_every_screen_of_the_back_office_leads_to_the_handbook(office: Client) -> None:
    for path in ("", "programme/event/", "programme/area/add/"):
        page = BeautifulSoup(office.get(f"/admin/{path}").content.decode(), "lxml")
        assert page.select_one(".main-nav a[href='/admin/handbook/']").text == "Handbook"


def test_the_handbook_is_for_those_who_may_sign_in(client: Client, db: Any) -> None:
    assert client.get("/admin/handbook/").status_code == 302
    client.force_login(User.objects.create_user("visitor"))
    assert client.get("/admin/handbook/").status_code == 302
