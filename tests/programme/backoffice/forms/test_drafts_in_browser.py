"""What is typed is kept in the browser until it is saved: for its editor, for a week, and for nobody else."""

import json

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Dialog, Page, Route, expect

from programme.backoffice.roles import Role
from programme.models import Event, Occasion
from tests.browser import barriers, in_a_browser, signed_in
from tests.programme.backoffice.rights.people import user_of
from tests.programme.backoffice.screens import open_page, save
from tests.programmes import CLOCKS, JAZZ, TORGET

pytestmark = in_a_browser

FORM = f"/admin/programme/event/{JAZZ}/change/"
ADD = "/admin/programme/event/add/"
OCCASIONS = "/admin/programme/occasion/"


@pytest.fixture
def page(page: Page) -> Page:
    # Browsers ask before what was typed is left.
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def list_drafts(page: Page) -> list[str]:
    found: list[str] = page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('draft:'))")
    return found


def wait_for_draft(page: Page, text: str) -> None:
    """Wait until a draft has a text, which takes a moment after it was typed."""
    page.evaluate(
        """text => new Promise((done, fail) => {
            const look = () => Object.values(localStorage).join().includes(text) ? done() : setTimeout(look, 50);
            look();
            setTimeout(() => fail(Error(`no draft has ${text}`)), 30000);
        })""",
        text,
    )


def type_title(page: Page, title: str = "Soul", form: str = FORM) -> None:
    page.goto(form)
    page.fill("#id_title", title)
    wait_for_draft(page, title)


def test_a_draft_is_offered_and_used_when_its_editor_says_so(page, anna):
    page.goto(FORM)
    page.set_input_files("#id_image", {"name": "bild.png", "mimeType": "image/png", "buffer": b"x"})
    page.fill("#id_title", "Soul")
    wait_for_draft(page, "bild.png")
    assert list_drafts(page) == [f"draft:{anna.pk}:{FORM}"]
    page.goto(FORM)
    notice = page.locator(".unsaved-text")
    assert notice.locator("p").first.inner_text().startswith("You have text from ")
    assert barriers(page) == []
    # Nothing is filled in before it is asked for.
    expect(page.locator("#id_title")).to_have_value(Event.objects.get(pk=JAZZ).title)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#id_title")).to_have_value("Soul")
    lost = "The file “bild.png” is not saved: choose it once more."
    expect(page.locator("#id_image ~ .errorlist")).to_have_text(lost)
    expect(notice).to_be_hidden()
    save(page)
    assert Event.objects.get(pk=JAZZ).title == "Soul"
    assert list_drafts(page) == []
    page.goto(FORM)
    page.locator("#id_title").wait_for()
    expect(page.locator(".unsaved-text")).to_have_count(0)


def test_a_draft_is_discarded_and_none_is_left_on_signing_out(page):
    page.goto(FORM)
    page.set_input_files("#id_image", {"name": "hemlig.png", "mimeType": "image/png", "buffer": b"x"})
    page.fill("#id_title", "Soul")
    wait_for_draft(page, "Soul")
    # No file, token or state of the page is typed.
    text = page.evaluate("key => localStorage.getItem(key)", list_drafts(page)[0])
    kept = json.loads(text)
    assert (kept.keys(), kept["fields"]) == ({"at", "state", "fields", "files"}, {"title": "Soul"})
    page.goto(FORM)
    page.get_by_role("button", name="Discard").press("Enter")
    expect(page.locator("#id_title")).to_be_focused()
    expect(page.locator(".unsaved-text")).to_have_count(0)
    assert list_drafts(page) == []
    # The page of many changes keeps what was said, too.
    for is_first in (True, False):
        page.goto(OCCASIONS)
        page.locator(".action-select").first.check()
        page.select_option("select[name=action]", "inform")
        page.locator("button[name=index]").click()
        if is_first:
            page.fill("[name=note]", "Åska")
            wait_for_draft(page, "Åska")
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("[name=note]")).to_have_value("Åska")
    # Signing out, of a form too.
    type_title(page)
    page.fill("#id_price", "10 kr")
    page.click("#logout-form button")
    page.locator("#id_username").wait_for()
    assert list_drafts(page) == []


def test_what_is_typed_while_the_page_loads_is_a_draft(page):
    def type_first(route: Route) -> None:
        page.fill("#id_title", "Soul")
        route.continue_()

    page.route("**/drafts*.js", type_first)
    page.goto(FORM)
    wait_for_draft(page, "Soul")


