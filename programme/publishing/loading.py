"""Loads the published programme, in a constant number of queries and one transaction that sees one state."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from django.db import Error, connection
from django.db.models import QuerySet

from feeds.formats import FORMATS
from feeds.memoization import resize_caches
from feeds.programme import Programme
from feeds.vocabulary import Revision, Site
from programme import models
from programme.models.festival_time import festival_time
from programme.publishing.programme_reader import EPOCH, ProgrammeReader

NO_REVISION = Revision(0, EPOCH)
# psycopg's word for a connection without a transaction.
IDLE = 0

# Those of `load`: revision, shared tables, organizers, events, occasions, gone occasions, and the beginning
# and end of the transaction.
QUERIES = 8

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
# Sent as one: a transaction of its own, for which the timeouts are set.
REVISION_SQL = (
    f"SET LOCAL lock_timeout = '{READERS_LOCK_TIMEOUT}'; SET LOCAL statement_timeout = '3s';"
    f" SELECT number, moved_at, withdrawn_at FROM {models.Revision._meta.db_table} ORDER BY id LIMIT 1"
)


def build_site() -> Site:
    return Site(
        base_url=settings.BASE_URL,
        extension_namespace=settings.EXTENSION_NAMESPACE,
        occasion_url_sv=settings.OCCASION_URL_SV,
        occasion_url_en=settings.OCCASION_URL_EN,
        time=festival_time(),
        hub=settings.WEBSUB_HUB,
    )


def fetch_revision() -> Revision:
    """Return the database's revision: one row.

    Raises OperationalError if PostgreSQL takes longer than three seconds (a migration may have locked the
    table, or its disk hang): readers have a programme, and do not wait for such things.
    """
    if connection.vendor == "postgresql" and not _is_in_transaction():
        with connection.cursor() as cursor:
            cursor.execute(REVISION_SQL)
            cursor.nextset()
            cursor.nextset()
            row = cursor.fetchone()
    else:
        row = models.Revision.objects.values_list("number", "moved_at", "withdrawn_at").first()
    return Revision(*row) if row else NO_REVISION


def _is_in_transaction() -> bool:
    """Return whether a timeout of the transaction would apply to more than one query."""
    if connection.in_atomic_block:
        return True
    return connection.connection is not None and connection.connection.info.transaction_status != IDLE


def load(before: Programme | None = None) -> Programme:
    """Return the published programme at the database's present revision.

    Events and occasions that have not changed since the programme `before` are that programme's own values,
    so that what was memoized for them is found without comparing texts.
    """
    with consistent_read(READERS_LOCK_TIMEOUT):
        programme = ProgrammeReader(build_site(), before).read(fetch_revision())
    return warm_up(programme)


def load_event(event_id: int) -> Programme:
    return load_events(models.Event.objects.filter(pk=event_id))


def load_events(events: QuerySet[models.Event]) -> Programme:
    """Return a programme of some events as if they were published, without gone occasions.

    It is the caller's alone: it is not warmed up, and readers are never answered from it.
    """
    with consistent_read():
        return ProgrammeReader(build_site(), events=events).read(fetch_revision())


def warm_up(programme: Programme) -> Programme:
    """Precompute what readers request first, and return the programme."""
    programme.precompute()
    resize_caches(len(programme.occasions))
    for each in FORMATS:
        each.prepare(programme)
    return programme


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
