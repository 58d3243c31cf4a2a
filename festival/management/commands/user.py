"""Accounts from the command line: the first administrator, and help for users who cannot sign in."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import override

from festival.accounts.access import has_access, remove_steps
from festival.accounts.links import renew_link
from programme.backoffice.roles import Role, assign_role

# Area editors get their areas in the back office.
ROLES = {each.name.lower().replace("_", "-"): each for each in Role if each is not Role.AREA_EDITOR}
LINK = """Give {name} this link, by a way that nobody else reads. A password is chosen there.
It is valid for three days, and once:

{link}"""
# The actions on one account, each with its help text.
ACTIONS = {
    "link": "Print a link at which a password is chosen.",
    "reset-two-factor": "Remove authenticator app, passkeys and recovery codes of an account.",
}


class Command(BaseCommand):
    help = "Create an account, print a link to choose a password, remove a second step."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        create = actions.add_parser("create", help="Create an account, and print a link for its password.")
        create.add_argument("name", help="The name to sign in with.")
        create.add_argument("--role", choices=ROLES, required=True, help="What it may do: docs/roles.md.")
        create.add_argument("--email", default="", help="Where links for a forgotten password are sent.")
        for action, purpose in ACTIONS.items():
            one = actions.add_parser(action, help=purpose)
            one.add_argument("name", help="The name that the account signs in with.")

    def handle(self, *, action: str, **options: Any) -> None:
        with override("en"):
            if action in ACTIONS:
                user = User.objects.filter(username=options["name"]).first()
                if user is None:
                    raise CommandError(f"There is no account {options['name']}.")
                getattr(self, action.replace("-", "_"))(user)
            else:
                self.create(options["name"], options["role"], options["email"])

    def create(self, name: str, role: str, email: str) -> None:
        user = User(username=name, email=email, is_staff=True)
        user.set_unusable_password()
        with transaction.atomic():
            try:
                user.full_clean()
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
            user.save()
            assign_role(user, ROLES[role])
        self.link(user)

    def link(self, user: User) -> None:
        if not has_access(user):
            raise CommandError(f"The account {user} is deactivated, has ended, or has no role.")
        self.stdout.write(LINK.format(name=user.username, link=renew_link(user)))

    def reset_two_factor(self, user: User) -> None:
        remove_steps(user)
        self.stdout.write(f"The account {user} signs in with the password alone now.")
