"""An edit conflict, and restoring an earlier version, in a real browser."""

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from PIL import Image
from playwright.sync_api import Page, expect

from programme.backoffice.roles import Role, assign_role
from programme.history import edits
from programme.models import Event, Occasion
from tests.browser import DESKTOP, PHONE, barriers, browser, in_a_browser, live_server, signed_in, thorough
from tests.conftest import NOW
from tests.programmes import JAZZ, NIGHT

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"
FORM = f"{EVENTS}{NIGHT}/change/"


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    Event.objects.update(image_url="")
    return live_server.url


def chief(name: str, **details: str) -> User:
    user = User.objects.create_user(name, is_staff=True, **details)
    assign_role(user, Role.CHIEF_EDITOR)
    return user


def others_save(**values: Any) -> None:
    bo = User.objects.filter(username="bo").first() or chief("bo", first_name="Bo", last_name="Ek")
    with edits.record(bo, NOW):
        Event.objects.filter(pk=NIGHT).update(**values)


def stored_image(name: str, color: str) -> str:
    content = io.BytesIO()
    Image.new("RGB", (160, 90), color).save(content, "PNG")
    return default_storage.save(f"events/{name}", content)


def in_the_midst(page: Page, site: str) -> None:
    """Fill in the form, and submit it after another has saved."""
    page.goto(f"{site}{FORM}")
    page.fill("#id_title", "Nattens poesi")
    page.fill("#id_intro_sv", "Dikter i mörkret, med ljud och ljus från hamnen.")
    page.fill("#id_occasions-0-end_time", "03:30")
    intro = "Dikter i mörkret, med ljud från hamnen, och te."
    others_save(title="Natten", price="70 kr", intro_sv=intro)
    page.locator("[name=_save]:visible").last.click()


def test_two_meet_and_one_chooses(browser, site):
    others_save(intro_sv="Dikter i mörkret, med ljud från hamnen.")
    context = signed_in(browser, site, chief("anna"), locale="en", viewport=DESKTOP)
    page = context.new_page()
    in_the_midst(page, site)
    expect(page.get_by_role("heading", level=1)).to_have_text("Someone else has saved this meanwhile")
    expect(page.get_by_role("status")).to_contain_text("Bo Ek")
    look_at(page, DESKTOP)

    # Nothing is chosen for one where both have changed the same.
    page.get_by_role("button", name="Save what is chosen").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Someone else has saved this meanwhile")
    assert Event.objects.get(pk=NIGHT).title == "Natten"

    title = page.get_by_role("group", name="Title")
    title.get_by_role("radio", name="Theirs").focus()
    page.keyboard.press("Space")
    page.get_by_role("group", name="Intro in Swedish").get_by_role("radio", name="Yours").check()
    page.get_by_role("button", name="Save what is chosen").click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    event = Event.objects.get(pk=NIGHT)
    assert (event.title, event.price) == ("Natten", "70 kr")
    assert event.intro_sv == "Dikter i mörkret, med ljud och ljus från hamnen."
    context.close()


@pytest.mark.parametrize("screen", [(DESKTOP, "light", "en"), *thorough((PHONE, "dark", "sv-SE"))])
def test_earlier_versions_and_deleted_rows_are_restored(browser, site, screen):
    viewport, scheme, locale = screen
    before = Event.objects.get(pk=NIGHT).title
    for name, color in [("hamnen.png", "steelblue"), ("scenen.png", "darkorange")]:
        others_save(image=stored_image(name, color))
    others_save(title="Natten")
    user = chief("anna", first_name="Anna", last_name="Åberg")
    context = signed_in(browser, site, user, viewport=viewport, color_scheme=scheme, locale=locale)
    page = context.new_page()
    page.goto(f"{site}{EVENTS}{NIGHT}/history/")
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
    address = f"{site}/en/occasion/{Occasion.objects.filter(event=JAZZ).earliest('pk').pk}"
    with edits.record(user, NOW):
        Event.objects.get(pk=JAZZ).delete()
    assert page.request.get(address).status == 410
    page.goto(f"{site}{EVENTS}deleted/")
    look_at(page, viewport)
    page.locator("a.bring-back").click()
    page.locator("input[type=submit].default").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert page.request.get(address).status == 200
    context.close()


def look_at(page: Page, viewport: Any) -> None:
    page.wait_for_load_state("networkidle")
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
