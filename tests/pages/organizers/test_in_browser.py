"""From the link that an editor sends to what readers see, by way of an organizer with a phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.models import Event, News, Occasion
from tests.browser import DESKTOP, PHONE, barriers, in_a_browser, signed_in
from tests.conftest import NOW, SetClock
from tests.organizers import enter_path
from tests.programme.backoffice.images import photo
from tests.programmes import FORENINGEN, JAZZ, utc

pytestmark = in_a_browser


@pytest.fixture
def site(transactional_db: None, sample: None, at: SetClock, settings: Any, live_server: Any) -> str:
    at(NOW)
    settings.BASE_URL = live_server.url
    Event.objects.filter(pk=JAZZ).update(title="Jazz i parken")
    News.objects.all().delete()
    return str(live_server.url)


@pytest.fixture
def editor(site: str, browser: Browser) -> Iterator[Page]:
    options = {"viewport": DESKTOP, "locale": "en-GB", "base_url": site}
    page = signed_in(browser, site, User.objects.create_superuser("anna"), **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    page.context.close()


@pytest.fixture
def organizer(site: str, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, locale="sv-SE", color_scheme="dark", base_url=site)
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    context.close()


def has_no_barriers(page: Page) -> None:
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def get_link(editor: Page) -> str:
    editor.goto("/admin/programme/organizer/")
    editor.locator(f"input[name=_selected_action][value='{FORENINGEN}']").check()
    editor.locator("select[name=action]").select_option(label="Send links for corrections")
    editor.locator("button[name=index]").click()
    editor.get_by_role("button", name="Make links").click()
    link = editor.get_by_label("Föreningen Jazz", exact=True)
    expect(link).to_have_value(re.compile("/admin/organizer/"))
    has_no_barriers(editor)
    return link.input_value()


def correct(organizer: Page, link: str, picture: Path) -> None:
    organizer.goto(link)
    organizer.wait_for_url("**/admin/organizer/")
    has_no_barriers(organizer)
    organizer.get_by_role("link", name="Jazz i parken").click()
    organizer.wait_for_url(f"**/event/{JAZZ}/")
    # As readers see it.
    frame = organizer.frame_locator("iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_text("Jazz i parken")
    organizer.get_by_label("Ingress på svenska").fill("Ny text från föreningen.")
    organizer.get_by_label("Pris").fill("Gratis")
    organizer.get_by_label("Bild", exact=True).set_input_files(picture)
    organizer.get_by_text("ons 29 jul 16:00–17:00").click()
    row = organizer.locator("details.request").first
    row.get_by_label("Start").fill("kl 18")
    row.get_by_label("Start").press("Tab")
    # It is as long as before.
    expect(row.get_by_label("Slut", exact=True)).to_have_value("19:00")
    organizer.get_by_label("Meddelande till redaktionen").fill("Tack!")
    organizer.get_by_role("button", name="Skicka till redaktionen").click()
    expect(organizer.locator(".notice.changed")).to_contain_text("Väntar på redaktionen")
    has_no_barriers(organizer)


def test_what_is_typed_outlasts_another_language(organizer: Page) -> None:
    organizer.goto(enter_path())
    organizer.goto(f"/admin/organizer/event/{JAZZ}/")
    organizer.get_by_label("Pris").fill("Gratis")
    organizer.get_by_role("button", name="English").click()
    notice = organizer.get_by_text("that was not saved")
    expect(notice).to_be_visible()
    has_no_barriers(organizer)
    organizer.get_by_role("button", name="Use it").click()
    expect(organizer.get_by_label("Price")).to_have_value("Gratis")
    organizer.get_by_role("button", name="Send to the editors").click()
    expect(organizer.get_by_text("It has been sent to the editors.")).to_be_visible()
    has_no_barriers(organizer)
    organizer.get_by_role("button", name="Take it back").click()
    expect(organizer.get_by_text("It has been taken back.")).to_be_visible()
    expect(organizer.get_by_label("Price")).to_have_value("50 kr; barn 0 kr")
    expect(notice).to_be_hidden()


def accept(editor: Page) -> None:
    editor.goto("/admin/")
    editor.get_by_role("link", name="Suggestions from organizers").click()
    editor.wait_for_url("**/suggestions/")
    has_no_barriers(editor)
    editor.get_by_role("link", name="Begin with the first").click()
    editor.wait_for_url("**/suggestions/*/")
    expect(editor.get_by_text("Tack!")).to_be_visible()
    image = editor.locator(".version img[src$='/image/']")
    assert image.evaluate("each => each.decode().then(() => each.naturalWidth)") == 40
    has_no_barriers(editor)
    editor.locator("input[name$='-price'][value=theirs]").check()
    editor.get_by_label("Tell readers").select_option("yes")
    editor.get_by_label("Why, in Swedish").fill("Regn")
    editor.get_by_label("Answer to the organizer").fill("Priset står kvar.")
    editor.get_by_role("button", name="Accept what is chosen").click()
    expect(editor.get_by_text("Jazz i parken: 3 accepted, 1 declined.")).to_be_visible()
    expect(editor.get_by_text("No suggestion waits.")).to_be_visible()


def test_a_correction_from_link_to_readers(editor: Page, organizer: Page, tmp_path: Path) -> None:
    picture = tmp_path / "band.png"
    picture.write_bytes(photo("PNG"))
    correct(organizer, get_link(editor), picture)
    assert Event.objects.get(pk=JAZZ).price == "50 kr; barn 0 kr"
    accept(editor)
    reader = organizer
    reader.goto("/tillfalle/8001")
    expect(reader.get_by_text("Ny text från föreningen.")).to_be_visible()
    expect(reader.locator(".notice.changed")).to_contain_text("Flyttad från 16:00. Regn")
    expect(reader.locator("figure img")).to_have_attribute("src", re.compile("/media/sizes/events/"))
    assert Occasion.objects.get(pk=8001).start == utc(2026, 7, 29, 16)
    organizer.goto(f"/admin/organizer/event/{JAZZ}/")
    answer = organizer.locator(".answer")
    expect(answer).to_contain_text("Priset står kvar.")
    expect(answer.get_by_role("listitem").filter(has_text="avslaget")).to_have_text(re.compile("Pris"))
    has_no_barriers(organizer)
    Path(Event.objects.get(pk=JAZZ).image.path).unlink()
