"""Attacks with single requests: redirects, host names, headers, methods, forms from elsewhere, absurd values."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from programme.api.filters import PageFilterSet

pytestmark = pytest.mark.usefixtures("sample", "at")

PAGES = (
    *("/", "/en/", "/tillfalle/8001", "/prenumerera", "/lista", "/lista.html", "/api/docs", "/finns-inte"),
    "/mitt-program",
)
FEEDS = ("/api/events", "/api/events.atom", "/api/events.ics", "/api/areas", "/api/occations/8001")
FILES = ("/sitemap.xml", "/robots.txt", "/sw.js", "/manifest.webmanifest")


def sent(response: HttpResponse) -> tuple[int, dict[str, str], bytes]:
    # Each request has an ID of its own.
    headers = {name: value for name, value in response.headers.items() if name != "X-Request-ID"}
    return response.status_code, headers, response.content


def values(response: HttpResponse) -> list[str]:
    return [*response.headers.values(), *(each.OutputString() for each in response.cookies.values())]


PATHS = (
    *("//evil.example/", "///evil.example/", "/\\evil.example/", "/%5Cevil.example/", "/%2F/evil.example/"),
    *("//evil.example/%2e%2e/", "/.//evil.example/", "/%09/evil.example/", "/https://evil.example/"),
    *("//evil.example/prenumerera/", "/%2F%2Fevil.example%2Fprenumerera/", "/@evil.example/"),
    *("/prenumerera//", "/prenumerera/?next=//evil.example/", "/en/subscribe/?//evil.example/"),
    *("/api/docs/?url=//evil.example", "/api/docs//", "/prenumerera%0d%0aLocation:%20//evil.example/"),
    *("/admin//evil.example/", "/admin/%2F%2Fevil.example/", "/admin/programme", "/admin//evil.example"),
)


def leads_away(location: str) -> bool:
    """Return whether a browser, which reads a backslash as a slash, would leave the host."""
    target = urljoin("http://testserver/x/", location.replace("\\", "/"))
    return urlsplit(target).netloc != "testserver"


def test_no_path_redirects_to_another_host(admin_client: Client) -> None:
    answers = {path: admin_client.get(path) for path in PATHS}
    assert [path for path, answer in answers.items() if answer.status_code >= 500] == []
    assert [path for path, answer in answers.items() if leads_away(answer.get("Location", ""))] == []


FOREIGN = (
    *("https://evil.example/", "//evil.example/", "///evil.example", "http:evil.example", "\\\\evil.example"),
    *("/\\evil.example", "javascript:alert(1)", "https://testserver@evil.example/", "https:///evil.example"),
    *(
        *("\thttps://evil.example/", "https://testserver.evil.example/", "data:text/html,x"),
        "%2f%2fevil.example",
    ),
)


@pytest.mark.parametrize("name", ["timetable", "next", "_changelist_filters", "back"])
def test_no_parameter_of_a_form_leads_elsewhere(admin_client: Client, name: str) -> None:
    foreign = set()
    for target in FOREIGN:
        response = admin_client.get("/admin/programme/stream/add/", {name: target})
        links = re.findall(r'(?:href|action|src)="([^"]*)"', response.content.decode())
        foreign |= {
            each for each in links if urlsplit(urljoin("http://testserver/", each)).netloc != "testserver"
        }
    assert foreign == set()


UNTRUSTED = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Port": "1",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Prefix": "/evil",
    "X-Forwarded-Server": "evil.example",
    "X-Host": "evil.example",
    "X-Original-URL": "/admin/",
    "X-Rewrite-URL": "/admin/",
    "X-HTTP-Method-Override": "DELETE",
    "X-Method-Override": "DELETE",
    "Forwarded": "host=evil.example;proto=https",
    "Front-End-Https": "on",
    "True-Client-IP": "127.0.0.1",
    "Cookie": "sessionid=x; django_language=en",
    "Accept-Language": "en",
    "User-Agent": "<script>",
    "Referer": "https://evil.example/",
}


def test_headers_that_no_cache_keys_by_change_nothing(client: Client) -> None:
    paths = [*PAGES, *FEEDS, *FILES]
    expected = {path: sent(client.get(path)) for path in paths}
    assert {path: sent(client.get(path, headers=UNTRUSTED)) for path in paths} == expected
    assert [path for path in paths if b"evil.example" in expected[path][2]] == []


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost:80@evil.example", "evil.example#localhost", "a b", "[::1"]
)
def test_another_host_is_not_repeated(client: Client, host: str) -> None:
    for path in (*PAGES, *FEEDS, *FILES, "/admin/", "/admin/login/", "/media/x.png", "/finns-inte/"):
        response = client.get(path, headers={"Host": host})
        # What needs no absolute address answers under any name; nothing of it gets into that.
        assert response.status_code < 500
        assert host not in response.content.decode()
        assert [each for each in values(response) if host in each] == []


@pytest.mark.parametrize("host", ["evil.example", "localhost:80@evil.example", ""])
def test_the_back_office_and_the_api_refuse_another_host(client: Client, host: str) -> None:
    paths = ("/admin/", "/admin/login/", "/admin/programme/event/", "/api/events", "/api/areas")
    answers = {path: client.get(path, headers={"Host": host}).status_code for path in paths}
    assert answers == dict.fromkeys(paths, 400)


INJECTED = "x\r\nSet-Cookie: a=b\r\n\r\n<script>"


NAMES = (*PageFilterSet.base_filters, "format", "limit", "view", "days", "accent", "x")


@pytest.mark.parametrize("path", ["/", "/lista", "/lista.html", "/prenumerera", "/mitt-program", *FEEDS])
def test_no_parameter_gets_into_a_header_or_into_markup(client: Client, path: str) -> None:
    faults = {}
    for name in NAMES:
        response = client.get(f"{path}?{name}={quote(INJECTED)}&limit=1&{quote(INJECTED)}=1")
        broken = [each for each in values(response) if re.search(r"[\r\n\0]", each)]
        # In JSON and calendars it is text.
        is_markup = response["Content-Type"].startswith(("text/html", "application/atom"))
        if response.status_code >= 500 or "Set-Cookie" in response or broken:
            faults[name] = response.headers
        if is_markup and b"<script>" in response.content:
            faults[name] = "a script"
    assert faults == {}


@pytest.mark.parametrize("path", [f"/{quote(INJECTED)}", f"/{quote(INJECTED)}/", f"/api/{quote(INJECTED)}"])
def test_no_path_gets_into_a_header(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert [each for each in values(response) if re.search(r"[\r\n\0]", each)] == []


METHODS = ("TRACE", "CONNECT", "PROPFIND", "MKCOL", "PUT", "DELETE", "PATCH", "G ET", "X" * 1_000)


@pytest.mark.parametrize(
    "path", ["/", "/api/events", "/api/docs", "/admin/login/", "/media/x.png", "/robots.txt"]
)
def test_an_unusual_method_is_refused(path: str) -> None:
    client = Client(enforce_csrf_checks=True)
    statuses = {method[:9]: client.generic(method, path).status_code for method in METHODS}
    assert set(statuses.values()) <= {403, 405}


def list_views(patterns: list[Any], before: str = "/") -> Iterator[tuple[str, Any]]:
    """Yield a path for each address, with 1 in the place of each value, and its view."""
    for each in patterns:
        path = before + re.sub(r"<[^>]*>", "1", str(each.pattern))
        if isinstance(each, URLResolver):
            yield from list_views(each.url_patterns, path)
        elif isinstance(each, URLPattern):
            yield re.sub(r"\(\?P1.*|[\^$\\]", "", path), each.callback


def test_every_form_of_the_back_office_must_come_from_it(admin_user: User) -> None:
    views = dict(list_views(get_resolver().url_patterns))
    paths = [path for path in views if path.startswith("/admin/")]
    assert len(paths) > 100
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    # The middleware checks every view that is not exempt; one that is takes no form.
    exempt = [path for path in paths if getattr(views[path], "csrf_exempt", False)]
    links = {"/admin/organizer/1/": 405, "/admin/organizer/1": 405}
    assert {path: client.post(path).status_code for path in exempt} == links
    assert {path: client.post(path).status_code for path in paths[::20]} == dict.fromkeys(paths[::20], 403)


HUGE = "9" * 30
HUGER = "9" * 5_000
CHANGE = "/admin/programme/event/801/change/"


ABSURD = (
    *(f"/tillfalle/{number}" for number in ("0", HUGE, HUGER, "-1", "1e9", "٣", "8001%00")),
    *(f"/sitemap-{number}.xml" for number in ("0", HUGE, HUGER)),
    *(f"/api/occations/{number}" for number in (HUGE, HUGER, "%00", "8001%0a")),
    *(f"/api/events?limit={number}&offset={number}" for number in (HUGE, HUGER, "-1", "%00")),
    *(f"/api/events?occation={number}&organizer={number}" for number in (HUGE, HUGER, "%00", "-1")),
    *(f"/mitt-program?o={number}" for number in (HUGE, HUGER, "%00", "1," * 3_000)),
    *("/?date=9999-12-31", "/?date=0001-01-01", "/?date=2026-07-29&view=grid&q=" + "(a+)+" * 50),
    *(f"/admin/import/{number}/" for number in (HUGE, HUGER, "0")),
    *(
        f"/admin/programme/event/{number}/change/"
        for number in (HUGE, HUGER, "%00", "1_2F", "null", "a" * 5_000)
    ),
    *(f"/admin/programme/event/{number}/history/" for number in (HUGE, HUGER, "%00")),
    *(f"/admin/programme/event/{number}/preview/" for number in (HUGE, "%00")),
    *(
        f"/admin/programme/event/?{query}"
        for query in ("q=%00", f"p={HUGE}", f"o={HUGE}", "o=1.1.1.-9", "e=1")
    ),
    *(f"/admin/programme/event/?area__id__exact={number}" for number in (HUGE, HUGER, "%00", "x")),
    *("/admin/programme/event/?password__startswith=x", "/admin/auth/user/?password__startswith=pbkdf2"),
    *("/admin/programme/event/?_to_field=password&_popup=1", f"{CHANGE}?_to_field=password"),
    *("/admin/autocomplete/?term=%00&app_label=programme&model_name=occasion&field_name=event",),
    *("/admin/autocomplete/?term=x&app_label=auth&model_name=user&field_name=password",),
    *(f"/admin/timetable/{day}/" for day in ("9999-99-99", "0001-01-01", "2026-W01-1", "%00", HUGER)),
    *(f"/admin/timetable/2026-07-29/?area={value}&place={value}" for value in (HUGE, "%00")),
    *(f"/admin/r/{number}/{number}/" for number in (HUGE, HUGER, "x")),
    *("/admin/jsi18n/?x=%00", "/admin/login/?next=%00", "/admin/" + "a/" * 2_000),
)


def test_absurd_values_are_no_faults(admin_client: Client) -> None:
    statuses = {path[:100]: admin_client.get(path).status_code for path in ABSURD}
    assert {path: status for path, status in statuses.items() if status >= 500} == {}


def test_list_filters_do_not_reveal_passwords(admin_client: Client) -> None:
    for path in ("/admin/auth/user/?password__startswith=md5", "/admin/auth/user/?password__startswith=x"):
        response = admin_client.get(path)
        assert (response.status_code, response.get("Location")) in {
            (400, None),
            (302, "/admin/auth/user/?e=1"),
        }
