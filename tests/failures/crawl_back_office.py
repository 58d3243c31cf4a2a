"""Every address of the back office, as each role, under `manage.py serve` and PostgreSQL.

This takes minutes: `make crawl` runs it, and no other run collects it. The short form is
`tests/programme/backoffice/test_crawl.py`.
"""

import re
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from programme.backoffice.roles import Role
from tests.failures.cluster import Cluster
from tests.failures.service import Service, connect, create_festival
from tests.programme.backoffice.crawler import Page, crawl, list_sortings

DATABASE = "crawled"
# One in English: the other language takes as long again, and leads to the same addresses.
VISITS = [
    ("superuser", "en"),
    *((name, "sv") for name in ("superuser", *(role.name.lower() for role in Role))),
]
SORT_LINK = re.compile(r'href="\?o=-?(\d+)')


@pytest.fixture(scope="module")
def crawled(_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The running service, and by name each user's session and import."""
    directory = tmp_path_factory.mktemp("crawled")
    _cluster.run(f"CREATE DATABASE {DATABASE}")
    users = create_festival("crawled_festival", directory, _cluster.url(DATABASE))
    service = Service(directory, _cluster, DATABASE)
    service.start_by_command()
    yield service, users
    service.stop()


class Visitor:
    """A logged-in browser, which finds out by which columns the lists are sorted."""

    def __init__(self, connection: HTTPConnection, session: str, language: str) -> None:
        self.connection = connection
        self.headers = {"Cookie": f"sessionid={session}", "Accept-Language": language}
        self.columns: dict[str, list[int]] = {}

    def get(self, address: str) -> Page:
        self.connection.request("GET", address, headers=self.headers)
        response = self.connection.getresponse()
        body = response.read()
        is_page = response.headers.get_content_type() == "text/html"
        page = Page(response.status, response.headers.get("Location", ""), body.decode() if is_page else "")
        url = urlsplit(address)
        if columns := {int(each) for each in SORT_LINK.findall(page.html)}:
            self.columns.setdefault(url.path, sorted(columns))
        return page

    def find_failed_sortings(self) -> list[str]:
        addresses = [
            f"{path}?o={order}" for path, columns in self.columns.items() for order in list_sortings(columns)
        ]
        return [address for address in addresses if self.get(address).status != 200]


@pytest.mark.parametrize(("name", "language"), VISITS)
def test_no_link_leads_to_an_error(
    crawled: tuple[Service, dict[str, dict[str, str]]], name: str, language: str, record_property: Any
) -> None:
    service, users = crawled
    with closing(connect(service.port)) as connection:
        visitor = Visitor(connection, users[name]["session"], language)
        done = crawl(visitor.get, below=("/admin/", "/static/", "/media/"), also=[users[name]["import"]])
        record_property("addresses", len(done.visited))
        assert done.faults == []
        assert visitor.find_failed_sortings() == []
    assert "Traceback" not in service.log()
    assert "ERROR" not in service.log()
