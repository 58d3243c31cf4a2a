"""Restoring an earlier version and what was deleted, in a real browser."""

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from programme.history import edits
from programme.models import Event, Occasion
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, thorough
from tests.conftest import NOW
from tests.programme.backoffice.screens import open_page
from tests.programmes import JAZZ, NIGHT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


def others_save(**values: Any) -> None:
    bo, _created = User.objects.get_or_create(username="bo")
    with edits.record(bo, NOW):
        Event.objects.filter(pk=NIGHT).update(**values)


def stored_image(name: str, color: str) -> str:
    content = io.BytesIO()
    Image.new("RGB", (160, 90), color).save(content, "PNG")
    return default_storage.save(f"events/{name}", content)


@pytest.mark.parametrize("screen", [(DESKTOP, "light", "en"), *thorough((PHONE, "dark", "sv-SE"))])
def test_earlier_versions_and_deleted_rows_are_restored(
    browser: Browser, site: str, anna: User, screen: Any
) -> None:
    viewport, scheme, locale = screen
    before = Event.objects.get(pk=NIGHT).title
    for name, color in [("hamnen.png", "steelblue"), ("scenen.png", "darkorange")]:
        others_save(image=stored_image(name, color))
    others_save(title="Natten")
    page = open_page(browser, site, anna, viewport=viewport, color_scheme=scheme, locale=locale)
    page.goto(f"{EVENTS}{NIGHT}/history/")
    for image in page.locator(".changes img").all():
        image.scroll_into_view_if_needed()
        expect(image).to_have_js_property("naturalWidth", 160)
    page.evaluate("scrollTo(0, 0)")
    look_at(page, viewport)
    page.locator("a.bring-back").first.click()
    expect(page.locator(".step")).to_contain_text(before)
    look_at(page, viewport)
    page.locator("input[type=submit].default").click()
    expect(page.locator("#id_title")).to_have_value(before)
    address = f"/en/occasion/{Occasion.objects.filter(event=JAZZ).earliest('pk').pk}"
    with edits.record(anna, NOW):
        Event.objects.get(pk=JAZZ).delete()
    assert page.request.get(address).status == 410
    page.goto(f"{EVENTS}deleted/")
    look_at(page, viewport)
    page.locator("a.bring-back").click()
    page.locator("input[type=submit].default").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert page.request.get(address).status == 200
    page.context.close()


def look_at(page: Page, viewport: Any) -> None:
    page.wait_for_load_state("networkidle")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
