"""The latest changes are listed in words, shown row by row, and undone by those who may."""

import datetime as dt
from functools import partial

import pytest
from django.contrib.auth.models import User

from feeds.vocabulary import Text
from programme.backoffice.roles import Role
from programme.changes import constraints
from programme.changes.memory import IMPORT
from programme.history import edits
from programme.models import Edit, Event, News, Occasion, Organizer, Status
from programme.models.telling import Telling
from tests.conftest import NOW
from tests.programme.backoffice.bulk.pages import confirm
from tests.programme.backoffice.changes.pages import (
    CHANGES,
    list_changes,
    list_rows,
    list_staying,
    undo,
    write,
)
from tests.programme.backoffice.marks import list_told
from tests.programme.backoffice.requests import list_messages, opened, parse, send, submission, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import ASA, CLOCKS, DRAFT, FORENINGEN, JAZZ, NIGHT, TORGET

HOUR = dt.timedelta(hours=1)

pytestmark = pytest.mark.usefixtures("at", "sample")


def move(keys: list[int], by: dt.timedelta) -> None:
    for row in Occasion.objects.filter(pk__in=keys):
        Occasion.objects.filter(pk=row.pk).update(start=row.start + by, end=row.end + by)


def test_batches_are_listed_with_what_they_did_in_words(office, anna):
    title = Event.objects.get(pk=JAZZ).title
    write(lambda: move([8001, 8002], 2 * HOUR), anna)
    write(lambda: move([8001], -90 * HOUR / 60), anna)
    write(lambda: Occasion.objects.filter(pk__in=[8001, 8002]).update(cancelled=True))
    write(lambda: Occasion.objects.filter(pk=8004).update(location=5001, room=6001))
    write(lambda: Occasion.objects.filter(pk=8004).update(location=None, room=None))
    write(lambda: move([8005], HOUR))
    write(lambda: Event.objects.filter(pk=DRAFT).update(status=Status.PUBLISHED))
    write(lambda: Event.objects.filter(pk=DRAFT).update(status=Status.DRAFT, price="1 kr"))
    write(lambda: Event.objects.get(pk=DRAFT).delete())
    write(lambda: Organizer.objects.create(name="Gruppen"))
    write(lambda: Event.objects.update(price="7 kr"), None, IMPORT, "film")
    kind = Event.objects.get(pk=JAZZ).type
    new = Event(title="Ny", area_id=TORGET, type=kind)
    write(lambda: (new.save(), new.occasions.create(start=NOW, end=NOW + HOUR)))
    night = Event.objects.get(pk=NIGHT).title
    assert list_changes(office)[:12] == [
        "Created Ny",
        "Imported film: 7 events",
        "Created Gruppen",
        "Deleted Utkast, 1 occasion",
        "Withdrew Utkast",
        "Published Utkast",
        f"Moved {Occasion.objects.get(pk=8005).event} to Wed 29 Jul 15:00–15:30",
        f"Moved {night}, Wed 29 Jul 22:00 to another place",
        f"Moved {night} to Wed 29 Jul 22:00–03:00, Biblioteket, Sal 2",
        "Cancelled 2 occasions",
        f"Moved {title} to Wed 29 Jul 16:30–17:30",
        "Moved 2 occasions 2 h later",
    ]
    # In the reader's own language.
    swedish = office.get(CHANGES, headers={"accept-language": "sv"}).content.decode()
    assert "Flyttade 2 tillfällen 2 h senare" in swedish


def test_the_list_is_narrowed_to_a_person_and_has_pages(office, anna):
    bo = User.objects.create_user("bo", first_name="Bo", last_name="Ek")
    write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"), bo)
    for number in range(31):
        write(lambda price=f"{number} kr": Event.objects.filter(pk=NIGHT).update(price=price), anna)
    assert len(list_changes(office)) == 30
    assert len(list_changes(office, "?page=2")) >= 2
    assert len(list_changes(office, f"?by={bo.pk}")) == 1
    chosen = parse(office.get(f"{CHANGES}?by={bo.pk}")).select_one("#id_by [selected]")
    assert (chosen.get_text(), list_changes(office, "?by=x&page=x")) == ("Bo Ek", list_changes(office))


@pytest.mark.parametrize("count", [1, 40])
def test_the_list_takes_the_same_queries_however_much_was_done(
    office, anna, count, django_assert_num_queries
):
    for number in range(count):
        write(lambda price=f"{number} kr": Event.objects.filter(pk=JAZZ).update(price=price), anna)
    edit = write(lambda: Occasion.objects.update(cancelled=True), anna)
    undo(office, edit)
    office.get(CHANGES)
    # Session, user; areas, people, the number of edits, these, and those that undo them; what they wrote, and the
    # versions of events and occasions with those before; of small ones the rows, then and now, with the names of what
    # they refer to; whether the sidebar offers to add the festival.
    with django_assert_num_queries(23):
        list_changes(office)


