"""The page "Next edition": it proposes the next year, writes nothing before it has shown it, and then once."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from programme.models import AreaDay, Edit, Edition, Event, Occasion
from tests.programme.backoffice.changes.pages import list_rows
from tests.programme.backoffice.requests import parse, submission, words
from tests.programmes import TORGET

pytestmark = pytest.mark.usefixtures("day_old_sample")


@pytest.fixture
def edition() -> Edition:
    days = {"first_day": dt.date(2026, 7, 29), "last_day": dt.date(2026, 8, 1)}
    return Edition.objects.create(slug="2026", name_sv="Natten 2026", name_en="Night 2026", **days)


def open_page(office: Client, edition: Edition, into: Edition | None = None) -> Any:
    query = {"into": into.pk} if into else None
    return office.get(f"/admin/programme/edition/{edition.pk}/next/", query)


def send(office: Client, shown: Any, **chosen: str) -> Any:
    return office.post(shown.wsgi_request.get_full_path(), submission(shown) | chosen)


def choose(office: Client, shown: Any, **chosen: str) -> Any:
    return send(office, shown, show="1", **chosen)


def prepare(office: Client, edition: Edition, into: Edition | None = None, **chosen: str) -> Any:
    """Show what happens, and let it happen."""
    return send(office, choose(office, open_page(office, edition, into), **chosen))


def read_warnings(page: Any) -> list[str]:
    return [words(each) for each in parse(page).select(".notice")]


def count_rows() -> list[int]:
    return [model.objects.count() for model in (Edition, AreaDay, Event, Occasion, Edit)]


def test_it_proposes_the_next_year_on_the_same_weekdays_and_writes_nothing(office, edition):
    before = count_rows()
    page = open_page(office, edition)
    sent = submission(page)
    assert {name: value for name, value in sent.items() if name not in {"csrfmiddlewaretoken", "seen"}} == {
        "name_sv": "Natten 2027",
        "name_en": "Night 2027",
        "slug": "2027",
        "first_day": "2027-07-28",
        "last_day": "2027-07-31",
        "hours": "on",
        "events": "",
        "by": "weeks",
    }
    clocks = "Clock times stay as they are, in summer time and winter time."
    assert read_warnings(page) == [f"All is moved by 52 weeks. {clocks}"]
    hours = [f"Area's day Ångtorget, {day} Jul 2027 is added" for day in ("Wed 28", "Fri 30")]
    assert list_rows(parse(page)) == ["Edition Natten 2027 is added", *hours]
    page = choose(office, page, events="all", last_day="2027-07-29")
    # What is not there yet leads nowhere.
    assert not parse(page).select(".rows a")
    assert read_warnings(page) == [
        f"All is moved by 52 weeks. {clocks}",
        "Left out, because it is outside the edition: Fri 30 Jul 2027, Sat 31 Jul 2027.",
    ]
    rows = list_rows(parse(page))
    assert (len(rows), rows[:2]) == (18, ["Edition Natten 2027 is added", hours[0]])
    assert "Event Utkast is added; Occasion Utkast, Wed 28 Jul 2027 16:00 is added" in "; ".join(rows)
    assert count_rows() == before


def test_it_is_written_as_one_edit_that_can_be_undone(office, edition):
    before = count_rows()
    done = prepare(office, edition, events="published")
    assert (done.status_code, done.url) == (302, "/admin/programme/edition/")
    edit = Edit.objects.latest("pk")
    assert (edit.reason, edit.detail) == ("prepared the edition", "Natten 2027")
    assert [after - former for after, former in zip(count_rows(), before, strict=True)] == [1, 2, 6, 11, 1]
    made = Edition.objects.get(slug="2027")
    days = dt.date(2027, 7, 28), dt.date(2027, 7, 31)
    assert (made.name_en, made.first_day, made.last_day) == ("Night 2027", *days)
    page = office.get(done.url)
    # The festival goes on: another edition is a choice of its own.
    assert words(parse(page).select_one(".editions option[selected]")) == "Night 2026 (current)"
    said = parse(page).select_one(".messagelist li")
    assert words(said).startswith(
        "Night 2027 is prepared. Drafts: 6. To work with Night 2027 , choose it at the top"
    )
    assert said.select_one(f"a[href$='/{made.pk}/change/']")
    undone = office.post(
        f"/admin/changes/{edit.pk}/undo/", submission(office.get(f"/admin/changes/{edit.pk}/undo/"))
    )
    assert undone.status_code == 302
    assert count_rows()[:-1] == before[:-1]


def test_days_can_be_moved_so_that_the_first_becomes_the_first(office, edition):
    page = choose(
        office, open_page(office, edition), first_day="2027-08-03", last_day="2027-08-06", by="first"
    )
    hours = "Area's day Ångtorget, {} is added"
    assert list_rows(parse(page))[1:] == [hours.format(day) for day in ("Tue 3 Aug 2027", "Thu 5 Aug 2027")]
    assert read_warnings(page)[0].startswith("All is moved by 370 days, to other weekdays.")
    page = choose(office, page, by="weeks")
    assert list_rows(parse(page))[1:] == [hours.format(day) for day in ("Wed 4 Aug 2027", "Fri 6 Aug 2027")]


def test_an_edition_that_is_there_is_not_made_again(office, edition):
    prepare(office, edition, events="all")
    before = count_rows()
    page = open_page(office, edition)
    errors = {name: list(found) for name, found in page.context["asked"].errors.items()}
    assert errors == {
        "slug": ["Another edition has this."],
        "first_day": ["These days overlap with Night 2027, 2027-07-28 to 2027-07-31."],
    }
    assert parse(page).select_one(".submit-row input") is None
    assert send(office, page, seen="1").status_code == 200
    assert count_rows() == before


def test_what_is_missing_can_be_added_to_it(office, edition):
    prepare(office, edition)
    made = Edition.objects.get(slug="2027")
    AreaDay.objects.filter(area=TORGET, day__date="2027-07-30").delete()
    link = parse(open_page(office, edition)).select_one("form > p a")
    assert link is not None
    assert (link["href"], words(link)) == (f"?into={made.pk}", "Night 2027")
    page = choose(office, open_page(office, edition, made), events="published")
    assert "first_day" not in submission(page)
    assert read_warnings(page)[-1] == "There already, and stays as it is: Ångtorget Wed 28 Jul 2027."
    before = count_rows()
    assert send(office, page).status_code == 302
    assert [after - former for after, former in zip(count_rows(), before, strict=True)] == [0, 1, 6, 11, 1]
    # Once more there is nothing to add, or nothing but the draft that was not wanted before.
    before = count_rows()
    page = choose(office, open_page(office, edition, made), events="published")
    assert parse(page).select_one(".submit-row input") is None
    prepare(office, edition, made, events="all")
    assert [after - former for after, former in zip(count_rows(), before, strict=True)] == [0, 0, 1, 1, 1]
