"""Helpers of the tests of people: somebody with a role and a browser, and what is sent to the page of inviting."""

from threading import enumerate as enumerate_threads
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import Area, AreaEditor
from tests.festival.accounts.browsers import PASSWORD

PROGRAM = "https://program.example"
INVITE = "/admin/auth/user/invite/"
USERS = "/admin/auth/user/"


def create_user(name: str, role: Role | None, areas: tuple[int, ...] = (), **fields: Any) -> User:
    user = User.objects.create_user(name, f"{name}@kulturnatten.example", is_staff=True, **fields)
    if role:
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


def choose_password(browser: Client, link: str, password: str = PASSWORD) -> Any:
    address = browser.get(link, follow=True).redirect_chain[-1][0]
    return browser.post(address, {"new_password1": password, "new_password2": password}, follow=True)


def wait_for_mail() -> None:
    for thread in enumerate_threads():
        if thread.name == "account-mail":
            thread.join(60)
