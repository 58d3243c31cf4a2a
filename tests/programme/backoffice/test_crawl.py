"""No link of the back office leads to an error, and every list can be sorted by every column."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import storages
from django.http import QueryDict
from django.test import Client, RequestFactory, override_settings

from tests.conftest import NOW, SetClock
from tests.programme.backoffice.crawler import Page, crawl, list_sortings
from tests.programme.backoffice.rights.people import office_of

pytestmark = pytest.mark.usefixtures("sample")


class StrictStorage(StaticFilesStorage):
    """Raises an error for a file that does not exist, as the storage of collected files does."""

    def url(self, name: str) -> str:
        found = finders.find(name)
        if not found or not Path(found).is_file():
            raise ValueError(f"Missing static file: {name!r}")
        return super().url(name)


@pytest.fixture(autouse=True)
def _strict_static_files(at: SetClock) -> Iterator[None]:
    at(NOW)
    backend = {"BACKEND": f"{StrictStorage.__module__}.{StrictStorage.__name__}"}
    with override_settings(STORAGES={"default": storages.backends["default"], "staticfiles": backend}):
        yield


def visit(client: Client, address: str, language: str) -> Page:
    answer: Any = client.get(address, headers={"Accept-Language": language})
    is_page = answer.get("Content-Type", "").startswith("text/html") and not answer.streaming
    html = answer.content.decode() if is_page else ""
    # The title of Jazz looks like markup.
    assert "<b>fest</b>" not in html, address
    return Page(answer.status_code, answer.get("Location", ""), html)


def make_superuser() -> User:
    return User.objects.create_superuser("root")


# What each role may open is in rights/test_pages.py.
def test_no_link_leads_to_an_error() -> None:
    client = office_of(make_superuser())
    done = crawl(lambda address: visit(client, address, "sv"))
    assert done.faults == []
    assert len(done.visited) > 60


def test_no_link_leads_to_an_error_before_signing_in(client: Client) -> None:
    done = crawl(lambda address: visit(client, address, "en"))
    assert done.faults == []
    assert done.visited[:2] == ["/admin/", "/admin/login/?next=/admin/"]


@pytest.mark.parametrize("model_admin", admin.site._registry.values(), ids=str)
def test_a_list_has_every_sorting_by_one_column_or_two_and_every_filter(model_admin: ModelAdmin) -> None:
    request: Any = RequestFactory().get("/")
    request.user, request.instant = make_superuser(), NOW
    listed = model_admin.get_changelist_instance(request)
    columns = [
        number
        for number, name in enumerate(listed.list_display)
        if listed.get_ordering_field(name) is not None
    ]
    filters = [choice["query_string"] for each in listed.filter_specs for choice in each.choices(listed)]
    for query in [*(f"?o={each}" for each in list_sortings(columns)), *filters]:
        request.GET = QueryDict(query.removeprefix("?"))
        changed = model_admin.get_changelist_instance(request)
        assert len(changed.result_list[:3]) <= 3
