"""The demo, in the database and as a programme."""

from collections.abc import Iterator

import pytest
from django.db import transaction

from feeds.programme import Programme
from programme.demo import creation as demo
from tests.programme.demo.created import NOON, STOCKHOLM, create_at


@pytest.fixture(scope="module")
def programme(django_db_setup: None, django_db_blocker) -> Iterator[Programme]:
    """The demo created at noon; a value that needs no database."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = create_at(NOON)
        transaction.set_rollback(True)
    return made


@pytest.fixture
def stored_demo(db: None) -> None:
    demo.create(NOON, STOCKHOLM)
