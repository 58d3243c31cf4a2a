"""Editors decide: field by field, as one edit, told to readers if they wish, and by their rights."""

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from programme.backoffice.roles import Role
from programme.backoffice.suggestions import views
from programme.models import Edit, Event, Occasion, Organizer, Picture, SuggestedImage, Suggestion
from tests.conftest import NOW, SetClock
from tests.organizers import decide, event_path, name_fields, organizer_of, page_of, send, suggest
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.requests import list_messages, parse, submission
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import ASA, CLOCKS, FORENINGEN, JAZZ, MARATHON, NIGHT, utc

pytestmark = pytest.mark.usefixtures("at", "sample")

QUEUE = "/admin/suggestions/"
GONE = "It does not wait any more: it was taken back, or its event was deleted."
LATER = {"occasion-8001-start_time": "18:00", "occasion-8001-end_time": "19:00"}


def read_versions(response: Any) -> dict[str, list[str]]:
    page = parse(response)
    return {
        each.legend.get_text(" ", strip=True): [
            f"{version.select_one('.whose').text.strip()} {version.select_one('.value').text.strip()}"
            for version in each.select(".version")
        ]
        for each in page.select(".difference")
    }


def get_event(key: int = JAZZ) -> Event:
    return Event.objects.get(pk=key)


def test_the_queue_names_what_waits_and_leads_to_it(office):
    suggestion = suggest(intro_sv="Kom!", message="Tack på förhand", **LATER)
    page = parse(office.get(QUEUE))
    (group,) = page.select(".group")
    assert group.h2.text == "Föreningen Jazz"
    (row,) = group.select(".queue li")
    assert row.a["href"] == page_of(suggestion)
    assert row.select_one(".asked").get_text(strip=True) == (
        "Intro in Swedish, Another time: Wed 29 Jul 16:00–17:00"
    )
    assert row.q.text == "Tack på förhand"
    with CaptureQueriesContext(connection) as before:
        office.get(QUEUE)
    suggest(CLOCKS, price="60 kr")
    suggest(NIGHT, ASA, price="60 kr")
    with CaptureQueriesContext(connection) as queries:
        office.get(QUEUE)
    assert len(queries) == len(before)


def test_both_versions_are_shown_field_by_field(office):
    suggestion = suggest(price="60 kr", **LATER, **{"occasion-8002-cancel": "on"})
    assert read_versions(office.get(page_of(suggestion))) == {
        "Price": ["In the programme 50 kr; barn 0 kr", "Suggested 60 kr"],
        "Another time: Wed 29 Jul 16:00–17:00": [
            "In the programme Wed 29 Jul 16:00–17:00",
            "Suggested Wed 29 Jul 18:00–19:00",
        ],
        "Cancellation: Thu 30 Jul 16:00–17:00": ["In the programme takes place", "Suggested cancelled"],
    }


def read_warnings(response: Any) -> dict[str, list[str]]:
    page = parse(response)
    return {
        each.legend.get_text(" ", strip=True): [warning.text for warning in each.select(".version .look")]
        for each in page.select(".difference")
    }


def test_another_time_warns_of_clashes_and_opening_hours(office):
    """8014 is in the same room, and the area is open from 10 to 3."""
    early = {"occasion-8001-start_time": "09:00", "occasion-8001-end_time": "16:30"}
    suggestion = suggest(price="60 kr", **early, **{"occasion-8002-start_time": "15:00"})
    Occasion.objects.filter(pk=8014).update(start=utc(2026, 7, 29, 13))
    assert read_warnings(office.get(page_of(suggestion))) == {
        "Price": [],
        "Another time: Wed 29 Jul 16:00–17:00": [
            "Biblioteket, Sal 2 is taken then: När klockan ställs om, 15:00–17:00",
            "The area is open 10:00–03:00",
        ],
        "Another time: Thu 30 Jul 16:00–17:00": [],
    }
    # Two that are asked for may clash with each other.
    Occasion.objects.filter(pk=8002).update(room=6001)
    both = {"occasion-8002-day": "2026-07-29", "occasion-8002-start_time": "18:30"}
    suggestion = suggest(**LATER, **both, **{"occasion-8002-end_time": "20:00"})
    _price, first, second = read_warnings(office.get(page_of(suggestion))).values()
    assert [each.rpartition(", ")[2] for each in (*first, *second)] == ["18:30–20:00", "18:00–19:00"]


