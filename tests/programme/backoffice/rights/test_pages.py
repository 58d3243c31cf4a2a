"""Each page of the back office, for each role: whether it is shown, to change or to read."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import resolve

from programme.backoffice.roles import Role
from tests.programme.backoffice.rights.addresses import PAGES, address_of
from tests.programme.backoffice.rights.people import ROLES, office_of, user_of

pytestmark = pytest.mark.usefixtures("lists")


def classify_response(response: Any) -> str:
    # Of an app in which there is nothing for somebody, Django says that it is not there.
    if response.status_code in {403, 404}:
        return "-"
    assert response.status_code == 200
    form = response.context and response.context.get("adminform")
    if not form:
        return "p"
    return "e" if b'name="_save"' in response.content else "r"


@pytest.mark.parametrize("role", ROLES)
def test_every_page_shows_each_role_what_it_may(role):
    client = office_of(user_of(role))
    found = {page: classify_response(client.get(address_of(page), follow=True)) for page in PAGES}
    assert found == {page: expected[ROLES.index(role)] for page, expected in PAGES.items()}


def list_addresses(patterns: list[Any], before: str = "") -> Iterator[str]:
    for each in patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from list_addresses(each.url_patterns, route)
        elif each.name:
            yield each.name


# Only sent to (SENT has them): with GET they are not there.
ONLY_SENT_TO = {"programme_event_preview_new", "programme_event_duplicate"}
# Everybody's own: getting in and out, which edition is worked in, and what Django's scripts need.
EVERYBODYS = {
    *("login", "logout", "password_change", "password_change_done", "jsi18n", "view_on_site"),
    "choose_edition",
}


def test_no_address_of_the_back_office_is_missing_in_the_table():
    """A new address belongs into PAGES, and what can be sent to it into SENT."""
    named = {resolve(address_of(page).partition("?")[0]).url_name for page in PAGES}
    assert set(list_addresses(admin.site.get_urls())) - EVERYBODYS - ONLY_SENT_TO - named == set()


def test_whoever_has_no_access_gets_none():
    user = user_of(Role.ADMINISTRATOR)
    User.objects.filter(pk=user.pk).update(is_staff=False)
    client = office_of(User.objects.get(pk=user.pk))
    statuses = {client.get(address_of(page)).status_code for page in PAGES}
    assert statuses == {302}


def test_staff_without_a_role_sees_nothing():
    client = office_of(user_of(None))
    found = {page: classify_response(client.get(address_of(page), follow=True)) for page in PAGES}
    assert {page for page, what in found.items() if what != "-"} == {
        "",
        "days/?day=2026-07-29",
        "handbook/",
        "settings/",
        "times/?text=18h30",
    }


@pytest.mark.parametrize(
    ("role", "areas", "shown"),
    [
        (Role.EDITOR, True, {"import", "export"}),
        (Role.AREA_EDITOR, True, {"import", "export"}),
        (Role.AREA_EDITOR, False, {"export"}),
    ],
)
def test_importing_and_exporting_are_offered_to_those_who_may(role, areas, shown):
    user = user_of(role)
    if not areas:
        user.edited_areas.all().delete()
    page = office_of(user).get("/admin/settings/").content.decode()
    offered = {"import": "/admin/import/", "export": "/admin/programme/event/export/"}
    assert {name for name, address in offered.items() if f'href="{address}"' in page} == shown
