"""Fixtures for tests in a browser: the sample as readers know it, and the screens of an editor."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page

from programme.models import Event, News
from programme.models.dates import CURRENT_INSTANT
from tests.browser import PHONE, browser, live_server
from tests.conftest import NOW
from tests.programme.backoffice.screens import open_page

__all__ = ["browser", "live_server"]


@pytest.fixture(autouse=True)
def current_instant() -> Iterator[None]:
    """The instant of the requests, by which tests call rows what pages call them."""
    token = CURRENT_INSTANT.set(NOW)
    yield
    CURRENT_INSTANT.reset(token)


@pytest.fixture
def site(transactional_db: None, sample: None, at: Any, live_server: Any) -> str:
    """The address of the server, with the sample: nothing is marked as changed or fetched from afar."""
    Event.objects.update(image_url="")
    News.objects.all().delete()
    return str(live_server.url)


@pytest.fixture
def page(browser: Browser, site: str, anna: User) -> Iterator[Page]:
    shown = open_page(browser, site, anna)
    yield shown
    shown.context.close()


@pytest.fixture
def phone(browser: Browser, site: str, anna: User) -> Iterator[Page]:
    # What scrolls by itself would move what is being measured.
    options = {"viewport": PHONE, "has_touch": True, "reduced_motion": "reduce"}
    shown = open_page(browser, site, anna, **options)
    yield shown
    shown.context.close()
