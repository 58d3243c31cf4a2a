"""Writing, previewing, publishing and duplicating an event in a real browser."""

import datetime as dt
from datetime import date
from typing import Any

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from feeds.marks import NO_MARK
from feeds.vocabulary import Text
from programme.models import AreaDay, Day, Event, Occasion, Picture
from tests.browser import PHONE, barriers, in_a_browser
from tests.conftest import NOW
from tests.programme.backoffice.marks import read_mark
from tests.programme.backoffice.screens import open_page, save
from tests.programmes import DRAFT, JAZZ, PARKEN, PARKEN_SCENEN, TORGET, TORGET_SCENEN, utc

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


def press(page: Page, button: str) -> Page:
    """Return the tab that a button opens."""
    with page.context.expect_page() as tab:
        page.get_by_role("button", name=button, exact=True).click()
    tab.value.wait_for_load_state()
    return tab.value


def choose_status(page: Page, status: str) -> None:
    page.locator(f"label[for=status-{status}]").click()


def test_an_event_is_written_looked_at_and_published(page):
    page.goto(f"{EVENTS}add/")
    page.fill("#id_title", "Kvällsdopp")
    page.select_option("#id_area", label="Ångtorget")
    page.fill("#id_occasions-0-day", "2026-07-30")
    page.fill("#id_occasions-0-start_time", "19.30")

    refused = press(page, "Preview")
    expect(refused.locator(".refused")).to_contain_text("Occasion 1, End: This field is required.")
    refused.close()

    page.fill("#id_occasions-0-end_time", "21")
    preview = press(page, "Preview")
    frame = preview.frame_locator(".in-en iframe")
    expect(frame.get_by_role("heading", level=1)).to_have_text("Kvällsdopp")
    expect(frame.locator(".when")).to_contain_text("19:30–21:00")
    assert not Event.objects.filter(title="Kvällsdopp").exists()
    preview.close()

    # What was typed is still there.
    expect(page.locator("#id_title")).to_have_value("Kvällsdopp")
    choose_status(page, "published")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Published, and readers see it:")
    occasion = Occasion.objects.get(event__title="Kvällsdopp")
    assert page.request.get(f"/en/occasion/{occasion.pk}").status == 200

    page.goto(f"{EVENTS}{occasion.event_id}/change/")
    choose_status(page, "draft")
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("Withdrawn, and readers do not see it any more:")
    assert page.request.get(f"/en/occasion/{occasion.pk}").status == 410


def test_choosing_an_area_leaves_its_sub_areas(page):
    page.goto(f"{EVENTS}add/")
    in_park, in_square = str(PARKEN_SCENEN), str(TORGET_SCENEN)

    def offered() -> list[str]:
        return page.locator("#id_sub_area option").evaluate_all("all => all.map(({value}) => value)")

    assert {*offered()} == {"", in_park, in_square}
    page.select_option("#id_area", str(PARKEN))
    assert offered() == ["", in_park]
    page.select_option("#id_sub_area", in_park)
    page.select_option("#id_area", str(TORGET))
    assert (offered(), page.input_value("#id_sub_area")) == (["", in_square], "")
    # One that is chosen first brings its area.
    page.select_option("#id_area", "")
    page.select_option("#id_sub_area", in_park)
    assert (offered(), page.input_value("#id_area")) == (["", in_park], str(PARKEN))
    page.goto(EVENTS)
    page.locator(".action-select").first.check()
    page.select_option("select[name=action]", "change_events")
    page.locator("button[name=index]").click()
    page.select_option("#id_area", str(TORGET))
    expect(page.locator("#id_sub_area option")).to_have_text(["leave as it is", "Scenen"])


