"""The pages of the latest changes, as tests read and use them."""

from collections.abc import Callable
from typing import Any

from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from programme.history import edits
from programme.models import Edit
from tests.conftest import NOW
from tests.programme.backoffice.requests import opened, submission, words

CHANGES = "/admin/changes/"


def write(what: Callable[[], object], user: User | None = None, reason: str = "", detail: str = "") -> Edit:
    """Write in one batch; return its edit."""
    with edits.record(user, NOW, reason, detail):
        what()
    return Edit.objects.latest("pk")


def list_changes(client: Client, query: str = "") -> list[str]:
    return [words(each) for each in opened(client, CHANGES + query).select(".batches li > div > a")]


def list_rows(page: BeautifulSoup) -> list[str]:
    """Return the rows, each with what happens to it."""
    return [words(each) for each in page.select(".rows > li")]


def list_staying(page: BeautifulSoup) -> list[str]:
    return [words(each) for each in page.select(".staying li")]


def undo(client: Client, edit: Edit, **chosen: str) -> Any:
    """Confirm what the page shows; return the page that it leads to."""
    address = f"{CHANGES}{edit.pk}/undo/"
    return client.post(address, submission(client.get(address)) | chosen, follow=True)