def test_a_change_is_shown_row_by_row(office, anna):
    title = Event.objects.get(pk=JAZZ).title

    def edit() -> None:
        Event.objects.filter(pk=JAZZ).update(price="1 kr", organizer=ASA)
        Occasion.objects.filter(pk=8001).update(cancelled=True)
        Organizer.objects.create(name="Gruppen")
        Event.objects.get(pk=DRAFT).delete()

    done = write(edit, anna)
    page = opened(office, f"{CHANGES}{done.pk}/")
    assert words(page.select_one(".summary p")) == "anna · today 14:00"
    assert list_rows(page) == [
        "Organizer Gruppen added",
        f"Event {title} Organizer Föreningen Jazz → becomes <Åsa> & co; ek., för. Take this back"
        " Price 50 kr; barn 0 kr → becomes 1 kr Take this back",
        "Event Utkast deleted",
        f"Occasion {title}, Wed 29 Jul 16:00 Cancelled No → becomes Yes Take this back",
        "Occasion Utkast, Wed 29 Jul 16:00 deleted",
    ]
    assert page.select_one(".rows a")["href"].startswith("/admin/programme/organizer/")
    undo(office, done)
    page = opened(office, f"{CHANGES}{Edit.objects.latest('pk').pk}/")
    assert "Event Utkast restored" in list_rows(page)


def test_a_small_change_is_shown_in_the_list_and_a_field_of_it_taken_back(office, anna):
    write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"), anna)
    write(lambda: Event.objects.update(highlighted=True), anna)
    [fields] = opened(office, CHANGES).select(".batches .changes")
    assert words(fields) == "Price 50 kr; barn 0 kr → becomes 1 kr Take this back"
    assert send(office, fields.a["href"])["Location"] == CHANGES
    assert Event.objects.get(pk=JAZZ).price == "50 kr; barn 0 kr"
    # It is not offered again, but taking back can be taken back.
    for page in (CHANGES, f"/admin/programme/event/{JAZZ}/history/"):
        offered = [
            words(each) for each in opened(office, page).select(".changes div") if "Price" in each.text
        ]
        assert [each.endswith("kr Take this back") for each in offered] == [True, False]


def test_a_change_that_the_history_does_not_know_says_so(office):
    edit = write(lambda: Event.objects.filter(pk=JAZZ).update(price="1 kr"))
    Event.history.filter(edit=edit).delete()
    assert "Nothing is known of this change any more." in words(opened(office, f"{CHANGES}{edit.pk}/"))
    assert "There is nothing to undo" in words(opened(office, f"{CHANGES}{edit.pk}/undo/"))
    assert office.get(f"{CHANGES}99999999/").status_code == 404
    assert office.get(f"{CHANGES}99999999/undo/").status_code == 404


def test_what_was_shown_is_undone_and_can_be_done_again(office, anna):
    before = Event.objects.get(pk=JAZZ)
    keys = [JAZZ, NIGHT, CLOCKS]
    edit = write(lambda: Event.objects.filter(pk__in=keys).update(price="1 kr", production=3), anna)
    write(lambda: Event.objects.filter(pk=NIGHT).update(price="2 kr"), anna)
    night = Event.objects.get(pk=NIGHT).title
    shown = opened(office, f"{CHANGES}{edit.pk}/undo/")
    assert list_rows(shown)[0] == (
        f"Event {before.title} Production by others → becomes {before.get_production_display()}"
        f" Price 1 kr → becomes {before.price}"
    )
    assert list_staying(shown) == [f"Event {night} : edited since , anna · today 14:00 History"]
    done = undo(office, edit)
    assert list_messages(done) == ["Undone. As before: 2 events.", "1 row stays as it is."]
    page = parse(done)
    assert words(page.select_one("h1")) == "Undid: Changed 3 events"
    assert (Event.objects.get(pk=JAZZ).price, Event.objects.get(pk=NIGHT).price) == (before.price, "2 kr")
    # It is listed as undone, and the message offers to do it again.
    assert "This has been undone." in words(opened(office, f"{CHANGES}{edit.pk}/"))
    again = page.select_one(".messagelist a.undo")["href"]
    office.post(again, submission(office.get(again)))
    assert Event.objects.get(pk=JAZZ).price == "1 kr"
    assert list_changes(office)[:2] == ["Did again: Changed 3 events", "Undid: Changed 3 events"]
    assert "This has been undone." not in words(opened(office, f"{CHANGES}{edit.pk}/"))


