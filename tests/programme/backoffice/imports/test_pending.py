"""Imports that were begun stay on the page of importing until they are carried out or given up."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from programme.backoffice.imports import uploads
from programme.models import Event, Upload
from tests.programme.backoffice.imports.pages import (
    ROWS,
    build_sheet,
    messages_on,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


def list_begun(page: Any) -> list[tuple[str, str]]:
    """Return what stands on the page of importing: the names of files, and what they would do."""
    found = BeautifulSoup(page.content.decode(), "lxml").select("[aria-labelledby=pending] li")
    return [(each.select_one("a").text, " ".join(each.select_one(".samples").text.split())) for each in found]


def test_a_new_upload_leaves_the_one_before_and_both_are_found_again(client: Client) -> None:
    assert list_begun(client.get("/admin/import/")) == []
    first = show_preview(client, build_sheet(*ROWS, "Trasig;Parken;;igår;19;20;"), source="one")
    upload(client, build_sheet(*ROWS[:1]), name="later.csv", source="two")
    page = client.get("/admin/import/")
    assert list_begun(page) == [
        ("later.csv", "not looked at yet"),
        ("programme.csv", "New: 2 · Refused: 1"),
    ]
    address = BeautifulSoup(page.content.decode(), "lxml").select("[aria-labelledby=pending] li a")[1]["href"]
    assert address == first.redirect_chain[-1][0]
    # Nobody else sees them.
    other = Client()
    other.force_login(User.objects.create_superuser("bo"))
    assert list_begun(other.get("/admin/import/")) == []
    client.post(f"{address}apply/", {"apply": "1"})
    assert set(Event.objects.values_list("title", flat=True)) == {"Fest", "Konsert"}
    assert list_begun(client.get("/admin/import/")) == [("later.csv", "not looked at yet")]
    later = BeautifulSoup(client.get("/admin/import/").content, "lxml").select_one(
        "[aria-labelledby=pending] li a"
    )
    done = client.post(f"{later['href']}apply/", {"discard": "1"}, follow=True)
    assert (messages_on(done), list_begun(done)) == (["Nothing was imported."], [])


def test_the_list_is_one_query_whatever_the_files_hold(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = User.objects.get()
    for number in range(3):
        Upload.objects.create(user=user, name=f"{number}.csv", content=b"x" * 1000, options={})
    with django_assert_num_queries(1) as queries:
        assert len(uploads.list_pending(user)) == 3
    assert '"content"' not in queries[0]["sql"]
