"""Copies of events: drafts with new identities, without the history of the original."""

from typing import Any

import pytest

from feeds.marks import NO_MARK
from feeds.vocabulary import Text
from programme.backoffice.admin.duplicates import duplicate_event
from programme.backoffice.next_edition.plan import NOT_COPIED
from programme.models import Event, Occasion, Status
from tests.conftest import NOW
from tests.programme.backoffice.marks import read_mark
from tests.programme.backoffice.requests import list_messages, parse, words
from tests.programmes import JAZZ, MARATHON, mark_changed

EVENTS = "/admin/programme/event/"

pytestmark = pytest.mark.usefixtures("sample")


def drop_identity(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in {*NOT_COPIED, "event_id"}}


@pytest.mark.parametrize("key", [JAZZ, MARATHON])
def test_a_copy_says_what_the_original_says_and_is_a_draft_with_identities_of_its_own(key):
    Event.objects.filter(pk=key).update(source="frab", source_id="1")
    Occasion.objects.filter(event=key, pk__in=[8001, 8009]).update(source="frab", source_id="2")
    mark_changed(Occasion.objects.filter(event=key), Text("Ny sal"), NOW)
    original, before = Event.objects.get(pk=key), list(Event.objects.filter(pk=key).values())
    times = list(original.occasions.order_by("start").values())
    copy = duplicate_event(original, occasions=True)
    values = Event.objects.filter(pk=copy.pk).values()[0]
    rows = list(copy.occasions.order_by("start").values())
    title = f"{original.title} (kopia)"
    assert drop_identity(values) == drop_identity(before[0]) | {"title": title}
    assert [drop_identity(row) for row in rows] == [drop_identity(time) for time in times]
    assert (values["status"], values["published_at"]) == ("draft", None)
    assert {read_mark(row["id"]) for row in rows} <= {NO_MARK}
    new = {"cancelled": False, "published_at": None, "source": "", "source_id": ""}
    assert [{name: row[name] for name in new} for row in rows] == [new] * len(rows)
    assert {row["uuid"] for row in rows}.isdisjoint(time["uuid"] for time in times)
    assert list(Event.objects.filter(pk=key).values()) == before
    assert list(original.occasions.order_by("start").values()) == times


@pytest.mark.parametrize(
    ("sent", "occasions", "field"), [({"copied": "occasions"}, 3, "start_time"), ({}, 0, "day")]
)
def test_the_form_duplicates_with_one_click_and_leads_to_the_time(office, sent, occasions, field):
    before = set(Event.objects.values_list("pk", flat=True))
    page = office.post(f"{EVENTS}{JAZZ}/duplicate/", sent, follow=True)
    copy = Event.objects.exclude(pk__in=before).get()
    assert page.redirect_chain == [(f"{EVENTS}{copy.pk}/change/#id_occasions-0-{field}", 302)]
    assert parse(page).find(id=f"id_occasions-0-{field}")
    title = f"{Event.objects.get(pk=JAZZ).title} (copy)"
    assert (copy.title, copy.status, copy.occasions.count()) == (title, Status.DRAFT, occasions)
    [message] = list_messages(page)
    assert message.startswith(f'This is the copy of <a href="{EVENTS}{JAZZ}/change/">')
    assert "&lt;b&gt;fest" in message
    assert words(parse(page).select_one("h1 .mark")) == "draft"
    left = "Its occasions are left out, and with them the place."
    assert message.endswith(left) == (not occasions)
    assert office.get(f"{EVENTS}{JAZZ}/duplicate/").status_code == 405