def test_what_stays_is_counted_where_it_is_too_much_to_name(office, anna):
    events = [Event(title=f"Nr {number}", area_id=1001, type_id=4001) for number in range(201)]
    edit = write(lambda: Event.objects.bulk_create(events), anna, IMPORT)
    write(lambda: Event.objects.filter(title__startswith="Nr ").update(status=Status.PUBLISHED), anna)
    page = opened(office, f"{CHANGES}{edit.pk}/undo/")
    assert words(page.select_one(".staying h2")) == "Stays as it is 201"
    assert list_staying(page)[-1] == "and 1 more"
    assert "There is nothing to undo" in words(page)


def test_what_the_database_refuses_is_not_undone_at_all(office, monkeypatch):
    edit = write(lambda: Event.objects.filter(pk=JAZZ).update(organizer=None, price="1 kr"))
    # Somebody deletes it between two looks, and nothing prevents that.
    Organizer.objects.filter(pk=FORENINGEN)._raw_delete("default")
    monkeypatch.setattr(constraints.References, "_is_missing", lambda *_args: False)
    page = undo(office, edit)
    assert list_messages(page)[0].startswith("Nothing is written: the database refuses it (")
    assert Event.objects.get(pk=JAZZ).price == "1 kr"
    Organizer.objects.create(pk=FORENINGEN, name="Föreningen Jazz")


def test_what_nobody_was_told_of_is_undone_silently_unless_the_editor_says_yes(office):
    def read_chosen(edit: Edit) -> str:
        return str(submission(office.get(f"{CHANGES}{edit.pk}/undo/"))["tell"])

    with edits.record(moment=NOW, telling=Telling(tells=False)):
        move([8001], 2 * HOUR)
    untold, told = Edit.objects.latest("pk"), write(lambda: move([8002], 2 * HOUR))
    assert (read_chosen(untold), read_chosen(told)) == ("no", "yes")
    page = office.post(f"{CHANGES}{untold.pk}/undo/", submission(office.get(f"{CHANGES}{untold.pk}/undo/")))
    assert page.status_code == 302
    assert 8001 not in {key for _kind, key, _note in list_told(NOW)}
    # A note beside no is refused, and nothing is undone.
    address = f"{CHANGES}{told.pk}/undo/"
    refused = office.post(address, submission(office.get(address)) | {"tell": "no", "note": "Åska"})
    assert "A note is for readers: tell them, or leave it empty." in words(parse(refused))
    assert Edit.objects.latest("pk") != told


@pytest.mark.parametrize("tell", ["yes", "no"])
@pytest.mark.parametrize("leave", ["delete", "withdraw"])
def test_readers_are_told_that_something_is_there_again_if_the_editor_says_so(office, leave, tell):
    event = Event.objects.filter(pk=JAZZ)
    gone = write(event.delete if leave == "delete" else lambda: event.update(status=Status.DRAFT))
    News.objects.update(appears_at=NOW)
    address = f"{CHANGES}{gone.pk}/undo/"
    page = office.get(address)
    assert submission(page)["tell"] == "yes"
    # A note is not about what is new.
    assert not parse(page).select_one("[name=note]")
    office.post(address, submission(page) | {"tell": tell})
    assert event.get().status == Status.PUBLISHED
    assert News.objects.filter(kind="new", event_id=JAZZ).exists() == (tell == "yes")


def test_what_is_done_again_has_the_note_that_readers_had(office):
    with edits.record(moment=NOW, telling=Telling(note=Text("Åska", "Thunder"))):
        Occasion.objects.filter(pk=8001).update(cancelled=True)
    News.objects.update(appears_at=NOW)
    assert undo(office, Edit.objects.latest("pk")).status_code == 200
    sent = submission(office.get(f"{CHANGES}{Edit.objects.latest('pk').pk}/undo/"))
    assert (sent["note"], sent["note_en"]) == ("Åska", "Thunder")


def test_the_message_says_that_nobody_missed_what_comes_back_at_once(office):
    Occasion.objects.filter(event=JAZZ).update(start=NOW + 48 * HOUR, end=NOW + 49 * HOUR)
    for model in (Occasion, Event):
        model.history.update(history_date=NOW - HOUR)
    gone = write(Event.objects.filter(pk=JAZZ).delete)
    [told] = parse(undo(office, gone)).select(".messagelist .news")
    assert words(told) == "Readers had not been told of it yet, and need not know."


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("is_told", [True, False])
def test_the_message_says_what_readers_know_of_what_is_taken_back_at_once(office, at, by_hand, is_told):
    far = Occasion.objects.filter(pk=8002)
    far.update(start=NOW + 48 * HOUR, end=NOW + 49 * HOUR)
    Occasion.history.update(history_date=NOW - HOUR)
    Event.history.update(history_date=NOW - HOUR)
    moved = write(lambda: move([8002], 2 * HOUR))
    if is_told:
        News.objects.update(told_at=NOW, appears_at=NOW)
    form = f"/admin/programme/event/{JAZZ}/change/"
    sent = {"occasions-1-start_time": "14:00", "occasions-1-end_time": "15:00", "tell": "no"}
    address = form if by_hand else f"{CHANGES}{moved.pk}/undo/"
    page = office.post(
        address, submission(office.get(address)) | (sent if by_hand else {"tell": "no"}), follow=True
    )
    [told] = parse(page).select(".messagelist .news")
    assert far.get().start == NOW + 48 * HOUR
    assert words(told) == (
        "Readers were not told. Tell them"
        if is_told
        else "Readers had not been told of it yet, and need not know."
    )


