"""The list and form of editions, and the button that shows one to readers."""

from datetime import date, timedelta
from typing import Any

from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import Area, Edition
from programme.publishing.current import current
from tests.conftest import NOW
from tests.programme.backoffice.requests import parse, submission, words
from tests.programme.backoffice.rights.people import office_of, user_of
from tests.programmes import TORGET

ADDRESS = "/admin/programme/edition/"
OF_2026 = {
    "name_sv": "Natten 2026",
    "name_en": "Night 2026",
    "first_day": "2026-01-01",
    "last_day": "2026-12-31",
}
OF_2025 = OF_2026 | {"name_sv": "Natten 2025", "first_day": "2025-01-01", "last_day": "2025-12-31"}


def send(client: Client, what: dict[str, str], address: str = f"{ADDRESS}add/") -> Any:
    """Send the form as it is shown, but for some fields."""
    return client.post(address, submission(client.get(address)) | what)


def save(client: Client, what: dict[str, str], address: str = f"{ADDRESS}add/") -> Any:
    """Save the form, once more where it asks."""
    response = send(client, what, address)
    if response.status_code == 200:
        response = client.post(address, submission(response))
    assert response.status_code == 302
    return response


def errors(response: Any) -> list[str]:
    assert response.status_code == 200
    return [words(each) for each in parse(response).select(".errorlist li")]


def read_list(client: Client) -> list[list[str]]:
    rows = parse(client.get(ADDRESS)).select("#result_list tbody tr")
    return [[words(cell) for cell in row.select("th, td:not(.action-checkbox)")] for row in rows]


def change_form(edition: Edition) -> str:
    return f"{ADDRESS}{edition.pk}/change/"


def served() -> set[int]:
    return {each.id for each in current.at(NOW).programme.occasions}


def test_it_says_how_much_readers_would_miss_before_anything_is_saved(office, sample):
    every = served()
    asked = send(office, OF_2026)
    assert errors(asked) == [
        "2 published occasions would be outside all editions, and readers would not find them any more."
        " Bara en titel (Tue 29 Jul 2025 00:30), Bara en titel (Fri 1 Jan 2027 00:00). Change it, or save once more if that is right."
    ]
    # It asks again once it is another number.
    narrower = office.post(f"{ADDRESS}add/", submission(asked) | {"last_day": "2026-10-01"})
    assert "3 published occasions would be" in errors(narrower)[0]
    assert not Edition.objects.exists()
    done = office.post(f"{ADDRESS}add/", submission(asked), follow=True)
    assert served() == every - {8011, 8012}
    undo = parse(done).select_one(".messagelist a.undo")["href"]
    office.post(undo, submission(office.get(undo)))
    assert (Edition.objects.exists(), served()) == (False, every)


def test_it_asks_nothing_where_readers_miss_nothing(office, sample):
    years = OF_2026 | {"first_day": "2025-01-01", "last_day": "2027-12-31"}
    save(office, years)
    Edition.objects.all().delete()
    save(office, OF_2026)
    # What is outside already is so still, and a later one brings it back.
    assert send(office, OF_2025).status_code == 302


def test_it_asks_where_days_are_taken_from_an_edition(office, sample):
    save(office, OF_2026)
    address = change_form(Edition.objects.get())
    assert "1 published occasion would be" in errors(send(office, {"last_day": "2026-10-01"}, address))[0]
    assert Edition.objects.get().last_day == date(2026, 12, 31)
    assert send(office, {"name_sv": "Kulturnatten"}, address).status_code == 302


def test_an_empty_word_for_addresses_is_the_year(office, jazz):
    # Of the draft that is outside nothing is asked.
    assert send(office, OF_2025).status_code == 302
    send(office, OF_2026 | {"slug": "Jubileum"})
    assert [each.slug for each in Edition.objects.all()] == ["2025", "jubileum"]
    spring = OF_2026 | {"first_day": "2025-01-01", "last_day": "2025-02-01"}
    Edition.objects.filter(slug="2025").update(first_day=date(2025, 6, 1))
    assert errors(send(office, spring | {"slug": "2025"})) == ["Another edition has this."]
    send(office, spring)
    assert [each.slug for each in Edition.objects.all()] == ["2025-2", "2025", "jubileum"]


def test_days_overlap_with_no_others_and_end_after_they_begin(office, db):
    send(office, OF_2026)
    overlap = OF_2025 | {"last_day": "2026-01-01"}
    assert errors(send(office, overlap)) == ["These days overlap with Night 2026, 2026-01-01 to 2026-12-31."]
    [text] = errors(send(office, OF_2025 | {"last_day": "2024-12-31"}))
    assert text == "The last day must not be before the first."
    assert errors(send(office, {"name_sv": "Utan dagar"})) == ["This field is required."] * 2


def test_the_list_says_what_readers_see_and_how_much_there_is(office, sample):
    save(office, OF_2026)
    save(office, OF_2025 | {"name_en": "", "current_from": "2027-03-01"})
    latest = Edition.objects.get(slug="2026").pk
    assert parse(office.get(ADDRESS)).select_one(f".object-tools [href='{ADDRESS}{latest}/next/']")
    # The one that was entered first stays, though the other is earlier.
    assert read_list(office) == [
        ["Night 2026", "Thu 1 Jan 2026", "Thu 31 Dec 2026", "Yes", "15", "-", "2026"],
        ["Natten 2025", "Wed 1 Jan 2025", "Wed 31 Dec 2025", "No", "1", "Mon 1 Mar 2027", "2025"],
    ]