def test_all_of_it_is_accepted_as_one_edit(office):
    suggestion = suggest(intro_sv="Kom!", ticket_url="https://ny.example/", **LATER)
    before = Edit.objects.count()
    answer = decide(office, suggestion)
    event = get_event()
    assert (event.intro_sv, event.ticket_url) == ("Kom!", "https://ny.example/")
    assert Occasion.objects.get(pk=8001).start == utc(2026, 7, 29, 16)
    assert (answer.status_code, answer["Location"]) == (302, QUEUE)
    edit = Edit.objects.latest("pk")
    assert Edit.objects.count() == before + 1
    assert (edit.name, edit.reason, edit.detail) == ("anna", "suggested by", "Föreningen Jazz")
    assert f"/admin/changes/{edit.pk}/undo/" in office.get(QUEUE).content.decode()
    suggestion.refresh_from_db()
    assert suggestion.decided_at == NOW
    assert {key: each["accepted"] for key, each in suggestion.changes.items()} == {
        "intro_sv": True,
        "ticket_url": True,
        "occasion-8001": True,
    }


def test_all_of_it_is_declined_and_nothing_written(office):
    image = SimpleUploadedFile("band.png", photo("PNG"), "image/png")
    suggestion = suggest(intro_sv="Kom!", image=image, **LATER)
    before = Edit.objects.count()
    decide(office, suggestion, "decline", reason="Nej.")
    assert get_event().intro_sv != "Kom!"
    assert not SuggestedImage.objects.exists()
    assert not get_event().image
    assert Edit.objects.count() == before
    suggestion.refresh_from_db()
    assert {each["accepted"] for each in suggestion.changes.values()} == {False}


def suggest_each(at: SetClock, *events: tuple[int, int], **changed: Any) -> list[Suggestion]:
    """Suggest something of each event, by its organizer, a minute after the one before."""
    found = []
    for number, (event, organizer) in enumerate(events):
        at(NOW + timedelta(minutes=number))
        found.append(suggest(event, organizer, **changed))
    return found


def read_sections(response: Any) -> list[str]:
    page = parse(response)
    return [each.text for each in page.select("#content-main section h2")]


def test_those_of_an_organizer_are_decided_about_together(office, at):
    first, second, third = suggest_each(at, (JAZZ, 3001), (NIGHT, ASA), (CLOCKS, 3001), price="60 kr")
    titles = [get_event(each).title for each in (JAZZ, CLOCKS)]
    assert read_sections(office.get(page_of(first))) == titles
    before = Edit.objects.count()
    # One page decides about one organizer, to whom its answers are sent.
    sent = submission(office.get(page_of(second))) | submission(office.get(page_of(first))) | {"chosen": ""}
    sent |= name_fields(first, {"reason": "Tack!"})
    sent |= name_fields(third, {"price": "theirs", "reason": "Fel."})
    assert office.post(page_of(first), sent)["Location"] == page_of(second)
    assert [get_event(each).price for each in (JAZZ, CLOCKS)] == ["60 kr", ""]
    assert list(Suggestion.objects.filter(decided_at__isnull=False).values_list("event", "reason")) == [
        (JAZZ, "Tack!"),
        (CLOCKS, "Fel."),
    ]
    assert Edit.objects.count() == before + 1
    assert list_messages(office.get(QUEUE)) == ["Föreningen Jazz: 1 accepted, 1 declined."]


def test_some_of_them_are_left_for_later(office, at):
    first, second, _third = suggest_each(at, (JAZZ, 3001), (NIGHT, ASA), (CLOCKS, 3001), price="60 kr")
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    sent = submission(office.get(page_of(first))) | {f"later-{first.pk}": "on", "chosen": ""}
    # As the browser leaves out what is disabled.
    sent = {name: value for name, value in sent.items() if str(first.pk) not in name or "later" in name}
    sent |= {f"seen-{first.pk}": ""}
    assert office.post(page_of(first), sent)["Location"] == page_of(second)
    assert [each.pk for each in Suggestion.objects.filter(decided_at=None)] == [first.pk, second.pk]
    assert [get_event(each).price for each in (JAZZ, CLOCKS)] == ["70 kr", "60 kr"]
    assert decide(office, second)["Location"] == page_of(first)


