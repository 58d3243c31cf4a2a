"""An administrator who imports files on the page, and three days of a festival."""

from datetime import date

import pytest
from django.test import Client

from programme.models import Day
from tests.programme.backoffice.imports.pages import sign_in_administrator


@pytest.fixture
def three_days(db: None) -> None:
    for day in (28, 29, 30):
        Day.on(date(2026, 7, day))


@pytest.fixture
def client(db: None) -> Client:
    return sign_in_administrator()
