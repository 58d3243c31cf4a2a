"""Checks how responses are served: pages, files, compression, 304, CORS, negotiation, caches, speed."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime
from html.parser import HTMLParser
from http import HTTPStatus
from itertools import chain

from festival.monitoring.live.feeds import Feeds, get
from festival.monitoring.live.fetching import Fetcher, FetchError
from festival.monitoring.live.findings import Finding, green, red, yellow

FEED = "/api/events.json"
# The calendar of a list that nobody has.
NO_LIST = f"/my-list/{'0' * 32}.ics"
# Seconds: a response that takes longer is slow; a clock that differs more is wrong, or very wrong.
SLOW, CLOCK_YELLOW, CLOCK_RED = 2.0, 5, 60
# Seconds by which a cache may be late in counting an age.
AGE_TOLERANCE = 5

Check = Callable[[Fetcher, Feeds], Iterator[Finding]]


class _PageParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.styles: list[str] = []
        self.language = ""
        self.is_closed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        if tag == "html":
            self.language = values.get("lang") or ""
        if tag == "link" and values.get("rel") == "stylesheet":
            self.styles.append(values.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self.is_closed |= tag == "html"


def _parse_page(body: bytes) -> _PageParser:
    parser = _PageParser()
    parser.feed(body.decode(errors="replace"))
    parser.close()
    return parser


def check_pages(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:
    """The programme's page, an occasion's and the one for subscribers, in both languages."""
    paths = {"/": "sv", "/en/": "en", "/prenumerera": "sv", "/en/subscribe": "en"}
    for language, elements in feeds.elements.items():
        if elements and (path := fetcher.local_path(elements[0].url)):
            paths[path] = language
    for path, language in paths.items():
        page = _parse_page(get(fetcher, path, "text/html").body)
        if not (page.is_closed and {"title", "main"} <= set(page.tags)):
            yield red("pages", "page_broken", path=path)
        elif page.language != language:
            yield red("pages", "page_language", path=path, language=page.language)
    yield green("pages", "pages_ok", count=len(paths))


def check_files(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:
    """The style sheet of the page, and the first picture that the service has itself."""
    styles = _parse_page(get(fetcher, "/", "text/html").body).styles
    for path in styles[:1]:
        style = get(fetcher, path, "text/css")
        if "max-age" not in style.headers.get("cache-control", ""):
            yield yellow("files", "style_not_cached", path=path)
    if not styles:
        yield red("files", "no_style", path="/")
    # The addresses of pictures are in the JSON only.
    body = get(fetcher, FEED).body.decode(errors="replace") if feeds.elements else ""
    urls = (json.loads(f'"{each}"') for each in re.findall(r'"imageUrl": ?"((?:[^"\\]|\\.)*)"', body))
    pictures = list(filter(None, (fetcher.local_path(each) for each in urls)))
    for path in pictures[:1]:
        picture = get(fetcher, path)
        if not picture.media_type.startswith("image/"):
            yield red("files", "media_type", path=path, found=picture.media_type, expected="image/*")
    yield green("files", "files_ok")


def check_schema(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    document = json.loads(get(fetcher, "/api/schema", "application/json").body)
    if not str(document.get("openapi", "")).startswith("3."):
        yield red("schema", "schema_broken")
    yield green("schema", "schema_ok")


def check_conditional(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    """Who has the current version gets 304 and no body."""
    etag = get(fetcher, FEED).headers.get("etag", "")
    if not etag:
        yield red("conditional", "no_etag", path=FEED)
        return
    again = fetcher.get(FEED, If_None_Match=etag)
    if again.status == HTTPStatus.NOT_MODIFIED and not again.body:
        yield green("conditional", "conditional_ok")
    elif again.status == HTTPStatus.OK and again.headers.get("etag") != etag:
        yield green("conditional", "changed_meanwhile")
    else:
        yield red("conditional", "not_304", path=FEED, status=again.status)


def check_compression(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    plain = get(fetcher, FEED, Accept_Encoding="identity")
    if plain.headers.get("content-encoding", "identity") != "identity":
        yield red("compression", "compressed_unasked", path=FEED)
    for coding in ("gzip", "br", "zstd"):
        packed = get(fetcher, FEED, Accept_Encoding=coding)
        used = packed.headers.get("content-encoding", "identity")
        if used not in (coding, "identity"):
            yield red("compression", "other_coding", coding=coding, found=used)
        elif used == "identity":
            yield yellow("compression", "not_compressed", coding=coding)
        elif packed.body != plain.body and packed.headers.get("etag", "").split("-")[0] == plain.headers.get(
            "etag", ""
        ).strip('"'):
            yield red("compression", "other_body", coding=coding)
        if "accept-encoding" not in packed.vary():
            yield red("compression", "vary", path=FEED, header="Accept-Encoding")
    yield green("compression", "compression_ok")


def check_cors(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    """Other websites may read the feeds."""
    allowed = get(fetcher, FEED, Origin="https://example.org").headers.get("access-control-allow-origin")
    if allowed == "*":
        yield green("cors", "cors_ok")
    else:
        yield red("cors", "cors", found=allowed or "-")


def check_negotiation(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    """A cache that ignores `Vary` gives a calendar to who asks for JSON."""
    path = "/api/events"
    for media_type in ("text/calendar", "application/json", "application/atom+xml"):
        response = get(fetcher, path, Accept=media_type)
        if response.media_type != media_type:
            yield red("negotiation", "negotiation", expected=media_type, found=response.media_type)
        if "accept" not in response.vary():
            yield red("negotiation", "vary", path=path, header="Accept")
    yield green("negotiation", "negotiation_ok")


def check_lists(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:  # noqa: ARG001
    """Visitors' lists are looked up in the database: of one that is not there it is known that it is not."""
    answer = fetcher.get(NO_LIST)
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        yield yellow("lists", "lists_away")
    elif (answer.status, answer.media_type) != (HTTPStatus.NOT_FOUND, "application/problem+json"):
        yield red("lists", "status", path=NO_LIST, status=answer.status)
    elif "no-store" not in answer.headers.get("cache-control", ""):
        yield red("lists", "list_cached", path=NO_LIST)
    else:
        yield green("lists", "lists_ok")


