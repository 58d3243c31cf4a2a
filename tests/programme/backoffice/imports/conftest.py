"""An administrator who imports files on the page."""

import pytest
from django.test import Client

from tests.conftest import SetClock
from tests.programme.backoffice.imports.pages import sign_in_administrator


@pytest.fixture(autouse=True)
def _known_day(at: SetClock) -> None:
    """Which dates are past must not depend on the day of the run."""


@pytest.fixture
def client(db: None) -> Client:
    return sign_in_administrator()
