"""The start page of the back office and the list of all problems."""

import datetime as dt

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.backoffice import roles
from programme.backoffice.roles import assign_role
from programme.history import edits
from programme.models import Area, AreaEditor, Edit, Event, EventType, Location, Occasion, Room, Status
from tests.conftest import NOW
from tests.programme.backoffice.requests import opened, parse, submission, words
from tests.programmes import DRAFT, JAZZ, MARATHON, NEVER, NIGHT, PARKEN, utc

pytestmark = pytest.mark.usefixtures("at")

PROBLEMS = "/admin/problems/"


def coming_days(office: Client) -> list:
    """Return the days on the start page, without their rows and their links to the timetable."""
    start_page = opened(office, "/admin/")
    for part in start_page.select(".days .timetable, .days .coming"):
        part.decompose()
    return start_page.select(".days > li")


def hold(
    title: str, start: dt.datetime, hours: float = 1, room: Room | None = None, **values: object
) -> None:
    """Make an event with one occasion."""
    event = Event.objects.create(
        title=title, area=Area.objects.get_or_create(name="Torget")[0], type=EventType.other(), **values
    )
    end, location = start + dt.timedelta(hours=hours), room and room.location
    Occasion.objects.create(event=event, start=start, end=end, location=location, room=room)


@pytest.mark.usefixtures("sample")
def test_what_is_public_today_and_tomorrow_is_told_and_leads_to_its_list(office):
    days = coming_days(office)
    assert [words(day) for day in days] == ["Today 8 occasions 1 in a draft", "Tomorrow 1 occasion"]
    for day, rows in zip(days, (9, 1), strict=True):
        listed = opened(office, day.a["href"])
        assert len(listed.select("#result_list tbody tr")) == rows
    rows = [words(row) for row in opened(office, "/admin/").select(".coming li")]
    assert (len(rows), rows[-1].split(" ")[0], rows[-1][-21:]) == (7, "16:00–17:00", "Biblioteket, Källaren")


def test_a_problem_of_several_occasions_names_the_next(office):
    hold("Natt", utc(2026, 7, 20, 12))
    Occasion.objects.create(event=Event.objects.get(), start=utc(2026, 8, 3, 12), end=utc(2026, 8, 3, 13))
    for address in ("/admin/", PROBLEMS):
        [problem] = [
            words(each) for each in opened(office, address).select(".problem") if "2 of 2" in each.text
        ]
        assert "Mon 3 Aug 14:00–15:00" in problem


def test_a_day_begins_at_its_first_hour_and_today_is_told_though_nothing_begins(office, settings, at):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    hold("Natt", utc(2026, 7, 30, 1))  # 03:00 of the day after, so of the day itself
    at(utc(2026, 7, 28, 12))
    assert [words(day) for day in coming_days(office)] == [
        *("Today 0 occasions", "Tomorrow 0 occasions 1 in a draft")
    ]


def test_when_all_is_over_or_nothing_is_there_yet_it_says_so(office):
    hold("Igår", utc(2026, 7, 28, 12))
    start_page = opened(office, "/admin/")
    assert [words(none) for none in start_page.select(".none")] == [
        *("No occasion is coming up.", "No problems in what is to come.", "None wait.", "No drafts."),
        "Nothing yet.",
    ]
    assert words(start_page.select_one("#problems ~ .more")) == "All problems · 1 in what is over"


def test_where_nothing_takes_place_today_and_tomorrow_the_next_day_is_told(office):
    for days in (3, 4):
        hold(f"Dag {days}", NOW + dt.timedelta(days=days), status=Status.PUBLISHED)
    assert [words(day) for day in coming_days(office)] == [
        *("Today 0 occasions", "Tomorrow 0 occasions", "Sat 1 Aug 1 occasion")
    ]


def test_a_new_installation_has_steps_that_are_done_one_by_one(office, client):
    def list_done() -> list[str]:
        return [words(step) for step in opened(office, "/admin/").select(".steps h2:has(.flag)")]

    Event.objects.all().delete()
    page = opened(office, "/admin/")
    assert len(page.select(".steps > li")) == 3
    assert page.select(".standing:not(.steps *), .aside") == []
    assert all(office.get(link["href"], follow=True).status_code == 200 for link in page.select(".steps a"))
    User.objects.create_user("bo", is_staff=True)
    Area.objects.create(name="Torget")
    assert list_done() == ["2. The first places, or a file done", "3. People done"]
    hold("Invigning", NOW)
    assert list_done() == []


