"""The back office on the screen of an editor."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page

from tests.browser import signed_in


def open_page(browser: Browser, site: str, user: User, **options: Any) -> Page:
    """Return a page on which a user is signed in; addresses are those of the site, and no script may fail."""
    context = signed_in(browser, site, user, **{"locale": "en-GB", "base_url": site, **options})
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    return page


def save(page: Page) -> None:
    """Save the form, which leads to a message."""
    page.locator("[name=_save]:visible").last.click()
    page.locator(".messagelist .success").first.wait_for()
