"""What all endpoints do: how a format is chosen, what stands in headers, and how often the database is queried."""

import gc
from datetime import timedelta
from http import HTTPStatus
from itertools import product
from typing import Any

import feedparser
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.response import Response

from feeds.formats import FORMATS
from feeds.listing import Listing
from programme import models
from programme.api.views import ProgrammeViewSet
from programme.publishing.current import current
from tests import programmes
from tests.conftest import NOW
from tests.problems import assert_problem, problem
from tests.programme.api.formats import AVAILABLE, SENT_AS

pytestmark = pytest.mark.usefixtures("db", "at")

in_every_format = pytest.mark.parametrize("resource", ["/api/events", "/api/occations/8001"])


@pytest.mark.usefixtures("sample")
def test_no_snapshot_is_left_to_the_garbage_collector(client):
    kinds = ProgrammeViewSet, Response, Listing
    gc.collect()
    gc.disable()
    before = {id(each) for each in gc.get_objects() if isinstance(each, kinds)}
    try:
        client.get("/api/events.json?limit=3")
        known = [each for each in gc.get_objects() if isinstance(each, kinds) and id(each) not in before]
        assert [each for each in known if vars(each)] == []
    finally:
        gc.enable()


# --- Which format -----------------------------------------------------------------------------


@in_every_format
@pytest.mark.parametrize("form", [".{}", ".{}/", "?format={}", "/?format={}"])
def test_a_named_format_is_sent_whatever_accept_says(client, sample, form, resource):
    for extension, content_type in SENT_AS.items():
        response = client.get(resource + form.format(extension), headers={"Accept": "image/png"})
        assert (response.status_code, response["Content-Type"]) == (HTTPStatus.OK, content_type)
        assert response.content == client.get(f"{resource}.{extension}").content
        assert response["Vary"] == "Accept-Encoding"


@pytest.mark.usefixtures("sample")
@in_every_format
@pytest.mark.parametrize(
    ("accept", "extension", "content_type"),
    [
        (None, "json", "application/json"),
        ("text/xml, */*", "atom", "text/xml; charset=utf-8"),
        ("text/plain; charset=utf-8", "ics-text", "text/plain; charset=utf-8"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "qx1", "text/html; charset=utf-8"),
    ],
)
def test_accept_chooses_where_nothing_is_named(client, resource, accept, extension, content_type):
    response = client.get(resource, headers={"Accept": accept} if accept else {})
    assert response.status_code == HTTPStatus.OK
    assert response["Content-Type"] == content_type
    assert response["Vary"] == "Accept, Accept-Encoding"
    assert response.content == client.get(f"{resource}.{extension}").content


def test_extension_goes_before_the_format_parameter_and_that_before_accept(client, sample):
    answers = [
        client.get("/api/events.ics?format=atom&format=rss", headers={"Accept": "text/html"}),
        client.get("/api/events?format=atom", headers={"Accept": "text/html"}),
        client.get("/api/events?format=&format=atom&format=atom", headers={"Accept": "text/html"}),
        client.get("/api/events?format=", headers={"Accept": "text/html"}),
    ]
    assert [answer["Content-Type"] for answer in answers] == [
        *("text/calendar; charset=utf-8", "application/atom+xml", "application/atom+xml"),
        "text/html; charset=utf-8",
    ]


@pytest.mark.parametrize("form", ["", "/", ".json", ".json/", "?format=json"])
@pytest.mark.parametrize("path", ["/api/areas", "/api/programme"])
def test_areas_and_programme_are_json_however_they_are_named(client, sample, path, form):
    response = client.get(path + form)
    assert (response.status_code, response["Content-Type"]) == (HTTPStatus.OK, "application/json")
    assert response.content == client.get(path).content


@pytest.mark.parametrize("path", ["/api/areas", "/api/programme"])
def test_areas_and_programme_are_text_json_where_that_is_accepted(client, path):
    response = client.get(path, headers={"Accept": "text/json"})
    assert response["Content-Type"] == "text/json; charset=utf-8"
    assert response["Vary"] == "Accept, Accept-Encoding"


