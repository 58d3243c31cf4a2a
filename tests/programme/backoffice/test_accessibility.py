"""Screens of the back office: axe finds nothing, light and dark, wide and narrow."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, ViewportSize

from festival.monitoring.live_report import LEVELS, Finding, Report, save
from programme.models import Edit
from tests.browser import (
    DESKTOP,
    PHONE,
    barriers,
    barriers_in_both_widths,
    browser,
    in_a_browser,
    live_server,
    signed_in,
)
from tests.conftest import NOW
from tests.organizers import enter_path, event_path, suggest
from tests.programme.backoffice.imports.pages import ROWS, build_sheet, show_preview
from tests.programme.backoffice.timetable.reading import DAY
from tests.programmes import DRAFT, FORENINGEN, JAZZ, TORGET

__all__ = ["browser", "live_server"]

pytestmark = [*in_a_browser, pytest.mark.thorough]

MODELS = ("event", "occasion", "area", "subarea", "organizer", "location", "room", "eventtype", "language")
EVENT, OCCASIONS = "programme/event/", "programme/occasion/"
SCREENS = {
    "lists": ("", *(f"programme/{model}/" for model in MODELS), f"{EVENT}?_facets=True"),
    "forms": (*(f"programme/{model}/add/" for model in MODELS), "programme/festival/"),
    "events": (
        f"{EVENT}export/",
        f"{EVENT}deleted/",
        f"{EVENT}{DRAFT}/bring-back/",
        *(f"{EVENT}{JAZZ}/{page}/" for page in ("change", "delete", "history", "preview")),
        f"programme/area/{TORGET}/delete/",
        "problems/",
        "problems/?accepted=True",
        "changes/",
        "change-many/",
        "change-many/?day=2026-07-29",
        DAY.removeprefix("/admin/"),
    ),
    "the office": (
        "import/",
        "import/saved/",
        "suggestions/",
        f"suggestions/links/?ids={FORENINGEN}",
        "handbook/",
        "auth/user/",
        "auth/user/add/",
        "auth/user/invite/",
        "accounts/accountevent/",
        "account/two-factor/",
        "password_change/",
        "health/",
    ),
}
ENTRANCES = ("login/", "password/forgotten/")


@pytest.fixture
def festival(transactional_db: None, sample: None, at: Any, settings: Any, tmp_path: Path) -> None:
    """The sample, which the server's thread sees too, and a service that has been checked."""
    settings.DATA_DIR = tmp_path
    findings = [Finding("clock", level, "Responses have no date.") for level in LEVELS]
    save(Report(NOW, "https://program.example", findings))


@pytest.fixture
def screen(browser: Browser, live_server: Any, festival: None, anna: User) -> Iterator[Page]:
    # Playwright's waiting evaluates text, which the back office's policy forbids.
    address = f"{live_server.url}/admin/"
    context = signed_in(browser, live_server.url, anna, bypass_csp=True, base_url=address)
    yield context.new_page()
    context.close()


@pytest.fixture
def deleted(office: Client) -> None:
    office.post(f"/admin/{EVENT}{DRAFT}/delete/", {"post": "yes"})


@pytest.fixture
def addresses(office: Client, deleted: None) -> list[str]:
    """The screens of what was deleted, invited, imported and suggested."""
    edit = Edit.objects.latest("pk").pk
    content = build_sheet(*ROWS)
    contents = (content.replace(b"Titel", b"Vad det heter"), content)
    columns, preview = (show_preview(office, each).request["PATH_INFO"] for each in contents)
    user = User.objects.create_user("bo", is_staff=True).pk
    account = (f"auth/user/{user}/{page}/" for page in ("change", "sign-in", "password", "delete", "history"))
    suggestion = suggest(intro_sv="Jazz vid ån.").pk
    own = [f"changes/{edit}/", f"changes/{edit}/undo/", f"suggestions/{suggestion}/", *account]
    return [*own, *(each.removeprefix("/admin/") for each in (columns, preview))]


def open_row(page: Page) -> None:
    page.locator("button.edit-row").first.click()
    page.wait_for_selector("#row-title")


def open_filters(page: Page) -> None:
    page.locator(".open-filters").click()
    page.wait_for_selector("#changelist-filter.open")


def choose_two(action: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        for number in range(2):
            page.locator("input.action-select").nth(number).check()
        page.locator("select[name=action]").select_option(action)
        with page.expect_navigation():
            page.locator("button[name=index]").click()

    return choose


def open_draft(page: Page) -> None:
    page.fill("#id_title", "Not saved")
    page.wait_for_function("Object.keys(localStorage).some(key => key.startsWith('draft:'))")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_selector(".unsaved-text")


def refuse(page: Page) -> None:
    page.evaluate("document.querySelector('#event_form').noValidate = true")
    with page.expect_navigation():
        page.locator("[name=_save]").last.click()


def add_in_timetable(page: Page) -> None:
    page.locator("#to-place summary, .shelf summary").locator("visible=true").first.click()
    page.get_by_role("button", name="Nytt tillfälle").locator("visible=true").first.click()
    page.wait_for_selector("dialog[open]")


def preview_many(page: Page) -> None:
    page.fill("[name=shift]", "+2 h")
    with page.expect_navigation():
        page.get_by_role("button", name="Visa vad som händer").click()


def preview_invitations(page: Page) -> None:
    page.locator("textarea").fill("anna@example.org\nno address")
    page.locator("[name=role]").first.check()
    with page.expect_navigation():
        page.locator("[name=do]").click()


# What is done on a screen before it is looked at.
STATES = (
    (EVENT, open_row),
    (OCCASIONS, open_row),
    (f"{OCCASIONS}?event__status__exact=published", open_filters),
    (EVENT, choose_two("delete_selected")),
    (OCCASIONS, choose_two("cancel")),
    (f"{EVENT}add/", refuse),
    (f"{EVENT}add/", open_draft),
    ("change-many/?day=2026-07-29", preview_many),
    ("auth/user/invite/", preview_invitations),
    (DAY.removeprefix("/admin/"), add_in_timetable),
)


def look_at(page: Page, *paths: str) -> None:
    found = {}
    for path in paths:
        response = page.goto(path)
        assert response is not None, path
        assert response.status == 200, path
        if kept_out := barriers_in_both_widths(page):
            found[path] = kept_out
    assert found == {}


@pytest.mark.parametrize("paths", SCREENS.values(), ids=SCREENS.keys())
def test_a_screen_keeps_nobody_out(screen: Page, deleted: None, paths: tuple[str, ...]) -> None:
    look_at(screen, *paths)


def test_a_screen_of_what_was_done_keeps_nobody_out(screen: Page, addresses: list[str]) -> None:
    look_at(screen, *addresses)


# Another thing may be opened on a phone, so each width opens its own.
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_opens_on_a_screen_keeps_nobody_out(screen: Page, viewport: ViewportSize) -> None:
    screen.set_viewport_size(viewport)
    found = {}
    for path, act in STATES:
        screen.goto(path)
        act(screen)
        if kept_out := barriers(screen):
            found[path, getattr(act, "__name__", "")] = kept_out
    assert found == {}


def test_a_screen_before_one_is_in_keeps_nobody_out(
    browser: Browser, festival: None, live_server: Any
) -> None:
    context = browser.new_context(locale="sv-SE", base_url=f"{live_server.url}/admin/")
    look_at(context.new_page(), *ENTRANCES, enter_path(), event_path())
    context.close()
