"""Another service's programme by its address: what is fetched, and what is refused."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override

from programme.exchange.readers.interface.documents import unpack
from programme.exchange.readers.interface.fetching import fetch_bundle, find_api
from programme.exchange.time_limit import TimeLimit, limit_time
from programme.exchange.values import UnreadableFileError
from programme.models import Event, Occasion, OccasionList
from tests.programme.exchange.moving.elements import build_elements, build_occasion, encode, write_calendar

EVENING = build_occasion(31, "2026-07-31", "19:00:00", "20:30:00", "fre 31 jul 19:00–20:30")
ENGLISH = EVENING | {"timeSpan": "Fri 31 Jul 19:00–20:30"}
AREAS = [{"id": 6, "name": "Tomt", "fullName": "Tomt", "occationCount": 0, "days": []}]
ANSWERS = {
    ("/api/events?language=sv", "json"): encode(build_elements(21, "Fest", EVENING, intro={"sv": "Kom!"})),
    ("/api/events?language=en", "json"): encode(build_elements(21, "Party", ENGLISH, intro={"en": "Come!"})),
    ("/api/areas", "json"): encode(AREAS),
    ("/api/events?language=sv", "calendar"): write_calendar(
        (31, "31@annan.example", "20260731T170000Z", "20260731T190000Z")
    ),
}


class Service(BaseHTTPRequestHandler):
    answers = ANSWERS

    def do_GET(self) -> None:
        kind = "calendar" if "calendar" in self.headers["Accept"] else "json"
        if self.path.startswith("/moved"):
            self.send_response(301)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.end_headers()
            return
        body = self.answers.get((self.path, kind))
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_said: object) -> None: ...


@contextmanager
def run(answers: dict[tuple[str, str], bytes]) -> Iterator[str]:
    handler = type("Handler", (Service,), {"answers": answers})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def service(settings) -> Iterator[str]:
    settings.ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    with run(ANSWERS) as address:
        yield address


@pytest.mark.django_db
def test_all_documents_are_fetched_and_imported(service):
    call_command("import", service, verbosity=0)
    event, occasion = Event.objects.get(), Occasion.objects.get()
    assert (event.id, event.title, event.intro_sv, event.intro_en) == (21, "Fest", "Kom!", "Come!")
    assert (occasion.id, occasion.uid, occasion.end.isoformat()) == (
        31,
        "31@annan.example",
        "2026-07-31T19:00:00+00:00",
    )
    assert event.source == "program.annan.example"
    # An empty area, too.
    assert sorted(type(event.area).objects.values_list("id", flat=True)) == [5, 6]


def write_named_calendar(name: str) -> bytes:
    return f"BEGIN:VCALENDAR\r\nX-WR-CALNAME:{name}\r\nEND:VCALENDAR\r\n".encode()


@pytest.mark.django_db
def test_lists_that_are_named_come_with_their_ids(settings):
    settings.ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    lists = {
        ("/api/lists/12/events.json?language=sv", "json"): encode(build_elements(21, "Fest", EVENING)),
        ("/api/lists/12/events.ics?language=sv", "calendar"): write_named_calendar("Festen: För alla"),
        ("/api/lists/12/events.ics?language=en", "calendar"): write_named_calendar("The party: For all"),
    }
    with run(ANSWERS | lists) as address:
        for _time in range(2):
            call_command("import", address, "--lists", "12", verbosity=0)
            shown = OccasionList.objects.get()
            assert (shown.pk, shown.title_sv, shown.title_en, shown.published) == (
                12,
                "För alla",
                "For all",
                True,
            )
            assert list(shown.items.values_list("event", "occasion")) == [(None, 31)]
        assert OccasionList.objects.create(title_sv="Nästa").pk > 12
        with pytest.raises(CommandError, match="404"):
            call_command("import", address, "--lists", "12,13", verbosity=0)
        with pytest.raises(CommandError, match="12,15"):
            call_command("import", address, "--lists", "x")
    with pytest.raises(CommandError, match="address"):
        call_command("import", __file__, "--lists", "12")


def test_redirects_are_followed(service):
    assert set(unpack(fetch_bundle(f"{service}/moved/api"))) == {
        "events.json",
        "events-en.json",
        "areas.json",
        "events.ics",
    }


def test_only_the_events_are_required(settings):
    settings.ALLOWED_PRIVATE_HOSTS = ["127.0.0.1"]
    key = ("/api/events?language=sv", "json")
    with run({key: ANSWERS[key]}) as address:
        assert set(unpack(fetch_bundle(address))) == {"events.json"}
    with run({}) as address, pytest.raises(UnreadableFileError, match="404"):
        fetch_bundle(address)


@pytest.mark.django_db
def test_a_private_network_is_refused_unless_a_setting_names_it(settings):
    settings.ALLOWED_PRIVATE_HOSTS = []
    with run(ANSWERS) as address, pytest.raises(CommandError, match="ALLOWED_PRIVATE_HOSTS"):
        call_command("import", address)


def test_what_is_too_large_is_refused(service, settings):
    settings.IMPORT_UNPACKED_MB = 0
    with pytest.raises(UnreadableFileError, match="0 MB"):
        fetch_bundle(service)


def test_fetching_ends_when_the_time_of_the_import_is_over(service):
    with limit_time(TimeLimit(-1)), pytest.raises(UnreadableFileError, match="-1"):
        fetch_bundle(service)


@pytest.mark.parametrize(
    ("address", "api"),
    [
        ("https://program.example", "https://program.example/api"),
        ("https://program.example/", "https://program.example/api"),
        (" HTTPS://program.example/api/ ", "https://program.example/api"),
        ("https://program.example:8443/x/api/events.json?language=en", "https://program.example:8443/x/api"),
        ("http://program.example/api/areas", "http://program.example/api"),
    ],
)
def test_any_address_of_the_service_leads_to_its_api(address, api):
    assert find_api(address) == api


@pytest.mark.parametrize(
    "address",
    [
        "ftp://program.example/api",
        "file:///etc/passwd",
        "program.example",
        "https://anna:hemligt@program.example/api",
        "https://[",
        "https://program.example:99999/",
        "",
    ],
)
def test_other_addresses_are_refused(address):
    with pytest.raises(UnreadableFileError):
        find_api(address)


def test_a_server_that_is_not_found_is_named_in_plain_words(monkeypatch):
    def resolve(*_asked: object, **_options: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with override("en"), pytest.raises(UnreadableFileError, match="no server with this name is found"):
        fetch_bundle("https://program.example/api")