@pytest.mark.parametrize(
    "path", ["/api/events.xml", "/api/events.JSON", "/api/events?format=xml", "/api/occations/8001.pdf"]
)
def test_an_unknown_format_is_not_found(client, path):
    known = ", ".join(each.extension for each in FORMATS)
    detail = f"Unknown format. Available formats: {known}."
    assert_problem(client.get(path), problem(HTTPStatus.NOT_FOUND, detail))


@pytest.mark.parametrize("form", [".ics", "?format=atom", ".toml"])
@pytest.mark.parametrize("path", ["/api/areas", "/api/programme"])
def test_a_format_that_cannot_write_areas_or_the_programme_is_not_found_there(client, path, form):
    detail = "Unknown format. Available formats: json."
    assert_problem(client.get(path + form), problem(HTTPStatus.NOT_FOUND, detail))


@pytest.mark.parametrize(
    ("path", "accept", "available"),
    [
        ("/api/events", "image/png", AVAILABLE),
        ("/api/events", "text/html;level=1, */*;q=0", AVAILABLE),
        ("/api/occations/8001", "image/png", AVAILABLE),
        ("/api/areas", "text/calendar", AVAILABLE[:1]),
        ("/api/programme", "text/calendar", AVAILABLE[:1]),
    ],
)
def test_what_is_not_acceptable_is_answered_with_what_there_is(client, path, accept, available):
    response = client.get(path, headers={"Accept": accept})
    detail = "No available format matches the Accept header."
    assert_problem(response, problem(HTTPStatus.NOT_ACCEPTABLE, detail, available=available))
    assert response["Vary"] == "Accept"


def test_two_formats_at_once_are_refused(client):
    expected = problem(
        HTTPStatus.BAD_REQUEST, "Invalid query parameters.", errors={"format": ["Name only one format."]}
    )
    assert_problem(client.get("/api/events?format=ics&format=json"), expected)


def test_all_parameters_that_cannot_be_understood_are_named(client):
    date = "is not a date. Use yyyy-MM-dd, yyyy-MM-dd/yyyy-MM-dd, or one of today, tomorrow, now, upcoming."
    expected = problem(
        HTTPStatus.BAD_REQUEST,
        "Invalid query parameters.",
        errors={
            "date": [f"'igår' {date}", "'2026-07-30/2026-07-29' ends before it begins."],
            "highlighted": ["'maybe' is neither true nor false."],
            "language": ["'fi' is not available. Use sv or en."],
        },
    )
    query = "date=igår&date=2026-07-30/2026-07-29&highlighted=maybe&language=fi"
    assert_problem(client.get(f"/api/events.ics?{query}"), expected)


def test_parameters_that_the_interface_does_not_name_are_ignored(client, sample):
    tracked = client.get("/api/events.json?utm_source=x&fbclid=y&page=2&area__name=z")
    assert tracked.content == client.get("/api/events.json").content


# --- Methods, conditions, origins -------------------------------------------------------------


every_resource = pytest.mark.parametrize(
    "path",
    [
        *("/api/events", "/api/events.ics", "/api/areas", "/api/programme", "/api/occations/8001.ics"),
        "/api/news.rss",
    ],
)


@every_resource
def test_other_methods_are_not_allowed(path):
    client = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"):
        response = client.generic(method, path, "{}", "application/json", headers={"Accept": "image/png"})
        expected = problem(HTTPStatus.METHOD_NOT_ALLOWED, f"Method {method} is not allowed.")
        assert_problem(response, expected)
        assert response["Allow"] == "GET, HEAD, OPTIONS"


@every_resource
def test_options_says_what_is_allowed(client, path):
    response = client.options(path, headers={"Accept": "image/png"})
    assert (response.status_code, response["Allow"], response.content) == (200, "GET, HEAD, OPTIONS", b"")


