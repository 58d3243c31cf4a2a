"""A form that is refused keeps the picture that was chosen in it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import Browser, expect

from programme.models import Event
from tests.browser import PHONE, barriers, browser, in_a_browser, live_server, signed_in

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


@pytest.mark.usefixtures("transactional_db", "sample", "at")
def test_a_picture_is_chosen_once(
    browser: Browser, live_server: Any, anna: User, settings: Any, tmp_path: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    picture = tmp_path / "bild.png"
    Image.new("RGB", (30, 20)).save(picture)
    context = signed_in(browser, live_server.url, anna, locale="en", viewport=PHONE, base_url=live_server.url)
    page = context.new_page()
    page.goto("/admin/programme/event/add/")
    page.select_option("#id_area", label="Ångtorget")
    page.set_input_files("#id_image", picture)
    page.get_by_role("button", name="Save as draft").click()
    expect(page.locator(".errornote")).to_be_visible()
    expect(page.get_by_label("“bild.png” is still chosen, and saved with the rest.")).to_be_checked()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.fill("#id_title", "Kvällsdopp")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    assert bool(Event.objects.get(title="Kvällsdopp").image)
    context.close()
