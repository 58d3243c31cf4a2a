"""Edit conflicts: each editor sees what the other has saved, and nothing is overwritten unseen."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.history import edits
from programme.models import Area, Event, GoneOccasion, Occasion, Organizer, Status
from tests import programmes
from tests.programme.backoffice.requests import (
    list_errors,
    list_messages,
    parse,
    row_fields,
    submission,
    without_tokens,
    words,
)
from tests.programme.backoffice.rights.people import office_of
from tests.programmes import DRAFT, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("at", "sample")

FORM = f"/admin/programme/event/{NIGHT}/change/"


@pytest.fixture
def bo(db: None) -> User:
    """Bo edits the same."""
    return User.objects.create_superuser("bo", first_name="Bo", last_name="Ek")


@pytest.fixture
def bos(bo: User) -> Client:
    return office_of(bo)


def save(client: Client, address: str, **values: str) -> None:
    sent = submission(client.get(address)) | values
    assert client.post(address, {k: v for k, v in sent.items() if v is not None}).status_code == 302


def read_differences(response: Any) -> dict[str, tuple[str, ...]]:
    """Return what the page shows of each choice: before, theirs and mine."""
    assert response.status_code == 200
    page = parse(response)
    return {
        each.select_one("input[type=radio]")["name"].removeprefix("_choice-"): tuple(
            ["", "", *(value.get_text().strip() for value in each.select(".value"))][-3:]
        )
        for each in page.select("fieldset.difference")
    }


def read_notice(response: Any) -> str:
    page = parse(response)
    return " ".join(page.select_one("[role=status]").get_text().split())


def test_what_two_have_changed_of_different_fields_is_kept_without_a_question(office, bos):
    sent = submission(office.get(FORM)) | {"price": "50 kr"}
    save(bos, FORM, title="Natten")
    saved = office.post(FORM, sent, follow=True)
    assert list_messages(saved)[0] == (
        "Saved by others while you were writing, which is kept: Bo Ek, Wed 29 Jul 14:00."
    )
    event = Event.objects.get(pk=NIGHT)
    assert (event.title, event.price) == ("Natten", "50 kr")


@pytest.mark.parametrize(
    ("choice", "title"), [({"_choice-title": "theirs"}, "Natten"), ({"_choice-title": "mine"}, "Nattens")]
)
def test_what_both_have_changed_is_chosen(office, bos, choice, title):
    sent = submission(office.get(FORM)) | {"title": "Nattens", "price": "50 kr"}
    before = Event.objects.get(pk=NIGHT).title
    save(bos, FORM, title="Natten", price="70 kr")
    met = office.post(FORM, sent)
    assert read_differences(met) == {
        "title": (before, "Natten", "Nattens"),
        "price": ("(empty)", "70 kr", "50 kr"),
    }
    assert read_notice(met) == (
        "Saved while you were writing: Bo Ek, Wed 29 Jul 14:00. Nothing of yours is saved yet, and nothing is lost. "
        "You have both changed 2 things: choose below. Everything else that each of you has changed is kept."
    )
    again = submission(met)
    assert not [name for name in again if name.startswith("_choice")]
    # Past the browser's own demand to choose.
    for incomplete in ({}, {"_choice-price": "mine"}, choice | {"_choice-price": "both"}):
        unchosen = office.post(FORM, again | incomplete)
        assert read_differences(unchosen) == read_differences(met)
        assert without_tokens(submission(unchosen)) == without_tokens(again)
    assert office.post(FORM, again | {"_choice-price": "mine"} | choice).status_code == 302
    event = Event.objects.get(pk=NIGHT)
    assert (event.title, event.price) == (title, "50 kr")


def test_what_the_editor_has_saved_in_another_tab_is_no_one_elses(office):
    sent = submission(office.get(FORM))
    save(office, FORM, title="Natten")
    met = parse(office.post(FORM, sent | {"title": "Nattens"}))
    assert words(met.select_one("h1")) == "You have saved this yourself meanwhile, in another tab"
    assert "You saved in another tab while you were writing here:" in words(met.select_one(".notice"))
    assert [words(each) for each in met.select(".whose")] == ["Before", "In the other tab", "In this tab"]
    [kept, _saved] = list_messages(office.post(FORM, sent | {"price": "50 kr"}, follow=True))
    assert kept.startswith("You saved this in another tab while you were writing, which is kept: anna,")


def test_fields_that_make_sense_together_are_chosen_together(office, bos):
    sent = submission(office.get(FORM)) | {"occasions-0-end_time": "03:30"}
    save(bos, FORM, **{"occasions-0-start_time": "21:00"})
    met = office.post(FORM, sent)
    [(key, (before, theirs, mine))] = read_differences(met).items()
    assert key == "occasions-0-day"
    times = [each.split(", ")[1:3] for each in (before, theirs, mine)]
    assert times == [["22:00", "03:00"], ["21:00", "03:00"], ["22:00", "03:30"]]
    office.post(FORM, submission(met) | {"_choice-occasions-0-day": "theirs"})
    shown = submission(office.get(FORM))
    assert (shown["occasions-0-start_time"], shown["occasions-0-end_time"]) == ("21:00", "03:00")


def test_rows_that_others_added_stay_and_mine_are_added(office, bos):
    def added(day: str) -> dict[str, str]:
        count = int(submission(office.get(FORM))["occasions-TOTAL_FORMS"])
        rows = row_fields("occasions", count, id="", event=str(NIGHT), day=day, start_time="9", end_time="10")
        return rows | {"occasions-TOTAL_FORMS": str(count + 1)}

    days = set(Occasion.objects.filter(event=NIGHT).dates("start", "day"))
    sent = submission(office.get(FORM)) | added("2026-07-31")
    save(bos, FORM, **added("2026-07-30"))
    assert office.post(FORM, sent).status_code == 302
    new = set(Occasion.objects.filter(event=NIGHT).dates("start", "day")) - days
    assert sorted(map(str, new)) == ["2026-07-30", "2026-07-31"]
    sent = submission(office.get(FORM)) | added("2026-07-29")
    save(bos, FORM, **added("2026-07-29"))
    [error] = list_errors(office.post(FORM, sent)).values()
    assert error[0].startswith("Someone else has added this day, time and place meanwhile.")


@pytest.mark.parametrize(
    ("typed", "choice", "stays"),
    [
        ({}, {}, False),
        ({"occasions-0-end_time": "03:30"}, {"_choice-occasions-0-DELETE": "theirs"}, False),
        ({"occasions-0-end_time": "03:30"}, {"_choice-occasions-0-DELETE": "mine"}, True),
    ],
)
def test_a_row_that_another_has_deleted_stays_so_or_comes_back_with_its_identity(
    office, bos, typed, choice, stays
):
    Event.objects.filter(pk=NIGHT).update(status=Status.PUBLISHED)
    sent = submission(office.get(FORM)) | {"price": "50 kr"} | typed
    first = Occasion.objects.get(pk=sent["occasions-0-id"])
    save(bos, FORM, **{"occasions-0-DELETE": "on"})
    met = office.post(FORM, sent)
    if typed:
        [(key, (_before, theirs, _mine))] = read_differences(met).items()
        assert (key, theirs) == ("occasions-0-DELETE", "is deleted")
        met = office.post(FORM, submission(met) | choice)
    assert met.status_code == 302
    assert Event.objects.get(pk=NIGHT).price == "50 kr"
    kept = list(Occasion.objects.filter(event=NIGHT, pk=first.pk).values_list("uuid", flat=True))
    assert kept == ([first.uuid] if stays else [])
    assert GoneOccasion.objects.filter(pk=first.pk).exists() is not stays


@pytest.mark.parametrize("whose", ["theirs", "mine"])
def test_a_row_that_i_delete_and_another_has_changed_is_asked_for(office, bos, whose):
    sent = submission(office.get(FORM)) | {"occasions-0-DELETE": "on"}
    save(bos, FORM, **{"occasions-0-end_time": "03:30"})
    met = office.post(FORM, sent)
    [(key, (_before, theirs, mine))] = read_differences(met).items()
    assert (key, mine) == ("occasions-0-DELETE", "is deleted")
    assert "03:30" in theirs
    assert office.post(FORM, submission(met) | {f"_choice-{key}": whose}).status_code == 302
    left = Occasion.objects.filter(pk=sent["occasions-0-id"])
    assert left.exists() is (whose == "theirs")
    if whose == "theirs":
        assert submission(office.get(FORM))["occasions-0-end_time"] == "03:30"


def test_a_form_without_a_state_overwrites_nothing_unseen(office):
    sent = submission(office.get(FORM)) | {"title": "Natten"}
    del sent["_state"]
    before = Event.objects.get(pk=NIGHT).title
    met = office.post(FORM, sent)
    assert read_notice(met).startswith("It is not known which version you began with.")
    assert read_differences(met) == {"title": ("", before, "Natten")}
    assert office.post(FORM, submission(met) | {"_choice-title": "mine"}).status_code == 302
    assert Event.objects.get(pk=NIGHT).title == "Natten"


@pytest.mark.parametrize("state", ["x", "1.2.3.4", "99999999999999999999"])
def test_a_state_that_is_none_is_as_good_as_none(office, state):
    sent = submission(office.get(FORM)) | {"title": "Natten", "_state": state}
    assert read_differences(office.post(FORM, sent)).keys() == {"title"}


def test_saving_the_same_as_another_is_no_matter(office, bos):
    sent = submission(office.get(FORM)) | {"title": "Natten"}
    save(bos, FORM, title="Natten")
    assert office.post(FORM, sent).status_code == 302


def test_everything_typed_is_kept_on_the_page_and_beside_an_error(office, bos):
    sent = submission(office.get(FORM)) | {
        "title": "Nattens",
        "intro_sv": "Rad ett\n\n<b>Rad två</b>",
        "occasions-0-end_time": "kl 25",
    }
    save(bos, FORM, title="Natten", price="1 kr")
    met = office.post(FORM, sent)
    again, kept = submission(met), without_tokens(sent) | {"price": "1 kr"}
    assert {name: again[name] for name in kept} == kept
    refused = office.post(FORM, again | {"_choice-title": "mine"})
    assert list(list_errors(refused)) == ["occasions-0-end_time"]
    assert without_tokens(submission(refused)) == kept
    assert office.post(FORM, submission(refused) | {"occasions-0-end_time": "03:30"}).status_code == 302


def test_a_file_is_to_be_chosen_once_more(office, bos):
    sent = submission(office.get(FORM)) | {"title": "Nattens"}
    with edits.record(reason="import", detail="36C3"):
        Event.objects.filter(pk=NIGHT).update(title="Natten", image="events/other.png")
    met = office.post(FORM, sent | {"image": SimpleUploadedFile("mine.png", b"x")})
    assert "import 36C3, " in met.content.decode()
    assert read_differences(met).keys() == {"title", "image"}
    assert list_messages(met) == ["The file “mine.png” is not saved: choose it once more."]


@pytest.mark.parametrize("number", ["9" * 5000, "-1"])
def test_a_number_of_rows_that_no_form_has_keeps_nobody_busy(office, bos, number):
    sent = submission(office.get(FORM)) | {"occasions-INITIAL_FORMS": number}
    save(bos, FORM, price="1 kr")
    assert office.post(FORM, sent).status_code in {200, 302}


def test_other_forms_know_their_state_too(office):
    address, typed = f"/admin/programme/organizer/{programmes.FORENINGEN}/change/", {"info_sv": "Ny"}
    sent = submission(office.get(address)) | typed
    Organizer.objects.filter(pk=programmes.FORENINGEN).update(name="Jazzklubben")
    kept = without_tokens(submission(office.get(address))) | typed
    assert office.post(address, sent).status_code == 302
    assert without_tokens(submission(office.get(address))) == kept


def test_what_events_name_may_change_meanwhile(office):
    sent = submission(office.get(FORM)) | {"price": "50 kr"}
    Area.objects.update(price="1 kr")
    Event.objects.filter(pk__in=[JAZZ, DRAFT]).update(price="1 kr")
    assert office.post(FORM, sent).status_code == 302
