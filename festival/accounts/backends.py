"""Who gets into the back office, as Django asks it: at each sign-in and each request."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.backends import ModelBackend

from festival.accounts.access import has_access


class BackOfficeBackend(ModelBackend):
    """Refuse accounts without access, after their password was checked and with the same answer.

    Django asks at every request: who loses the role, or whose last day is over, is signed out at once.
    """

    def user_can_authenticate(self, user: Any) -> bool:
        return has_access(user)

    def get_user(self, user_id: Any) -> Any:
        # Together with the account, which each request needs.
        user = get_user_model().objects.select_related("account").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None
