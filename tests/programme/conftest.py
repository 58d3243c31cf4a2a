"""Fixtures for tests of the programme: an editor with a browser, and the sample's history."""

import datetime as dt
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.translation import override

from festival.accounts.middleware import EXTENDED
from programme.models import models_with_history
from tests.conftest import NOW, SetClock


@pytest.fixture
def in_english() -> Iterator[None]:
    """Messages read as in the source."""
    with override("en"):
        yield


@pytest.fixture
def anna(db: None) -> User:
    """Anna keeps the programme."""
    return User.objects.create_superuser("anna")


@pytest.fixture
def office(anna: User) -> Client:
    """Anna's browser, in English so that messages read as in the source."""
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(anna)
    # Its end is not moved by what is tested.
    session = client.session
    session[EXTENDED] = 2**40
    session.save()
    return client


@pytest.fixture
def day_old_sample(at: SetClock, sample: None) -> None:
    """The sample, with a history that begins the day before the time to which the clock is set."""
    at(NOW)
    for model in models_with_history():
        model.history.update(history_date=NOW - dt.timedelta(days=1))
