"""The lists that editors make: their form, what puts occasions on them, and undoing it."""

from http import HTTPStatus

import pytest
from django.contrib.auth.models import User

from programme.backoffice.roles import Role
from programme.models import Edit, ListItem, Occasion, OccasionList
from tests.programme.backoffice.bulk.pages import ask, change, read_errors, read_rows, show
from tests.programme.backoffice.changes.pages import list_changes, undo
from tests.programme.backoffice.requests import list_messages, parse, send, submission, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("lists", "at")

ADDRESS = "/admin/programme/occasionlist/12/change/"


def items(of: int = 12) -> list[tuple[int | None, int | None]]:
    return list(ListItem.objects.filter(on_list=of).order_by("pk").values_list("event", "occasion"))


SAMPLE = [(JAZZ, None), (None, 8005), (None, 8001)]


def test_its_form_has_what_is_on_it_by_time_and_takes_more(office):
    page = parse(office.get(ADDRESS))
    rows = [words(row) for row in page.select("tr.has_original")]
    assert [row.split("Delete?")[0].split("Occasion ")[1].split(",")[0].strip() for row in rows] == [
        "Only in English",
        "–",
        r"Jazz",
    ]
    assert page.select_one(".field-page a")["href"] == "/en/list/12"
    send(office, ADDRESS, **{"items-0-DELETE": "on", "items-3-occasion": "8009", "title_en": "Families"})
    assert items() == [(JAZZ, None), (None, 8001), (None, 8009)]
    assert OccasionList.objects.get(pk=12).title_en == "Families"


@pytest.mark.parametrize("more", [{"event": NIGHT, "occasion": 8009}, {"occasion": 8001}, {"event": JAZZ}])
def test_both_or_what_is_on_it_already_is_refused(office, more):
    sent = submission(office.get(ADDRESS)) | {f"items-3-{name}": value for name, value in more.items()}
    assert office.post(ADDRESS, sent).status_code == HTTPStatus.OK
    assert items() == SAMPLE


def test_what_another_has_put_on_it_meanwhile_is_refused_beside_the_row(office):
    sent = submission(office.get(ADDRESS)) | {"items-3-event": NIGHT}
    ListItem.objects.create(on_list_id=12, event_id=NIGHT)
    assert "The event is on the list already." in office.post(ADDRESS, sent).content.decode()


@pytest.mark.parametrize(
    ("kind", "key", "place"), [("event", NIGHT, (NIGHT, None)), ("occasion", 8009, (None, 8009))]
)
def test_rows_of_lists_are_put_on_it_and_taken_from_it_and_that_is_undone(office, kind, key, place):
    address = f"/admin/programme/{kind}/"
    asked = parse(ask(office, "put_on_list", [key], address))
    assert [option.text for option in asked.select("#id_chosen option")][1:] == [
        "Bara <på> svenska",
        "För familjer",
        "Redaktionens utkast",
    ]
    shown = '<a href="/admin/programme/occasionlist/12/change/">För familjer</a>'
    done = change(office, "put_on_list", [key], address, chosen="12")
    assert list_messages(done) == [f"1 put on {shown}."]
    assert items() == [*SAMPLE, place]
    assert "Nothing had to be changed." in show(office, "put_on_list", [key], address, chosen="12").text
    assert list_changes(office)[0].endswith("Put on a list: För familjer")
    done = change(office, "take_from_list", [key], address, chosen="12")
    assert list_messages(done) == [f"1 taken from {shown}."]
    assert items() == SAMPLE
    undo(office, Edit.objects.latest("pk"))
    assert items() == [*SAMPLE, place]


def test_an_occasion_that_its_whole_event_has_put_there_is_taken_alone(office):
    done = change(office, "take_from_list", [8002], chosen="12")
    assert list_messages(done)[0].startswith("1 taken from <a ")
    assert sorted(occasion for _event, occasion in items()) == [8001, 8003, 8005]


def test_occasions_are_put_on_a_new_list_which_is_undone_with_it(office):
    both = show(office, "put_on_list", [8001, 8005], chosen="12", new="Barnens lördag")
    assert read_errors(both) == ["Choose a list or name a new one, not both."]
    taken = show(office, "put_on_list", [8001], new="för familjer")
    assert read_errors(taken) == ["There is a list with this title already."]
    shown = show(office, "put_on_list", [8001, 8005], new="Barnens lördag")
    assert next(iter(read_rows(shown))) == "List Barnens lördag is added"
    done = change(office, "put_on_list", [8001, 8005], new="Barnens lördag")
    new = OccasionList.objects.get(title_sv="Barnens lördag")
    assert list_messages(done)[0].startswith("2 put on <a ")
    assert ({*items(new.pk)}, new.published) == ({(None, 8001), (None, 8005)}, False)
    undo(office, Edit.objects.latest("pk"))
    assert not OccasionList.objects.filter(pk=new.pk).exists()


def test_an_editor_fills_lists_and_publishes_none_and_an_area_editor_looks_at_them():
    editor = office_of(user_of(Role.EDITOR))
    address = "/admin/programme/occasionlist/13/change/"
    send(editor, address, published="on", title_en="Draft", **{"items-0-DELETE": "on"})
    stored = OccasionList.objects.get(pk=13)
    assert (stored.published, stored.title_en, items(13)) == (False, "Draft", [])
    change(editor, "put_on_list", [8001], chosen="13")
    assert items(13) == [(None, 8001)]
    User.objects.all().delete()
    of_area = office_of(user_of(Role.AREA_EDITOR))
    assert of_area.get(address).status_code == HTTPStatus.OK
    actions = parse(of_area.get("/admin/programme/occasion/")).select("select[name=action] option")
    assert "put_on_list" not in {option["value"] for option in actions}


def test_what_was_deleted_is_not_in_the_form_and_comes_back_with_its_row(office):
    Occasion.objects.filter(pk=8005).delete()
    rows = parse(office.get(ADDRESS)).select("tr.has_original")
    assert len(rows) == 2
    send(office, ADDRESS, title_en="Families")
    assert items() == SAMPLE
