"""News for readers in a real browser: offered as soon as something is changed that they know, in every way."""

from typing import Any

from playwright.sync_api import Page, expect

from programme.models import Event, Occasion
from tests.browser import barriers, browser, in_a_browser, live_server
from tests.conftest import NOW
from tests.programme.backoffice.screens import save
from tests.programmes import JAZZ, utc

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENT, OCCASIONS = f"/admin/programme/event/{JAZZ}/change/", "/admin/programme/occasion/"
# Of Jazz, on 29 and 30 July, and one of another event in March.
TODAY, TOMORROW, OVER = 8001, 8002, 8007
OFFER = "Readers know how it was before: they are told, unless you say no."


def mark(key: int) -> tuple[Any, ...]:
    return Occasion.objects.values_list("change_info", "changed_at", "previous_start").get(pk=key)


def test_a_new_time_in_a_row_offers_news_in_view(page: Page) -> None:
    page.goto(EVENT)
    panel, start = page.locator("fieldset.news"), page.locator("#id_occasions-0-start_time")
    start.fill("17:00")
    expect(panel).to_contain_text(OFFER)
    # Wherever the page is.
    for end in ("0", "document.body.scrollHeight"):
        page.evaluate(f"window.scrollTo(0, {end})")
        expect(page.locator("#id_note")).to_be_in_viewport()
    # As it was before: there is nothing to tell.
    start.fill("16:00")
    expect(panel).not_to_contain_text(OFFER)
    start.fill("17:00")
    page.locator("#id_occasions-0-end_time").fill("18:00")
    page.locator("#id_note").fill("Åska över parken")
    page.locator("#id_note_en").fill("Thunder over the park")
    assert barriers(page) == []
    save(page)
    assert mark(TODAY) == ("Åska över parken", NOW, utc(2026, 7, 29, 14))
    assert mark(TOMORROW) == ("", None, None)
    assert Occasion.objects.get(pk=TODAY).change_info_en == "Thunder over the park"


def test_a_cancelled_event_is_told_as_a_whole_unless_the_editor_says_no(page: Page) -> None:
    for choice, told in (("nothing", None), ("", NOW)):
        Event.objects.filter(pk=JAZZ).update(cancelled=False, changed_at=None, change_info="")
        page.goto(EVENT)
        panel = page.locator("fieldset.news")
        page.locator("#id_cancelled").check()
        expect(panel).to_contain_text(OFFER)
        page.locator("#id_tell").select_option(choice)
        expect(panel.get_by_text(OFFER)).to_have_count(0 if choice else 1)
        save(page)
        event = Event.objects.get(pk=JAZZ)
        assert (event.cancelled, event.changed_at) == (True, told)


def test_an_occasion_is_cancelled_in_its_form_with_news_and_what_is_over_without(page: Page) -> None:
    for key, is_told in ((TODAY, True), (OVER, False)):
        page.goto(f"{OCCASIONS}{key}/change/")
        page.locator("#id_cancelled").check()
        expect(page.locator("fieldset.news").get_by_text(OFFER)).to_have_count(int(is_told))
        save(page)
    assert [mark(key) for key in (TODAY, OVER)] == [("", NOW, None), ("", None, None)]
