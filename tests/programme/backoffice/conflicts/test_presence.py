"""Who has the form of a row open is shown to the others, for a minute, and is no part of the programme."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from programme.backoffice.roles import Role, assign_role
from programme.models import Edit, Editing, OpenForm, Revision
from tests.conftest import NOW, SetClock
from tests.programmes import JAZZ, NIGHT, TORGET

pytestmark = pytest.mark.usefixtures("sample")

ADDRESS = f"/admin/programme/event/{JAZZ}/editing/"


@pytest.fixture(autouse=True)
def _clock(at: SetClock) -> None:
    at(NOW)


def window_of(name: str, full_name: str = "", role: Role = Role.EDITOR) -> Client:
    user = User.objects.create_user(name, is_staff=True, first_name=full_name)
    assign_role(user, role)
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(user)
    return client


def ask(client: Client, address: str = ADDRESS, **sent: str) -> Any:
    return client.post(address, sent)


def test_others_with_the_form_open_are_named(office: Client) -> None:
    bo, cy = window_of("bo", "Bo Ek"), window_of("cy")
    assert ask(office).json() == {"text": ""}
    assert ask(bo).json() == {"text": "anna is editing this, too."}
    assert ask(cy).json() == {"text": "anna, Bo Ek are editing this, too."}
    assert ask(office).json() == {"text": "Bo Ek, cy are editing this, too."}
    # Another row, another form.
    assert ask(cy, f"/admin/programme/event/{NIGHT}/editing/").json() == {"text": ""}
    assert ask(cy, f"/admin/programme/area/{TORGET}/editing/").status_code == 403


def test_who_leaves_or_is_silent_for_a_minute_is_gone(office: Client, at: SetClock) -> None:
    bo = window_of("bo")
    ask(office)
    assert ask(bo).json()["text"] != ""
    assert ask(office, leave="1").status_code == 204
    assert ask(bo).json()["text"] == ""
    ask(office)
    at(NOW + timedelta(seconds=59))
    assert ask(bo).json()["text"] != ""
    at(NOW + timedelta(seconds=60))
    assert ask(bo).json()["text"] == ""
    assert OpenForm.objects.count() == 2


def test_nothing_of_it_is_an_edit(office: Client) -> None:
    before = Revision.objects.get().number
    response = ask(office)
    assert (Revision.objects.get().number, Edit.objects.count(), Editing.objects.count()) == (before, 0, 0)
    assert "revision" not in response.cookies


def test_it_takes_two_queries_beside_those_for_the_user(
    office: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        ask(window_of(f"user-{number}"))
    ask(office)
    # The session and the user; then the form, and who else has it open.
    with django_assert_num_queries(4):
        ask(office)


def test_a_form_says_where_to_ask_to_those_who_may_write_it(office: Client) -> None:
    form = f"/admin/programme/event/{JAZZ}/change/"
    assert f'data-url="{ADDRESS}"' in office.get(form).content.decode()
    reader = window_of("reader", role=Role.AREA_EDITOR)
    assert "data-url" not in reader.get(form).content.decode()
    assert "editing/" not in office.get("/admin/programme/event/add/").content.decode()


def test_it_is_only_sent_to(office: Client) -> None:
    assert office.get(ADDRESS).status_code == 405
    assert Client().post(ADDRESS).status_code == 302
