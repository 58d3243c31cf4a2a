"""A title that was published by mistake is at no address there is, once its event is withdrawn and forgotten."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from feeds.formats import FORMATS
from feeds.news_formats import NEWS_FORMATS
from feeds.vocabulary import LANGUAGES, Text, build_occasion_path
from programme.backoffice.news.told import TOOK_BACK
from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import Edit, Event, News, NewsKind, Occasion, Status
from programme.models.telling import Telling
from programme.publishing import disk_cache, loading
from programme.publishing.current import current
from tests.conftest import NOW
from tests.pages import all_pages
from tests.programme.backoffice.bulk.pages import change, confirm
from tests.programme.backoffice.requests import list_messages, parse, send, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import DRAFT, TORGET

pytestmark = pytest.mark.usefixtures("lists")

TITLE = "Hemligheten"
EVENT, HELD, CANCELLED, DELETED = 7900, 8901, 8902, 8903
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LIST, FORM, DELETE = (
    f"/admin/programme/event/{each}" for each in ("", f"{EVENT}/change/", f"{EVENT}/delete/")
)
ASKED = {"action": "withdraw", "index": "0", "_selected_action": str(EVENT)}


@pytest.fixture
def published(at: Any) -> None:
    """A title that readers were told of in every way, and that processes have in memory."""
    for hours, write in enumerate((_publish, _move, _cancel, _delete)):
        with edits.record(None, NOW - DAY + hours * HOUR, telling=Telling(note=Text(TITLE, TITLE))):
            write()
    assert {*News.objects.filter(event_id=EVENT).values_list("kind", flat=True)} == {*NewsKind} - {
        NewsKind.REINSTATED,
        NewsKind.CHANGED,
    }
    current.renew()


def _publish() -> None:
    event = Event(id=EVENT, title=TITLE, area_id=TORGET, type_id=4001, status=Status.PUBLISHED)
    event.save()
    for number, key in enumerate((HELD, CANCELLED, DELETED)):
        Occasion.objects.create(
            id=key, event=event, start=NOW + (3 + number) * DAY, end=NOW + (4 + number) * DAY
        )


def _move() -> None:
    Occasion.objects.filter(pk=HELD).update(start=NOW + 3 * DAY + HOUR)


def _cancel() -> None:
    Occasion.objects.filter(pk=CANCELLED).update(cancelled=True)


def _delete() -> None:
    Occasion.objects.filter(pk=DELETED).delete()


def list_addresses() -> Iterator[str]:
    """Yield all public addresses, and what clients ask for who had the occasions."""
    yield from all_pages.paths()
    chosen = f"occation={HELD}.{CANCELLED}.{DELETED}"
    since = f"modified_since={(NOW - 2 * DAY):%Y-%m-%dT%H:%M:%SZ}"
    for language in LANGUAGES:
        yield from (f"/api/events.{each.extension}?language={language}" for each in FORMATS)
        yield from (f"/api/events.{each.extension}?language={language}&{chosen}" for each in FORMATS)
        yield from (f"/api/events.{each.extension}?language={language}&{since}" for each in FORMATS)
        yield from (f"/api/news.{each.extension}?language={language}" for each in NEWS_FORMATS)
        for key in (HELD, CANCELLED, DELETED):
            yield from (f"/api/occations/{key}.{each.extension}?language={language}" for each in FORMATS)
    for start in LANGUAGES:
        yield from (build_occasion_path(key, start) for key in (HELD, CANCELLED, DELETED))
    yield from (f"/api/{each}" for each in ("programme", f"programme?{since}", f"changes?{since}", "areas"))
    yield from (f"/api/{each}" for each in ("lists", "lists/12/events", "schema", "news?occation={HELD}"))
    yield from (f"{each}?{chosen}" for each in ("/mitt-program", "/en/my-programme", "/nytt", "/en/news"))
    yield from (f"{each}?q={TITLE[:6]}" for each in ("/", "/en/", "/api/events.json", "/nytt"))
    entries = News.objects.values_list("entry", flat=True).order_by().distinct()
    yield from (f"{start}/{each}" for each in entries for start in ("/nytt", "/en/news"))


def find_title(client: Client, addresses: list[str], file: Path) -> list[str]:
    """Return what names the title: addresses, headers too, and the file of the programme."""
    found = []
    current.renew()
    for address in addresses:
        answer: Any = client.get(address)
        whole = f"{answer.headers} {b''.join(answer).decode(errors='replace')}"
        found += [address] * (TITLE.casefold() in whole.casefold())
    disk_cache.write(loading.load(), file)
    return found + ["file"] * (TITLE.encode() in file.read_bytes())


def withdraw(office: Client, **sent: str) -> Any:
    return change(office, "withdraw", [EVENT], LIST, **sent)


def read(form: Any) -> dict[str, list[str]]:
    """Return what a form sends."""
    names = {each["name"] for each in form.select("input[name]")}
    return {name: [each["value"] for each in form.select(f"[name={name}]")] for name in names}


def delete(office: Client) -> Any:
    [form] = parse(office.get(DELETE)).select(".ways form:has([name=forgets])")
    return office.post(DELETE, read(form), follow=True)


def delete_from_list(office: Client) -> Any:
    chosen = {"action": "delete_selected", "index": "0", "_selected_action": [str(EVENT), str(DRAFT)]}
    [form] = parse(office.post(LIST, chosen)).select(".ways form:has([name=forgets])")
    return office.post(form["action"], read(form), follow=True)


def test_what_is_withdrawn_only_is_named_by_news(published, client, office, tmp_path):
    addresses = list(list_addresses())
    assert len(find_title(client, addresses, tmp_path / "kept")) > 60
    withdraw(office)
    found = find_title(client, addresses, tmp_path / "kept")
    assert {
        "/nytt",
        "/api/news.json?language=en",
        f"/mitt-program?occation={HELD}.{CANCELLED}.{DELETED}",
        "file",
    } <= {*found}


@pytest.mark.parametrize("leave", [lambda office: withdraw(office, forgets="on"), delete, delete_from_list])
def test_what_is_forgotten_is_named_nowhere(published, client, office, tmp_path, leave):
    addresses = list(list_addresses())
    withdrawn_before = News.objects.exclude(event_id=EVENT).count()
    assert leave(office).status_code == 200
    assert News.objects.count() == withdrawn_before
    # With what is written ahead and kept of former revisions.
    assert find_title(client, addresses, tmp_path / "kept") == []
    assert (
        client.get(f"/tillfalle/{HELD}").status_code == client.get(f"/en/occasion/{HELD}").status_code == 410
    )
    tombstones = client.get("/api/changes?modified_since=2026-07-28T12:30:00Z").json()
    gone = [each["occation"]["id"] for each in tombstones if each.get("removed")]
    assert sorted(gone) == [HELD, CANCELLED, DELETED]


def test_its_pieces_go_out_of_batches_that_stay_what_they_are(at, office):
    with edits.record(None, NOW - DAY):
        _publish()
        other = Event.objects.create(title="Annat", area_id=TORGET, type_id=4001, status=Status.PUBLISHED)
        rows = [Occasion(event=other, start=NOW + 3 * DAY, end=NOW + 4 * DAY) for _ in range(9)]
        Occasion.objects.bulk_create(rows)
    batch = News.objects.filter(kind="new").order_by("event_id")
    [entry] = {*batch.values_list("entry", flat=True)}
    withdraw(office, forgets="on")
    assert [*batch.values_list("event_id", "entry")] == [(other.pk, entry)] * 9


def test_withdrawing_asks_before_it_does_it_where_readers_see_an_event(published, office):
    asked = office.post(LIST, ASKED)
    assert not parse(asked).select_one("#id_forgets").has_attr("checked")
    assert Event.objects.get(pk=EVENT).status == Status.PUBLISHED
    done = withdraw(office, forgets="on")
    [message] = list_messages(done)
    assert message == "Withdrew events: 1."
    assert Event.objects.get(pk=EVENT).status == Status.DRAFT
    # There is nothing to ask of a draft.
    assert "Nothing had to be changed." in office.post(LIST, ASKED | {"_selected_action": str(DRAFT)}).text


def test_the_form_of_a_published_event_leads_there_with_the_tick(published, office):
    page = parse(office.get(FORM))
    button = page.select_one("button[form=forgetting]")
    assert words(button) == "Withdraw and remove what readers were told"
    form = page.select_one("#forgetting")
    assert parse(office.post(form["action"], read(form))).select_one("#id_forgets").has_attr("checked")
    assert parse(office.get(f"/admin/programme/event/{DRAFT}/change/")).select("#forgetting") == []


def test_the_form_of_a_draft_offers_to_remove_the_news_that_it_left(published, office):
    withdraw(office)
    page = parse(office.get(FORM))
    assert words(page.select_one("button[form=forgetting]")) == "Remove what readers were told"
    form = page.select_one("#forgetting")
    asked = parse(office.post(form["action"], read(form)))
    assert words(asked.h1) == "Remove what readers were told: 1 event"
    warning = "What readers were told is removed. Undoing does not bring it back."
    assert warning in [words(each) for each in asked.select(".notice")]
    withdraw(office, forgets="on")
    assert not News.objects.filter(event_id=EVENT).exists()
    # The latest changes have who did it, and no title.
    assert (Edit.objects.latest("pk").reason, Edit.objects.latest("pk").detail) == (TOOK_BACK, "")
    assert parse(office.get(FORM)).select("[form=forgetting], #forgetting") == []


def test_undoing_warns_that_the_title_is_seen_again(published, office):
    withdraw(office, forgets="on")
    undo = f"/admin/changes/{Edit.objects.latest('pk').pk}/undo/"
    [warning] = parse(office.get(undo)).select("#content-main .notice")
    assert words(warning) == f"Readers see 1 event at once, its title too: {TITLE}."
    send(office, undo)
    undo = f"/admin/changes/{Edit.objects.latest('pk').pk}/undo/"
    assert parse(office.get(undo)).select("#content-main .notice") == []


def test_who_may_not_publish_is_offered_none_of_it(published):
    editor = office_of(user_of(Role.EDITOR))
    assert parse(editor.get(FORM)).select("[form=forgetting], #forgetting") == []
    before = News.objects.count()
    confirm(editor, LIST, ASKED | {"forgets": "on"})
    editor.post(DELETE, {"post": "yes", "forgets": "on"})
    assert (News.objects.count(), Event.objects.get(pk=EVENT).status) == (before, Status.PUBLISHED)
