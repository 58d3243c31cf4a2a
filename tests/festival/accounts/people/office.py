"""Helpers of the tests of people: somebody with a role and a browser, and what is sent to the page of inviting."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import Area, AreaEditor

INVITE = "/admin/auth/user/invite/"
USERS = "/admin/auth/user/"


def create_user(name: str, role: Role | None, areas: tuple[int, ...] = (), **fields: Any) -> User:
    user = User.objects.create_user(name, f"{name}@kulturnatten.example", is_staff=True, **fields)
    assign_role(user, role)
    for area in Area.objects.filter(pk__in=areas):
        AreaEditor.objects.create(user=user, area=area)
    return User.objects.get(pk=user.pk)


def open_office(user: User) -> Client:
    browser = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    browser.force_login(user)
    return browser


def an_invitation(people: str = "Bo Ek <bo@x.se>", **fields: Any) -> dict[str, Any]:
    return {"people": people, "role": Role.EDITOR.value, "do": "links", **fields}


def account_page(user: User) -> str:
    return f"/admin/auth/user/{user.pk}/sign-in/"
