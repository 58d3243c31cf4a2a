"""Uploaded pictures in a real browser: few bytes, nothing moves, and highlights by keyboard."""

import io

import pytest
from django.core.files.base import ContentFile
from PIL import Image

from programme import models
from programme.backoffice.pictures import keep_sizes
from tests.browser import PHONE, barriers_in_both_widths, browser, in_a_browser, live_server
from tests.programmes import JAZZ

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server, settings, tmp_path) -> str:  # noqa: PLR0917 - fixtures
    """The sample with highlights, and a photo that weighs as much as a phone's."""
    settings.MEDIA_ROOT, settings.BASE_URL = tmp_path, live_server.url
    models.Event.objects.update(image_url="", highlighted=True)
    event, content = models.Event.objects.get(id=JAZZ), io.BytesIO()
    Image.effect_noise((2400, 1600), 60).convert("RGB").save(content, "JPEG", quality=90)
    event.image.save("jazz.jpg", ContentFile(content.getvalue()))
    keep_sizes(models.Event.objects.all())
    return live_server.url


@pytest.mark.parametrize("path", ["/tillfalle/8001", "/"])
def test_a_phone_gets_a_small_picture_and_nothing_moves(browser, site, path):
    context = browser.new_context(viewport=PHONE, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach(each => {"
        " window.moved += each.value })).observe({type: 'layout-shift', buffered: true})"
    )
    sent = {}
    page.on(
        "response",
        lambda response: (
            sent.update({response.url: len(response.body())}) if "/media/" in response.url else None
        ),
    )
    page.goto(f"{site}{path}", wait_until="networkidle")
    shown = page.locator("figure img, .band img").first
    assert shown.evaluate("each => each.complete && each.naturalWidth") > 0
    assert page.evaluate("window.moved") == 0
    original = models.Event.objects.get(id=JAZZ).image.size
    assert original > 1_500_000
    assert {url.rsplit("/", 1)[1] for url in sent} <= {"960.webp", "50-50-480.webp", "50-50-240.webp"}
    assert sum(sent.values()) < original / 4
    assert barriers_in_both_widths(page) == []
    context.close()


def test_highlights_are_reached_by_keyboard(browser, site):
    page = browser.new_page(viewport=PHONE)
    page.goto(site)
    band = page.locator(".band")
    assert band.evaluate("each => each.scrollWidth > each.clientWidth")
    last = band.locator("a").last
    for _press in range(60):
        page.keyboard.press("Tab")
        if last.evaluate("each => each === document.activeElement"):
            break
    box = last.bounding_box()
    assert 0 <= box["x"] < PHONE["width"]
    assert band.evaluate("each => each.scrollLeft") > 0
    page.close()
