"""Notifies a WebSub hub of the feeds that an edit has changed (W3C's WebSub, section 6)."""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request

from feeds.formats import FORMATS, Format
from feeds.listing import Listing
from feeds.news_formats import NEWS_FORMATS
from feeds.news_listing import NewsListing
from feeds.programme import Programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES
from programme.publishing import disk_cache
from programme.publishing.outgoing import open_request

logger = logging.getLogger(__name__)

# In seconds: how long a hub may take to answer, and the shortest and longest delay between two attempts.
TIMEOUT, SHORTEST_DELAY, LONGEST_DELAY = 10.0, 2.0, 300.0
# Client errors that another attempt may not meet.
TEMPORARY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}


class Topic(NamedTuple):
    format: type[Format]
    selection: Selection

    def listing(self, programme: Programme, instant: datetime) -> Listing:
        snapshot = Snapshot(programme, instant)
        return Listing(snapshot, programme.index.canonical(self.selection))


def find_topics(programme: Programme, formats: tuple[type[Format], ...] = FORMATS) -> Iterator[Topic]:
    for areas in ((), *((area.name,) for area in programme.listed_areas)):
        for language in LANGUAGES:
            for format_ in formats:
                if format_.is_pushed:
                    yield Topic(format_, Selection(areas=areas, language=language))


def find_told_feeds(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield the URLs of the feeds of news that have entries which they did not have before."""
    told = any(before.now < each.appears_at <= after.now for each in after.programme.news)
    if not told and before.programme.news == after.programme.news:
        return
    for topic in find_topics(after.programme, NEWS_FORMATS):
        old, new = (NewsListing(each, topic.selection) for each in (before, after))
        if not set(new.every) <= set(old.every):
            yield new.url(topic.format.extension)


def find_changed_feeds(before: Programme, after: Programme) -> Iterator[str]:
    """Yield the URLs of the feeds that differ between two programmes, both seen at the same instant.

    The feed of an area that is deleted or renamed is empty afterwards.
    """
    instant = after.revision.moved_at
    for topic in dict.fromkeys((*find_topics(before), *find_topics(after))):
        old, new = topic.listing(before, instant), topic.listing(after, instant)
        if not _has_same_content(old, new):
            writer = topic.format()
            if writer.write_events(old) != writer.write_events(new):
                yield new.url(topic.format.extension)


def _has_same_content(old: Listing, new: Listing) -> bool:
    """Return whether two feeds have the same content, as most do, so that they need not be written."""
    festivals = {listing.snapshot.programme.festival for listing in (old, new)}
    return len(festivals) == 1 and old.title == new.title and old.occasions == new.occasions


class HubRefusedError(Exception):
    """The hub does not accept a notification, and another attempt would not help."""


class Hub:
    def __init__(self, url: str) -> None:
        self.url = url

    def notify(self, topic: str) -> None:
        """Notify the hub that a feed has changed.

        Raises HubRefusedError, or OSError if another attempt may succeed.
        """
        form = urlencode({"hub.mode": "publish", "hub.url": topic}).encode()
        try:
            # Redirects are not followed: a form would be sent on as a GET.
            with open_request(Request(self.url, form), TIMEOUT) as response:  # noqa: S310 - checked at start
                # The body does not matter, and may be long.
                response.read(1)
        except HTTPError as error:
            with error:
                if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR or error.code in TEMPORARY:
                    raise OSError(f"it answered {error.code}") from None
                raise HubRefusedError(f"it answered {error.code}") from None
        except HTTPException as error:
            raise OSError(f"it did not answer in HTTP: {type(error).__name__}") from None


class HubNotifier:
    """Compares each programme with the one before, and notifies the hub until it has accepted every change.

    The programme of which the hub knows is kept in a file, so that a restart misses no change.
    """

    def __init__(self, hub: Hub, path: Path | None = None) -> None:
        self.hub = hub
        self.path = path
        self.latest = disk_cache.read(path) if path else None
        # What it knows of news. After a restart it is told again, because the clock tells news, too.
        self.told = self.latest and Snapshot(self.latest, self.latest.revision.moved_at)
        # The URLs of changed feeds, in order.
        self.pending: dict[str, None] = {}
        self.delay = 0.0
        self.not_before = 0.0

    def update(self, programme: Programme, instant: datetime) -> None:
        """Notify the hub of what a programme has changed until an instant, and of what has failed before."""
        if self.latest is None:
            self._save(programme)
        elif self.latest.revision != programme.revision:
            self.pending |= dict.fromkeys(find_changed_feeds(self.latest, programme))
            self.latest = programme
            if not self.pending:
                self._save(programme)
        before, self.told = self.told, Snapshot(programme, instant)
        self.pending |= dict.fromkeys(find_told_feeds(before, self.told) if before else ())
        if self.pending and time.monotonic() >= self.not_before:
            self._notify(programme)

    def _notify(self, programme: Programme) -> None:
        for topic in list(self.pending):
            try:
                self.hub.notify(topic)
            except HubRefusedError as refusal:
                logger.warning("The hub %s refuses %s: %s.", self.hub.url, topic, refusal)
            except OSError as error:
                self._postpone(error)
                return
            del self.pending[topic]
        if self.delay:
            logger.warning("The hub %s answers again.", self.hub.url)
        self.delay = 0.0
        self._save(programme)

    def _postpone(self, error: OSError) -> None:
        """Try again later and later; log it once."""
        if not self.delay:
            logger.warning("The hub %s does not answer (%s); it is notified later.", self.hub.url, error)
        self.delay = min(max(SHORTEST_DELAY, 2 * self.delay), LONGEST_DELAY)
        self.not_before = time.monotonic() + self.delay

    def _save(self, programme: Programme) -> None:
        self.latest = programme
        if self.path:
            with suppress(OSError):
                disk_cache.write(programme, self.path)