def test_one_click_shows_an_edition_to_readers_and_another_takes_it_back(office, at, sample):
    save(office, OF_2026)
    save(office, OF_2025)
    later = Edition.objects.get(slug="2025")
    before = served()
    at(NOW + timedelta(minutes=1))
    form = parse(office.get(change_form(later)))
    [button] = [link for link in form.select(".object-tools a") if words(link) == "Show to readers now"]
    asked = office.get(button["href"])
    assert "change over to this edition at once" in words(parse(asked).select_one("#content-main p"))
    assert [words(each) for each in parse(asked).select(".chosen li")] == [
        "Night 2026, Wed 1 Jan 2025 – Wed 31 Dec 2025: readers get 1 occasion",
        "Night 2026, Thu 1 Jan 2026 – Thu 31 Dec 2026: readers have 14 occasions now",
    ]
    assert served() == before
    # The one that readers see has no button.
    present = Edition.objects.get(slug="2026")
    assert "Show to readers now" not in office.get(change_form(present)).content.decode()
    assert office.get(f"{ADDRESS}999/show/").status_code == 404
    done = office.post(button["href"], submission(asked), follow=True)
    assert served() == {8011}
    message = parse(done).select_one(".messagelist")
    assert words(message) == "Readers see this edition now: Night 2026. Undo"
    assert [row[3] for row in read_list(office)] == ["No", "Yes"]
    assert words(parse(office.get("/admin/changes/")).select_one("#content-main .batches")).startswith(
        "Shown to readers: Natten 2025 anna"
    )
    undo = message.a["href"]
    office.post(undo, submission(office.get(undo)))
    assert served() == before


def field(client: Client) -> BeautifulSoup | None:
    return parse(client.get(f"/admin/programme/area/{TORGET}/change/")).select_one("[name=current]")


def test_areas_are_of_the_current_edition_or_not_where_there_are_editions(office, sample):
    assert field(office) is None
    # Saving it without editions keeps what it was.
    Area.objects.filter(pk=TORGET).update(current=False)
    assert send(office, {}, f"/admin/programme/area/{TORGET}/change/").status_code == 302
    assert not Area.objects.get(pk=TORGET).current
    Area.objects.filter(pk=TORGET).update(current=True)
    save(office, OF_2026)
    box = field(office)
    assert box is not None
    assert box.has_attr("checked")
    address = f"/admin/programme/area/{TORGET}/change/"
    sent = submission(office.get(address))
    assert sent.pop("current") == "on"
    assert office.post(address, sent).status_code == 302
    assert not Area.objects.get(pk=TORGET).current


def test_the_one_that_goes_on_is_shown_and_a_later_one_is_not(office, at, sample):
    save(office, OF_2025)
    at(NOW + timedelta(seconds=1))
    save(office, OF_2026)
    save(office, OF_2026 | {"name_sv": "Nästa", "first_day": "2027-01-01", "last_day": "2027-12-31"})
    assert [each.slug for each in Edition.objects.all() if each.is_current] == ["2026"]


def test_who_may_enter_none_sees_them_once_there_are_some(sample, at):
    editor = office_of(user_of(Role.EDITOR))
    assert ADDRESS not in editor.get("/admin/settings/").content.decode()
    Edition.objects.create(**OF_2026, slug="2026")
    assert ADDRESS in editor.get("/admin/settings/").content.decode()


def test_one_that_is_planned_for_today_is_shown_at_once(office, at, sample):
    save(office, OF_2026)
    save(office, OF_2025)
    at(NOW + timedelta(seconds=1))
    save(office, {"current_from": "2026-07-29"}, change_form(Edition.objects.get(slug="2025")))
    assert served() == {8011}


def test_another_word_in_addresses_is_asked_about(office, at, sample):
    save(office, OF_2026)
    address = change_form(Edition.objects.get())
    asked = send(office, {"slug": "natten"}, address)
    assert errors(asked) == [
        "Links, calendars and embeds with edition=2026 would not work any more."
        " Change it, or save once more if that is right."
    ]
    assert office.post(address, submission(asked)).status_code == 302
    assert Edition.objects.get().slug == "natten"


def test_the_current_one_is_deleted_last(office, at, sample):
    save(office, OF_2026)
    address = f"{ADDRESS}{Edition.objects.get().pk}/delete/"
    save(office, OF_2025)
    assert office.get(address).status_code == 403
    Edition.objects.get(slug="2025").delete()
    assert office.get(address).status_code == 200


def test_names_in_addresses_and_what_is_technical_are_asked_of_administrators_alone(db) -> None:
    asked, user = {}, user_of(None)
    for role in (Role.ADMINISTRATOR, Role.CHIEF_EDITOR):
        assign_role(user, role)
        own = office_of(User.objects.get(pk=user.pk))
        pages = [parse(own.get(f"/admin/programme/{each}/add/")) for each in ("edition", "festival")]
        asked[role] = {each["name"] for page in pages for each in page.select("#content-main [name]")}
    hidden = {"slug", "background", "ink", "dark_background", "dark_ink", "terms_url", "license_name"}
    hidden |= {"license_url", "contact_name", "contact_email"}
    assert asked[Role.ADMINISTRATOR] - asked[Role.CHIEF_EDITOR] == hidden
    save(own, OF_2026)
    edition = Edition.objects.get()
    assert edition.slug == "2026"
    Edition.objects.update(slug="jubileum")
    save(own, {"name_sv": "Jubileet"}, change_form(edition))
    assert Edition.objects.values_list("slug", "name_sv").get() == ("jubileum", "Jubileet")
