"""The API's page: Swagger UI, from this service alone, beside the description."""

import pytest
from bs4 import BeautifulSoup
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.usefixtures("sample", "at")


def test_it_loads_only_what_this_service_has(client: Client) -> None:
    response = client.get("/api/docs")
    page = BeautifulSoup(response.content.decode(), "lxml")
    loaded = [each.get("src") or each["href"] for each in page.select("script, [rel=stylesheet]")]
    assert len(loaded) == 5
    assert [each for each in loaded if not finders.find(each.removeprefix("/static/"))] == []
    assert page.select("script:not([src]), style, [style]") == []
    directives = dict(each.split(" ", 1) for each in response["Content-Security-Policy"].split("; "))
    assert directives["default-src"] == "'none'"
    assert {directives[each] for each in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert directives["img-src"] == "'self' https: data:"
    assert client.get(page.select_one("[rel=service-desc]")["href"]).json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("path", ["/utvecklare", "/en/developers"])
def test_it_is_linked_from_the_developers_page(client: Client, path: str) -> None:
    page = BeautifulSoup(client.get(path).content.decode(), "lxml")
    assert page.select_one("main a[href='/api/docs']")


def test_it_is_cached_as_the_other_pages(client: Client) -> None:
    etag = client.get("/api/docs")["ETag"]
    again = client.get("/api/docs", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.post("/api/docs").status_code == 405
