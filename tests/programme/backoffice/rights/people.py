"""Users by role, and the keys of rows that they may or may not edit."""

from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client

from programme.backoffice.roles import Role, assign_role
from programme.models import AreaEditor
from tests.programmes import TORGET

ROLES = [*Role]
VERBS = ["view", "add", "change", "delete", "publish"]
# A draft in Parken, with an occasion: the area editor's is DRAFT in Torget.
THEIRS, THEIR_OCCASION, DRAFT_OCCASION = 7100, 8100, 8017
# What readers were told of an event in Parken.
TOLD = UUID(int=1)
# An edition that is not the current one; the other has everything.
EDITION = 12
# Beyond what the sequences of PostgreSQL come to.
SUPERUSER, SOMEBODY = 900_500, 900_501


def user_of(role: Role | None) -> User:
    user = User.objects.create_user("bo", is_staff=True)
    if role:
        assign_role(user, role)
    if role is Role.AREA_EDITOR:
        AreaEditor.objects.create(user=user, area_id=TORGET)
    return User.objects.get(pk=user.pk)


def office_of(user: User) -> Client:
    client = Client(HTTP_ACCEPT_LANGUAGE="en", SERVER_NAME="localhost")
    client.force_login(user)
    return client
