"""Loading the published programme, in a constant number of queries and one consistent transaction."""

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
from feeds.programme import Programme
from feeds.vocabulary import Occasion, Revision, Site
from programme import models
from programme.models.festival_time import festival_time
from programme.publishing import change_reader
from programme.publishing.programme_reader import read_events, read_programme
from programme.publishing.shared_values import EPOCH

logger = logging.getLogger(__name__)

NO_REVISION = Revision(0, EPOCH)

# Only a migration locks tables against reading. Renewing a programme waits for it twice at most, less than a
# second in all; other reads wait once.
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
# With the start of the server: a restarted server or another one may have lost edits that were published.
SELECT_REVISION = (
    "SELECT number, moved_at, withdrawn_at, lineage || ' ' || extract(epoch FROM pg_postmaster_start_time())"
    f" FROM {models.Revision._meta.db_table} ORDER BY id LIMIT 1"
)
# One request to the server, in a transaction of its own with timeouts.
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
    """Return the database's revision, one row.

    Raise OperationalError if PostgreSQL takes longer than three seconds, because a migration has locked the
    table or the disk hangs.
    """
    if connection.vendor != "postgresql":
        row: Any = models.Revision.objects.values_list(*REVISION_COLUMNS).first()
        return Revision(*row) if row else NO_REVISION
    with connection.cursor() as cursor:
        # Within another transaction, its timeouts apply.
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

    If the change log is complete since the programme `before`, only changed rows are read. Otherwise all are,
    and unchanged events and occasions are replaced by the values of that programme, which hold what was
    written of them. `before` must be, or have been, of the same edition. Raise
    `LookupError` if there is no such edition.
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
    # At the start of a process, `prepare` is called after the first response.
    if before:
        with logging_faults("writing ahead"):
            if read is None:
                read = tuple(each for each in ready.occasions if before.by_id.get(each.id) is not each)
            prepare(ready, read)
    return ready


@contextmanager
def logging_faults(doing: str) -> Iterator[None]:
    """Log exceptions, so that a fault does not prevent publishing; reraise database errors."""
    try:
        yield
    except Error:
        raise
    except Exception:
        logger.exception("A fault in %s", doing)


def load_events(events: QuerySet[models.Event]) -> Programme:
    """Return a programme of some events, published or not, without gone occasions, for previews."""
    with consistent_read():
        return read_events(fetch_revision(), build_site(), events)


def make_ready(programme: Programme) -> Programme:
    """Precompute the values that the first response needs; return the programme."""
    programme.precompute()
    return programme


def prepare(programme: Programme, read: Collection[Occasion] | None = None) -> None:
    """Write the most requested parts and the search index, for all occasions or the ones that were read."""
    for each in (JsonFormat, CalendarFormat):
        each.prepare(programme, programme.occasions if read is None else read)
    _ = programme.index.search


@contextmanager
def consistent_read(lock_timeout: str = LOCK_TIMEOUT, statement_timeout: str = "30s") -> Iterator[None]:
    """Read one consistent state of the database without blocking writers.

    Raise OperationalError if a migration locks a table for longer than `lock_timeout` on PostgreSQL, or a
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
            # The rollback fails if the error has closed the connection; the first error is raised.
            with suppress(Error):
                cursor.execute("ROLLBACK")
            raise
        cursor.execute("COMMIT")
