"""Loads the published programme, in a constant number of queries and one transaction that sees one state."""

import logging
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.db import Error, connection
from django.db.models import QuerySet
from psycopg.pq import TransactionStatus

from feeds.formats.ics import CalendarFormat
from feeds.formats.json import JsonFormat
from feeds.memoization import count_replaced, resize_caches
from feeds.programme import Programme
from feeds.vocabulary import Occasion, Revision, Site
from programme import models
from programme.models.festival_time import festival_time
from programme.publishing import change_reader
from programme.publishing.programme_reader import read_events, read_programme
from programme.publishing.shared_values import EPOCH

logger = logging.getLogger(__name__)

NO_REVISION = Revision(0, EPOCH)

# Only a migration locks tables against reading. Readers, who have a programme, wait for it twice at most, and
# that in less than a second; others wait once.
READERS_LOCK_TIMEOUT, LOCK_TIMEOUT = "400ms", "3s"
# Writing transactions are IMMEDIATE on SQLite; a reading one must not take the write lock.
BEGIN = {
    "postgresql": (
        "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
        " SET LOCAL lock_timeout = '{lock_timeout}'; SET LOCAL statement_timeout = '{statement_timeout}'"
    ),
    "sqlite": "BEGIN DEFERRED",
}
REVISION_COLUMNS = ("number", "moved_at", "withdrawn_at", "lineage")
# A server that was started again, or another one in its place, may have lost edits that readers have seen.
SELECT_REVISION = (
    "SELECT number, moved_at, withdrawn_at, lineage || ' ' || extract(epoch FROM pg_postmaster_start_time())"
    f" FROM {models.Revision._meta.db_table} ORDER BY id LIMIT 1"
)
# Sent as one: a transaction of its own, for which the timeouts are set.
REVISION_SQL = (
    f"SET LOCAL lock_timeout = '{READERS_LOCK_TIMEOUT}'; SET LOCAL statement_timeout = '3s';"
    f" {SELECT_REVISION}"
)


def build_site() -> Site:
    return Site(
        base_url=settings.BASE_URL,
        extension_namespace=settings.EXTENSION_NAMESPACE,
        occasion_url_sv=settings.OCCASION_URL_SV,
        occasion_url_en=settings.OCCASION_URL_EN,
        time=festival_time(),
    )


def fetch_revision() -> Revision:
    """Return the database's revision: one row.

    Raises OperationalError if PostgreSQL takes longer than three seconds (a migration may have locked the
    table, or its disk hang): readers have a programme, and do not wait for such things.
    """
    if connection.vendor != "postgresql":
        row: Any = models.Revision.objects.values_list(*REVISION_COLUMNS).first()
        return Revision(*row) if row else NO_REVISION
    with connection.cursor() as cursor:
        # A timeout of the transaction would apply to more than one query.
        if connection.in_atomic_block or cursor.connection.info.transaction_status != TransactionStatus.IDLE:
            cursor.execute(SELECT_REVISION)
        else:
            cursor.execute(REVISION_SQL)
            cursor.nextset()
            cursor.nextset()
        row = cursor.fetchone()
    return Revision(*row) if row else NO_REVISION


def load(before: Programme | None = None, edition: str | None = None) -> Programme:
    """Return the published programme of an edition, or the current one, at the database's present revision.

    If the change log leads there from the programme `before`, only what has changed is read. Otherwise all
    is, and events and occasions that have not changed are that programme's own values, so that what was
    memoized for them is found without comparing texts. `before` must be of the same edition, or have been;
    raises `LookupError` if there is no such edition.
    """
    site = build_site()
    with consistent_read(READERS_LOCK_TIMEOUT):
        revision = fetch_revision()
        derived = None
        if before and before.site == site:
            with logging_faults("deriving the programme from the change log"):
                derived = change_reader.derive(before, revision)
        programme, read = derived or (read_programme(revision, site, before, edition), None)
    ready = make_ready(programme)
    # At a start nobody waits for more than the first answer: `prepare` is called after it.
    if before:
        with logging_faults("writing ahead"):
            if read is None:
                read = tuple(each for each in ready.occasions if before.by_id.get(each.id) is not each)
            is_cleared = count_replaced(len(read), len(ready.occasions))
            prepare(ready, None if is_cleared else read)
    return ready


@contextmanager
def logging_faults(doing: str) -> Iterator[None]:
    """Log a fault of ours, which is not to keep an edit from readers; raise errors of the database."""
    try:
        yield
    except Error:
        raise
    except Exception:
        logger.exception("A fault in %s", doing)


def load_events(events: QuerySet[models.Event]) -> Programme:
    """Return a programme of some events as if they were published, without gone occasions.

    It is the caller's alone: nothing is computed ahead, and readers are never answered from it.
    """
    with consistent_read():
        return read_events(fetch_revision(), build_site(), events)


def make_ready(programme: Programme) -> Programme:
    """Compute what the first answer needs; return the programme."""
    programme.precompute()
    resize_caches(len(programme.occasions))
    return programme


def prepare(programme: Programme, read: Collection[Occasion] | None = None) -> None:
    """Write what is asked for most and what searches need, of all occasions or of those that were read."""
    for each in (JsonFormat, CalendarFormat):
        each.prepare(programme, programme.occasions if read is None else read)
    _ = programme.index.search


@contextmanager
def consistent_read(lock_timeout: str = LOCK_TIMEOUT, statement_timeout: str = "30s") -> Iterator[None]:
    """See one state of the database throughout, without blocking writers.

    Raises OperationalError if a migration locks a table for longer than `lock_timeout` on PostgreSQL, or a
    query takes longer than `statement_timeout`.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        timeouts = {"lock_timeout": lock_timeout, "statement_timeout": statement_timeout}
        cursor.execute(BEGIN[connection.vendor].format(**timeouts))
        try:
            yield
        except BaseException:
            # The error may have ended the connection, too, and is what must be raised.
            with suppress(Error):
                cursor.execute("ROLLBACK")
            raise
        cursor.execute("COMMIT")
