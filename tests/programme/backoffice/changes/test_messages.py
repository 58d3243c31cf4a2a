"""The message after a batch names the edit that its button undoes."""

import pytest
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest

from programme.backoffice.changes.messages import find_undo, report_batch
from programme.history import edits
from programme.models import Event

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture
def post(rf) -> HttpRequest:
    request = rf.post("/admin/")
    request.session = {}
    request._messages = FallbackStorage(request)
    return request


def list_sent(request: HttpRequest) -> list[tuple[str, int | None]]:
    return [(message.message, find_undo(message.tags)) for message in get_messages(request)]


def test_a_message_names_what_the_request_has_written(post: HttpRequest) -> None:
    with edits.record():
        Event.objects.update(price="1 kr")
        report_batch(post, "Done.")
        written = edits.current_edit_id()
    report_batch(post, "Done, elsewhere.", edit=7)
    assert list_sent(post) == [("Done.", written), ("Done, elsewhere.", 7)]


def test_a_message_about_nothing_has_no_button(post: HttpRequest) -> None:
    with edits.record():
        report_batch(post, "Nothing.")
    assert list_sent(post) == [("Nothing.", None)]
    assert find_undo("undo-x success") is None