def test_more_than_fit_on_a_page_follow(office, at, monkeypatch):
    monkeypatch.setattr(views, "MOST_TOGETHER", 2)
    Event.objects.filter(pk=NIGHT).update(organizer=FORENINGEN)
    events = [(JAZZ, 3001), (MARATHON, ASA), (CLOCKS, 3001), (NIGHT, 3001)]
    first, other, _second, last = suggest_each(at, *events, price="60 kr")
    assert decide(office, first)["Location"] == page_of(last)
    assert decide(office, last)["Location"] == page_of(other)


def test_what_was_sent_since_is_decided_about_afterwards(office, at):
    (first,) = suggest_each(at, (JAZZ, 3001), price="60 kr")
    form = submission(office.get(page_of(first)))
    at(NOW + timedelta(minutes=1))
    second = suggest(CLOCKS, price="60 kr")
    assert office.post(page_of(first), form | {"accept": ""})["Location"] == page_of(second)
    assert get_event(CLOCKS).price == ""


def test_what_was_taken_back_since_does_not_stop_the_rest(office):
    suggestion, other = suggest(price="60 kr"), suggest(CLOCKS, price="60 kr")
    form = submission(office.get(page_of(suggestion)))
    organizer_of().post(event_path(), {"withdraw": ""})
    assert office.post(page_of(suggestion), form | {"accept": ""})["Location"] == QUEUE
    assert [get_event(each).price for each in (JAZZ, CLOCKS)] == ["50 kr; barn 0 kr", "60 kr"]
    other.refresh_from_db()
    assert other.decided_at == NOW


def test_what_is_not_there_any_more_leads_to_the_others(office):
    suggestion = suggest(price="60 kr")
    get_event().occasions.all().delete()
    get_event().delete()
    page = office.get(page_of(suggestion), follow=True)
    assert list_messages(page) == [GONE]
    assert "No suggestion waits." in page.content.decode()


def test_the_organizer_of_a_suggestion_may_be_deleted_meanwhile(office):
    """Those of two that are made one, for example; it may be restored."""
    suggestion = suggest(price="60 kr")
    Event.objects.filter(organizer=FORENINGEN).update(organizer=ASA)
    Organizer.objects.get(pk=FORENINGEN).delete()
    assert "Suggestions from organizers" not in office.get("/admin/").content.decode()
    assert "No suggestion waits." in office.get(QUEUE).content.decode()
    assert office.get(page_of(suggestion))["Location"] == QUEUE


def test_an_accepted_image_becomes_public_and_leaves_the_table(office):
    upload = SimpleUploadedFile("band.png", photo("PNG"), "image/png")
    Event.objects.filter(pk=JAZZ).update(image_focus_x=10)
    suggestion = suggest(image=upload)
    shown = office.get(f"{page_of(suggestion)}image/")
    assert shown["Content-Type"] == "image/png"
    assert shown["Cache-Control"].startswith("no-store")
    decide(office, suggestion)
    event = get_event()
    assert event.image.name.startswith("events/")
    assert "band" not in event.image.name
    assert (event.image_focus_x, event.image_focus_y) == (50, 50)
    with event.image.open() as file:
        assert Image.open(io.BytesIO(file.read())).size == (40, 20)
    assert not SuggestedImage.objects.exists()
    assert Picture.objects.filter(name=event.image.name, focus_x=50).exists()
    Path(event.image.path).unlink()


def test_what_is_decided_together_is_told_together_each_with_its_own_note(office):
    later = {"occasion-8014-start_time": "18:00", "occasion-8014-end_time": "19:00"}
    jazz, clocks = suggest(**LATER), suggest(event=CLOCKS, **later)
    sent = submission(office.get(page_of(jazz))) | {"accept": ""}
    sent |= name_fields(jazz, {"note": "Regn"}) | name_fields(clocks, {"note": "Kö"})
    refused = office.post(page_of(jazz), sent | {f"{clocks.pk}-tell": "no", f"{clocks.pk}-note": ""})
    [text] = list_messages(refused)
    assert text == "Readers are told of all that you accept at once, or of nothing. Decide the others later."
    assert list_told(NOW) == []
    office.post(page_of(jazz), sent)
    assert list_told(NOW) == [("moved", 8001, "Regn"), ("moved", 8014, "Kö")]


