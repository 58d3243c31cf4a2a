"""The message after what was saved, with a button that undoes it, and whose draft is of no use any more."""

from urllib.parse import quote

from django.contrib import messages
from django.http import HttpRequest

from programme.history.edits import current_edit_id
from programme.models.parsing import parse_int

_TAG = "undo-"
# Before the address of a form: what was typed there is saved (programme/static/programme/drafts.js).
_SAVED = "saved:"


def report_batch(request: HttpRequest, text: object) -> None:
    """Say what was done, with a button that undoes what this request has written."""
    messages.success(request, str(text), extra_tags=build_tags(request, current_edit_id()))


def say_instead(request: HttpRequest, text: str) -> None:
    """Let the message about the row that this request saves say this; not if it is ''."""
    request.says_instead = text  # type: ignore[attr-defined]


def choose_text(request: HttpRequest, text: object) -> object:
    return getattr(request, "says_instead", "") or text


def build_tags(request: HttpRequest, edit: int | None) -> str:
    action = request.POST.get("action")
    address = f"{request.path}?{action}" if action else request.path
    return f"{_SAVED}{quote(address)} {build_undo_tag(edit)}".rstrip()


def build_undo_tag(edit: int | None) -> str:
    """Return the tag of a message that gets the button; '' for none, where nothing was written."""
    return f"{_TAG}{edit}" if edit else ""


def find_undo(tags: str) -> int | None:
    """Return the edit that the button of a message with these tags undoes."""
    found = (tag.removeprefix(_TAG) for tag in tags.split() if tag.startswith(_TAG))
    return parse_int(next(found, ""))