@pytest.mark.usefixtures("sample")
def test_problems_stand_worst_first_with_their_number_and_a_link_to_each_field(office):
    start_page = opened(office, "/admin/")
    assert words(start_page.select_one("#problems")) == "Problems 14"
    assert [words(heading) for heading in start_page.select(".severity, .kind h4")] == [
        "Wrong",
        "Double-booked places 1",
        "To be checked",
        "Outside the festival’s days 2",
        "No occasion 1",
        "No location 2",
        "Incomplete",
        "Missing in Swedish 2",
        "Missing in English 4",
        "Places without coordinates 1",
        "Places without: Accessibility in brief 1",
    ]
    clash = start_page.select_one(".problem")
    jazz = Event.objects.get(id=JAZZ).title
    assert words(clash) == (
        "Biblioteket, Sal 2 Wed 29 Jul 16:00–17:00 · 2 occasions at the same time"
        f" {jazz} 16:00–17:00 När klockan ställs om 16:00–17:00"
    )
    assert [link["href"] for link in clash.select("a")] == [
        f"/admin/programme/occasion/{pk}/change/?back=%2Fadmin%2F&field=start_time" for pk in (8001, 8014)
    ]
    # Three of the four are shown, with a way to all.
    english = start_page.select_one("[aria-labelledby=kind-no-english]")
    assert len(english.select(".problem")) == 3
    assert english.select_one(".more a")["href"] == "/admin/problems/?kind=no-english"
    assert words(english.select_one(".more")) == "Show all 4 : Missing in English"


@pytest.mark.usefixtures("sample")
def test_every_link_to_a_field_leads_to_a_page_that_has_it(office):
    Event.objects.filter(id=JAZZ).update(sub_area=2002)
    hold("Felvänd", utc(2026, 7, 29, 12), 23)
    links = [link["href"] for link in opened(office, PROBLEMS, when="all").select(".problem a")]
    assert len(links) == 20
    for link in links:
        page = office.get(link, follow=True)
        # The row of an occasion is in the form of its event.
        shown = page.redirect_chain[-1][0] if page.redirect_chain else link
        assert parse(page).find(id=shown.partition("#")[2]) is not None, link


@pytest.mark.usefixtures("sample")
def test_saving_leads_back_to_where_the_problem_was_told(office):
    [problem] = opened(office, PROBLEMS, kind="no-occasion", when="all").select(".problem a")
    address = problem["href"].split("#")[0]
    response = office.post(address, submission(office.get(address)))
    assert response["Location"] == "/admin/problems/?kind=no-occasion&when=all"
    # Nowhere else, and to the list from elsewhere.
    for back in ("https://evil.example/", "//evil.example", ""):
        response = office.post(
            f"/admin/programme/event/{NEVER}/change/?back={back}", submission(office.get(address))
        )
        assert response["Location"] == "/admin/programme/event/"


@pytest.mark.usefixtures("sample")
def test_what_changed_lately_can_be_undone(office, anna):
    with edits.record(anna, NOW):
        Event.objects.filter(id=DRAFT).delete()
    latest, *_earlier = opened(office, "/admin/").select(".batches li")
    assert words(latest) == "Deleted Utkast, 1 occasion anna · today 14:00 Undo"
    key = Edit.objects.latest("pk").pk
    assert [link["href"] for link in latest.select("a")] == [
        f"/admin/changes/{key}/",
        f"/admin/changes/{key}/undo/",
    ]


@pytest.mark.usefixtures("sample")
def test_drafts_that_the_user_has_written_are_told_the_last_one_first(office, anna):
    Event.objects.filter(id=NIGHT).update(status=Status.DRAFT)
    for key in (DRAFT, NIGHT):
        with edits.record(anna if key == NIGHT else None, NOW):
            Event.objects.filter(id=key).update(price="10 kr")
    [drafts] = opened(office, "/admin/").select("[aria-labelledby=drafts]")
    assert [link["href"] for link in drafts.select("li a")] == [f"/admin/programme/event/{NIGHT}/change/"]
    assert words(drafts.select_one(".more")) == "All drafts 2"


@pytest.mark.usefixtures("sample")
def test_the_list_is_narrowed_by_kind_area_day_and_time(office):
    def list_subjects(**query: str) -> list[str]:
        return [subject.get_text() for subject in opened(office, PROBLEMS, **query).select(".subject")]

    assert len(list_subjects()) == 14
    assert list_subjects(kind="no-occasion") == ["Utan tillfälle"]
    assert list_subjects(kind="double-booked", area=str(PARKEN)) == ["Biblioteket, Sal 2"]
    assert list_subjects(day="2026-07-29") == ["Biblioteket, Sal 2", "Bara en titel", "Utkast"]
    assert list_subjects(when="over") == ["Bara en titel", "När klockan ställs om"]
    assert list_subjects(kind="no-occasion", area=str(PARKEN)) == []
    # What is not understood narrows nothing.
    assert list_subjects(kind="x", area="x", day="x", when="x", page="x") == list_subjects(
        area="99", day="2026-01-01"
    )
    assert len(list_subjects(kind="x")) == 14