def test_a_new_row_continues_the_pattern_of_the_rows_above(page):
    page.goto(f"{EVENTS}add/")
    AreaDay.objects.create(area_id=TORGET, day=Day.on(date(2026, 8, 6)))
    page.reload()

    def read(number: int) -> list[str]:
        names = ("day", "start_time", "end_time", "end_date", "place")
        return [page.input_value(f"#id_occasions-{number}-{name}") for name in names]

    def find_more(number: int) -> Any:
        return page.locator(f"#occasions-{number} .more details")

    def write(number: int, **typed: str) -> None:
        if find_more(number).get_attribute("open") is None:
            find_more(number).locator("summary").click()
        for name, value in typed.items():
            page.fill(f"#id_occasions-{number}-{name}", value)

    def add(number: int) -> list[str]:
        page.locator("#occasions-group .add-row a").click()
        return read(number)

    write(
        0, day="2026-07-29", start_time="22", end_time="2", end_date="2026-07-30", booking_url="https://a.se"
    )
    page.select_option("#id_occasions-0-booking", "needed")
    page.locator("#id_occasions-0-place + .select2 [role=combobox]").press("Enter")
    page.keyboard.type("Bibliotek")
    page.locator(".select2-results__option[aria-selected]", has_text="Biblioteket, Storgatan").click()
    place = read(0)[-1:]
    assert place[0][1:].isdigit()
    expect(page.locator("#id_occasions-0-start_time")).to_have_value("22:00")
    assert add(1) == ["2026-07-30", "22:00", "2", "2026-07-31", *place]
    booking = [page.input_value(f"#id_occasions-1-{name}") for name in ("booking", "booking_url")]
    assert booking == ["needed", "https://a.se"]
    expect(find_more(1)).to_have_attribute("open", "")
    # The last step is repeated, also after two on one day.
    write(1, day="2026-08-01", end_date="", booking_url="")
    # That one is full says nothing of the next.
    page.select_option("#id_occasions-1-booking", "full")
    assert add(2) == ["2026-08-04", "22:00", "2", "", *place]
    expect(page.locator("#id_occasions-2-booking")).to_have_value("")
    assert find_more(2).get_attribute("open") is None
    write(2, day="2026-08-01", start_time="15:00")
    page.locator("#id_occasions-2-start_time").press("Tab")
    expect(page.locator("#id_occasions-2-end_time")).to_have_value("19:00")
    assert add(3) == ["2026-08-04", "15:00", "19:00", "", *place]
    # A series goes on after the festival's last day.
    assert add(4) == ["2026-08-07", "15:00", "19:00", "", *place]
    # After a single row on that day nobody knows.
    page.goto(f"{EVENTS}add/")
    write(0, day="2026-08-06", start_time="22", end_time="2")
    assert add(1)[:3] == ["", "22:00", "2"]
    # It waits for what follows from a start.
    write(0, start_time="21", end_time="23:30")
    page.fill("#id_occasions-0-start_time", "20")
    assert add(2)[1:3] == ["20:00", "22:30"]


def test_what_is_not_found_is_made_with_the_event_by_keyboard(page):
    page.goto(f"{EVENTS}add/")
    page.fill("#id_title", "Kvällsdopp")
    page.select_option("#id_area", str(TORGET))
    for name, value in {"day": "2026-07-30", "start_time": "19", "end_time": "21"}.items():
        page.fill(f"#id_occasions-0-{name}", value)
    page.locator("#id_occasions-0-place + .select2 [role=combobox]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".select2-container--open .select2-search__field")).to_be_focused()
    page.keyboard.type("Simhallen - Bassängen")
    expect(page.locator(".select2-results__option--highlighted")).to_have_text("Make “Simhallen - Bassängen”")
    page.keyboard.press("Enter")
    expect(page.locator("#occasions-0 + .row-warnings")).to_have_text("New place: Simhallen - Bassängen")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".messagelist")).to_contain_text("New place: Simhallen – Bassängen.")
    assert str(Occasion.objects.get(event__title="Kvällsdopp").room) == "Simhallen, Bassängen"


def test_without_scripts_a_place_is_named(browser, site, anna):
    page = open_page(browser, site, anna, java_script_enabled=False)
    page.goto(f"{EVENTS}{JAZZ}/change/")
    # As it is called, in any case.
    page.locator("#occasions-0").get_by_role("textbox", name="Another place").fill(" biblioteket ")
    page.get_by_role("button", name="Save", exact=False).first.click()
    expect(page.locator(".messagelist")).not_to_contain_text("New place")
    assert str(Occasion.objects.filter(event=JAZZ).earliest("start").location.name) == "Biblioteket"
    page.context.close()


