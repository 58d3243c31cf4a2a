"""Writing, previewing, publishing and duplicating an event in a real browser."""

from datetime import date
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from programme.models import AreaDay, Day, Event, Occasion, Picture
from tests.browser import PHONE, barriers, browser, in_a_browser, live_server
from tests.programme.backoffice.screens import open_page
from tests.programmes import DRAFT, PARKEN, PARKEN_SCENEN, TORGET, TORGET_SCENEN

__all__ = ["browser", "live_server"]

pytestmark = in_a_browser

EVENTS = "/admin/programme/event/"


def press(page: Page, button: str) -> Page:
    """Return the tab that a button opens."""
    with page.context.expect_page() as tab:
        page.get_by_role("button", name=button, exact=True).click()
    tab.value.wait_for_load_state()
    return tab.value


def test_an_event_is_written_looked_at_and_published(page: Page) -> None:
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
    page.get_by_role("button", name="Publish").click()
    expect(page.locator(".messagelist")).to_contain_text("Published, and readers see it:")
    occasion = Occasion.objects.get(event__title="Kvällsdopp")
    assert page.request.get(f"/en/occasion/{occasion.pk}").status == 200

    page.goto(f"{EVENTS}{occasion.event_id}/change/")
    page.get_by_role("button", name="Withdraw").first.click()
    expect(page.locator(".messagelist")).to_contain_text("Withdrawn, and readers do not see it any more:")
    assert page.request.get(f"/en/occasion/{occasion.pk}").status == 410


def test_choosing_an_area_leaves_its_sub_areas(page: Page) -> None:
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
    page.goto("/admin/change-many/")
    page.select_option("#choice_area", str(TORGET))
    expect(page.locator("#choice_sub_area option")).to_have_text(["all sub areas", "Scenen"])


def test_a_new_row_continues_the_pattern_of_the_rows_above(page: Page) -> None:
    page.goto(f"{EVENTS}add/")
    AreaDay.objects.create(area_id=TORGET, day=Day.on(date(2026, 8, 6)))
    page.reload()

    def read(number: int) -> list[str]:
        names = ("day", "start_time", "end_time", "end_date", "location", "room")
        return [page.input_value(f"#id_occasions-{number}-{name}") for name in names]

    def write(number: int, **typed: str) -> None:
        for name, value in typed.items():
            page.fill(f"#id_occasions-{number}-{name}", value)

    def add(number: int) -> list[str]:
        page.locator("#occasions-group .add-row a").click()
        return read(number)

    write(0, day="2026-07-29", start_time="22", end_time="2", end_date="2026-07-30")
    page.locator("#id_occasions-0-location + .select2 [role=combobox]").press("Enter")
    page.keyboard.type("Bibliotek")
    page.locator(".select2-results__option--highlighted[aria-selected]", has_text="Bibliotek").click()
    place = read(0)[-2:]
    assert place[0].isdigit()
    assert add(1) == ["2026-07-30", "22", "2", "2026-07-31", *place]
    # The last step is repeated, also after two on one day.
    write(1, day="2026-08-01", end_date="")
    assert add(2) == ["2026-08-04", "22", "2", "", *place]
    write(2, day="2026-08-01", start_time="15:00")
    assert add(3) == ["2026-08-04", "15:00", "19:00", "", *place]
    # After the festival's last day nobody knows.
    assert add(4) == ["", "15:00", "19:00", "", *place]


def test_what_is_not_found_is_made_with_the_event_by_keyboard(page: Page) -> None:
    page.goto(f"{EVENTS}add/")
    page.fill("#id_title", "Kvällsdopp")
    page.select_option("#id_area", str(TORGET))
    for field, name in (("location", "Simhallen"), ("room", "Bassängen")):
        page.locator(f"#id_{field} + .select2 [role=combobox]").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".select2-container--open .select2-search__field")).to_be_focused()
        page.keyboard.type(name)
        expect(page.locator(".select2-results__option--highlighted")).to_have_text(f"Make “{name}”")
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.locator(".messagelist")).to_contain_text("Saved: ")
    assert str(Event.objects.get(title="Kvällsdopp").room) == "Simhallen, Bassängen"


def test_the_tabs_of_the_preview_work_by_keyboard_and_without_scripts(
    browser: Browser, site: str, anna: User
) -> None:
    page = open_page(browser, site, anna, java_script_enabled=False)
    page.goto(f"{EVENTS}{DRAFT}/preview/")
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
    page.context.close()


def test_the_copy_opens_beside_what_was_typed(page: Page) -> None:
    page.goto(f"{EVENTS}{DRAFT}/change/")
    page.fill("#id_price", "50 kr")
    copy = press(page, "Duplicate")
    expect(copy.locator(".messagelist")).to_contain_text("This is the copy of Utkast. It is a draft.")
    expect(copy.locator("#id_title")).to_have_value("Utkast")
    expect(copy.locator("#id_occasions-0-start_time")).to_have_value("16:00")
    expect(copy.locator("#id_price")).to_have_value("")
    expect(page.locator("#id_price")).to_have_value("50 kr")


def test_what_must_stay_of_a_picture_is_clicked_or_moved_by_keyboard(page: Page, tmp_path: Path) -> None:
    picture = tmp_path / "bild.png"
    Image.new("RGB", (300, 200)).save(picture)
    page.goto(f"{EVENTS}{DRAFT}/change/")
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
    # Lists have it cut around that.
    picture_row = Picture.objects.get(name=event.image.name)
    assert (picture_row.focus_x, picture_row.focus_y) == (0, 66)


def test_a_picture_in_a_form_that_is_refused_is_chosen_once_more(
    phone: Page, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    picture = tmp_path / "bild.png"
    Image.new("RGB", (30, 20)).save(picture)
    phone.goto(f"{EVENTS}add/")
    phone.select_option("#id_area", label="Ångtorget")
    phone.set_input_files("#id_image", picture)
    phone.get_by_role("button", name="Save as draft").click()
    expect(phone.locator(".errornote")).to_be_visible()
    expect(phone.locator(".messagelist")).to_contain_text("“bild.png” is not saved: choose it once more")
    assert barriers(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.fill("#id_title", "Kvällsdopp")
    phone.set_input_files("#id_image", picture)
    phone.get_by_role("button", name="Save as draft").click()
    expect(phone.locator(".messagelist")).to_contain_text("Saved: ")
    assert bool(Event.objects.get(title="Kvällsdopp").image)
