"""Who gets into the back office: active accounts with a role."""

from typing import Any

from django.contrib.auth.backends import ModelBackend


class BackOfficeBackend(ModelBackend):
    """Refuse accounts without access, after their password was checked and with the same answer.

    Django asks at every request: who loses the role is signed out at once.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        return super().user_can_authenticate(user) and user.is_staff
