"""The back office has the festival's name and colour, which can be read whatever was chosen."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from festival import clock
from festival.wsgi import development
from programme.models import Festival
from programme.publishing.current import current
from tests.wsgi import send_request


@pytest.mark.parametrize(("language", "name"), [("sv", "Stadsfesten"), ("en", "The City Festival")])
def test_pages_have_the_festivals_name_and_colour(
    sample: None, office: Client, language: str, name: str
) -> None:
    Festival.objects.update(name_sv="Stadsfesten", name_en="The City Festival", color="#005f9e")
    current.clear()
    current.at(clock.now())
    response = office.get("/admin/", headers={"Accept-Language": language})
    page = BeautifulSoup(response.content.decode(), "lxml")
    assert page.select_one("#site-name").text == name
    assert page.title.string.strip().endswith(f"| {name}")
    (style,) = page.select("style")
    assert "--accent:light-dark(#005f9e," in style.string
    assert f"'nonce-{style['nonce']}'" in response["Content-Security-Policy"]


def test_a_process_without_a_programme_asks_nothing_for_it(
    sample: None, office: Client, django_assert_num_queries: Any
) -> None:
    current.clear()
    page = BeautifulSoup(office.get("/admin/handbook/").content.decode(), "lxml")
    assert page.select_one("#site-name").text in {"Festivalprogram", "Festival programme"}
    assert page.select("style") == []


def test_the_development_server_loads_the_name_with_the_first_page(sample: None) -> None:
    Festival.objects.update(name_sv="Stadsfesten")
    current.clear()
    response = send_request(development, "/admin/login/", "GET", accept_language="sv")
    assert BeautifulSoup(response.body, "lxml").select_one("#site-name").text.strip() == "Stadsfesten"


@pytest.mark.parametrize(
    "path", ["programme/event/", "programme/occasion/", "problems/", "changes/", "import/", "handbook/"]
)
def test_the_navigation_says_where_one_is(sample: None, office: Client, path: str) -> None:
    page = BeautifulSoup(office.get(f"/admin/{path}").content.decode(), "lxml")
    assert [each["href"] for each in page.select(".main-nav [aria-current]")] == [f"/admin/{path}"]
