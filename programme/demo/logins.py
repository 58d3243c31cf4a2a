"""The demo's accounts, whose password is public: creating them, and finding them where they must not be."""

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import check_password

from programme.backoffice.roles import LABELS, Role, assign_role, role_of
from programme.models import Area, AreaEditor

LOGINS = {
    "administrator": Role.ADMINISTRATOR,
    "chief": Role.CHIEF_EDITOR,
    "editor": Role.EDITOR,
    "area": Role.AREA_EDITOR,
}
PASSWORD = "festival"  # noqa: S105 - public: it opens a demo on a local machine


def create_logins() -> None:
    """Create a staff account for each role; leave existing accounts of the same name alone."""
    for name, role in LOGINS.items():
        user, is_new = get_user_model().objects.get_or_create(username=name, defaults={"is_staff": True})
        if is_new:
            user.set_password(PASSWORD)
            user.save()
            assign_role(user, role)
        if role is Role.AREA_EDITOR and role_of(user) is role and not user.edited_areas.exists():
            AreaEditor.objects.create(user=user, area=Area.objects.all()[0])


def describe_logins() -> dict[str, str]:
    """Return how to log in with each role, as far as the passwords are those of the demo."""
    names = find_public_accounts()
    logins = {str(LABELS[LOGINS[name]]).capitalize(): f"{name}, password {PASSWORD}" for name in names}
    return logins or {"Login": "use your own account (the demo's have another password, or were deleted)"}


def find_public_accounts() -> list[str]:
    """Return the names of active accounts that the demo's password opens, at the price of four hashes."""
    users = get_user_model().objects.filter(username__in=LOGINS, is_active=True).order_by("pk")
    # Not the user's own method, which would store a new hash.
    return [user.username for user in users if check_password(PASSWORD, user.password)]


def count_other_accounts() -> int:
    return get_user_model().objects.exclude(username__in=LOGINS).count()