@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {} , "y"', "*"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_an_answer_that_is_known_is_not_sent_again(client, sample, form, method):
    path, coded = "/api/events.ics", {"Accept-Encoding": "gzip"}
    known = client.get(path, headers=coded)
    asked = coded | {"If-None-Match": form.format(known["ETag"])}
    response = getattr(client, method)(path, headers=asked)
    assert (response.status_code, response.content) == (HTTPStatus.NOT_MODIFIED, b"")
    # It would have to be the length of what is not sent (RFC 9110, section 8.6).
    assert "Content-Length" not in response.headers
    for name in ("ETag", "Last-Modified", "Cache-Control", "Vary", "Access-Control-Allow-Origin"):
        assert response.get(name) == known.get(name)


WRONG_VERSION = "The current version is not the one that If-Match or If-Unmodified-Since names."


@pytest.mark.parametrize("form", ['"x"', "x", "", "W/", '{}"'])
def test_an_answer_that_is_not_known_is_sent(client, sample, form):
    etag = client.get("/api/events.ics")["ETag"]
    response = client.get("/api/events.ics", headers={"If-None-Match": form.format(etag)})
    assert (response.status_code, response["ETag"]) == (HTTPStatus.OK, etag)


@every_resource
def test_a_condition_on_another_version_fails(client, sample, path):
    etag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-Match": f'"x", {etag}'}).status_code == HTTPStatus.OK
    expected = problem(HTTPStatus.PRECONDITION_FAILED, WRONG_VERSION)
    assert_problem(client.get(path, headers={"If-Match": '"x"'}), expected)


@pytest.mark.django_db(transaction=True)
def test_an_edit_changes_the_etag_and_an_edit_elsewhere_does_not(client, sample):
    paths = ["/api/events.json?area=Ångtorget", "/api/events.json?area=Tomten"]
    before = [client.get(path)["ETag"] for path in paths]
    models.Event.objects.filter(id=programmes.BARE).update(title="Något annat")
    after = [client.get(path)["ETag"] for path in paths]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, True]


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://anywhere.example"}])
@pytest.mark.parametrize(
    "path",
    [
        *("/api/events", "/api/events.ics", "/api/areas", "/api/x", "/api/events.x", "/api/events%0a"),
        *("/api/programme", "/api/occations/8001.ics", "/api/news.atom"),
    ],
)
def test_every_origin_may_read(client, sample, path, origin):
    response = client.get(path, headers=origin)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Expose-Headers"] in ("ETag", "ETag, Link, X-Total-Count")
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "origin" not in response.get("Vary", "").lower()


@pytest.mark.parametrize("path", ["/api/events", "/api/programme"])
def test_a_browser_that_asks_first_may_ask_conditionally(client, path):
    response = client.options(
        path,
        headers={
            "Origin": "https://anywhere.example",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "if-modified-since, if-none-match",
        },
    )
    assert response.status_code == HTTPStatus.OK
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    allowed = response["Access-Control-Allow-Headers"].split(", ")
    assert {"if-modified-since", "if-none-match"} <= {*allowed}


@pytest.mark.parametrize("path", ["/api/events", "/api/events.ics", "/api/areas"])
def test_very_many_parameters_are_refused_and_fill_no_log(client, path, caplog):
    response = client.get(f"{path}?" + "&".join(["area=x"] * 20_001))
    assert_problem(response, problem(HTTPStatus.BAD_REQUEST, "Malformed request.", errors={}))
    assert [record for record in caplog.records if record.exc_info] == []


# --- Queries ----------------------------------------------------------------------------------


def make_events(count: int) -> None:
    area = models.Area.objects.create(name="Torget")
    event_type = models.EventType.other()
    events = models.Event.objects.bulk_create(
        models.Event(title=f"Nr {number}", area=area, type=event_type, status=models.Status.PUBLISHED)
        for number in range(count)
    )
    models.Occasion.objects.bulk_create(
        models.Occasion(event=event, start=NOW, end=NOW + timedelta(hours=1)) for event in events
    )


