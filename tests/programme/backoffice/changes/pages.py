"""The pages of the latest changes, as tests read and use them."""

import re
from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from programme.history import edits
from programme.models import Edit
from tests.conftest import NOW
from tests.programme.backoffice.requests import submission

CHANGES = "/admin/changes/"


def write(what: Callable[[], object], user: User | None = None, reason: str = "", detail: str = "") -> Edit:
    """Write in one batch; return its edit."""
    with edits.record(user, NOW, reason, detail):
        what()
    return Edit.objects.latest("pk")


def read(client: Client, address: str) -> BeautifulSoup:
    response = client.get(address)
    assert response.status_code == 200
    return BeautifulSoup(response.content.decode(), "lxml")


def text_of(element: Any) -> str:
    return re.sub(r"\s+", " ", element.get_text(" ", strip=True))


def list_changes(client: Client, query: str = "") -> list[str]:
    return [text_of(each) for each in read(client, CHANGES + query).select(".batches li > div > a")]


def list_rows(page: BeautifulSoup) -> list[str]:
    """Return the rows, each with what happens to it."""
    return [text_of(each) for each in page.select(".rows > li")]


def list_staying(page: BeautifulSoup) -> list[str]:
    return [text_of(each) for each in page.select(".staying li")]


def undo(client: Client, edit: Edit, **chosen: str) -> Any:
    """Confirm what the page shows; return the page that it leads to."""
    address = f"{CHANGES}{edit.pk}/undo/"
    return client.post(address, submission(client.get(address)) | chosen, follow=True)
