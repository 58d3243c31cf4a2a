"""Writing, previewing, publishing and duplicating an event in a real browser."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from programme.backoffice.roles import Role, assign_role
from programme.models import Event, Occasion
from tests.browser import PHONE, barriers, browser, in_a_browser, live_server, signed_in
from tests.programmes import DRAFT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    Event.objects.update(image_url="")
    return live_server.url


def window(browser: Any, site: str, role: Role, **options: Any) -> BrowserContext:
    user = User.objects.create_user(role.value.replace(" ", "-").replace(":", ""), is_staff=True)
    assign_role(user, role)
    return signed_in(browser, site, user, **{"locale": "en", **options})


def opened(context: BrowserContext, click: Any) -> Page:
    """Return the tab that a click opens."""
    with context.expect_page() as tab:
        click()
    tab.value.wait_for_load_state()
    return tab.value


def test_an_event_is_written_looked_at_and_published(browser, site):
    context = window(browser, site, Role.CHIEF_EDITOR)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}add/")
    page.fill("#id_title", "Kvällsdopp")
    page.select_option("#id_area", label="Ångtorget")
    page.fill("#id_occasions-0-day", "2026-07-30")
    page.fill("#id_occasions-0-start_time", "19.30")

    refused = opened(context, lambda: page.get_by_role("button", name="Preview").click())
    expect(refused.locator(".refused")).to_contain_text("Occasion 1, End: This field is required.")
    refused.close()

    page.fill("#id_occasions-0-end_time", "21")
    preview = opened(context, lambda: page.get_by_role("button", name="Preview").click())
    frame = preview.frame_locator(".in-en iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_text("Kvällsdopp")
    expect(frame.locator(".when")).to_contain_text("19:30–21:00")
    assert not Event.objects.filter(title="Kvällsdopp").exists()
    preview.close()

    # What was typed is still there.
    expect(page.locator("#id_title")).to_have_value("Kvällsdopp")
    page.get_by_role("button", name="Publish").click()
    expect(page.locator(".messagelist")).to_contain_text("Published, and readers see it:")
    occasion = Occasion.objects.get(event__title="Kvällsdopp")
    assert page.request.get(f"{site}/en/occasion/{occasion.pk}").status == 200

    page.goto(f"{site}{EVENTS}{occasion.event_id}/change/")
    page.get_by_role("button", name="Withdraw").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Withdrawn, and readers do not see it any more:")
    assert page.request.get(f"{site}/en/occasion/{occasion.pk}").status == 410
    context.close()


def test_the_tabs_of_the_preview_work_by_keyboard_and_without_scripts(browser, site):
    context = window(browser, site, Role.EDITOR, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}{DRAFT}/preview/")
    texts = page.locator(".preview pre:visible, .preview iframe:visible")
    expect(texts).to_have_count(1)
    page.get_by_role("radio", name="Page").focus()
    page.keyboard.press("ArrowRight")
    expect(texts).to_contain_text('"title":"Utkast"')
    page.get_by_role("radio", name="iCalendar", exact=True).focus()
    page.keyboard.press("Space")
    expect(texts).to_contain_text("SUMMARY")
    expect(texts).to_have_count(1)
    page.get_by_role("radio", name="Svenska").focus()
    page.keyboard.press("Space")
    expect(texts).to_contain_text("X-WR-CALNAME:Kulturnatten")
    context.close()


def test_the_copy_opens_beside_what_was_typed(browser, site):
    context = window(browser, site, Role.EDITOR)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}{DRAFT}/change/")
    assert page.get_by_role("button", name="Publish").count() == 0
    page.fill("#id_price", "50 kr")
    copy = opened(context, lambda: page.get_by_role("button", name="Duplicate", exact=True).click())
    expect(copy.locator(".messagelist")).to_contain_text("This is the copy of Utkast. It is a draft.")
    expect(copy.locator("#id_title")).to_have_value("Utkast")
    expect(copy.locator("#id_occasions-0-start_time")).to_have_value("16:00")
    expect(copy.locator("#id_price")).to_have_value("")
    expect(page.locator("#id_price")).to_have_value("50 kr")
    context.close()


def test_what_must_stay_of_a_picture_is_clicked_or_moved_by_keyboard(browser, site, tmp_path):
    picture = tmp_path / "bild.png"
    Image.new("RGB", (300, 200)).save(picture)
    context = window(browser, site, Role.EDITOR)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}{DRAFT}/change/")
    # There is no picture yet.
    expect(page.locator(".focal-stage")).to_be_hidden()
    page.set_input_files("#id_image", picture)
    page.locator(".focal-picture img").click(position={"x": 60, "y": 150})
    assert [page.input_value("#id_image_focus_x"), page.input_value("#id_image_focus_y")] == ["20", "75"]
    for key in (
        "ArrowRight",
        "Shift+ArrowUp",
        "Shift+ArrowLeft",
        "Shift+ArrowLeft",
        "Shift+ArrowLeft",
        "ArrowDown",
    ):
        page.keyboard.press(key)
    expect(page.locator(".focal-crop.wide")).to_have_css("object-position", "0% 66%")
    page.get_by_role("button", name="Save as draft").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    event = Event.objects.get(pk=DRAFT)
    assert (event.image_focus_x, event.image_focus_y) == (0, 66)
    preview = context.new_page()
    preview.goto(f"{site}{EVENTS}{DRAFT}/preview/")
    image = preview.frame_locator(".in-en iframe").locator("figure img")
    expect(image).to_have_css("object-position", "0% 66%")
    context.close()


def test_a_picture_in_a_form_that_is_refused_is_chosen_once(browser, site, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    picture = tmp_path / "bild.png"
    Image.new("RGB", (30, 20)).save(picture)
    context = window(browser, site, Role.EDITOR, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}add/")
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