@pytest.mark.parametrize("count", [1, 3, 300])
def test_a_cold_answer_asks_as_often_whatever_the_size_of_the_programme(client, count):
    make_events(count)
    with CaptureQueriesContext(connection) as queries:
        elements = client.get("/api/events").json()
    assert len(elements) == count
    # What loading asks but for the ends of its transaction: a test is one.
    assert len(queries) == 7


@pytest.mark.parametrize("path", ["/api/events.ics", "/api/areas", "/api/occations/8001", "/api/programme"])
def test_a_warm_answer_asks_for_the_revision_alone(client, sample, path):
    client.get("/api/events")
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    assert len(queries) == 1


def test_another_instant_asks_for_the_revision_alone(client, sample, at):
    before = client.get("/api/events.atom").content
    at(NOW + timedelta(days=1))
    with CaptureQueriesContext(connection) as queries:
        after = client.get("/api/events.atom").content
    assert len(queries) == 1
    assert before != after


@pytest.mark.parametrize("extension", ["atom", "rss", "rss-wp"])
def test_a_feed_does_not_go_back_when_its_latest_event_is_withdrawn(client, sample, extension):
    def read_updated() -> Any:
        return feedparser.parse(client.get(f"/api/events.{extension}").content).feed.updated_parsed

    before = read_updated()
    models.Event.objects.filter(id=programmes.JAZZ).update(status=models.Status.DRAFT)
    current.clear()
    assert read_updated() >= before


# --- One occasion at an address of its own: in every format, its errors, and the name of its file


@pytest.mark.parametrize("language", ["", "?language=en"])
def test_feeds_name_it_and_where_they_are(client, sample, language):
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


@pytest.mark.parametrize(
    ("occasion_id", "name"),
    [
        (8001, "jazz-blues-soul-allt-pa-new-n-bfestb-bnub-8001.ics"),
        (8008, "nar-klockan-stalls-om-8008.ics"),
        (8009, "atta-angbatar-atta-odesmattade-attlingar-och-tva-hela-natter-8009.ics"),
    ],
)
def test_a_calendar_is_a_file_with_a_name(client, sample, occasion_id, name):
    response = client.get(f"/api/occations/{occasion_id}.ics")
    assert response["Content-Disposition"] == f'inline; filename="{name}"'


def test_a_title_without_latin_letters_leaves_the_number(client, sample):
    models.Event.objects.filter(id=programmes.NIGHT).update(title="شعر 世界")
    assert client.get("/api/occations/8004.ics")["Content-Disposition"] == 'inline; filename="8004.ics"'


def test_what_is_no_file_has_no_name(client, sample):
    named = [each for each in SENT_AS if client.get(f"/api/occations/8001.{each}").get("Content-Disposition")]
    assert named == ["ics"]


@pytest.mark.parametrize("occasion_id", ["1", "0", "8017", "9" * 18])
def test_one_that_never_was_is_not_found(client, sample, occasion_id):
    for extension in SENT_AS:
        response = client.get(f"/api/occations/{occasion_id}.{extension}")
        assert_problem(response, problem(HTTPStatus.NOT_FOUND, f"No occasion has the ID {occasion_id}."))


@pytest.mark.parametrize("path", ["x", "", "-1", "9" * 19, "٨٠٠١", "8001/x", "1.2.3/4"])
def test_what_is_no_number_is_no_endpoint(client, path):
    detail = f"No resource at /api/occations/{path}."
    assert_problem(client.get(f"/api/occations/{path}"), problem(HTTPStatus.NOT_FOUND, detail))


def test_one_that_is_deleted_or_withdrawn_is_gone(client, sample):
    models.Occasion.objects.get(id=8001).delete()
    models.Event.objects.filter(id=programmes.ABROAD).update(status=models.Status.DRAFT)
    detail = "The occasion has been removed from the programme."
    for number, extension in product((8001, 8005), SENT_AS):
        response = client.get(f"/api/occations/{number}.{extension}")
        assert_problem(response, problem(HTTPStatus.GONE, detail))
