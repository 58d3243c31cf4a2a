"""What readers were told is listed and shown, corrected, taken back, and told afterwards, by those who may."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from feeds.marks import MARKING
from feeds.vocabulary import Text
from programme.backoffice.news.views import CORRECTED, TOLD, TOOK_BACK
from programme.backoffice.roles import Role
from programme.history import edits
from programme.models import Edit, Event, News, NewsKind, Occasion
from programme.models.telling import Telling
from programme.publishing.news_reader import read_marks
from tests import news
from tests.conftest import NOW
from tests.programme.backoffice.changes.pages import CHANGES, list_changes
from tests.programme.backoffice.news.told import NEWS, address_of, cancel
from tests.programme.backoffice.requests import list_messages, opened, parse, send, words
from tests.programme.backoffice.rights.people import ROLES, office_of, user_of
from tests.programmes import CLOCKS

pytestmark = pytest.mark.usefixtures("at", "sample")

# Of the area editor's area, and of another. Both begin so late that the feed has them in five minutes.
OURS, THEIRS = 8002, 8008


def list_told(client, query=""):
    return [words(each) for each in opened(client, NEWS + query).select(".told li")]


def read_mark(occasion):
    return read_marks([Occasion.objects.get(pk=occasion)]).get(occasion)


def test_what_was_told_is_listed_by_day_with_its_note_and_by_whom(office, anna):
    News.objects.all().delete()
    bo = User.objects.create_user("bo", first_name="Bo", last_name="Ek")
    cancel(OURS, user=anna, note="Sjuk")
    cancel(THEIRS, user=bo)
    news.write_batch(12)
    page = opened(office, NEWS)
    assert [words(each) for each in page.select("h2")] == ["Today", "Wed 17 Jun"]
    first, second, batch, *_others = list_told(office)
    title = Event.objects.get(pk=CLOCKS).title
    assert first.startswith(f"Cancelled: {title}")
    assert first.endswith("in the feed within five minutes Bo Ek · today 14:00")
    assert second.endswith("Sjuk (en) anna · today 14:00")
    assert batch.startswith("12 events moved: ")
    assert list_told(office, f"?by={bo.pk}") == [first]
    assert "What Bo Ek told" in words(opened(office, f"{NEWS}?by={bo.pk}"))
    assert list_told(office, "?by=x&page=x") == list_told(office)


def test_the_list_is_searched_by_title_with_the_note_of_several(office, anna):
    News.objects.all().delete()
    edit = cancel(OURS, user=anna, note="Sjuk")
    cancel(THEIRS)
    news.write_batch(12, note_sv="Åska", note_en="Thunder")
    title = Event.objects.get(occasions=OURS).title
    ours, several = list_told(office, f"?q={title[:4].upper()}")
    assert ours.startswith(f"Cancelled: {title}")
    assert several.startswith("12 events moved: ")
    assert " Thunder " in several
    assert list_told(office, f"?q={title[:4]}&by={edit.user_id}") == [ours]
    page = opened(office, f"{NEWS}?q=.*&by={edit.user_id}")
    assert (page.select(".told li"), page.select_one("#searchbar")["value"]) == ([], ".*")
    assert page.select_one("#changelist-search [name=by]")["value"] == str(edit.user_id)
    assert "Nothing was told of this." in words(page)


def test_what_comes_back_and_what_is_cancelled_at_once_are_not_told_as_new(office):
    News.objects.all().delete()
    event, occasions = Event.objects.filter(occasions=OURS), Occasion.objects.filter(event__occasions=THEIRS)
    other = Event.objects.filter(pk=CLOCKS)
    for minutes, rows, values in (
        *((0, event | other, {"status": "draft"}), (10, event, {"status": "published"})),
        *((20, other, {"status": "published"}), (21, occasions, {"cancelled": True})),
    ):
        with edits.record(moment=NOW + timedelta(minutes=minutes)):
            rows.update(**values)
    kinds = [each.partition(":")[0] for each in list_told(office)]
    assert [*dict.fromkeys(kinds)] == ["Cancelled", "Reinstated", "Removed from the programme"]


def test_the_list_has_pages(office):
    News.objects.all().delete()
    assert list_told(office) == []
    for number in range(1, 32):
        news.write(number, "cancelled", news.build_state(NOW), news.build_state(NOW))
    assert (len(list_told(office)), len(list_told(office, "?page=2"))) == (30, 1)


@pytest.mark.parametrize("count", [2, 40])
def test_the_list_and_an_entry_take_the_same_queries_however_much_was_told(
    office, django_assert_num_queries, count
):
    news.write_batch(count, kind="changed", entry=UUID(int=7))
    News.objects.filter(edit_id=100).update(entry=UUID(int=7))
    list_told(office)
    # Session, user; the number of entries, these, their pieces, their edits; whether the sidebar offers to add
    # the festival; the editions.
    with django_assert_num_queries(8):
        list_told(office)
    # Session, user; the pieces, the areas of their events for either right, which occasions are there, the edit;
    # whether the sidebar offers to add the festival; the editions.
    with django_assert_num_queries(9):
        opened(office, f"{NEWS}{UUID(int=7)}/")


def test_an_entry_shows_its_pieces_and_leads_to_its_edit(office, anna):
    edit = cancel(OURS, user=anna, note="Sjuk")
    page = opened(office, address_of(edit))
    [piece] = page.select(".rows li")
    title = Event.objects.get(occasions=OURS).title
    assert words(piece) == f"{title} Thursday 30 July 2026 16:00–17:00, Biblioteket, Källaren Sjuk (en)"
    assert page.select_one(f'.summary a[href="{CHANGES}{edit.pk}/"]')
    assert office.get(f"{NEWS}{UUID(int=7)}/").status_code == 404


def test_a_note_is_corrected_and_all_else_stays(office, anna):
    edit = cancel(OURS, user=anna, note="Sjuk")
    before, mark = News.objects.filter(edit_id=edit.pk).values().get(), read_mark(OURS)
    done = send(office, address_of(edit), note="Frisk", note_en="Well", follow=True)
    assert list_messages(done) == ["The note is corrected: readers see it at once."]
    assert News.objects.filter(edit_id=edit.pk).values().get() == before | {
        "note_sv": "Frisk",
        "note_en": "Well",
    }
    assert read_mark(OURS) == mark._replace(change_info=Text("Frisk", "Well"))
    assert (Edit.objects.latest("pk").reason, Edit.objects.latest("pk").name) == (CORRECTED, "anna")


def test_an_entry_of_several_notes_says_that_one_stands_in_their_place(office):
    entry = UUID(int=7)
    news.write_batch(2, kind="changed", entry=entry)
    assert "different notes" not in words(opened(office, f"{NEWS}{entry}/"))
    News.objects.filter(occasion_id=OURS, entry=entry).update(note_sv="Regn")
    News.objects.filter(entry=entry).first().save()
    page = opened(office, f"{NEWS}{entry}/")
    assert "The occasions have different notes." in words(page)
    assert page.select_one("#id_note").get("value") is None


def test_what_is_new_or_withdrawn_has_no_note_to_correct(office):
    held = news.build_state(NOW)
    news.write(1, "withdrawn", held, {}, news.GONE)
    address = f"{NEWS}{UUID(int=1)}/"
    assert opened(office, address).select_one("#id_note") is None
    assert office.post(address, {"note": "x"}).status_code == 403


def test_taking_back_deletes_the_entry_and_its_marks_and_names_no_title(office, anna):
    News.objects.filter(occasion_id=OURS).delete()
    cancel(OURS, THEIRS, user=anna, note="Sjuk")
    edit = Edit.objects.latest("pk")
    address = address_of(edit, occasion_id=OURS)
    assert read_mark(OURS).change_info.sv == "Sjuk"
    done = send(office, f"{address}take-back/", follow=True)
    [text] = list_messages(done)
    assert text == "Taken back: it is gone from the feed, the pages, My programme and the marks."
    assert list(News.objects.filter(edit_id=edit.pk).values_list("occasion_id", flat=True)) == [THEIRS]
    assert (Occasion.objects.get(pk=OURS).cancelled, read_mark(OURS)) == (True, None)
    assert list_changes(office)[0] == "Took back what readers were told"
    log = Edit.objects.latest("pk")
    assert (log.reason, log.detail, log.name) == (TOOK_BACK, "", "anna")
    shown = opened(office, f"{CHANGES}{log.pk}/")
    assert words(shown.h1) == "Took back what readers were told"
    assert shown.select(".undo") == []
    assert office.get(address).status_code == 404


def test_what_stays_to_be_seen_is_said_of_each_kind(office):
    said, held = set(), news.build_state(NOW)
    for number, kind in enumerate(NewsKind, 1):
        news.write(number, kind, held, held)
        said.add(words(opened(office, f"{NEWS}{UUID(int=number)}/take-back/").select("#content-main li")[1]))
    again = " What was told before counts again."
    assert said >= {f"It stays cancelled: “CANCELLED.” is seen, without the note.{again}"}
    assert (len(said), sum(each.endswith(again) for each in said)) == (len(NewsKind), len(MARKING))


def test_what_was_not_told_is_told_afterwards(office, anna):
    edit = cancel(OURS, user=anna, tells=False)
    address = f"{CHANGES}{edit.pk}/"
    assert "Readers were not told" in words(opened(office, address))
    done = send(office, address, note="Sjuk", note_en="Ill", follow=True)
    assert list_messages(done) == ["Readers are told of 1 occasion."]
    assert read_mark(OURS).change_info == Text("Sjuk", "Ill")
    assert "Readers were not told" not in done.content.decode()
    told = parse(done).select_one('section[aria-labelledby="told"]')
    assert words(told).startswith("What readers were told Cancelled: ")
    log = Edit.objects.latest("pk")
    assert (log.reason, log.detail) == (TOLD, str(edit.pk))
    # Nobody is told of it twice.
    again = office.post(address, {"note": "Sjuk"})
    assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]
    assert News.objects.filter(edit_id=edit.pk).count() == 1


def test_an_edit_that_only_tells_is_among_the_latest_changes(office, anna):
    with edits.record(anna, NOW, telling=Telling(note=Text("Ny artist", "Another artist"), about=[OURS])):
        pass
    [first, *_others] = list_changes(office)
    assert first.startswith("Changed: Jazz, blues & soul")
    page = opened(office, f"{CHANGES}{Edit.objects.latest('pk').pk}/")
    assert words(page.h1) == first
    assert page.select(".undo") == []


# Of each role: whether it may correct, take back, and tell afterwards, of its own area and of another.
MAY = {
    Role.ADMINISTRATOR: "ctt ctt",
    Role.CHIEF_EDITOR: "ctt ctt",
    Role.EDITOR: "c-t c-t",
    Role.AREA_EDITOR: "c-t ---",
}


@pytest.mark.parametrize("role", ROLES)
def test_who_may_correct_take_back_and_tell_afterwards(role):
    client = office_of(user_of(role))
    found = []
    for occasion in (OURS, THEIRS):
        Occasion.objects.update(cancelled=False)
        told = address_of(cancel(occasion, note="Sjuk"))
        offered = opened(client, told)
        corrected = client.post(told, {"note": "Frisk"}).status_code
        assert (offered.select_one("#id_note") is not None) == (corrected == 302)
        taken = client.post(f"{told}take-back/").status_code
        assert (offered.select_one(".undo") is not None) == (taken == 302)
        Occasion.objects.update(cancelled=False)
        News.objects.all().delete()
        untold = f"{CHANGES}{cancel(occasion, tells=False).pk}/"
        offered = opened(client, untold)
        later = client.post(untold, {"note": ""}).status_code
        assert (offered.select_one("#tell") is not None) == (later == 302)
        assert News.objects.exists() == (later == 302)
        statuses = zip((corrected, taken, later), "ctt", strict=True)
        found.append("".join(letter if status == 302 else "-" for status, letter in statuses))
    assert " ".join(found) == MAY[role]


def test_the_area_of_an_event_that_is_gone_is_the_one_it_had():
    news.write(1, "withdrawn", news.build_state(NOW), {}, news.GONE)
    client = office_of(user_of(Role.CHIEF_EDITOR))
    assert client.post(f"{NEWS}{UUID(int=1)}/take-back/").status_code == 302
