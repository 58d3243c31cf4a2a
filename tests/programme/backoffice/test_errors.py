"""Error pages of the back office: what happened, and the way back."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.core.files.storage.filesystem import locks
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client, override_settings

from programme.backoffice.admin.events import EventAdmin
from programme.models import Event
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import parse, submission
from tests.programmes import DRAFT

pytestmark = pytest.mark.usefixtures("sample")

EVENTS = "/admin/programme/event/"
FORM = f"{EVENTS}{DRAFT}/change/"
AWAY = [
    "Nothing can be shown or saved right now",
    "It usually works again within a minute. If not, tell the person who runs the server.",
]
MAYBE_SAVED = "It may have been saved all the same: look before you save it again."
KEPT = "What you typed is kept in this browser: the form offers it when you open it again."
TYPED = 'Jazz "på" torget\n<script>alert(1)</script> & Åska'


@pytest.fixture
def office(office: Client) -> Client:
    office.raise_request_exception = False
    return office


def outage() -> OperationalError:
    error = OperationalError("no such host: secret.example\nIs the server running?")
    error.__cause__ = psycopg.OperationalError()
    return error


@contextmanager
def failing(owner: Any, method: str, error: Exception) -> Iterator[None]:
    """Let a method raise an error."""

    def refuse(*_arguments: Any, **_named: Any) -> None:
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(owner, method, refuse)
        yield


def read_text(response: Any) -> list[str]:
    """Return heading, paragraphs and links or buttons."""
    parts = parse(response).select("#content h1, #content p:not(.reference), .ways input, .ways a")
    return [" ".join((each.text or each.get("value", "")).split()) for each in parts]


def test_what_passes_says_so_and_when_to_try_again(office, caplog):
    form = submission(office.get(FORM)) | {"intro_sv": TYPED}
    address = f"{FORM}?back=/admin/problems/"
    with failing(EventAdmin, "save_model", outage()):
        answer = office.post(address, form)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
    assert read_text(answer) == [*AWAY, MAYBE_SAVED, KEPT, "Open the page again", "To the start page"]
    assert "secret" not in answer.content.decode()
    assert parse(answer).select_one(".ways .default")["href"] == address
    line = f"POST {FORM} was not answered: no such host: secret.example"
    assert [(each.getMessage(), each.exc_info) for each in caplog.records] == [(line, None)]


def test_a_full_disk_saves_nothing_of_the_event(office):
    form = submission(office.get(FORM)) | {"image": SimpleUploadedFile("bild.png", photo("PNG"))}
    with failing(locks, "lock", OSError(errno.ENOSPC, "")):
        answer = office.post(FORM, form | {"title": "Nytt"})
    assert (answer.status_code, read_text(answer)[0]) == (503, AWAY[0])
    assert Event.objects.get(pk=DRAFT).title == "Utkast"


def test_a_fault_of_ours_has_a_reference(office):
    form = submission(office.get(FORM))
    with failing(EventAdmin, "save_model", ZeroDivisionError()):
        answer = office.post(FORM, form)
    assert (answer.status_code, "Retry-After" in answer) == (500, False)
    assert read_text(answer)[:2] == [
        "Something went wrong here",
        "The fault is ours, not yours, and it is in the log.",
    ]
    assert [each.text for each in parse(answer).select("#content .reference code")] == [
        answer["X-Request-ID"]
    ]
    # With the editor's own header.
    assert parse(answer).select_one("#user-tools strong").text == "anna"


@pytest.mark.parametrize("path", ["programme/event/", "login/?next=/admin/"])
def test_a_page_without_the_session_comes_without_a_query(office, path, django_assert_num_queries):
    with failing(SessionStore, "load", outage()), django_assert_num_queries(0):
        answer = office.get(f"/admin/{path}")
    assert answer.status_code == 503
    assert parse(answer).select("#user-tools") == []
    assert read_text(answer) == [*AWAY, KEPT, "Try again", "To the start page"]
    [again] = parse(answer).select("#content .default")
    assert again["href"] == f"/admin/{path}"


def test_the_page_is_in_the_editors_language(office):
    with failing(SessionStore, "load", outage()):
        answer = office.post(FORM, {"title": "Nytt"}, headers={"Accept-Language": "sv"})
    assert parse(answer).html["lang"] == "sv"
    assert read_text(answer) == [
        "Just nu kan inget visas eller sparas",
        "Det brukar gå igen inom en minut. Om inte, säg till den som sköter servern.",
        "Det kan ha sparats ändå: titta efter innan du sparar igen.",
        "Det du skrev finns kvar i den här webbläsaren: formuläret erbjuder det när du öppnar det igen.",
        "Öppna sidan igen",
        "Till startsidan",
    ]


def test_an_address_that_leads_nowhere_says_so(office):
    answer = office.get("/admin/programme/nothing/")
    assert answer.status_code == 404
    assert read_text(answer) == [
        "There is no such page",
        "The address may be mistyped, or what it showed has been deleted.",
        KEPT,
        "To the start page",
    ]


def test_a_refusal_says_why(office):
    for reason, text in (
        ("", "Your role does not include it. Ask an administrator."),
        ("The event is published.", "The event is published."),
    ):
        with failing(EventAdmin, "get_changelist_instance", PermissionDenied(reason)):
            answer = office.get(EVENTS)
        assert answer.status_code == 403
        assert read_text(answer) == ["You may not do this", text, KEPT, "To the start page"]


@pytest.mark.parametrize("path", ["logout/", f"programme/event/{DRAFT}/duplicate/"])
def test_an_address_that_only_buttons_send_to_says_so(office, path):
    answer = office.get(f"/admin/{path}")
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]
    assert read_text(answer) == [
        "This address is not a page",
        "A button of the back office leads here. Press it once more.",
        KEPT,
        "To the start page",
    ]


def test_a_form_with_an_old_token_is_refused(anna):
    client = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(anna)
    answer = client.post(FORM, {"title": "Nytt"})
    assert answer.status_code == 403
    heading, explanation, saved, *_links = read_text(answer)
    assert (heading, saved) == ("The form is too old", "Nothing was saved.")
    assert explanation.startswith("You have signed in or out since you opened it,")
    assert parse(answer).select("#content form") == []
    assert parse(answer).select(".main-nav")
    client.logout()
    assert parse(client.post(FORM, {"title": "Nytt"})).select(".main-nav") == []


@pytest.mark.parametrize(
    ("limit", "status"),
    [({"DATA_UPLOAD_MAX_MEMORY_SIZE": 10}, 413), ({"DATA_UPLOAD_MAX_NUMBER_FIELDS": 3}, 400)],
)
def test_a_form_that_is_too_large_is_refused_with_advice(office, limit, status):
    form = submission(office.get(FORM))
    with override_settings(**limit):
        answer = office.post(FORM, form)
    assert answer.status_code == status
    assert read_text(answer)[:3] == [
        "The request cannot be accepted",
        "Go back in the browser, and save what you typed in smaller parts.",
        "Nothing was saved.",
    ]