CHECKS: dict[str, Check] = {
    "pages": check_pages,
    "files": check_files,
    "schema": check_schema,
    "conditional": check_conditional,
    "compression": check_compression,
    "cors": check_cors,
    "negotiation": check_negotiation,
    "lists": check_lists,
}


def check_serving(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:
    for name, check in CHECKS.items():
        findings: list[Finding] = []
        try:
            findings.extend(check(fetcher, feeds))
        except FetchError as error:
            findings.append(red(name, error.code, **error.values))
        except Exception as error:  # noqa: BLE001
            # Whatever a parser makes of garbage.
            findings.append(red(name, "unreadable", path="", reason=f"{type(error).__name__}: {error}"))
        problems = [each for each in findings if each.level != "green"]
        yield from problems or findings


# --- What all responses tell -------------------------------------------------------------------


def check_caches(fetcher: Fetcher) -> Iterator[Finding]:
    """Look for responses that a cache in front has kept for too long."""
    problems = []
    for each in fetcher.fetched:
        age = _number(each.headers.get("age"))
        fresh = _number(next(iter(re.findall(r"max-age=(\d+)", each.headers.get("cache-control", ""))), None))
        if age is not None and fresh is not None and age > fresh + AGE_TOLERANCE:
            problems.append(red("cache", "too_old", path=each.path, age=age, fresh=fresh))
        elif each.headers.get("x-cache", "").upper() in ("STALE", "UPDATING"):
            problems.append(yellow("cache", "stale", path=each.path, state=each.headers["x-cache"]))
    caches = {"x-cache", "age", "via"} & set(chain.from_iterable(each.headers for each in fetcher.fetched))
    yield from problems or [green("cache", "cache_ok" if caches else "no_cache")]


def check_speed(fetcher: Fetcher) -> Iterator[Finding]:
    slow = [each for each in fetcher.fetched if each.seconds > SLOW]
    if not fetcher.fetched:
        return
    slowest = max(fetcher.fetched, key=lambda each: each.seconds)
    values = {"path": slowest.path, "seconds": f"{slowest.seconds:.1f}", "count": len(slow)}
    yield yellow("speed", "slow", **values) if slow else green("speed", "speed_ok", **values)


def check_clock(fetcher: Fetcher, now: datetime) -> Iterator[Finding]:
    """Compare the service's clock with this machine's, by the last response."""
    for each in reversed(fetcher.fetched):
        try:
            sent = parsedate_to_datetime(each.headers["date"])
            skew = abs((now - sent).total_seconds() - (_number(each.headers.get("age")) or 0))
        except (KeyError, ValueError, TypeError):
            continue
        # A date has whole seconds.
        yield judge_clock("date_header", skew - 1)
        return
    if fetcher.fetched:
        yield yellow("clock", "no_date")


def judge_clock(source: str, skew: float) -> Finding:
    if skew > CLOCK_RED:
        return red("clock", f"clock_{source}", seconds=round(skew))
    if skew > CLOCK_YELLOW:
        return yellow("clock", f"clock_{source}", seconds=round(skew))
    return green("clock", f"clock_ok_{source}")


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
