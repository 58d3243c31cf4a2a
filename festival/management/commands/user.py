"""Accounts from the command line: the first administrator, and new links for those who cannot sign in."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, transaction
from django.utils.timezone import get_current_timezone
from django.utils.translation import override

from feeds.names import fold
from festival.accounts import limits, two_factor
from festival.accounts.access import has_ended
from festival.accounts.log import record
from festival.accounts.models import Kind
from festival.accounts.passwords import find_lifetime, renew_link
from programme.backoffice.roles import LABELS, Role, assign_role, role_of
from programme.models import Area, AreaEditor

ROLES = {role.name.lower().replace("_", "-"): role for role in Role}
LINK = """Give {name} this link, by a way that nobody else reads. A password is chosen there.
It is valid for {time}, and once:

{link}"""


class Command(BaseCommand):
    help = (
        "Create an account, list the accounts, print a link to choose a password, deactivate or unlock"
        " an account, remove its second step."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        create = actions.add_parser(
            "create", help="Create an account, and print a link to choose its password."
        )
        create.add_argument("name", help="The name to sign in with.")
        create.add_argument(
            "--role", choices=ROLES, required=True, help="What the account may do: docs/roles.md."
        )
        create.add_argument("--email", default="", help="Where links for a forgotten password are sent.")
        create.add_argument(
            "--area", action="append", default=[], help="An area of an area editor; may be repeated."
        )
        actions.add_parser("list", help="List the accounts.")
        link = actions.add_parser("link", help="Print a link at which a password is chosen.")
        deactivate = actions.add_parser("deactivate", help="Sign an account out, and let it in no more.")
        unlock = actions.add_parser("unlock", help="Forget the failed attempts to sign in to an account.")
        reset = actions.add_parser(
            "reset-two-factor", help="Remove authenticator app, passkeys and recovery codes of an account."
        )
        for action in (link, deactivate, unlock, reset):
            action.add_argument("name", help="The name that the account signs in with.")

    def handle(self, *, action: str, **options: Any) -> None:
        values = {key: options[key] for key in ("name", "role", "email", "area") if key in options}
        try:
            with override("en"):
                getattr(self, action.replace("-", "_"))(**values)
        except Error as error:
            reason = str(error).strip().partition("\n")[0]
            raise CommandError(f"The database cannot be used ({reason}). Is it migrated?") from None

    def create(self, *, name: str, role: str, email: str, area: list[str]) -> None:
        if User.objects.filter(username=name).exists():
            raise CommandError(
                f"There is an account {name} already. `festival user link {name}` prints a new link."
            )
        areas = [_find_area(each) for each in area]
        if bool(areas) != (ROLES[role] is Role.AREA_EDITOR):
            raise CommandError("Name the areas of an area editor, and of nobody else, with --area.")
        with transaction.atomic():
            user = _create_user(name, email)
            assign_role(user, ROLES[role])
            for each in areas:
                # One by one: the log of rights hears of each.
                AreaEditor.objects.create(user=user, area=each)
        self.print_link(user)

    def list(self) -> None:
        """Print a line for each account: name, role, e-mail, last sign-in."""
        users = User.objects.order_by("username").prefetch_related("groups")
        rows = [("Name", "Role", "E-mail", "Last sign-in"), *map(_describe, users)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            line = "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
            self.stdout.write(line.rstrip())

    def link(self, *, name: str) -> None:
        user = _find_user(name)
        if not user.is_active:
            raise CommandError(f"The account {name} is deactivated; an administrator can activate it.")
        if has_ended(user):
            raise CommandError(f"The last day of the account {name} is over; a chief editor can extend it.")
        self.print_link(user)

    def deactivate(self, *, name: str) -> None:
        user = _find_user(name)
        user.is_active = False
        user.save(update_fields=["is_active"])
        self.stdout.write(f"The account {name} is deactivated: its sessions are over, and it cannot sign in.")

    def unlock(self, *, name: str) -> None:
        user = _find_user(name)
        limits.unlock(user)
        record(Kind.UNLOCKED, user)
        self.stdout.write(f"The account {name} is unlocked.")

    def reset_two_factor(self, *, name: str) -> None:
        user = _find_user(name)
        had_one = two_factor.reset(user)
        now = "signs in with the password alone now" if had_one else "has no second step"
        self.stdout.write(f"The account {name} {now}.")

    def print_link(self, user: User) -> None:
        link = renew_link(user)
        lifetime = find_lifetime(user)
        time = f"{lifetime.days} days" if lifetime.days > 1 else "24 hours"
        self.stdout.write(LINK.format(name=user.username, time=time, link=link))


def _create_user(name: str, email: str) -> User:
    user = User(username=name, email=email, is_staff=True)
    user.set_unusable_password()
    try:
        user.full_clean()
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from None
    user.save()
    return user


def _find_user(name: str) -> User:
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist:
        raise CommandError(f"There is no account {name}. `festival user list` lists all of them.") from None


def _find_area(name: str) -> Area:
    area = Area.objects.filter(name_key=fold(name)).first()
    if area is None:
        raise CommandError(f"There is no area {name}.")
    return area


def _describe(user: User) -> tuple[str, str, str, str]:
    role = role_of(user)
    text = str(LABELS[role]) if role else "superuser" if user.is_superuser else "none"
    last = (
        f"{user.last_login.astimezone(get_current_timezone()):%Y-%m-%d %H:%M %Z}"
        if user.last_login
        else "never"
    )
    return user.username, text if user.is_active else f"{text}, deactivated", user.email, last