def test_what_stays_names_the_row_for_whose_sake_with_a_link(office):
    name = Organizer.objects.get(pk=ASA).name
    renamed = write(lambda: Organizer.objects.filter(pk=ASA).update(name="Ny"))
    other = Organizer(name=name)
    write(other.save)
    left = write(lambda: Event.objects.filter(pk=JAZZ).update(organizer=None))
    Event.objects.filter(organizer=FORENINGEN).update(organizer=None)
    write(lambda: Organizer.objects.get(pk=FORENINGEN).delete())
    found = {}
    for edit in (renamed, left):
        [row] = opened(office, f"{CHANGES}{edit.pk}/undo/").select(".staying li")
        text, link = words(row).removesuffix(" History").partition(": ")[2], row.select("a")[1]
        found[text] = link["href"]
    organizers = "/admin/programme/organizer"
    assert found == {
        f"something else has its name or identifier by now: organizer {name}": f"{organizers}/{other.pk}/change/",
        "what it belongs to is no longer there: organizer Föreningen Jazz": f"{organizers}/{FORENINGEN}/history/",
    }


def test_what_is_restored_and_undone_has_one_name(office):
    changed = write(lambda: move([8001], HOUR))
    back = f"{CHANGES}{changed.pk}/occasion/8001/start/"
    title = Occasion.objects.get(pk=8001).event.title
    office.post(back, submission(office.get(back)))
    for _turn in range(3):
        undo(office, Edit.objects.latest("pk"))
    assert list_changes(office)[:4] == [
        f"Undid: Restored {title}",
        f"Did again: Restored {title}",
        f"Undid: Restored {title}",
        f"Restored {title}",
    ]


# Every model and way: rights/test_undoing.py.
@pytest.mark.parametrize(("keys", "is_allowed"), [([JAZZ], True), ([JAZZ, CLOCKS], False)])
def test_only_who_may_edit_every_row_undoes(keys, is_allowed):
    edit = write(lambda: Event.objects.filter(pk__in=keys).update(price="1 kr"))
    client = office_of(user_of(Role.AREA_EDITOR))
    address = f"{CHANGES}{edit.pk}/undo/"
    shown = client.get(address)
    page = parse(shown)
    assert bool(page.select("form[method=post] [name=seen]")) == is_allowed
    assert ("You may not do this:" in words(page)) != is_allowed
    count = Edit.objects.count()
    answer = client.post(address, {"seen": shown.context["preview"].seen})
    assert answer.status_code == (302 if is_allowed else 200)
    assert (Edit.objects.count() > count) == is_allowed


def test_nothing_is_done_where_every_row_stays(office):
    edits = [write(partial(Event.objects.filter(pk=JAZZ).update, price=price)) for price in ("1", "2")]
    address = f"{CHANGES}{edits[0].pk}/undo/"
    preview = office.get(address).context["preview"]
    assert (preview.rows, office.post(address, {"seen": preview.seen}).status_code) == ([], 200)
    assert Event.objects.get(pk=JAZZ).price == "2"


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/admin/programme/event/", {"action": "cancel", "_selected_action": [JAZZ, NIGHT]}),
        (
            "/admin/programme/event/",
            {"action": "delete_selected", "_selected_action": [DRAFT], "post": "yes"},
        ),
        (f"/admin/programme/event/{DRAFT}/delete/", {"post": "yes"}),
        (f"/admin/programme/event/{DRAFT}/duplicate/", {}),
    ],
)
def test_the_message_after_a_batch_leads_to_undoing_it(office, address, sent):
    def read_state():
        return [
            *Event.objects.order_by("pk").values("pk", "title", "status"),
            *Occasion.objects.order_by("pk").values("pk", "event", "cancelled"),
        ]

    before = read_state()
    done = confirm(office, address, sent)
    page = parse(office.get(done["location"]))
    link = page.select_one(".messagelist a.undo")["href"]
    office.post(link, submission(office.get(link)))
    assert read_state() == before
