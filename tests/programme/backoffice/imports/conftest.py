"""An administrator who imports files on the page."""

import pytest
from django.test import Client

from tests.programme.backoffice.imports.pages import sign_in_administrator


@pytest.fixture
def client(db: None) -> Client:
    return sign_in_administrator()
