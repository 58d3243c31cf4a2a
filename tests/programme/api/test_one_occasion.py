"""One occasion at an address of its own: in every format, its errors, and the name of its file."""

from http import HTTPStatus
from itertools import product

import pytest
from django.test import Client

from programme import models
from tests import programmes
from tests.feeds.parsers import parse_calendar
from tests.problems import assert_problem, problem
from tests.programme.api.formats import SENT_AS

pytestmark = pytest.mark.usefixtures("db", "at")


def test_it_is_the_element_of_the_whole_list(client: Client, sample: None) -> None:
    elements = client.get("/api/events").json()
    for element in elements:
        assert client.get(f"/api/occations/{element['occation']['id']}").json() == [element]


@pytest.mark.parametrize("language", ["", "?language=en"])
def test_feeds_name_it_and_where_they_are(client: Client, sample: None, language: str) -> None:
    atom = client.get(f"/api/occations/8005.atom{language}").content.decode()
    rss = client.get(f"/api/occations/8005.rss-wp{language}").content.decode()
    calendar = client.get(f"/api/occations/8005.ics{language}").content.decode()
    festival = "Åsunda Culture Night" if language else "Kulturnatten i Åsunda"
    url = f"https://program.example/api/occations/8005.{{}}{language}"
    assert f'<title type="text">{festival}: Only in English</title>' in atom
    assert f"<id>{url.format('atom')}</id>" in atom
    assert f'<link href="{url.format("atom")}" rel="self"/>' in atom
    assert f'<atom:link href="{url.format("rss-wp")}" rel="self"' in rss
    assert calendar.count("BEGIN:VEVENT") == atom.count("<entry>") == rss.count("<item>") == 1


@pytest.mark.parametrize("extension", ["ics", "ics-text"])
def test_its_calendar_has_no_name(client: Client, sample: None, extension: str) -> None:
    """Outlook would make a new calendar of it (decisions, "iCalendar")."""
    calendar = parse_calendar(client.get(f"/api/occations/8005.{extension}").content)
    assert list(calendar) == ["VERSION", "PRODID", "X-PUBLISHED-TTL", "REFRESH-INTERVAL"]


@pytest.mark.parametrize(
    ("occasion_id", "name"),
    [
        (8001, "jazz-blues-soul-allt-pa-new-n-bfestb-bnub-8001.ics"),
        (8008, "nar-klockan-stalls-om-8008.ics"),
        (8009, "atta-angbatar-atta-odesmattade-attlingar-och-tva-hela-natter-8009.ics"),
    ],
)
def test_a_calendar_is_a_file_with_a_name(client: Client, sample: None, occasion_id: int, name: str) -> None:
    response = client.get(f"/api/occations/{occasion_id}.ics")
    assert response["Content-Disposition"] == f'inline; filename="{name}"'


def test_a_title_without_latin_letters_leaves_the_number(client: Client, sample: None) -> None:
    models.Event.objects.filter(id=programmes.NIGHT).update(title="شعر 世界")
    assert client.get("/api/occations/8004.ics")["Content-Disposition"] == 'inline; filename="8004.ics"'


def test_what_is_no_file_has_no_name(client: Client, sample: None) -> None:
    named = [each for each in SENT_AS if client.get(f"/api/occations/8001.{each}").get("Content-Disposition")]
    assert named == ["ics"]


@pytest.mark.parametrize("occasion_id", ["1", "0", "8017", "9" * 18])
def test_one_that_never_was_is_not_found(client: Client, sample: None, occasion_id: str) -> None:
    for extension in SENT_AS:
        response = client.get(f"/api/occations/{occasion_id}.{extension}")
        assert_problem(response, problem(HTTPStatus.NOT_FOUND, f"No occasion has the ID {occasion_id}."))


@pytest.mark.parametrize("path", ["x", "", "-1", "9" * 19, "٨٠٠١", "8001/x", "1.2.3/4"])
def test_what_is_no_number_is_no_endpoint(client: Client, path: str) -> None:
    detail = f"No resource at /api/occations/{path}."
    assert_problem(client.get(f"/api/occations/{path}"), problem(HTTPStatus.NOT_FOUND, detail))


def test_one_that_is_deleted_or_withdrawn_is_gone(client: Client, sample: None) -> None:
    models.Occasion.objects.get(id=8001).delete()
    models.Event.objects.filter(id=programmes.ABROAD).update(status=models.Status.DRAFT)
    detail = "The occasion has been removed from the programme."
    for number, extension in product((8001, 8005), SENT_AS):
        response = client.get(f"/api/occations/{number}.{extension}")
        assert_problem(response, problem(HTTPStatus.GONE, detail))


def test_a_language_that_there_is_not_is_refused(client: Client, sample: None) -> None:
    errors = {"language": ["'fi' is not available. Use sv or en."]}
    detail = "Invalid query parameters."
    expected = problem(HTTPStatus.BAD_REQUEST, detail, errors=errors)
    assert_problem(client.get("/api/occations/8001?language=fi&date=x"), expected)


@pytest.mark.django_db(transaction=True)
def test_an_edit_of_another_event_leaves_it_as_it_is(client: Client, sample: None) -> None:
    before = client.get("/api/occations/8005.ics")["ETag"]
    models.Event.objects.filter(id=programmes.BARE).update(title="Något annat")
    assert client.get("/api/occations/8005.ics")["ETag"] == before
    models.Event.objects.filter(id=programmes.ABROAD).update(title="Something else")
    assert client.get("/api/occations/8005.ics")["ETag"] != before
