"""Windows on the pages of the sample that complain about complaints."""

import re

import pytest

from programme import models
from tests.browser import DESKTOP

# Requests that tests keep from being answered, and answers that say so by their status.
EXPECTED = re.compile("blocked by Playwright|status of 410|status of 422|ERR_INTERNET_DISCONNECTED")


@pytest.fixture
def site(transactional_db, sample, at, live_server, settings) -> str:
    models.Event.objects.update(image_url="")
    # What pages say of themselves leads to the server of the test.
    settings.BASE_URL = live_server.url
    return live_server.url


@pytest.fixture
def window(browser, site, request):
    """Open a window that complains about complaints; `javascript` and the like are Playwright's options."""
    opened = []

    def open_window(**options):
        context = browser.new_context(**{"viewport": DESKTOP, "service_workers": "block", **options})
        page = context.new_page()
        # A test that expects some clears them.
        complaints = page.complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(message.text)
                if message.type == "error" and not EXPECTED.search(message.text)
                else None
            ),
        )
        opened.append((context, complaints))
        return page

    yield open_window
    for context, complaints in opened:
        context.close()
        assert complaints == []
