"""Organizers' suggestions, decided about in a browser: a page and a key for each organizer."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from programme.backoffice.suggestions.links import make_link
from programme.models import Edit, Event, Organizer, OrganizerLink, Suggestion
from tests.browser import DESKTOP, PHONE, barriers, in_a_browser, signed_in
from tests.conftest import NOW, SetClock
from tests.organizers import MONTH
from tests.programmes import TORGET

pytestmark = in_a_browser

ORGANIZERS, EACH = 2, 2
QUEUE = "/admin/suggestions/"


@pytest.fixture
def organizers(transactional_db: None, sample: None, at: SetClock) -> list[Organizer]:
    at(NOW)
    found = [Organizer.objects.create(name=f"Förening {number:02}") for number in range(ORGANIZERS)]
    for each in found:
        make_link(each.pk, "", NOW + MONTH, NOW)
        link = OrganizerLink.objects.get(organizer=each)
        for number in range(EACH):
            event = Event.objects.create(
                title=f"{each.name}: kväll {number}", area_id=TORGET, type_id=4001, organizer=each
            )
            changes = {"price": {"before": "", "after": "60 kr"}}
            Suggestion.objects.create(link=link, event=event, sent_at=NOW, changes=changes)
    return found


@pytest.fixture
def editor(organizers: list[Organizer], browser: Browser, live_server: Any) -> Iterator[Page]:
    anna = User.objects.create_superuser("anna")
    options = {"viewport": DESKTOP, "locale": "en-GB", "base_url": live_server.url}
    page = signed_in(browser, live_server.url, anna, **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    yield page
    page.context.close()


def test_organizers_take_a_key_each_and_one_is_left_for_later(editor: Page) -> None:
    editor.goto(QUEUE)
    editor.get_by_role("link", name="Begin with the first").click()
    for viewport in (PHONE, DESKTOP):
        editor.set_viewport_size(viewport)  # type: ignore[arg-type]
        assert barriers(editor) == []
        assert editor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    first, second = editor.locator("#content-main section").all()
    first.get_by_label("Decide later").check()
    expect(first.get_by_label("Answer to the organizer")).to_be_hidden()
    second.get_by_label("In the programme").check()
    second.get_by_label("Answer to the organizer").fill("Nej.")
    # Enter in a field sends what is chosen.
    second.get_by_label("Answer to the organizer").press("Enter")
    expect(editor.get_by_text("Förening 00: kväll 1: 0 accepted, 1 declined.")).to_be_visible()
    assert Suggestion.objects.filter(decided_at=None, link__organizer__name="Förening 00").count() == 1
    for number in (*range(1, ORGANIZERS), 0):
        expect(editor.get_by_role("heading", level=1)).to_have_text(f"Förening {number:02}")
        # With its script.
        editor.wait_for_load_state()
        editor.keyboard.press("Control+Enter")
    expect(editor.get_by_text("No suggestion waits.")).to_be_visible()
    assert Event.objects.filter(price="60 kr").count() == ORGANIZERS * EACH - 1
    assert Edit.objects.filter(reason="suggested by").count() == ORGANIZERS
