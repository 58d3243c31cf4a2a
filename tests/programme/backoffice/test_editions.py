"""The edition that an editor works in: what lists, timetable, problems and the start page show of it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from programme.models import Edition, Event, Occasion
from tests.conftest import NOW
from tests.editions import OF_2025, make_editions
from tests.programme.backoffice.requests import opened, parse, words
from tests.programmes import BARE, DRAFT, JAZZ, NEVER

pytestmark = pytest.mark.usefixtures("at")

# Published, as OF_2025 is, which is of an event that has others in 2026.
NEW_YEAR = 8012


@pytest.fixture
def editions(sample: None) -> dict[str, Edition]:
    """Those of 2025 and 2026, of which the latter is current; New Year 2027 is outside both."""
    return make_editions(2025, 2026)


def choose(client: Client, edition: object, back: str = "/admin/") -> str:
    key = str(edition.pk if isinstance(edition, Edition) else edition)
    response = client.post("/admin/edition/", {"edition": key, "next": back})
    assert response.status_code == 302
    return response["Location"]


def list_keys(client: Client, model: str = "occasion", **query: str) -> set[int]:
    boxes = opened(client, f"/admin/programme/{model}/", **query).select("[name=_selected_action]")
    return {int(box["value"]) for box in boxes}


def menu(client: Client, address: str = "/admin/") -> list[str]:
    options = opened(client, address).select("#header .editions option")
    return [f"{'* ' if each.has_attr('selected') else ''}{words(each)}" for each in options]


def test_without_editions_there_is_nothing_to_choose(office, sample):
    assert menu(office) == []
    every = set(Occasion.objects.values_list("pk", flat=True))
    choose(office, "outside")
    assert list_keys(office) == every
    assert "no-edition" not in problems(office)


@pytest.mark.parametrize(
    "address",
    [
        *("/admin/", "/admin/problems/", "/admin/programme/area/", "/admin/handbook/"),
        "/admin/timetable/2026-07-29/",
    ],
)
def test_each_page_says_which_edition_it_shows(office, editions, address):
    shown = ["Night 2026 (current)", "Night 2025", "All editions", "Outside all editions"]
    assert menu(office, address) == ["* Night 2026 (current)", *shown[1:]]
    choose(office, editions["2025"])
    assert menu(office, address) == [shown[0], "* Night 2025", *shown[2:]]


def test_rows_are_those_of_the_edition_and_events_without_any_occasion(office, editions):
    every, events = ({*model.objects.values_list("pk", flat=True)} for model in (Occasion, Event))
    for edition, occasions, of_events in (
        (editions["2026"], every - {OF_2025, NEW_YEAR}, events),
        (editions["2025"], {OF_2025}, {BARE, NEVER}),
        ("outside", {NEW_YEAR}, {BARE}),
        ("all", every, events),
    ):
        choose(office, edition)
        assert (list_keys(office), list_keys(office, "event")) == (occasions, of_events)
    # What is outside all editions is offered where there is something.
    Occasion.objects.filter(pk=NEW_YEAR).delete()
    assert menu(office)[-1].endswith("All editions")


def test_the_choice_is_each_users_own_and_outlives_signing_out(office, anna, editions):
    choose(office, editions["2025"])
    office.post("/admin/logout/")
    office.force_login(User.objects.create_superuser("bo"))
    assert menu(office)[0] == "* Night 2026 (current)"
    office.post("/admin/logout/")
    office.force_login(anna)
    assert menu(office)[1] == "* Night 2025"


def test_who_works_in_the_current_edition_follows_it_to_the_next(office, editions):
    choose(office, editions["2025"])
    choose(office, editions["2026"])
    editions["2025"].make_current(NOW.replace(year=2027))
    assert menu(office)[:2] == ["* Night 2025 (current)", "Night 2026"]
    # One that is deleted is left for the current one.
    choose(office, editions["2026"])
    editions["2026"].delete()
    assert menu(office)[0] == "* Night 2025 (current)"


def test_choosing_leads_back_to_the_page_and_nowhere_else(office, editions):
    assert choose(office, "all", "/admin/problems/?when=all") == "/admin/problems/?when=all"
    assert choose(office, "all", "https://elsewhere.example/") == "/admin/"
    # The day that was open may be of another edition.
    sent = opened(office, "/admin/timetable/2026-07-29/?area=1001").select_one(".editions [name=next]")
    assert sent["value"] == "/admin/timetable/"
    # A form that was refused, and rows that were chosen, are not there without what was sent.
    for address, back in (("area/add/", "area/"), ("event/?q=jazz", "event/?q=jazz")):
        page = office.post(f"/admin/programme/{address}", {"action": "publish", "_selected_action": JAZZ})
        assert parse(page).select_one(".editions [name=next]")["value"] == f"/admin/programme/{back}"
    assert office.get("/admin/edition/").status_code == 405


def test_rows_of_other_editions_open_and_are_saved(office, editions):
    for address in (f"occasion/{OF_2025}", f"event/{JAZZ}"):
        choose(office, editions["2025" if "event" in address else "2026"])
        page = parse(office.get(f"/admin/programme/{address}/change/", follow=True))
        assert page.select_one("[name=_save]")


def test_days_of_the_timetable_and_of_filters_are_of_the_edition(office, editions):
    def days() -> list[str]:
        tabs = opened(office, office.get("/admin/timetable/")["Location"]).select("nav.days li")
        return [tab["data-day"] for tab in tabs]

    def filtered() -> set[str]:
        links = opened(office, "/admin/programme/occasion/").select("#changelist-filter a")
        found = {each["href"].removeprefix("?day=") for each in links if "day=" in each["href"]}
        return found - {"today", "tomorrow"}

    of_2026 = {
        *("2026-03-29", "2026-07-28", "2026-07-29", "2026-07-30", "2026-07-31", "2026-08-01", "2026-10-25")
    }
    assert (set(days()), filtered()) == (of_2026, of_2026 - {"2026-07-29", "2026-07-30"})
    choose(office, editions["2025"])
    assert (days(), filtered()) == (["2025-07-29"], {"2025-07-29"})


def test_the_start_page_counts_what_is_of_the_edition(office, editions):
    def standing() -> tuple[list[str], str]:
        start = opened(office, "/admin/")
        days = [words(day) for day in start.select(".days > li > a:first-child")]
        return days, " ".join(words(each) for each in start.select("#drafts ~ .more"))

    days, drafts = standing()
    assert (days[-1], drafts) == ("Tomorrow 1 occasion", "All drafts 1")
    choose(office, editions["2025"])
    assert standing() == ([], "")
    Occasion.objects.filter(event=DRAFT).delete()
    assert standing() == ([], "All drafts 1")


def problems(client: Client) -> dict[str, int]:
    """Return how many there are of each kind."""
    links = opened(client, "/admin/problems/", when="all").select(".kinds a[href*='kind=']")
    return {each["href"].partition("kind=")[2]: int(words(each.select_one(".count"))) for each in links}


def test_problems_are_those_of_the_edition_and_of_what_all_share(office, editions):
    of_2026 = problems(office)
    choose(office, editions["2025"])
    of_2025 = problems(office)
    assert (of_2026["double-booked"], of_2026["no-coordinates"]) == (1, 1)
    assert of_2025["no-coordinates"] == 1
    assert "double-booked" not in of_2025
    choose(office, "all")
    assert problems(office) == of_2026


def test_what_is_published_outside_all_editions_is_a_problem_in_each(office, editions):
    for edition in (editions["2026"], editions["2025"], "all", "outside"):
        choose(office, edition)
        assert problems(office)["no-edition"] == 1
    listed = opened(office, "/admin/problems/", kind="no-edition")
    [link] = listed.select(".problems li a")
    assert link["href"].startswith(f"/admin/programme/occasion/{NEW_YEAR}/change/?")
    # A draft has no readers to miss it.
    Event.objects.filter(pk=BARE).update(status="draft")
    assert "no-edition" not in problems(office)
