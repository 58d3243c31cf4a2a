"""An editor imports in a real browser: uploads, looks, decides, applies; by keyboard, wide and narrow."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from programme.models import Event, Occasion
from tests.browser import DESKTOP, PHONE, barriers, barriers_in_both_widths, in_a_browser, signed_in
from tests.programme.exchange.workbooks import write_workbook

pytestmark = in_a_browser

HEADINGS = "Titel;Område;Plats;Datum;Start;Slut;Pris;Färg"
ROWS = [
    "Öppet hus på Stadshuset;Ångtorget;Stadshuset;2026-09-12;19.00;20.30;Fri entré;röd",
    "Öppet hus på Stadshuset;Ångtorget;Stadshuset;13/9 2026;kl 19;20;;",
    "Konsert;Ångtorget;Scenen;2026-09-12;22;01;120 kr;",
    "Trasig;Ångtorget;;igår;19;20;;",
]


def sheet(folder: Path, *rows: str, headings: str = HEADINGS, name: str = "kontoret.csv") -> Path:
    path = folder / name
    path.write_bytes("\r\n".join([headings, *rows]).encode("cp1252"))
    return path


@pytest.fixture
def view(transactional_db, sample, browser, live_server, anna):
    options = {"viewport": PHONE, "color_scheme": "dark", "locale": "en-GB"}
    context = signed_in(browser, live_server.url, anna, **options, base_url=live_server.url)
    yield context.new_page()
    context.close()


def submit(page: Page) -> None:
    for tick in page.locator(".suspicions [type=checkbox]").all():
        tick.check()
    page.locator("input[type=submit].default").focus()
    page.keyboard.press("Enter")


def bring_in(page: Page, path: Path) -> None:
    page.goto("/admin/import/")
    assert barriers(page) == []
    page.locator("input[type=file]").set_input_files(path)
    page.wait_for_selector(".rows-of-file, .of-file", state="attached")


def test_an_editor_imports_a_sheet_and_decides_a_conflict(view, tmp_path):
    bring_in(view, sheet(tmp_path, *ROWS))
    assert view.locator(".rows-of-file tr.kind-created").count() == 5
    assert "2026-09-12" in view.locator(".rows-of-file .errorlist").inner_text()
    assert barriers(view) == []
    assert view.evaluate("document.documentElement.scrollWidth") == view.viewport_size["width"]
    assert not Event.objects.filter(source="kontoret").exists()
    # Nothing is said yet that could be lost.
    questions: list[str] = []
    view.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    view.locator("h1").click()
    view.reload()
    assert questions == []
    submit(view)
    view.wait_for_selector(".messagelist .success")
    assert Event.objects.filter(source="kontoret").count() == 2

    Event.objects.filter(title="Konsert").update(price="100 kr")
    changed = [
        ROWS[0].replace("Fri entré", "20 kr"),
        ROWS[1].replace("kl 19", "kl 18"),
        ROWS[2].replace("120", "140"),
    ]
    bring_in(view, sheet(tmp_path, *changed))
    assert view.locator(".conflicts tbody tr").count() == 1
    assert barriers(view) == []
    view.locator(".conflicts input").check()
    # What is not sent yet stays.
    view.locator("#table").evaluate("each => { each.open = true; }")
    view.locator("#column-0").select_option("title")
    view.locator("button.correct").first.press("Enter")
    view.wait_for_selector(".cells")
    expect(view.locator("#column-0")).to_have_value("title")
    expect(view.locator(".conflicts input")).to_be_checked()
    submit(view)
    view.wait_for_selector(".messagelist .success")
    assert dict(Event.objects.filter(source="kontoret").values_list("title", "price")) == {
        "Öppet hus på Stadshuset": "20 kr",
        "Konsert": "140 kr",
    }

    # A new title is said to be an event that is here.
    bring_in(view, sheet(tmp_path, *changed[:2], changed[2].replace("Konsert", "Recital")))
    view.get_by_role("radiogroup", name="Recital").get_by_label("Konsert (").check()
    assert barriers(view) == []
    view.keyboard.press("Enter")
    expect(view.locator("tr.kind-changed th")).to_have_text("Recital")


def test_cells_are_corrected_by_keyboard(view, tmp_path):
    late = "Sent;Ångtorget;Scenen;2026-09-13;kväll;23;;"
    bring_in(view, sheet(tmp_path, *ROWS, late))
    assert barriers(view) == []
    assert view.evaluate("document.documentElement.scrollWidth") == view.viewport_size["width"]
    keyboard, focused = view.keyboard, view.locator(":focus")
    # The first cell that is wrong has the focus, with its text chosen.
    expect(focused).to_have_value("igår")
    keyboard.type("13/9 2026")
    keyboard.press("Escape")
    expect(focused).to_have_value("igår")
    keyboard.press("ControlOrMeta+A")
    keyboard.type("13/9 2026")
    keyboard.press("Tab")
    expect(focused).to_have_value("19")
    # The next page is typed into before all of it is loaded.
    held = []
    view.route("**/unsaved.js", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it marks handlers
    keyboard.press("Enter")
    expect(focused).to_have_value("kväll")
    keyboard.type("sent")
    keyboard.press("Tab")
    while not held:
        view.wait_for_timeout(10)
    held.pop().continue_()
    view.wait_for_load_state()
    keyboard.press("Shift+Tab")
    expect(focused).to_have_value("sent")
    keyboard.press("Enter")
    expect(view.locator(".cells .errorlist")).to_contain_text("sent")
    expect(focused).to_have_value("sent")
    keyboard.type("21")
    keyboard.press("Enter")
    # The cursor stays at the row.
    expect(focused).to_have_attribute("name", "correct")
    view.wait_for_load_state()
    expect(view.locator(".cells")).to_have_count(0)
    view.locator("button.correct").first.press("Enter")
    view.wait_for_selector(".cells")
    expect(focused).to_have_value("Öppet hus på Stadshuset")
    keyboard.type("Öppet hus")
    submit(view)
    # It is not imported before it was looked at.
    expect(view.locator("tr.kind-created th").first).to_have_text("Öppet hus")
    assert not Event.objects.filter(source="kontoret").exists()
    submit(view)
    view.wait_for_selector(".messagelist .success")
    titles = Event.objects.filter(source="kontoret").values_list("title", flat=True)
    assert set(titles) == {"Konsert", "Sent", "Trasig", "Öppet hus", "Öppet hus på Stadshuset"}


def test_an_import_that_is_broken_off_says_so_and_can_be_tried_again(view, tmp_path):
    bring_in(view, sheet(tmp_path, *ROWS))
    view.route("**/apply/", lambda route: route.abort())
    submit(view)
    expect(view.get_by_role("alert")).to_have_class("errornote progress-failed")
    assert not Event.objects.filter(source="kontoret").exists()
    view.unroute("**/apply/")
    submit(view)
    view.wait_for_selector(".messagelist .success")
    assert Event.objects.filter(source="kontoret").count() == 2


def test_nobody_is_kept_out_of_the_pages_that_ask(view, tmp_path):
    undated = [["Titel", "Start"], ["Fest", "19:00"], ["Dans", "21:00"]]
    (tmp_path / "Stadsfesten 2026.xlsx").write_bytes(write_workbook({"Lördag": undated, "Söndag": undated}))
    ids = ["1;Fanny;Bio;2026-09-11;18;20", "2;Sv;Bio;2026-09-11;21;22", "3;Fanny;Bio;2026-09-12;18;20"]
    odd = "vad heter den;vilka;begynner;var"
    for path in (
        sheet(tmp_path, "Fest;Ångtorget;Bibliotekett;2026-09-12;19;20;;", name="names.csv"),
        sheet(tmp_path, "Fest;2026-09-12;19", headings="Titel;Datum;Start", name="a.csv"),
        sheet(tmp_path, *ids, headings="ID;Titel;Område;Datum;Start;Slut"),
        sheet(tmp_path, "Fest;Ada;2026-09-12 19:00:00;Gata 1", headings=odd, name="b.csv"),
        tmp_path / "Stadsfesten 2026.xlsx",
    ):
        bring_in(view, path)
        assert barriers(view) == []
        assert view.evaluate("document.documentElement.scrollWidth") == view.viewport_size["width"]


DAY_ROWS = [
    ["Pass", "Grej", "Område", "Ställe"],
    ["10-11", "Sagostund", "Parken", "Biblioteket"],
    ["KVÄLL"],
    ["18-20", "Jazz", "Parken", "Hamnen"],
]


@pytest.fixture
def page(transactional_db, sample, browser, live_server, anna):
    context = signed_in(browser, live_server.url, anna, base_url=live_server.url)
    yield context.new_page()
    context.close()


def test_what_is_said_of_the_table_is_shown_at_once_and_read_so(page, tmp_path):
    path = tmp_path / "program.xlsx"
    path.write_bytes(write_workbook({"12 september 2026": DAY_ROWS, "13 september 2026": DAY_ROWS}))
    bring_in(page, path)
    assert barriers_in_both_widths(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    page.set_viewport_size(DESKTOP)
    # By keyboard: a letter chooses, and the focus stays where it is.
    first = page.locator("#column-0")
    first.focus()
    page.keyboard.type("start")
    expect(first).to_have_value("start")
    expect(page.locator("td.role-time")).to_have_count(3)
    expect(first).to_be_focused()
    page.locator("#column-1").select_option("title")
    expect(page.locator("[aria-labelledby=result] li")).to_have_count(2)
    page.locator("#row-3").select_option("unused")
    expect(page.locator("td.role-time")).to_have_count(2)
    listed = page.locator("[aria-labelledby=result] li").all_inner_texts()
    assert [" ".join(each.split()) for each in listed] == [
        "Sagostund lör 12 sep 10:00–11:00 Biblioteket",
        "Jazz lör 12 sep 18:00–20:00 Hamnen",
    ]
    # While a text is typed, the form is not replaced.
    page.locator("summary", has_text="Mer om bladet").click()
    page.locator("#fixed-field-1").select_option("organizer")
    page.locator("#fixed-text-1").fill("Kören")
    page.keyboard.press("Tab")
    expect(page.locator("#fixed-text-2")).to_be_visible()
    expect(page.locator("#fixed-text-1")).to_have_value("Kören")
    page.get_by_role("button", name="13 september 2026").click()
    expect(page.locator("[aria-labelledby=result] li").first).to_contain_text("sön 13 sep")
    assert barriers(page) == []
    page.get_by_role("button", name="Läs tabellen så här").click()
    page.wait_for_selector(".rows-of-file")
    submit(page)
    page.wait_for_selector(".messagelist .success")
    assert Occasion.objects.filter(event__source="program").count() == 4
