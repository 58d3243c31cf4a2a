"""Error pages of the back office: the cause, the way back, and what was typed, to be sent again."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied
from django.core.files.storage.filesystem import locks
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client, override_settings

from festival.http.middleware import BackOfficeSessionMiddleware
from programme.backoffice.admin.events import EventAdmin
from programme.backoffice.admin.users import BackOfficeUserAdmin
from programme.models import Event
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import parse, submission
from tests.programmes import DRAFT

pytestmark = pytest.mark.usefixtures("sample")

EVENTS = "/admin/programme/event/"
FORM = f"{EVENTS}{DRAFT}/change/"
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


# --- What was typed ---------------------------------------------------------------------------


def test_what_was_typed_is_sent_again_from_the_page(office: Client, caplog: pytest.LogCaptureFixture) -> None:
    form = submission(office.get(FORM)) | {"intro_sv": TYPED, "price": "100 kr"}
    with failing(EventAdmin, "save_model", outage()):
        answer = office.post(f"{FORM}?back=/admin/problems/", form)
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
    assert read_text(answer) == [
        "The database does not answer",
        "It is usually back within a minute. If not, tell the person who runs the server.",
        "Nothing was saved. What you typed is kept in this page: leave it open, and try again.",
        "Try again",
    ]
    assert "secret" not in answer.content.decode()
    again = parse(answer).select_one("#content form")
    assert (again["method"], again["action"]) == ("post", f"{FORM}?back=/admin/problems/")
    kept = submission(answer)
    token = kept.pop("csrfmiddlewaretoken")
    assert kept == {name: value for name, value in form.items() if name != "csrfmiddlewaretoken"}
    line = f"POST {FORM} was not answered: no such host: secret.example"
    assert [(each.getMessage(), each.exc_info) for each in caplog.records] == [(line, None)]

    checked = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    checked.cookies = office.cookies
    done = checked.post(again["action"], kept | {"csrfmiddlewaretoken": token}, follow=True)
    assert done.redirect_chain == [("/admin/problems/", 302)]
    event = Event.objects.get(pk=DRAFT)
    assert (event.intro_sv, event.price) == (TYPED, "100 kr")


def test_files_and_passwords_are_not_kept_and_the_page_says_so(office: Client) -> None:
    form = submission(office.get(FORM)) | {"image": SimpleUploadedFile("bild.png", photo("PNG"))}
    with failing(EventAdmin, "save_model", outage()):
        answer = office.post(FORM, form)
    assert "Files cannot be kept: choose bild.png again afterwards." in read_text(answer)
    assert "image" not in submission(answer)
    # The server's disk is full: nothing of the event is saved without its image.
    form |= {"image": SimpleUploadedFile("bild.png", photo("PNG"))}
    with failing(locks, "lock", OSError(errno.ENOSPC, "")):
        answer = office.post(FORM, form | {"title": "Nytt"})
    assert (read_text(answer)[0], submission(answer)["title"]) == (
        "The server's disk is full or read-only",
        "Nytt",
    )
    assert Event.objects.get(pk=DRAFT).title == "Utkast"
    form = {"username": "bo", "password1": "tomten bor i Kiruna", "password2": "tomten bor i Kiruna"}
    with failing(BackOfficeUserAdmin, "save_model", outage()):
        answer = office.post("/admin/auth/user/add/", form)
    assert "Passwords are not kept: you are asked for them again." in read_text(answer)
    assert "Kiruna" not in answer.content.decode()
    assert submission(answer).keys() == {"csrfmiddlewaretoken", "username"}


def test_a_form_that_fails_for_another_reason_can_be_sent_again_too(office: Client) -> None:
    form = submission(office.get(FORM)) | {"intro_sv": TYPED}
    with failing(EventAdmin, "save_model", ZeroDivisionError()):
        answer = office.post(FORM, form)
    assert (answer.status_code, "Retry-After" in answer) == (500, False)
    assert read_text(answer) == [
        "Something went wrong here",
        "The fault is ours, not yours, and it is in the log.",
        "Nothing was saved. What you typed is kept in this page: leave it open, and try again.",
        "Try again",
    ]
    assert [each.text for each in parse(answer).select("#content .reference code")] == [
        answer["X-Request-ID"]
    ]
    # With the editor's own header.
    assert parse(answer).select_one("#user-tools strong").text == "anna"
    assert submission(answer)["intro_sv"] == TYPED


def test_what_is_saved_is_not_offered_again(office: Client) -> None:
    form = submission(office.get(FORM)) | {"title": "Nytt"}
    with failing(BackOfficeSessionMiddleware, "process_response", outage()):
        answer = office.post(FORM, form)
    assert Event.objects.get(pk=DRAFT).title == "Nytt"
    assert answer.status_code == 503
    assert read_text(answer)[2:] == [
        "What you did was saved. Only the page after it could not be shown.",
        "Open the page again",
        "To the start page",
    ]
    assert parse(answer).select("#content form") == []


def test_a_form_from_elsewhere_is_not_kept_whenever_it_fails(anna: User) -> None:
    client = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.raise_request_exception = False
    client.force_login(anna)
    token = submission(client.get(FORM))["csrfmiddlewaretoken"]
    for sent, is_kept in ({"csrfmiddlewaretoken": token}, True), ({}, False):
        # Before the token is checked.
        with failing(SessionStore, "load", outage()):
            answer = client.post(FORM, sent | {"title": "Nytt"})
        assert answer.status_code == 503
        assert bool(parse(answer).select("#content form")) is is_kept


# --- Without the database -----------------------------------------------------------------------


@pytest.mark.parametrize("path", ["programme/event/", "login/?next=/admin/"])
def test_a_page_without_the_session_comes_without_a_query(
    office: Client, path: str, django_assert_num_queries: Any
) -> None:
    with failing(SessionStore, "load", outage()), django_assert_num_queries(0):
        answer = office.get(f"/admin/{path}")
    assert answer.status_code == 503
    assert parse(answer).select("#user-tools") == []
    assert read_text(answer) == [
        "The database does not answer",
        "It is usually back within a minute. If not, tell the person who runs the server.",
        "Try again",
        "To the start page",
    ]
    [again] = parse(answer).select("#content .default")
    assert again["href"] == f"/admin/{path}"


def test_the_page_is_in_the_editors_language(office: Client) -> None:
    with failing(SessionStore, "load", outage()):
        answer = office.post(FORM, {"title": "Nytt"}, headers={"Accept-Language": "sv"})
    assert parse(answer).html["lang"] == "sv"
    assert read_text(answer) == [
        "Databasen svarar inte",
        "Den är oftast tillbaka inom en minut. Om inte, säg till den som sköter servern.",
        "Ingenting sparades. Det du skrev finns kvar på den här sidan: låt den vara öppen och försök igen.",
        "Försök igen",
    ]


# --- Refusals -----------------------------------------------------------------------------------


def test_an_address_that_leads_nowhere_says_so(office: Client) -> None:
    answer = office.get("/admin/programme/nothing/")
    assert answer.status_code == 404
    assert read_text(answer) == [
        "There is no such page",
        "The address may be mistyped, or what it showed has been deleted.",
        "To the start page",
    ]


def test_a_refusal_says_why(office: Client) -> None:
    for reason, text in (
        ("", "Your role does not include it. Ask an administrator."),
        ("The event is published.", "The event is published."),
    ):
        with failing(EventAdmin, "get_changelist_instance", PermissionDenied(reason)):
            answer = office.get(EVENTS)
        assert answer.status_code == 403
        assert read_text(answer) == ["You may not do this", text, "To the start page"]


@pytest.mark.parametrize("path", ["logout/", f"programme/event/{DRAFT}/duplicate/"])
def test_an_address_that_only_buttons_send_to_says_so(office: Client, path: str) -> None:
    answer = office.get(f"/admin/{path}")
    assert answer.status_code == 405
    assert "POST" in answer["Allow"]
    assert read_text(answer) == [
        "This address is not a page",
        "A button of the back office leads here. Press it once more.",
        "To the start page",
    ]


def test_a_form_with_an_old_token_is_not_offered_again(anna: User) -> None:
    client = Client(enforce_csrf_checks=True, HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(anna)
    answer = client.post(FORM, {"title": "Nytt"})
    assert answer.status_code == 403
    heading, explanation, *_links = read_text(answer)
    assert heading == "The form is too old"
    assert explanation.startswith("You have signed in or out since you opened it,")
    assert parse(answer).select("#content form") == []
    assert parse(answer).select("#nav-sidebar")
    client.logout()
    assert parse(client.post(FORM, {"title": "Nytt"})).select("#nav-sidebar") == []


@pytest.mark.parametrize(
    ("limit", "status", "explanation"),
    [
        ({"DATA_UPLOAD_MAX_MEMORY_SIZE": 10}, 413, "The texts are too long together."),
        ({"DATA_UPLOAD_MAX_NUMBER_FIELDS": 3}, 400, "The form has too many fields."),
    ],
)
def test_a_form_that_is_too_large_is_refused_with_advice(
    office: Client, limit: dict[str, int], status: int, explanation: str
) -> None:
    form = submission(office.get(FORM))
    with override_settings(**limit):
        answer = office.post(FORM, form)
    assert answer.status_code == status
    assert read_text(answer)[:3] == [
        "The request cannot be accepted",
        explanation,
        "Nothing was saved. Go back in the browser: what you typed is still there. Save it in smaller parts.",
    ]
