"""From the start page to a problem, to the field where it is fixed, and back: the problem is gone."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from programme.backoffice.problems.accepted import accept
from programme.backoffice.problems.survey import build_survey
from programme.models import Event, Occasion
from tests.browser import PHONE, barriers, in_a_browser, signed_in
from tests.conftest import NOW
from tests.programmes import CLOCKS, JAZZ

pytestmark = in_a_browser


@pytest.fixture
def site(browser, transactional_db, sample, at, live_server) -> str:
    # What lies on other hosts is not there in a test.
    Event.objects.update(image_url="")
    return live_server.url


def open_office(browser, site: str, **options: object) -> Page:
    """Return Anna's browser on the start page."""
    anna = User.objects.get_or_create(username="anna", is_staff=True, is_superuser=True)[0]
    # Playwright's waiting evaluates text, which the back office's policy forbids.
    page = signed_in(browser, site, anna, bypass_csp=True, **options).new_page()
    page.goto(f"{site}/admin/")
    return page


def save(page: Page) -> None:
    page.click("[name=_save]")
    page.wait_for_selector(".messagelist .success")


def test_problems_are_mended_from_the_start_page(browser, site) -> None:
    page = open_office(browser, site, locale="en-GB")
    clash = page.get_by_role("region", name="Double-booked places")
    assert "Biblioteket, Sal 2" in clash.inner_text()
    clash.get_by_role("link", name="När klockan ställs om").click()
    # The cursor stands in the field, ready to type over what is there.
    page.wait_for_function("document.activeElement?.id === 'id_occasions-1-start_time'")
    page.wait_for_function("document.activeElement.selectionEnd === 5")
    page.keyboard.type("17:00")
    page.fill("#id_occasions-1-end_time", "18:00")
    save(page)
    # Back at the list of problems.
    assert page.url.partition("#")[0] == f"{site}/admin/"
    assert clash.count() == 0
    assert page.get_by_role("heading", name="Problems", exact=False).first.inner_text() == "Problems 13"
    assert Occasion.objects.get(id=8014).start.hour == 15
    # It says who did it.
    assert "När klockan ställs om" in page.get_by_role("region", name="Changes").inner_text()
    # A location is fixed in a field that searches.
    page.get_by_role("region", name="No location").get_by_role("link", name="Bara en titel").click()
    page.wait_for_function("document.activeElement?.classList.contains('select2-selection')")
    page.context.close()


def test_the_pages_fit_and_complain_of_nothing(browser, site) -> None:
    Event.objects.filter(id__in=(JAZZ, CLOCKS)).update(title="å" * 300)
    page = open_office(browser, site, viewport=PHONE, color_scheme="dark")
    clashes = [one for one in build_survey().problems if one.kind.key == "double-booked"]
    accept(clashes, User.objects.get(username="anna"), "å" * 300, NOW)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for path in ("/admin/", "/admin/problems/?when=all", "/admin/problems/?when=all&accepted=on"):
        page.goto(f"{site}{path}")
        page.wait_for_load_state("networkidle")
        assert complaints == []
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert barriers(page) == []
    page.context.close()
