"""The page of a day as people read it, and what it submits."""

import re
from typing import Any

from bs4 import BeautifulSoup, Tag
from django.test import Client

from programme.models import Event, Occasion
from tests.programme.backoffice.requests import parse, words
from tests.programmes import BARE, DRAFT, utc

Response = Any
DAY = "/admin/timetable/2026-07-29/"
# Of BARE, without a place.
BARE_AT_FOUR = 8013


def page(office: Client, address: str = DAY, **chosen: Any) -> BeautifulSoup:
    response = office.get(address, chosen)
    assert response.status_code == 200
    return parse(response)


def occasions(read: BeautifulSoup, where: str = "ol") -> list[tuple[str, str, str, str]]:
    """Return time, title, marks and place of each occasion, in the order in which they are read."""
    return [
        (
            each.select_one(".when").get_text(),
            *(words(each.select_one(part)) for part in ("strong", ".marks", ".where")),
        )
        for each in read.select(f"{where} > .occasion")
    ]


def titles(read: BeautifulSoup) -> list[str]:
    return [title for _time, title, _marks, _where in occasions(read)]


def heads(read: BeautifulSoup, row: str) -> list[str]:
    return [words(each) for each in read.select(f".{row} .head")]


def declarations(read: BeautifulSoup, tag: Tag | None) -> list[str]:
    """Return the declarations of an element's classes in the page's own style element."""
    rules = dict(re.findall(r"#timetable \.(\w+)\{([^}]*)\}", read.select_one("#timetable > style").string))
    return [rules[name] for name in (tag["class"] if tag else []) if name in rules]


def seen(office: Client, occasion: int, address: str = DAY) -> str:
    return str(page(office, address).select_one(f'[data-occasion="{occasion}"]')["data-seen"])


def drop(office: Client, occasion: int, address: str = DAY, **fields: Any) -> Response:
    as_seen = fields.pop("seen", None) or seen(office, occasion, address)
    return office.post(address, {"occasion": occasion, "seen": as_seen} | fields)


def add(office: Client, address: str = DAY, **fields: Any) -> Response:
    return office.post(address, {"minute": 18 * 60, "minutes": 60, "column": "r6002"} | fields)


def undo(office: Client, written: Response, address: str = DAY) -> Response:
    return office.post(address, {"undo": written.json()["undo"]})


def unplace() -> None:
    """Leave a draft without an occasion and an occasion without a place on another day, and nothing else."""
    Event.objects.filter(occasions=None).delete()
    Occasion.objects.filter(event=BARE, start__gt=utc(2026, 7, 30)).delete()
    Occasion.objects.filter(event=DRAFT).delete()
    Occasion.objects.filter(pk=BARE_AT_FOUR).update(start=utc(2026, 8, 3, 14), end=utc(2026, 8, 3, 15))
