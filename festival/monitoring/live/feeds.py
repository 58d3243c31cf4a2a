"""Checks the feeds: each format in both languages, against each other and against the database."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import Error

from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, Occasion
from festival.monitoring.live.documents import (
    DOCUMENTS,
    DocumentError,
    Element,
    Row,
    expect_occasion,
    read,
    read_areas,
    read_json,
    read_programme,
    read_uids,
)
from festival.monitoring.live.fetching import Fetcher, FetchError, Response
from festival.monitoring.live.findings import Finding, green, red, yellow
from programme.publishing import loading

# Seconds after an edit, beside CACHE_SECONDS, within which readers may get the state before it.
GRACE = 30


class Feeds(NamedTuple):
    """What was fetched: the JSON of each language as occasions; calendars; and identifiers of occasions.

    Identifiers are by language and extension, those of a document by the addresses of its occasions.
    """

    elements: dict[str, list[Element]]
    calendars: dict[str, bytes]
    identities: dict[tuple[str, str], dict[str, str]]


def path_of(extension: str, language: str) -> str:
    return f"/api/events.{extension}" + ("" if language == "sv" else f"?language={language}")


def check_feeds(fetcher: Fetcher) -> tuple[Feeds, list[Finding]]:
    """Fetch all formats; what changes while they are fetched is no fault, so then they are fetched again."""
    for is_last in (False, False, True):
        feeds = Feeds({}, {}, {})
        findings: list[Finding] = []
        for language in LANGUAGES:
            findings += _check_language(fetcher, language, feeds)
        if is_last or not _has_changed(fetcher, feeds):
            break
    return feeds, findings


def _has_changed(fetcher: Fetcher, feeds: Feeds) -> bool:
    try:
        again = {each: read_json(fetcher.get(path_of("json", each)).body, each) for each in feeds.elements}
    except (FetchError, DocumentError):
        return False
    return again != feeds.elements


def _check_language(fetcher: Fetcher, language: str, feeds: Feeds) -> Iterator[Finding]:
    check, path = "feed.json", path_of("json", language)
    try:
        response = get(fetcher, path, "application/json")
        elements = feeds.elements[language] = read_json(response.body, language)
    except (FetchError, DocumentError) as error:
        yield _report(check, path, error)
        return
    yield green(check, "feed_ok", path=path, count=len(elements), kilobytes=len(response.body) // 1000)
    for extension in DOCUMENTS:
        yield from _check_format(fetcher, extension, language, feeds)
    yield from _check_calendar_text(fetcher, language, feeds)
    yield from _check_programme(fetcher, language, feeds)


def get(fetcher: Fetcher, path: str, *media_types: str, **headers: str) -> Response:
    """Return a 200 in one of the media types, or in any if none is named; raises FetchError."""
    response = fetcher.get(path, **headers)
    if location := response.headers.get("location"):
        raise FetchError("redirect", path=path, location=location)
    if response.status != 200:  # noqa: PLR2004 - HTTP's own number
        raise FetchError("status", path=path, status=response.status)
    if media_types and response.media_type not in media_types:
        raise FetchError("media_type", path=path, found=response.media_type, expected=media_types[0])
    return response


def _report(check: str, path: str, error: FetchError | DocumentError) -> Finding:
    if isinstance(error, FetchError):
        return red(check, error.code, **error.values)
    return red(check, "unreadable", path=path, reason=str(error))


def _check_format(fetcher: Fetcher, extension: str, language: str, feeds: Feeds) -> Iterator[Finding]:
    check, path, document = f"feed.{extension}", path_of(extension, language), DOCUMENTS[extension]
    try:
        body = get(fetcher, path, *document.media_types).body
        found = read(document, body, ZoneInfo(settings.FESTIVAL_TIME_ZONE))
    except (FetchError, DocumentError) as error:
        yield _report(check, path, error)
        return
    if extension == "ics":
        feeds.calendars[language] = body
    if document.identify:
        feeds.identities[language, extension] = document.identify(body)
    expected = [document.expect(each) for each in feeds.elements[language]]
    if document.is_grouped:
        expected, found = sorted(expected), sorted(found)
    yield from _report_differences(check, path, expected, found, body)


def _report_differences(
    check: str, path: str, expected: list[Row], found: list[Row], body: bytes
) -> Iterator[Finding]:
    differences = list(compare(expected, found))
    yield from (red(check, code, path=path, **values) for code, values in differences)
    if not differences:
        yield green(check, "feed_ok", path=path, count=len(found), kilobytes=len(body) // 1000)


def compare(expected: list[Row], found: list[Row]) -> Iterator[tuple[str, dict[str, str | int]]]:
    """Yield how a document differs from the JSON: the code of a sentence, and its values."""
    if expected == found:
        return
    urls, found_urls = [each[0] for each in expected], [each[0] for each in found]
    missing, extra = set(urls) - set(found_urls), set(found_urls) - set(urls)
    if missing:
        yield "missing", {"count": len(missing), "url": next(each for each in urls if each in missing)}
    if extra:
        yield "extra", {"count": len(extra), "url": next(each for each in found_urls if each in extra)}
    if missing or extra:
        return
    if urls != found_urls:
        pairs = zip(urls, found_urls, strict=False)
        url = next((one for one, other in pairs if one != other), urls[-1])
        yield "order", {"url": url}
        return
    for one, other in zip(expected, found, strict=True):
        if one != other:
            yield "different", {"url": one[0], "found": " ".join(other[1:]), "expected": " ".join(one[1:])}


def _check_calendar_text(fetcher: Fetcher, language: str, feeds: Feeds) -> Iterator[Finding]:
    """The same calendar as plain text has the same bytes."""
    check, path = "feed.ics-text", path_of("ics-text", language)
    try:
        body = get(fetcher, path, "text/plain").body
    except FetchError as error:
        yield red(check, error.code, **error.values)
        return
    if language in feeds.calendars and body != feeds.calendars[language]:
        yield red(check, "calendar_text", path=path)
    else:
        yield green(check, "same_bytes", path=path)


def _check_programme(fetcher: Fetcher, language: str, feeds: Feeds) -> Iterator[Finding]:
    """The programme as one document has the same occasions in the same order, and what they refer to."""
    check, path = "programme", "/api/programme"
    try:
        body = get(fetcher, path, "application/json").body
        found = read_programme(body, language)
    except (FetchError, DocumentError) as error:
        yield _report(check, path, error)
        return
    expected = [expect_occasion(each) for each in feeds.elements[language]]
    yield from _report_differences(check, path, expected, found, body)


# --- The database -----------------------------------------------------------------------------


def check_database(feeds: Feeds, now: datetime) -> Iterator[Finding]:
    """Compare the JSON and the identifiers of calendars and schedules with the database."""
    check = "database"
    try:
        programme = loading.load()
    except Error as error:
        yield red(check, "database_away", reason=str(error).strip().partition("\n")[0])
        return
    stored = Snapshot(programme, now).find(Selection())
    if "sv" not in feeds.elements:
        return
    expected = [(each.id, each.event.last_modified) for each in stored]
    found = [(each.id, each.modified) for each in feeds.elements["sv"]]
    if expected != found:
        age = now - programme.revision.moved_at
        is_new = age < timedelta(seconds=settings.CACHE_SECONDS + GRACE)
        kind, code = (yellow, "edited_just_now") if is_new else (red, "not_the_database")
        yield kind(check, code, revision=programme.revision.number)
        return
    yield from _check_identities(programme, feeds)
    yield green(check, "database_ok", count=len(found), revision=programme.revision.number)


def _check_identities(programme: Programme, feeds: Feeds) -> Iterator[Finding]:
    """A UID that changes makes a new entry in every calendar that subscribes, and loses a star in an app."""
    for (language, extension), identities in feeds.identities.items():
        ids = {each.url: each.id for each in feeds.elements[language]}
        if len(ids) != len(feeds.elements[language]):
            # The template of occasion pages gives several occasions one address.
            continue
        for url, uid in identities.items():
            occasion = programme.by_id.get(ids.get(url, 0))
            if occasion and uid != _expect_identity(occasion, extension):
                yield red(f"feed.{extension}", "uid", url=url, uid=uid)


def _expect_identity(occasion: Occasion, extension: str) -> str:
    """Return what identifies an occasion in a format: schedules know nothing but UUIDs."""
    identity = occasion.identity
    return identity.calendar_uid if extension == "ics" else str(identity.uuid)


# --- Areas ------------------------------------------------------------------------------------


def check_areas(fetcher: Fetcher, feeds: Feeds) -> Iterator[Finding]:
    """The areas' numbers add up to the programme; an area's calendar has as many occasions as it says."""
    check, path = "areas", "/api/areas"
    try:
        areas = read_areas(get(fetcher, path, "application/json").body)
        total, held = sum(areas.values()), {name: count for name, count in areas.items() if count}
        if "sv" in feeds.elements and total != len(feeds.elements["sv"]):
            yield red(check, "area_counts", total=total, count=len(feeds.elements["sv"]))
        if held:
            name, count = min(held.items(), key=lambda each: each[1])
            path = f"/api/events.ics?area={quote(name)}"
            found = len(read_uids(get(fetcher, path, "text/calendar").body))
            if found != count:
                yield red(check, "area_calendar", area=name, found=found, count=count)
        yield green(check, "areas_ok", count=len(areas))
    except FetchError as error:
        yield red(check, error.code, **error.values)
    except DocumentError as error:
        yield red(check, "unreadable", path=path, reason=str(error))
    except Exception as error:  # noqa: BLE001
        # The calendar's parser raises whatever garbage leads to.
        yield red(check, "unreadable", path=path, reason=type(error).__name__)
