"""A file that names no area: the page asks for one."""

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from programme.backoffice.roles import Role
from programme.models import (
    Area,
    Event,
    Location,
    Upload,
)
from tests.programme.backoffice.imports.pages import (
    apply_preview,
    create_user_in_role,
    read_upload,
    show_preview,
    upload,
)

pytestmark = pytest.mark.django_db


WITHOUT_AREA = b"Titel;Datum;Start;Slut\nFest;2026-09-12;19;20\n"


def upload_without_area(client: Client) -> str:
    """Upload a file that says no area, and return where the page asks for it."""
    address = upload(client, WITHOUT_AREA)["Location"]
    done = client.get(client.post(f"{address}read/")["Location"], follow=True)
    assert done.redirect_chain[-1][0] == f"{address}area/"
    return address


def test_a_file_without_an_area_is_asked_for_one_that_is_there(client):
    parken = Area.objects.create(name="Parken")
    address = upload_without_area(client)
    assert "Choose an area, or name a new one." in client.post(f"{address}area/").content.decode()
    both = client.post(f"{address}area/", {"area": parken.pk, "new": "Hamnen"})
    assert "Choose an area, or name a new one." in both.content.decode()
    client.post(f"{address}area/", {"area": parken.pk})
    page = read_upload(client, address)
    assert "Events without an area: Parken." in page.content.decode()
    apply_preview(client, page)
    assert list(Event.objects.values_list("title", "area__name", "location")) == [("Fest", "Parken", None)]
    assert (Area.objects.count(), Location.objects.count()) == (1, 0)
    # What came before says it of what comes now.
    assert show_preview(client, WITHOUT_AREA).context["folded"] == 1


def test_a_festival_without_areas_names_its_first(client):
    address = upload_without_area(client)
    page = BeautifulSoup(client.get(f"{address}area/").content, "lxml")
    assert [each.get_text() for each in page.select("main label")] == ["Name of the area:"]
    assert "Choose an area, or name a new one." in client.post(f"{address}area/").content.decode()
    client.post(f"{address}area/", {"new": "Alfa"})
    apply_preview(client, read_upload(client, address))
    assert list(Event.objects.values_list("title", "area__name")) == [("Fest", "Alfa")]


def test_an_area_editor_chooses_among_their_areas(client):
    for name in ("Parken", "Hamnen"):
        Area.objects.create(name=name)
    client.force_login(create_user_in_role(Role.AREA_EDITOR, "Parken"))
    address = upload_without_area(client)
    page = BeautifulSoup(client.get(f"{address}area/").content.decode(), "lxml")
    assert [option.get_text() for option in page.select("select option")] == ["– choose –", "Parken"]
    assert page.select("input[name=new]") == []
    client.post(f"{address}area/", {"area": Area.objects.get(name="Hamnen").pk, "new": "Annan"})
    assert Upload.objects.get().options.get("otherwise") is None
