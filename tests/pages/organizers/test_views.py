"""What an organizer sends, what of it waits, its limits, and what becomes of it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from programme.backoffice.suggestions import forms
from programme.models import Event, Occasion, SuggestedImage, Suggestion
from programme.models.fields import Prose
from tests.conftest import NOW, SetClock
from tests.organizers import enter_path, event_path, organizer_of, read_form, send, suggest
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import parse
from tests.programmes import CLOCKS, DRAFT, FORENINGEN, JAZZ, TORGET, utc

pytestmark = pytest.mark.usefixtures("at", "sample")


def image(name: str = "band.png", size: tuple[int, int] = (40, 20)) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, photo("PNG", size), "image/png")


def changes(**changed: Any) -> dict[str, Any]:
    return suggest(**changed).changes


def test_only_what_was_changed_is_suggested() -> None:
    assert changes(intro_sv="Kom!", external_url="jazz.example/ny") == {
        "intro_sv": {"before": Event.objects.get(pk=JAZZ).intro_sv, "after": "Kom!"},
        "external_url": {"before": "https://jazz.example/fest", "after": "https://jazz.example/ny"},
    }


def test_another_time_and_a_cancellation_are_asked_for() -> None:
    found = changes(
        **{
            "occasion-8001-start_time": "kl. 18",
            "occasion-8001-end_time": "90 min",
            "occasion-8002-cancel": "on",
        }
    )
    assert found == {
        "occasion-8001": {
            "before": {"start": "2026-07-29T14:00:00+00:00", "end": "2026-07-29T15:00:00+00:00"},
            "after": {"start": "2026-07-29T16:00:00+00:00", "end": "2026-07-29T17:30:00+00:00"},
            "when": {"start": "2026-07-29T14:00:00+00:00", "end": "2026-07-29T15:00:00+00:00"},
        },
        "occasion-8002": {
            "before": {"cancelled": False},
            "after": {"cancelled": True},
            "when": {"start": "2026-07-30T14:00:00+00:00", "end": "2026-07-30T15:00:00+00:00"},
        },
    }


def test_what_is_over_or_cancelled_cannot_be_asked_about() -> None:
    form = read_form(organizer_of().get(event_path(CLOCKS)))
    # One of March is over.
    assert {name.split("-")[1] for name in form if name.startswith("occasion")} == {"8008", "8014"}
    assert "occasion-8003-day" not in read_form(organizer_of().get(event_path(JAZZ)))


def read_messages(response: Any) -> list[str]:
    page = parse(response)
    return [each.text for each in page.select(".messagelist li")]


def test_each_sending_is_answered_once() -> None:
    client = organizer_of()
    for sent, answer, count in (
        ({"price": "60 kr", "image": image()}, "It has been sent to the editors.", 1),
        ({"withdraw": ""}, "It has been taken back.", 0),
        ({}, "Nothing is changed, so nothing waits.", 0),
        # A message alone.
        ({"message": "Kan vi få en större sal?"}, "It has been sent to the editors.", 1),
    ):
        assert send(client, **sent).status_code == 302
        assert Suggestion.objects.count() == count
        assert read_messages(client.get(event_path())) == [answer]
        assert read_messages(client.get(event_path())) == []


def test_the_language_is_the_organizers_choice() -> None:
    client = organizer_of()
    page = parse(client.get(event_path()))
    form = page.select_one("header form.language")
    sent = {field["name"]: field["value"] for field in form.select("[name]")}
    assert (sent["next"], sent["language"], form.button.text) == (event_path(), "sv", "Svenska")
    assert client.post(form["action"], sent)["Location"] == event_path()
    for path in ("/admin/organizer/", event_path()):
        assert 'lang="sv"' in client.get(path).content.decode().partition("<head>")[0]
    # A token is in no form.
    refused = client.get(f"{enter_path()[:-2]}x/").content.decode()
    assert "Den här länken fungerar inte längre" in refused
    assert 'class="language"' not in refused


def read_list(client: Client) -> dict[str, list[str]]:
    page = parse(client.get("/admin/organizer/"))
    rows = {each.a["href"]: each.select(".mark") for each in page.select(".own-events li")}
    return {href: [mark.text for mark in marks] for href, marks in rows.items()}


def test_the_list_says_what_waits_and_what_is_answered() -> None:
    client = organizer_of()
    assert read_list(client) == {event_path(JAZZ): [], event_path(CLOCKS): []}
    send(client, price="60 kr")
    assert read_list(client) == {event_path(JAZZ): ["waits for the editors"], event_path(CLOCKS): []}
    Suggestion.objects.update(decided_at=NOW)
    assert read_list(client) == {event_path(JAZZ): ["answered"], event_path(CLOCKS): []}


def test_a_later_suggestion_replaces_the_one_that_waits(at: SetClock) -> None:
    client = organizer_of()
    send(client, intro_sv="Kom!", price="60 kr")
    at(NOW + timedelta(minutes=5))
    assert read_form(client.get(event_path()))["intro_sv"] == "Kom!"
    send(client, intro_sv="Kom nu!", price="50 kr; barn 0 kr")
    found = Suggestion.objects.get()
    assert {key: each["after"] for key, each in found.changes.items()} == {"intro_sv": "Kom nu!"}
    assert found.sent_at == NOW + timedelta(minutes=5)


def test_what_editors_have_changed_meanwhile_is_not_suggested_back() -> None:
    client = organizer_of()
    form = read_form(client.get(event_path()))
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    Occasion.objects.filter(pk=8001).update(start=utc(2026, 7, 29, 13))
    client.post(event_path(), form | {"intro_sv": "Kom!"})
    assert list(Suggestion.objects.get().changes) == ["intro_sv"]


def test_one_window_does_not_drop_what_another_has_sent() -> None:
    client = organizer_of()
    form = read_form(client.get(event_path()))
    send(client, price="60 kr", intro_en="Come!")
    answer = client.post(event_path(), form | {"intro_sv": "Kom!", "price": "70 kr", "intro_en": "Come!"})
    assert "Something else was sent meanwhile" in answer.content.decode()
    assert answer.content.decode().count("This waits now:") == 1
    assert "This waits now: 60 kr" in parse(answer).get_text(" ", strip=True)
    assert {key: each["after"] for key, each in Suggestion.objects.get().changes.items()} == {
        "intro_en": "Come!",
        "price": "60 kr",
    }
    # Nothing typed is lost, and sending it again replaces the other.
    again = read_form(answer)
    assert (again["intro_sv"], again["price"]) == ("Kom!", "70 kr")
    assert client.post(event_path(), again).status_code == 302
    assert set(Suggestion.objects.get().changes) == {"intro_sv", "intro_en", "price"}


def test_what_was_declined_meanwhile_is_not_sent_again_unseen() -> None:
    client = organizer_of()
    send(client, price="60 kr")
    form = read_form(client.get(event_path()))
    Suggestion.objects.update(decided_at=NOW)
    answer = client.post(event_path(), form | {"intro_sv": "Kom!"})
    assert "the editors have answered" in answer.content.decode()
    assert not Suggestion.objects.filter(decided_at=None).exists()


@pytest.mark.parametrize("becomes", ["deleted", "another's"])
def test_an_event_that_is_gone_meanwhile_is_explained(becomes: str) -> None:
    client = organizer_of()
    form = read_form(client.get(event_path()))
    event = Event.objects.get(pk=JAZZ)
    if becomes == "deleted":
        event.occasions.all().delete()
        event.delete()
    else:
        Event.objects.filter(pk=JAZZ).update(organizer=None)
    answer = client.post(event_path(), form | {"intro_sv": "Kom!"})
    assert (answer.status_code, answer["Cache-Control"]) == (404, "no-store")
    page = parse(answer)
    assert page.h1.text == "This event is not among yours any more"
    assert page.main.a["href"] == "/admin/organizer/"
    assert not Suggestion.objects.exists()


def test_the_version_that_the_organizer_began_with_is_kept() -> None:
    client = organizer_of()
    form = read_form(client.get(event_path()))
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    client.post(event_path(), form | {"price": "60 kr"})
    assert Suggestion.objects.get().changes == {"price": {"before": "50 kr; barn 0 kr", "after": "60 kr"}}


@pytest.mark.parametrize("sent", ["x", "1", "999999999.999999999"])
def test_a_state_that_is_none_does_no_harm(sent: str) -> None:
    assert changes(_state=sent, price="60 kr") == {"price": {"before": "50 kr; barn 0 kr", "after": "60 kr"}}


@pytest.mark.parametrize(
    "sent",
    [
        {"intro_sv": "x" * (Prose.longest + 1)},
        {"message": "x" * (forms.LONGEST_MESSAGE + 1)},
        {"external_url": "javascript:alert(1)"},
        {"title": ""},
        {"title": "x" * 301},
        {"occasion-8001-start_time": "99:99"},
        {"occasion-8001-day": "2526-01-01"},
        {"image": SimpleUploadedFile("x.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>")},
        {"image": SimpleUploadedFile("x.png", b"no image")},
    ],
    ids=lambda sent: next(iter(sent)),
)
def test_what_is_too_long_or_wrong_is_refused(sent: dict[str, Any]) -> None:
    answer = send(organizer_of(), **sent, price="60 kr")
    assert "It has not been sent yet." in answer.content.decode()
    assert read_form(answer)["price"] == "60 kr"
    assert not Suggestion.objects.exists()


def test_an_image_waits_where_only_its_organizer_gets_it(settings: Any) -> None:
    public = set(Path(settings.MEDIA_ROOT).rglob("*"))
    client = organizer_of()
    send(client, image=image())
    stored = SuggestedImage.objects.get()
    assert "band" not in stored.name
    answer = client.get(f"{event_path()}image/")
    assert answer.content == bytes(stored.content)
    assert {name: answer[name] for name in ("Content-Type", "Cache-Control", "X-Robots-Tag")} == {
        "Content-Type": "image/png",
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex",
    }
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert set(Path(settings.MEDIA_ROOT).rglob("*")) == public


def test_a_newer_image_replaces_the_one_that_waits() -> None:
    client = organizer_of()
    send(client, image=image())
    first = SuggestedImage.objects.get().name
    send(client, image=image("ny.png"))
    newer = SuggestedImage.objects.get().name
    send(client, price="60 kr")
    assert SuggestedImage.objects.get().name == newer != first
    assert set(Suggestion.objects.get().changes) == {"image", "price"}


def test_drafts_are_shown_as_such(db: None) -> None:
    Event.objects.filter(pk=DRAFT).update(organizer=FORENINGEN)
    client = organizer_of()
    assert "not published yet" in client.get("/admin/organizer/").content.decode()
    assert client.get(event_path(DRAFT)).status_code == 200


def test_an_event_without_a_time_can_be_corrected() -> None:
    event = Event.objects.create(title="Utan tid", area_id=TORGET, type_id=4001, organizer_id=FORENINGEN)
    client = organizer_of()
    assert "Readers see it once it has a time." in client.get(event_path(event.pk)).content.decode()
    assert send(client, event.pk, title="Med titel").status_code == 302


def count_queries(path: str) -> int:
    client = organizer_of()
    # The first request loads the programme.
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_no_page_asks_more_for_more_events_and_occasions() -> None:
    before = count_queries("/admin/organizer/"), count_queries(event_path())
    for number in range(10):
        event = Event.objects.create(
            title=f"N{number}", area_id=TORGET, type_id=4001, organizer_id=FORENINGEN
        )
        Occasion.objects.create(event=event, start=NOW, end=NOW + timedelta(hours=1))
        Occasion.objects.create(event_id=JAZZ, start=NOW, end=NOW + timedelta(hours=1))
    assert (count_queries("/admin/organizer/"), count_queries(event_path())) == before
