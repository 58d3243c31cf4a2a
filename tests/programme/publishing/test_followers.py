"""The address by which followers know occasions: kept once, warned of when it is another, and accepted."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError

from festival.server.deployment_checks import find_messages
from programme.models import Event, Status
from programme.publishing import followers
from programme.publishing.loading import fetch_revision

pytestmark = pytest.mark.usefixtures("sample", "at")

KNOWN, OTHER = "https://program.example", "https://kulturnatten.example"


def warnings() -> list[str]:
    return [each for each in find_messages()[1] if "published under" in each]


store = followers.store_address


def test_the_address_is_kept_once_something_is_published_and_readers_see_nothing_of_it(settings: Any) -> None:
    Event.objects.update(status=Status.DRAFT)
    store()
    assert followers.find_address() == ""
    Event.objects.update(status=Status.PUBLISHED)
    settings.BASE_URL = "http://localhost:8000"
    store()
    assert followers.find_address() == ""
    settings.BASE_URL = KNOWN
    before = fetch_revision()
    store()
    assert (followers.find_address(), fetch_revision()) == (KNOWN, before)
    settings.BASE_URL = OTHER
    store()
    assert followers.find_address() == KNOWN


@pytest.mark.parametrize("name", ["BASE_URL", "OCCASION_URL_SV"])
def test_another_address_is_warned_of_until_it_is_accepted(settings: Any, name: str) -> None:
    store()
    assert warnings() == []
    setattr(settings, name, OTHER)
    assert warnings() == [
        f"Occasions were published under {KNOWN}, and now they are under {OTHER}: feed readers, blogs and e-mail"
        " take each for a new one and show it once more. Calendars keep theirs, and are asked for under the old"
        " address. Stars in browsers and passkeys stay behind."
        " Set BASE_URL as it was, or run `festival address --accept` if this is meant to be."
    ]
    said = StringIO()
    call_command("address", stdout=said)
    assert said.getvalue() == f"{KNOWN}\n"
    call_command("address", "--accept", stdout=StringIO())
    assert (warnings(), followers.find_address()) == ([], OTHER)


def test_nothing_is_said_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise OperationalError

    monkeypatch.setattr(followers, "find_address", fail)
    assert followers.check_address(None) == []
