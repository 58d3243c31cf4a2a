"""Nothing that waits or is internal, and no private address, is in any answer to others, or in the log."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Q
from django.test import Client

from feeds.formats import FORMATS
from festival.configuration.logs import redact
from programme.backoffice.roles import Role
from programme.exchange.exports.sheet import EXPORTS
from programme.history import edits
from programme.models import Edit, Event, SuggestedImage, models_with_history
from programme.models.events import INTERNAL
from programme.publishing.current import current
from tests.conftest import NOW, SetClock
from tests.organizers import EMAIL, decide, enter_path, event_path, suggest
from tests.pages import all_pages
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.rights.addresses import PAGES, address_of
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import FORENINGEN, JAZZ, MARATHON, TORGET

pytestmark = pytest.mark.usefixtures("lists")

SHEETS = "/admin/timetable/sheets/"
# Words of the suggestion, which stand nowhere else.
TITLE, TEXT, LINK, IMAGE, SAID = (
    *("Förslagstiteln", "Förslagstexten", "forslaget.example", "forslagsbild", "Hemligt"),
)
SUGGESTED = [TITLE, TEXT, LINK, IMAGE, SAID, EMAIL]
# What is internal of events.
INTERNALS = {name: f"{name.replace('_', '')}@example.org" for name in INTERNAL}
SECRETS = [*SUGGESTED, *INTERNALS.values()]
# The start asked for, in local time and UTC; not the seconds of some other instant, such as 09:16:41.
START = re.compile(r"(?<![:\d])(?:18|16):41(?!:(?!00)\d)")


@pytest.fixture(autouse=True)
def _waiting(at: SetClock, sample: None) -> None:
    at(NOW)
    suggest(
        title=TITLE,
        description_en=TEXT,
        ticket_url=f"https://{LINK}/",
        message=SAID,
        image=SimpleUploadedFile(f"{IMAGE}.png", photo("PNG"), "image/png"),
        **{"occasion-8001-start_time": "18:41", "occasion-8001-end_time": "19:41"},
    )
    with edits.record(reason="x"):
        # Of what an editor of Torget may change, one that is moved away.
        Event.objects.filter(~Q(area=TORGET) | Q(pk=JAZZ)).update(**INTERNALS)


def public_addresses() -> Iterator[str]:
    yield from all_pages.paths()
    for each in FORMATS:
        yield f"/api/events.{each.extension}"
        yield f"/api/occations/8001.{each.extension}"
    yield from (
        *("/api/areas", "/api/programme", "/api/changes?modified_since=2026-01-01T00:00:00Z", "/api/schema"),
    )
    yield from ("/sitemap.xml", f"/media/events/{IMAGE}.png", f"/media/{IMAGE}.png")
    yield from (event_path(), f"{event_path()}image/", "/admin/organizer/", "/admin/suggestions/")


def find_leaks(client: Client, addresses: Iterator[str]) -> list[tuple[str, str]]:
    found = []
    for address in addresses:
        answer: Any = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = f"{content.decode(errors='replace')} {dict(answer.items())}"
        found += [(address, secret) for secret in SECRETS if secret in text]
        found += [(address, clock) for clock in START.findall(text)]
    return found


def test_readers_get_nothing_of_it(client: Client) -> None:
    before = client.get("/api/events.json").content
    assert find_leaks(client, public_addresses()) == []
    assert {len(client.get("/api/events.json", {"q": each}).json()) for each in INTERNALS.values()} == {0}
    Event.objects.update(internal_note="")
    current.clear()
    assert client.get("/api/events.json").content == before


def test_an_editor_of_other_areas_gets_nothing_of_it() -> None:
    """Their area is Torget; the event is moved to another."""
    Event.objects.filter(pk=JAZZ).update(area=Event.objects.get(pk=MARATHON).area_id, sub_area=None)
    addresses = (address_of(page) for page in PAGES)
    waiting = SuggestedImage.objects.get().suggestion_id
    own = (f"/admin/suggestions/{waiting}/", f"/admin/suggestions/{waiting}/image/")
    form, edit = f"/admin/programme/event/{JAZZ}/", Edit.objects.get(reason="x").pk
    pages = [f"{form}change/", f"{form}history/", f"/admin/changes/{edit}/", f"{SHEETS}?crew=on"]
    client = office_of(user_of(Role.AREA_EDITOR))
    assert find_leaks(client, iter([*addresses, *own, *pages])) == []
    refused = client.post(f"{form}change/", {"title": "Ny", "internal_note": "Ny"})
    assert (refused.status_code, INTERNALS["internal_note"] in refused.content.decode()) == (403, False)
    asked = client.get("/admin/programme/event/", {"internal_note__startswith": "internal"})
    assert asked.status_code == 400


def test_who_may_change_an_event_has_it_in_its_form_and_on_run_sheets() -> None:
    client = office_of(user_of(Role.CHIEF_EDITOR))
    addresses = f"/admin/programme/event/{JAZZ}/change/", f"{SHEETS}?crew=on", SHEETS
    form, sheet, wall = (client.get(address).content.decode() for address in addresses)
    assert '"remark">Signed<' in client.get(f"{SHEETS}?crew=on&day=2026-07-30").content.decode()
    for each in INTERNALS.values():
        assert each in form
        assert each in sheet
        assert each not in wall


def test_history_exports_and_lists_have_nothing_of_it() -> None:
    """Whoever may decide sees it on the pages of suggestions and of links, and nowhere else."""
    client = office_of(user_of(Role.CHIEF_EDITOR))
    shown = (page for page in PAGES if not page.startswith("suggestions/") and "/change/" not in page)
    pages = [*map(address_of, shown), f"/admin/changes/{Edit.objects.get(reason='x').pk}/"]
    exports = [f"/admin/programme/event/export/?format={name}&drafts=on&all=on" for name in EXPORTS]
    history = [f"/admin/programme/event/{JAZZ}/history/", f"/admin/programme/organizer/{FORENINGEN}/history/"]
    assert find_leaks(client, iter([*pages, *exports, *history])) == []


def test_no_version_and_no_public_file_has_any_of_it() -> None:
    rows = [list(model.history.values()) for model in models_with_history()]
    stored = json.dumps(rows, default=str, ensure_ascii=False)
    assert [secret for secret in SUGGESTED if secret in stored] == []
    assert [path for path in Path(settings.MEDIA_ROOT).rglob("*") if IMAGE in path.name] == []


def test_neither_token_nor_address_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    path = enter_path()
    token = path.split("/")[-2]
    with caplog.at_level(logging.DEBUG):
        client = Client(SERVER_NAME="localhost")
        client.get(path)
        client.get(event_path())
        client.get("/admin/organizer/event/1/")
        client.get(f"{path}x")
        client.get(f"{path[:-1]})")
    logged = [line for line in caplog.text.splitlines() if token in redact(line)]
    assert logged == [line for line in logged if "INSERT" in line or "SELECT" in line]
    assert [line for line in caplog.text.splitlines() if EMAIL in line and "SELECT" not in line] == []
    assert redact(path) == "/admin/organizer/REDACTED/"
    assert redact(f"{path[:-1]}),/x") == "/admin/organizer/REDACTED/x"


def test_deciding_makes_it_public(client: Client) -> None:
    office = Client(SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE="en")
    office.force_login(User.objects.create_superuser("anna"))
    decide(office, SuggestedImage.objects.get().suggestion)
    # Readers may be answered from the former programme for a moment.
    current.clear()
    text = client.get("/api/events.json").content.decode()
    assert all(secret in text for secret in (TITLE, TEXT, LINK))
    # The image has another name.
    assert all(secret not in text for secret in (SAID, IMAGE))
    assert EMAIL not in text
    Path(Event.objects.get(pk=JAZZ).image.path).unlink()