def test_the_tabs_of_the_preview_work_by_keyboard_and_without_scripts(browser, site, anna):
    page = open_page(browser, site, anna, java_script_enabled=False)
    page.goto(f"{EVENTS}{DRAFT}/preview/")
    texts = page.locator(".preview pre:visible, .preview iframe:visible")
    expect(texts).to_have_count(1)
    page.get_by_role("radio", name="Page").focus()
    page.keyboard.press("ArrowRight")
    expect(texts).to_contain_text("SUMMARY")
    page.get_by_text("Technical formats").click()
    page.get_by_role("radio", name="JSON", exact=True).focus()
    page.keyboard.press("Space")
    expect(texts).to_contain_text('"title":"Utkast"')
    page.get_by_role("radio", name="Calendar", exact=True).focus()
    page.keyboard.press("Space")
    expect(texts).to_have_count(1)
    page.get_by_role("radio", name="Svenska").focus()
    page.keyboard.press("Space")
    expect(texts).to_contain_text("X-WR-CALNAME:Kulturnatten")
    page.context.close()


def test_a_copy_is_a_draft_with_a_name_of_its_own_and_opens_where_one_stands(page):
    page.goto(f"{EVENTS}{DRAFT}/change/")
    page.get_by_role("button", name="Duplicate", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("This is the copy of Utkast. It is a draft.")
    expect(page.locator("h1")).to_have_text("Utkast (copy) draft")
    expect(page.locator("#id_occasions-0-start_time")).to_have_value("16:00")


def test_a_row_is_repeated_and_copied_and_a_day_outside_the_festival_is_noticed(page):
    page.goto(f"{EVENTS}{DRAFT}/change/")
    first = page.locator("#occasions-0")
    days = page.locator("#occasions-group tr:not(.empty-form) [name$=-day]")
    begun = read_days(days)
    first.locator("[name$=-day]").fill("2026-07-25")
    first.locator(".more summary").click()
    first.get_by_role("button", name="Repeat …").click()
    series = page.locator("#series")
    expect(series.get_by_role("checkbox", checked=True)).to_have_count(1)
    series.get_by_label("Until and including").fill("2026-07-20")
    series.get_by_role("button", name="Add the rows").click()
    expect(series.get_by_role("alert")).to_have_text("There is no such day until then.")
    series.get_by_label("Until and including").fill("2026-08-22")
    series.get_by_label("Except").fill("8 aug")
    assert barriers(page) == []
    series.get_by_role("button", name="Add the rows").click()
    expect(series).to_be_hidden()
    assert read_days(days) == ["2026-07-25", *begun[1:], "2026-08-01", "2026-08-15", "2026-08-22"]
    warned = page.locator("#occasions-group .row-warnings li:visible")
    expect(warned.last).to_contain_text("outside the festival’s days")
    box = warned.last.bounding_box() or {}
    assert box["width"] > page.locator("#occasions-0").bounding_box()["width"] * 0.9
    # What was said of a row goes with it.
    count = warned.count()
    page.locator("#occasions-group tr.dynamic-occasions .inline-deletelink").last.click()
    expect(warned).to_have_count(count - 1)
    first.get_by_role("button", name="Copy the row").click()
    assert read_days(days)[-2:] == ["2026-08-15", "2026-07-25"]


def read_days(days: Locator) -> list[str]:
    return days.evaluate_all("all => all.map(({value}) => value)")


def test_what_must_stay_of_a_picture_is_clicked_or_moved_by_keyboard(page, tmp_path):
    picture = tmp_path / "bild.png"
    Image.new("RGB", (300, 200)).save(picture)
    page.goto(f"{EVENTS}{DRAFT}/change/")
    # There is no picture yet.
    expect(page.locator(".focal-stage")).to_be_hidden()
    page.set_input_files("#id_image", picture)
    page.locator(".focal-picture img").click(position={"x": 60, "y": 150})
    assert [page.input_value("#id_image_focus_x"), page.input_value("#id_image_focus_y")] == ["20", "75"]
    for key in (
        *("ArrowRight", "Shift+ArrowUp", "Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft"),
        "ArrowDown",
    ):
        page.keyboard.press(key)
    expect(page.locator(".focal-crop.wide")).to_have_css("object-position", "0% 66%")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    event = Event.objects.get(pk=DRAFT)
    assert (event.image_focus_x, event.image_focus_y) == (0, 66)
    # Lists have it cut around that.
    picture_row = Picture.objects.get(name=event.image.name)
    assert (picture_row.focus_x, picture_row.focus_y) == (0, 66)


def test_a_picture_in_a_form_that_is_refused_is_chosen_once_more(phone, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    picture = tmp_path / "bild.png"
    Image.new("RGB", (30, 20)).save(picture)
    phone.goto(f"{EVENTS}add/")
    phone.select_option("#id_area", label="Ångtorget")
    phone.set_input_files("#id_image", picture)
    phone.get_by_role("button", name="Save draft").click()
    expect(phone.locator(".errornote")).to_be_visible()
    expect(phone.locator(".messagelist")).to_contain_text("“bild.png” is not saved: choose it once more")
    assert barriers(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.fill("#id_title", "Kvällsdopp")
    phone.set_input_files("#id_image", picture)
    phone.get_by_role("button", name="Save draft").click()
    expect(phone.locator(".messagelist")).to_contain_text("Saved: ")
    assert bool(Event.objects.get(title="Kvällsdopp").image)


def row(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Occasion {number}", exact=True)


def test_rows_are_added_and_removed_and_each_has_its_number(page):
    page.goto(f"{EVENTS}{JAZZ}/change/")
    before = page.locator("#occasions-group tr.form-row:not(.empty-form)").count()
    first, second = row(page, before + 1), row(page, before + 2)
    add = page.get_by_role("button", name="Add occasion")
    add.press("Space")
    expect(first.get_by_label("Day", exact=True)).to_be_focused()
    add.press("Enter")
    second.get_by_label("Start", exact=True).fill("20:20")
    first.get_by_role("button", name="Remove").press("Space")
    expect(add).to_be_focused()
    # The other one has its number now.
    expect(first.get_by_label("Start", exact=True)).to_have_value("20:20")
    expect(second).to_have_count(0)


def test_what_was_refused_has_the_focus(page):
    page.goto(f"{EVENTS}{JAZZ}/change/")
    address, start = page.locator("#id_external_url"), page.locator("#id_occasions-0-start_time")
    page.get_by_text("Tickets and links").click()
    address.fill("nowhere")
    start.fill("25:99")
    page.evaluate("document.querySelector('#event_form').noValidate = true")
    start.press("Enter")
    page.locator(".errornote").wait_for()
    expect(start).to_be_focused()


def test_the_length_stays_until_an_end_is_typed(page):
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    start, end = (page.locator(f"#id_occasions-0-{name}") for name in ("start_time", "end_time"))
    expect(end).to_have_value("17:00")
    start.fill("kl 18.30")
    start.press("Tab")
    # What is typed next replaces it.
    expect(end).to_be_focused()
    expect(end).to_have_value("19:30")
    page.keyboard.type("20")
    start.fill("23:30")
    start.press("Tab")
    expect(end).to_have_value("01:00")
    # What only the server can read moves it, too, and a span is both.
    for typed, begins, ends in (("6 pm", "18:00", "19:30"), ("10am-1pm", "10:00", "13:00")):
        start.fill(typed)
        start.press("Tab")
        expect(start).to_have_value(begins)
        expect(end).to_have_value(ends)
    # What is typed as a length stays, and so does what may be one or a time.
    for typed, clock in (("2 h", "19"), ("120", "20")):
        end.fill(typed)
        start.fill(clock)
        start.press("Tab")
        expect(end).to_have_value(typed)
    end.fill("01:00")
    # What cannot be read moves nothing, and neither does what ends on a date of its own.
    start.fill("soon")
    start.press("Tab")
    expect(end).to_have_value("01:00")
    page.locator("#id_occasions-0-end_date").fill("2026-07-31")
    start.fill("18")
    start.press("Tab")
    start.fill("19")
    start.press("Tab")
    expect(end).to_have_value("01:00")
    # A new row has the length of the last one.
    page.locator("#occasions-group .add-row a").click()
    end = page.locator("#id_occasions-3-end_time")
    before = end.input_value()
    page.locator("#id_occasions-3-start_time").fill("00:30")
    page.locator("#id_occasions-3-start_time").press("Tab")
    expect(end).not_to_have_value(before)


def test_enter_saves_what_follows_from_a_start_with_it(page):
    before = Event.objects.count()
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_occasions-0-start_time", "kl 18.30")
    page.locator("#id_occasions-0-start_time").press("Enter")
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    occasion = Occasion.objects.get(pk=TODAY)
    assert (occasion.start, occasion.end) == (utc(2026, 7, 29, 16, 30), utc(2026, 7, 29, 17, 30))
    # The button for a copy stands before all others.
    assert Event.objects.count() == before


def test_a_delay_moves_both_where_the_clock_shows_an_hour_twice(page):
    # From 23:00 to the second 02:00, and from the second 02:00 on.
    for begins, hours, later, ends in (
        (utc(2026, 10, 24, 21), 4, "01:00", "04:00"),
        (utc(2026, 10, 25, 1), 1, "04:00", "05:00"),
    ):
        occasion = Occasion.objects.filter(event=JAZZ).earliest("pk")
        Occasion.objects.filter(pk=occasion.pk).update(start=begins, end=begins + dt.timedelta(hours=hours))
        page.goto(f"/admin/programme/occasion/{occasion.pk}/change/")
        row = page.locator("tr:has(:target)")
        start = row.locator("[name$=start_time]")
        start.fill("+2 h")
        start.press("Tab")
        expect(start).to_have_value(later)
        expect(row.locator("[name$=end_time]")).to_have_value(ends)


EVENT, OCCASIONS = f"/admin/programme/event/{JAZZ}/change/", "/admin/programme/occasion/"
# Of Jazz, on 29 and 30 July, and one of another event in March.
TODAY, TOMORROW, OVER = 8001, 8002, 8007
OFFER = "Readers know how it was before: they are told, unless you say no."


def test_a_new_time_in_a_row_offers_news_in_view(page):
    page.goto(EVENT)
    panel, start = page.locator("fieldset.news"), page.locator("#id_occasions-0-start_time")
    start.fill("17:00")
    expect(panel).to_contain_text(OFFER)
    # One line, wherever the page is, which opens.
    assert panel.bounding_box()["height"] < 60
    panel.locator("summary").click()
    for end in ("0", "document.body.scrollHeight"):
        page.evaluate(f"window.scrollTo(0, {end})")
        expect(page.locator("#id_note")).to_be_in_viewport()
    # As it was before: there is nothing to tell.
    start.fill("16:00")
    start.blur()
    expect(panel).not_to_contain_text(OFFER)
    start.fill("17:00")
    page.locator("#id_occasions-0-end_time").fill("18:00")
    page.locator("#id_note").fill("Åska över parken")
    page.locator("#id_note_en").fill("Thunder over the park")
    assert barriers(page) == []
    save(page)
    note = Text("Åska över parken", "Thunder over the park")
    assert read_mark(TODAY)[:3] == (NOW, note, utc(2026, 7, 29, 14))
    assert read_mark(TOMORROW) == NO_MARK


def test_a_cancelled_occasion_is_told_unless_the_editor_says_no(page):
    for choice, told in (("no", None), ("yes", NOW)):
        Occasion.objects.filter(pk=TODAY).update(cancelled=False)
        page.goto(EVENT)
        panel = page.locator("fieldset.news")
        page.locator("#occasions-0 .more details").evaluate("each => (each.open = true)")
        page.locator("#id_occasions-0-cancelled").check()
        expect(panel).to_contain_text(OFFER)
        panel.locator("summary").click()
        page.locator("#id_tell").select_option(choice)
        expect(panel.get_by_text(OFFER)).to_have_count(0 if choice == "no" else 1)
        save(page)
        assert Occasion.objects.get(pk=TODAY).cancelled
        assert read_mark(TODAY).changed_at == told
