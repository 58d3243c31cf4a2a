"""One field of an earlier version is taken back from the difference, and nothing beside it."""

import pytest

from programme.models import Event, Occasion
from tests.programme.backoffice.changes.pages import CHANGES, list_rows, list_staying, write
from tests.programme.backoffice.requests import list_messages, opened, submission
from tests.programmes import JAZZ

pytestmark = pytest.mark.usefixtures("at", "sample")


def test_one_field_is_taken_back_whatever_was_written_since(office):
    former = Event.objects.get(pk=JAZZ)
    edit = write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr", title="Ny"))
    write(lambda: Event.objects.filter(pk=JAZZ).update(price="2 kr", production=3))
    history = f"/admin/programme/event/{JAZZ}/history/"
    links = [each["href"] for each in opened(office, history).select("a.take-back")]
    [address] = [link for link in links if f"{edit.pk}/event/{JAZZ}/price/" in link]
    assert list_rows(opened(office, address)) == [f"Event Ny Price 2 kr → becomes {former.price}"]
    done = office.post(address, submission(office.get(address)), follow=True)
    assert (done.redirect_chain, list_messages(done)) == ([(history, 302)], ["It is as it was before."])
    now = Event.objects.get(pk=JAZZ)
    assert (now.price, now.title, now.production) == (former.price, "Ny", 3)


def test_what_makes_sense_together_is_taken_back_together(office):
    former = Occasion.objects.get(pk=8001)
    edit = write(lambda: Occasion.objects.filter(pk=8001).update(location=5003, room=6003, cancelled=True))
    address = f"{CHANGES}{edit.pk}/occasion/8001/room_id/"
    office.post(address, submission(office.get(address)))
    now = Occasion.objects.get(pk=8001)
    places = [(row.location_id, row.room_id) for row in (now, former)]
    assert (places[0], now.cancelled) == (places[1], True)


def test_a_field_of_what_is_deleted_since_stays_and_says_so(office):
    edit = write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    write(Event.objects.get(pk=JAZZ).delete)
    [staying] = list_staying(opened(office, f"{CHANGES}{edit.pk}/event/{JAZZ}/price/"))
    assert staying.endswith(": deleted since History")


@pytest.mark.parametrize("part", ["event/1/price", "event/7001/nothing", "nothing/1/price"])
def test_what_is_not_there_is_not_taken_back(office, part):
    edit = write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    page = office.get(f"{CHANGES}{edit.pk}/{part}/")
    assert page.status_code == 404 or "There is nothing to take back" in page.content.decode()
