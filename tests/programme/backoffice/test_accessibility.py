"""Screens of the back office: axe finds nothing, light and dark, wide and narrow, and no policy blocks a part."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from programme.models import Edit
from tests.browser import barriers_in_both_widths, in_a_browser, signed_in
from tests.organizers import enter_path, event_path, suggest
from tests.programme.backoffice.imports.pages import ROWS, build_sheet, show_preview
from tests.programme.backoffice.timetable.reading import DAY
from tests.programmes import DRAFT, FORENINGEN, JAZZ, TORGET

pytestmark = [*in_a_browser, pytest.mark.thorough]

MODELS = (
    *("event", "occasion", "occasionlist", "area", "subarea", "organizer", "location", "room", "eventtype"),
    "language",
)
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
        "news/",
        "merge/location/?row=5001&row=5003",
        DAY.removeprefix("/admin/"),
    ),
    "the office": (
        "import/",
        "suggestions/",
        f"suggestions/links/?ids={FORENINGEN}",
        "handbook/",
        "auth/user/",
        "auth/user/add/",
        "auth/user/invite/",
        "account/two-factor/",
        "password_change/",
    ),
}
ENTRANCES = ("login/", "password/forgotten/")


@pytest.fixture
def festival(transactional_db: None, sample: None, at: Any) -> None:
    """The sample, which the server's thread sees too."""


@pytest.fixture
def screen(browser: Browser, live_server: Any, festival: None, anna: User) -> Iterator[Page]:
    context = signed_in(browser, live_server.url, anna, base_url=f"{live_server.url}/admin/")
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


def look_at(page: Page, *paths: str) -> None:
    """Nothing is a barrier, and nothing is blocked by the policy, which allows nothing unsafe."""
    found, blocked = {}, []
    page.on("console", lambda message: blocked.append(message.text) if "Policy" in message.text else None)
    for path in paths:
        response = page.goto(path)
        assert response is not None, path
        assert response.status == 200, path
        policy = response.headers["content-security-policy"]
        assert ("default-src 'none'" in policy, "unsafe" in policy) == (True, False), path
        # A file is read again in the language of the screen.
        expect(page.locator("[data-progress=at-once]")).to_have_count(0)
        if kept_out := barriers_in_both_widths(page):
            found[path] = kept_out
    assert (found, blocked) == ({}, [])


@pytest.mark.parametrize("paths", SCREENS.values(), ids=SCREENS.keys())
def test_a_screen_keeps_nobody_out(screen, deleted, paths):
    look_at(screen, *paths)


def test_a_screen_of_what_was_done_keeps_nobody_out(screen, addresses):
    look_at(screen, *addresses)


def test_a_screen_before_one_is_in_keeps_nobody_out(browser, festival, live_server):
    context = browser.new_context(locale="sv-SE", base_url=f"{live_server.url}/admin/")
    look_at(context.new_page(), *ENTRANCES, enter_path(), event_path())
    context.close()
