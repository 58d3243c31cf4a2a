"""What the page of a day submits."""

from typing import Any

from django.test import Client

from tests.programme.backoffice.timetable.reading import DAY, page

Response = Any


def seen(office: Client, occasion: int, address: str = DAY) -> str:
    return str(page(office, address).select_one(f'[data-occasion="{occasion}"]')["data-seen"])


def drop(office: Client, occasion: int, address: str = DAY, **fields: Any) -> Response:
    as_seen = fields.pop("seen", None) or seen(office, occasion, address)
    return office.post(address, {"occasion": occasion, "seen": as_seen} | fields)


def add(office: Client, address: str = DAY, **fields: Any) -> Response:
    return office.post(address, {"minute": 18 * 60, "minutes": 60, "column": "r6002"} | fields)


def undo(office: Client, written: Response, address: str = DAY) -> Response:
    return office.post(address, {"undo": written.json()["undo"]})
