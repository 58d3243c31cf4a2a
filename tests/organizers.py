"""An organizer with its link, and what it sends."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from bs4 import Tag
from django.test import Client

from programme.backoffice.suggestions.links import make_link
from programme.models import Suggestion
from tests.conftest import NOW
from tests.programme.backoffice.requests import parse, submission
from tests.programmes import FORENINGEN, JAZZ

EMAIL = "ella@jazz.example"
MONTH = timedelta(days=30)


def enter_path(organizer: int = FORENINGEN, until: datetime = NOW + MONTH) -> str:
    """Give an organizer a link; return its path."""
    return urlsplit(make_link(organizer, EMAIL, until, NOW)).path


def organizer_of(organizer: int = FORENINGEN) -> Client:
    """Return the browser of an organizer who has followed its link."""
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    assert client.get(enter_path(organizer)).status_code == 302
    return client


def event_path(event: int = JAZZ) -> str:
    return f"/admin/organizer/event/{event}/"


def read_form(response: Any) -> dict[str, Any]:
    """Return what a browser would send of the form for corrections, untouched."""
    page = parse(response)
    fields = page.select(".correction input[name], .correction textarea[name]")
    return {
        field["name"]: _value(field)
        for field in fields
        if field.get("type") != "file" and (field.get("type") != "checkbox" or field.has_attr("checked"))
    }


def _value(field: Tag) -> str:
    return field.text.removeprefix("\n") if field.name == "textarea" else field.get("value", "")


def send(client: Client, event: int = JAZZ, **changed: Any) -> Any:
    """Change some fields of an event's form and send it; return the answer."""
    return client.post(event_path(event), read_form(client.get(event_path(event))) | changed)


def suggest(event: int = JAZZ, organizer: int = FORENINGEN, **changed: Any) -> Suggestion:
    """Let an organizer send a suggestion; return it."""
    assert send(organizer_of(organizer), event, **changed).status_code == 302
    return Suggestion.objects.get(event=event, link__organizer=organizer, decided_at=None)


def page_of(suggestion: Suggestion) -> str:
    return f"/admin/suggestions/{suggestion.pk}/"


def decide(office: Client, suggestion: Suggestion, button: str = "accept", **chosen: str) -> Any:
    """Fill in what the editors' page has about a suggestion, and send the page; return the answer."""
    form = submission(office.get(page_of(suggestion)))
    return office.post(page_of(suggestion), form | {button: ""} | name_fields(suggestion, chosen))


def name_fields(suggestion: Suggestion, chosen: dict[str, str]) -> dict[str, str]:
    """Return fields of the page under their full names; `mine` and `theirs` are versions."""
    return {
        f"_choice-{suggestion.pk}-{name}" if value in {"mine", "theirs"} else f"{suggestion.pk}-{name}": value
        for name, value in chosen.items()
    }
