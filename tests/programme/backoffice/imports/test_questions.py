"""Questions that a file raises: the preview asks them, and nothing is imported before they are answered."""

from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from msgspec.structs import replace

from programme.exchange.questions import Question
from programme.exchange.readers import registry
from programme.models import Event
from tests.programme.backoffice.imports.pages import (
    apply_and_list_messages,
    build_sheet,
    messages_on,
    read_upload,
    show_preview,
)

pytestmark = pytest.mark.django_db

SHEET = build_sheet("Fest;Parken;2026-09-12;19;20", headings="Titel;Område;Datum;Start;Slut")
CHOICES = {"park": "Parken", "new": "a new area"}


@pytest.fixture(autouse=True)
def question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reader of sheets raise a question."""
    build_result = registry._build_result

    def ask(reader: Any, found: Any, defaults: Any) -> Any:
        asked = Question.ask(defaults.answers, "area:prken", "Is Prken Parken?", CHOICES)
        result = build_result(reader, found, defaults)
        return replace(result, contents=replace(result.contents, questions=(asked,)))

    monkeypatch.setattr(registry, "_build_result", ask)


def choices(page: Any, which: str = "") -> dict[str, str]:
    """Return the answers that can be chosen, with their words."""
    found = BeautifulSoup(page.content, "html.parser").select(f".questions fieldset input{which}")
    return {each["value"]: each.find_parent("label").get_text(" ", strip=True) for each in found}


def test_nothing_is_imported_before_an_answer(client: Client) -> None:
    page = show_preview(client, SHEET)
    address = page.wsgi_request.path
    text = page.content.decode()
    assert "Is Prken Parken?" in text
    assert "1 question has to be answered before anything is imported." in text
    assert 'name="apply"' not in text
    assert (choices(page), choices(page, "[checked]")) == (CHOICES, {})
    refused = client.post(f"{address}apply/", {"apply": "1"}, follow=True)
    assert messages_on(refused) == ["Answer the questions first: nothing has been imported."]
    assert Event.objects.count() == 0
    client.post(f"{address}answers/", {"answer-area:prken": "park", "answer-other": "x"})
    answered = read_upload(client, address)
    assert [*choices(answered, "[checked]")] == ["park"]
    apply_and_list_messages(client, answered)
    assert Event.objects.count() == 1