def test_rows_choices_and_ticks_come_back(page):
    page.goto(ADD)
    page.fill("#id_title", "Kvällsdopp")
    page.select_option("#id_area", label="Ångtorget")
    page.get_by_text("Language and further types").click()
    page.check("#id_highlighted")
    for number, day in enumerate(("2026-07-30", "2026-07-31")):
        if number:
            page.locator("#occasions-group .add-row a").click()
        page.fill(f"#id_occasions-{number}-day", day)
        page.fill(f"#id_occasions-{number}-start_time", "19.30")
        page.fill(f"#id_occasions-{number}-end_time", "21")
    page.locator(".field-organizer .select2-selection").click()
    page.locator(".select2-results__option:has-text('Föreningen Jazz')").first.click()
    wait_for_draft(page, "Föreningen Jazz")
    page.goto(ADD)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator(".field-organizer .select2-selection")).to_contain_text("Föreningen Jazz")
    expect(page.locator("#id_highlighted")).to_be_checked()
    page.get_by_role("button", name="Save draft").click()
    page.locator(".messagelist .success").wait_for()
    event = Event.objects.get(title="Kvällsdopp")
    assert (event.area_id, event.highlighted, event.organizer.name) == (TORGET, True, "Föreningen Jazz")
    assert [f"{each.start:%d %H:%M}" for each in event.occasions.order_by("start")] == [
        "30 17:30",
        "31 17:30",
    ]
    assert list_drafts(page) == []


def test_a_row_is_found_again_where_others_have_added_and_deleted_some(page):
    first, second = Occasion.objects.filter(event=JAZZ).order_by("start")[:2]
    page.goto(FORM)
    for number, clock in ((0, "09:09"), (1, "23:23")):
        page.fill(f"#id_occasions-{number}-end_time", clock)
    wait_for_draft(page, "23:23")
    first.delete()
    page.goto(FORM)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#id_occasions-0-id")).to_have_value(str(second.pk))
    expect(page.locator("#id_occasions-0-end_time")).to_have_value("23:23")
    expect(page.locator(".unsaved-text .left")).to_contain_text("09:09")


def test_where_another_has_saved_since_both_versions_are_shown(page):
    type_title(page, "Mine")
    Event.objects.filter(pk=JAZZ).update(title="Theirs", price="99 kr")
    page.goto(FORM)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#id_title")).to_have_value("Mine")
    expect(page.locator("#id_price")).to_have_value("99 kr")
    page.locator("[name=_save]").click()
    expect(page.locator(".meeting legend")).to_contain_text("Title")
    page.locator(".meeting input[value=mine]").check()
    page.get_by_role("button", name="Save what is chosen").click()
    page.locator(".messagelist .success").wait_for()
    event = Event.objects.get(pk=JAZZ)
    assert (event.title, event.price) == ("Mine", "99 kr")
    assert list_drafts(page) == []


def test_what_was_refused_stays_a_draft_until_it_is_saved(page):
    page.goto(ADD)
    page.fill("#id_title", "Jazz")
    page.get_by_role("button", name="Save draft").click()
    page.locator(".errornote").wait_for()
    expect(page.locator(".unsaved-text")).to_have_count(0)
    page.fill("#id_price", "10 kr")
    wait_for_draft(page, "10 kr")
    page.goto(ADD)
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#id_title")).to_have_value("Jazz")
    expect(page.locator("#id_price")).to_have_value("10 kr")


def test_two_tabs_that_add_keep_a_draft_each(page):
    type_title(page, "Ett", ADD)
    other = page.context.new_page()
    other.on("dialog", lambda dialog: dialog.accept())
    other.goto(ADD)
    # What the first one has may be used here, and is no part of what is written here.
    expect(other.locator(".unsaved-text")).to_be_visible()
    other.fill("#id_title", "Två")
    wait_for_draft(other, "Två")
    page.fill("#id_price", "10 kr")
    wait_for_draft(page, "10 kr")
    assert read_drafts(page) == [{"title": "Ett", "price": "10 kr"}, {"title": "Två"}]
    page.select_option("#id_area", label="Ångtorget")
    page.get_by_role("button", name="Save draft").click()
    page.locator(".messagelist .success").wait_for()
    assert read_drafts(page) == [{"title": "Två"}]
    other.goto(ADD)
    other.get_by_role("button", name="Use it").click()
    expect(other.locator("#id_title")).to_have_value("Två")
    expect(other.locator("#id_price")).to_have_value("")
    assert read_drafts(other) == [{"title": "Två"}]


def read_drafts(page: Page) -> list[dict[str, str]]:
    """Return what the drafts have, by title."""
    texts = [page.evaluate("key => localStorage.getItem(key)", key) for key in list_drafts(page)]
    return sorted((json.loads(text)["fields"] for text in texts), key=lambda fields: str(fields["title"]))