def test_what_was_edited_since_must_be_chosen(office):
    suggestion = suggest(intro_en="Come soon!", price="60 kr", **LATER)
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    Occasion.objects.filter(pk=8001).update(start=utc(2026, 7, 29, 13))
    shown = read_versions(office.get(page_of(suggestion)))
    assert shown["Price edited since"] == [
        "Before 50 kr; barn 0 kr",
        "In the programme 70 kr",
        "Suggested 60 kr",
    ]
    assert shown["Another time: Wed 29 Jul 16:00–17:00 edited since"] == [
        "Before Wed 29 Jul 16:00–17:00",
        "In the programme Wed 29 Jul 15:00–17:00",
        "Suggested Wed 29 Jul 18:00–19:00",
    ]
    answer = decide(office, suggestion, "chosen")
    assert list_messages(answer) == ["Choose one version of each."]
    assert get_event().price == "70 kr"
    choices = {"price": "theirs", "occasion-8001": "mine"}
    decide(office, suggestion, "chosen", **choices)
    assert (get_event().price, get_event().intro_en) == ("70 kr", "Come soon!")
    assert Occasion.objects.get(pk=8001).start == utc(2026, 7, 29, 16)


def test_what_the_programme_has_already_counts_as_accepted(office):
    suggestion = suggest(price="60 kr", intro_sv="Kom!")
    Event.objects.filter(pk=JAZZ).update(price="60 kr")
    assert list(read_versions(office.get(page_of(suggestion)))) == ["Intro in Swedish"]
    decide(office, suggestion, "decline")
    suggestion.refresh_from_db()
    assert {key: each["accepted"] for key, each in suggestion.changes.items()} == {
        "price": True,
        "intro_sv": False,
    }


def test_an_occasion_that_is_deleted_can_only_be_declined(office):
    suggestion = suggest(price="60 kr", **LATER)
    Occasion.objects.filter(pk=8001).delete()
    assert "edited since" not in office.get(page_of(suggestion)).content.decode()
    decide(office, suggestion)
    suggestion.refresh_from_db()
    assert {key: each["accepted"] for key, each in suggestion.changes.items()} == {
        "price": True,
        "occasion-8001": False,
    }


def test_nothing_is_written_over_what_was_not_shown(office, at):
    suggestion = suggest(price="60 kr")
    form = submission(office.get(page_of(suggestion)))
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    answer = office.post(page_of(suggestion), form | {"accept": ""})
    [text] = list_messages(answer)
    assert text == "It has been changed in the meantime. Nothing is written yet: look again."
    assert get_event().price == "70 kr"
    assert "edited since" in answer.content.decode()
    # Of texts alone nothing is told; what the organizer has sent again is shown first, too.
    assert f'name="{suggestion.pk}-tell"' not in answer.content.decode()
    form = submission(answer)
    at(NOW + timedelta(minutes=1))
    send(organizer_of(), price="80 kr")
    assert office.post(page_of(suggestion), form | {"accept": ""}).status_code == 200
    assert get_event().price == "70 kr"


def test_a_decision_is_made_once(office):
    suggestion = suggest(price="60 kr")
    form = submission(office.get(page_of(suggestion)))
    office.post(page_of(suggestion), form | {"accept": ""})
    Event.objects.filter(pk=JAZZ).update(price="70 kr")
    assert office.post(page_of(suggestion), form | {"accept": ""})["Location"] == QUEUE
    assert get_event().price == "70 kr"
    # A later suggestion is another one.
    assert suggest(price="80 kr").pk != suggestion.pk


def test_an_area_editor_decides_about_events_of_their_areas():
    client = office_of(user_of(Role.AREA_EDITOR))
    own, same = suggest(JAZZ, price="60 kr"), suggest(CLOCKS, price="60 kr")
    other = suggest(MARATHON, ASA, image=SimpleUploadedFile("x.png", photo("PNG"), "image/png"))
    page = client.get(QUEUE).content.decode()
    assert page_of(own) in page
    assert page_of(other) not in page
    assert "Åtta ångbåtar" not in page
    for path in (page_of(other), f"{page_of(other)}image/"):
        assert client.get(path).status_code == 403
        assert client.post(path, {"accept": ""}).status_code in {403, 405}
    # CLOCKS, of the same organizer, is in Parken.
    page = client.get(page_of(own))
    assert read_sections(page) == [get_event(JAZZ).title]
    answer = client.post(page_of(own), submission(page) | {f"seen-{same.pk}": "", "accept": ""})
    assert (answer.status_code, answer["Location"]) == (302, QUEUE)
    assert [get_event(each).price for each in (JAZZ, CLOCKS)] == ["60 kr", ""]
    assert not get_event(MARATHON).image
