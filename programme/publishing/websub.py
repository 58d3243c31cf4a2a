"""Tells a WebSub hub which feeds an edit has changed, as often as it takes (W3C's WebSub, section 6)."""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from feeds.formats import FORMATS, Format
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES
from programme.publishing import disk_cache

logger = logging.getLogger(__name__)

# Seconds that a hub has to answer; and until it is asked again, twice as long each time.
TIMEOUT, SOONEST, LATEST = 10.0, 2.0, 300.0
# What a hub may answer that knows better later; of other refusals there is no use in repeating.
PASSING = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class Topic(NamedTuple):
    """A feed that readers subscribe to."""

    of: type[Format]
    selection: Selection

    def listing(self, programme: Programme, seen: Programme) -> Listing:
        """Return what it lists of a programme, at the moment at which another one was there."""
        snapshot = Snapshot(programme, seen.revision.moved_at)
        return Listing(snapshot, programme.index.canonical(self.selection))


def topics(programme: Programme) -> Iterator[Topic]:
    """Give the feeds of the whole programme and of each area, in both languages."""
    for areas in ((), *((area.name,) for area in programme.areas)):
        for language in LANGUAGES:
            for each in FORMATS:
                if each.is_pushed:
                    yield Topic(each, Selection(areas=areas, language=language))


def changed(before: Programme, after: Programme) -> Iterator[str]:
    """Give the URLs of the feeds that another programme has changed: seen at one moment, so not by the clock.

    An area that is gone, or has another name now, has a feed that is empty.
    """
    for topic in dict.fromkeys((*topics(before), *topics(after))):
        old, new = (topic.listing(programme, after) for programme in (before, after))
        if not _is_same(old, new) and topic.of().write_events(old) != topic.of().write_events(new):
            yield topic.listing(after, after).url(topic.of.extension)


def _is_same(old: Listing, new: Listing) -> bool:
    """Return whether two feeds are made of the same: most are, and need not be written."""
    festivals = (each.snapshot.programme.festival for each in (old, new))
    return len({*festivals}) == 1 and old.title == new.title and old.occasions == new.occasions


class _NoRedirects(HTTPRedirectHandler):
    """A form would be sent on as a GET, and nobody would be told."""

    def redirect_request(self, *_redirect: Any) -> None:
        return None


class HubRefusedError(Exception):
    """The hub will not be told of a feed, now or later."""


class Hub:
    """Where edits are told."""

    def __init__(self, url: str, timeout: float = TIMEOUT) -> None:
        self.url = url
        self.timeout = timeout
        self._opener = build_opener(_NoRedirects)

    def tell(self, topic: str) -> None:
        """Say that a feed has changed. Raises OSError where that is worth another try, else Refused."""
        form = urlencode({"hub.mode": "publish", "hub.url": topic}).encode()
        try:
            answer: HTTPResponse
            with self._opener.open(Request(self.url, form), timeout=self.timeout) as answer:  # noqa: S310 - checked at start
                # What it says does not matter, and may be long.
                answer.read(1)
        except HTTPError as error:
            with error:
                if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR or error.code in PASSING:
                    raise OSError(f"it answered {error.code}") from None
                raise HubRefusedError(f"it answered {error.code}") from None
        except HTTPException as error:
            raise OSError(f"it did not answer in HTTP: {type(error).__name__}") from None


class Announcer:
    """Compares each programme with the one before, and tells the hub until it has heard of every change.

    What it has heard of is kept in a file, so that a restart forgets nothing.
    """

    def __init__(self, hub: Hub, path: Path | None = None) -> None:
        self.hub = hub
        self.path = path
        self.known = disk_cache.read(path) if path else None
        self.waiting: dict[str, None] = {}
        self.delay = 0.0
        self.not_before = 0.0

    def look(self, programme: Programme) -> None:
        """Tell of what a programme has changed, and of what could not be told before."""
        if self.known is None:
            self._know(programme)
        elif self.known.revision != programme.revision:
            self.waiting |= dict.fromkeys(changed(self.known, programme))
            self.known = programme
            if not self.waiting:
                self._know(programme)
        if self.waiting and time.monotonic() >= self.not_before:
            self._tell(programme)

    def _tell(self, programme: Programme) -> None:
        for topic in list(self.waiting):
            try:
                self.hub.tell(topic)
            except HubRefusedError as refused:
                logger.warning("The hub %s will not hear of %s: %s.", self.hub.url, topic, refused)
            except OSError as error:
                self._wait(error)
                return
            del self.waiting[topic]
        if self.delay:
            logger.warning("The hub %s answers again.", self.hub.url)
        self.delay = 0.0
        self._know(programme)

    def _wait(self, error: OSError) -> None:
        """Say once that the hub is away, and ask it less and less often."""
        if not self.delay:
            logger.warning("The hub %s does not answer (%s); it will be told later.", self.hub.url, error)
        self.delay = min(max(SOONEST, 2 * self.delay), LATEST)
        self.not_before = time.monotonic() + self.delay

    def _know(self, programme: Programme) -> None:
        """Remember up to where the hub has been told."""
        self.known = programme
        if self.path:
            with suppress(OSError):
                disk_cache.write(programme, self.path)