def test_it_is_its_editors_own(page, browser, site):
    type_title(page)
    bo = User.objects.create_superuser("bo")
    other = signed_in(browser, site, bo)
    [cookie] = other.cookies()
    page.context.add_cookies([cookie])
    page.goto(FORM)
    page.locator("#id_title").wait_for()
    expect(page.locator(".unsaved-text")).to_have_count(0)
    page.fill("#id_title", "Hers")
    wait_for_draft(page, "Hers")
    assert len(list_drafts(page)) == 2
    other.close()


def test_it_ends_after_a_week_and_a_broken_one_at_once(page, anna):
    page.goto("/admin/")
    page.evaluate(
        """user => {
            const age = days => JSON.stringify({at: Date.now() - days * 86400000, fields: {title: "x"}});
            localStorage.setItem(`draft:${user}:/old/`, age(7.01));
            localStorage.setItem(`draft:${user}:/young/`, age(6.99));
            localStorage.setItem(`draft:${user}:/broken/`, "{");
        }""",
        anna.pk,
    )
    page.goto("/admin/")
    assert list_drafts(page) == [f"draft:{anna.pk}:/young/"]


START = "/admin/"
FORMS = [f"event/{JAZZ}", f"area/{TORGET}"]
FIRST_TEXT = "#content-main form input[type=text]:visible, #content-main form textarea:visible"


def is_warned(page: Page) -> bool:
    """Return whether the editor is asked before leaving for the start page, and then leaves."""
    found: list[str] = []

    def answer(dialog: Dialog) -> None:
        found.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.goto(START)
    page.remove_listener("dialog", answer)
    return found == ["beforeunload"]


def test_answers_in_the_table_of_accessibility_are_not_left_unsaved(page: Page) -> None:
    page.goto("/admin/programme/location/?fill=on")
    assert not is_warned(page)
    page.goto("/admin/programme/location/?fill=on")
    expect(page.locator("[name=_save]")).to_be_in_viewport()
    page.locator("#result_list select").first.select_option(index=1)
    assert is_warned(page)


@pytest.mark.parametrize("form", FORMS)
def test_leaving_asks_once_something_was_typed(page, form):
    page.goto(f"/admin/programme/{form}/change/")
    field = page.locator(FIRST_TEXT).first
    before = field.input_value()
    field.fill(f"{before}!")
    field.fill(before)
    assert not is_warned(page)
    page.goto(f"/admin/programme/{form}/change/")
    field.fill(f"{before}!")
    assert is_warned(page)


def test_who_may_only_read_is_not_asked(browser, site):
    page = open_page(browser, site, user_of(Role.AREA_EDITOR))
    page.goto(f"/admin/programme/event/{CLOCKS}/change/")
    page.locator(".only-read").click()
    assert not is_warned(page)
    page.context.close()


def test_a_new_row_and_what_was_refused_are_typed_too(page):
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.locator("#occasions-group .add-row a").click()
    assert is_warned(page)
    page.goto("/admin/programme/event/add/")
    page.fill("#id_title", "Jazz")
    page.get_by_role("button", name="Save draft").last.click()
    page.locator(".errornote").wait_for()
    page.locator("#id_title").click()
    assert is_warned(page)


def test_saving_and_looking_at_a_preview_do_not_ask_and_typing_goes_on_to_count(page):
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    with page.context.expect_page() as preview:
        page.get_by_role("button", name="Preview").first.click()
    preview.value.close()
    page.goto(START)
    assert questions == ["beforeunload"]
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Soul")
    save(page)
    assert questions == ["beforeunload"]
    assert Event.objects.get(pk=JAZZ).title == "Soul"
    # What is done with ticked occasions saves nothing of the form.
    page.goto(f"/admin/programme/event/{JAZZ}/change/")
    page.fill("#id_title", "Funk")
    page.locator("#occasions-group [type=checkbox][form=changing]").first.check()
    page.locator(".ticked").get_by_role("button", name="Move").click()
    expect(page.locator("[name=shift]")).to_be_focused()
    assert questions == ["beforeunload"] * 2


def test_the_page_with_both_versions_asks_unless_one_drops_ones_own(page):
    def meet() -> None:
        page.goto(f"/admin/programme/event/{JAZZ}/change/")
        page.fill("#id_title", "Mine")
        Event.objects.filter(pk=JAZZ).update(title=f"{Event.objects.get(pk=JAZZ).title} and theirs")
        page.locator("[name=_save]").click()
        page.locator(".meeting").wait_for()
        page.locator(".meeting input[value=mine]").first.click()

    meet()
    assert is_warned(page)
    meet()
    questions: list[str] = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.get_by_role("link", name="Keep theirs, drop mine").click()
    page.locator("#id_title").wait_for()
    assert questions == []
