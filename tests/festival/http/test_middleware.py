"""What every request passes through."""

from datetime import UTC

import pytest
from django.test import Client, RequestFactory
from django.utils import translation

from festival.http.middleware import ProgrammeMiddleware
from tests.conftest import NOW, SetClock


@pytest.mark.django_db
def test_the_back_office_leaves_its_language_to_nobody(client: Client) -> None:
    client.get("/admin/login/", headers={"Accept-Language": "en"})
    assert translation.get_language() == "en"
    client.get("/api/nothing", headers={"Accept-Language": "en"})
    assert translation.get_language() == "sv"


def test_a_request_is_handed_the_instant_at_which_it_came(at: SetClock) -> None:
    request = RequestFactory().get("/")
    instants = ProgrammeMiddleware(lambda passed: passed.instant)(request)
    assert instants == NOW
    assert instants.tzinfo == UTC


def test_the_back_office_keeps_its_session(db, client):
    assert client.get("/admin/login/").cookies.keys() == {"csrftoken"}
