"""An administrator who imports files on the page, and three days of a festival."""

from datetime import date

import pytest
from django.test import Client

from programme.models import Day
from tests.programme.backoffice.imports.pages import (
    ROWS,
    apply_preview,
    build_sheet,
    show_preview,
    sign_in_administrator,
)


@pytest.fixture
def three_days(db: None) -> None:
    for day in (28, 29, 30):
        Day.on(date(2026, 7, day))


@pytest.fixture
def client(db: None) -> Client:
    return sign_in_administrator()


@pytest.fixture
def imported(client: Client) -> Client:
    """The administrator, who has imported a sheet of two events."""
    apply_preview(client, show_preview(client, build_sheet(*ROWS)))
    return client