@pytest.mark.usefixtures("sample")
def test_kinds_are_counted_as_narrowed_and_keep_what_was_asked(office):
    kinds = opened(office, PROBLEMS, area=str(PARKEN), kind="no-english").select(".kinds a")
    assert [(words(link), link["href"], link.get("aria-current")) for link in kinds] == [
        ("all kinds", "?area=1002", None),
        ("Double-booked places 1", "?area=1002&kind=double-booked", None),
        ("Outside the festival’s days 1", "?area=1002&kind=no-festival", None),
        ("Missing in Swedish 1", "?area=1002&kind=no-swedish", None),
        ("Missing in English 1", "?area=1002&kind=no-english", "true"),
    ]


def test_what_is_over_is_told_when_asked_for(office):
    hold("Igår", utc(2026, 7, 28, 12))
    assert [words(one) for one in opened(office, PROBLEMS).select(".none")] == ["No problems here."]
    for when in ("over", "all"):
        assert [words(one) for one in opened(office, PROBLEMS, when=when).select(".subject")] == ["Igår"]


def test_a_long_list_has_pages(office):
    for number in range(101):
        hold(f"Utan plats {number:03}", NOW + dt.timedelta(hours=1))
    assert len(opened(office, PROBLEMS).select(".problem")) == 100
    second = opened(office, PROBLEMS, page="2", kind="no-location")
    assert [words(one) for one in second.select(".subject")] == ["Utan plats 100"]
    assert [link["href"] for link in second.select(".paginator a")] == ["?page=1&kind=no-location"]


@pytest.fixture
def helper(client: Client) -> Client:
    """The browser of someone who may sign in, and nothing else yet."""
    client.force_login(User.objects.create_user("helper", is_staff=True))
    return client


@pytest.mark.usefixtures("sample")
def test_who_may_not_see_the_programme_sees_nothing_of_where_it_stands(helper):
    assert opened(helper, "/admin/").select(".standing, .aside") == []
    assert helper.get(PROBLEMS).status_code == 403
    User.objects.get(username="helper").user_permissions.add(Permission.objects.get(codename="view_event"))
    assert len(opened(helper, "/admin/").select(".standing")) == 2
    assert opened(helper, "/admin/").select(".start-head .button") == []
    assert helper.get(PROBLEMS).status_code == 200


@pytest.mark.usefixtures("sample")
def test_an_area_editor_sees_the_problems_of_these_areas_alone(client):
    bo = User.objects.create_user("bo", is_staff=True)
    assign_role(bo, roles.Role.AREA_EDITOR)
    AreaEditor.objects.create(user=bo, area_id=PARKEN)
    client.force_login(bo)
    for address in ("/admin/", PROBLEMS):
        shown = opened(client, address, when="all")
        shown_texts = [subject.get_text() for subject in shown.select(".subject")]
        assert shown_texts == [
            "Biblioteket, Sal 2",
            *["När klockan ställs om"] * (1 if address == "/admin/" else 2),
            "Only in English",
            Event.objects.get(id=MARATHON).title,
        ]
    assert words(coming_days(client)[0]) == "Idag 3 tillfällen"


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize(("address", "queries"), [("/admin/", 24), (PROBLEMS, 13)])
def test_the_number_of_queries_is_constant(office, django_assert_num_queries, *, count, address, queries):
    location = Location.objects.create(name="Huset")
    for number in range(count):
        room = Room.objects.create(name=f"Sal {number}", location=location)
        for twice in range(2):
            hold(f"{number} {twice}", NOW, room=room, status=Status.DRAFT, intro_sv="Hej")
    with edits.record(None, NOW, "import"):
        Event.objects.update(price="10 kr")
    office.get("/admin/login/")  # content types are remembered
    with django_assert_num_queries(queries):
        start_page = opened(office, address)
    assert words(
        start_page.select_one("[aria-labelledby=kind-double-booked] h4 .count, .kinds .count")
    ) == str(count)


def test_what_area_editors_change_of_published_events_is_told_by_area_to_who_publishes(office, anna, sample):
    bo = User.objects.create_user("bo", is_staff=True)
    AreaEditor.objects.create(user=bo, area_id=PARKEN)
    for user, hours, key in ((bo, 0, 8001), (bo, 39, 8004), (anna, 0, 8005), (bo, 36, 8017)):
        with edits.record(user, NOW - dt.timedelta(hours=hours)):
            Occasion.objects.filter(pk=key).update(booking="full")
    [listed] = opened(office, "/admin/").select("#area-changes + ul > li")
    event = Event.objects.get(pk=JAZZ)
    assert words(listed) == f"{event.area} 1 {event.title}"
    changes = opened(office, listed.a["href"]).select(".batches li > div > a")
    # Of that area by everybody, at any time.
    assert len(changes) == 3
    yesterday = opened(office, f"{listed.a['href']}&day=2026-07-28").select(".batches li > div > a")
    assert len(yesterday) == 1
    assign_role(bo, roles.Role.EDITOR)
    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(pk=bo.pk))
    assert not opened(client, "/admin/").select("#area-changes")
