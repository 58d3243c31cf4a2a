"""Create the demo festival in an empty database, print its addresses, and serve it."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections, transaction
from django.utils.translation import override

from feeds.formats import FORMATS
from festival import clock
from festival.addresses import PORT, base_url, require_free_port
from programme import demo
from programme.backoffice.roles import LABELS, Role, assign_role, role_of
from programme.models import Area, AreaEditor
from programme.models.festival_time import festival_time

LOGINS = {
    "administrator": Role.ADMINISTRATOR,
    "chief": Role.CHIEF_EDITOR,
    "editor": Role.EDITOR,
    "area": Role.AREA_EDITOR,
}
PASSWORD = "festival"  # noqa: S105 - public: it opens a demo on a local machine

CREATED = "The demo festival was created: five days, with today in the middle."
UNCHANGED = "The demo festival exists already; nothing was changed."
PAST = f"{UNCHANGED}\nIts days are over: --start-over creates it again around today."
OTHER_PROGRAMME = "The database has another programme. Nothing was changed, and no login was created."
LOSS = "Starting over would permanently delete {what}."


class Command(BaseCommand):
    help = "Create the demo festival if the database has no programme, and serve it."
    # `handle` runs them, after it has checked that the port is free.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help="The port to serve on (%(default)s).")
        parser.add_argument(
            "--no-serve", dest="serve", action="store_false", help="Create the demo, but do not serve it."
        )
        parser.add_argument(
            "--start-over",
            action="store_true",
            help="Delete the programme, and create the demo again around today.",
        )
        parser.add_argument(
            "--yes", action="store_true", help="Start over even if that deletes more than the demo."
        )

    def handle(self, *, port: int, serve: bool, start_over: bool, yes: bool, **_options: Any) -> None:
        if serve:
            require_free_port(port, "make demo")
        self.check()
        call_command("migrate", verbosity=0, interactive=False)
        if start_over and not yes:
            self.confirm_loss()
        self.print_summary(create_demo(start_over=start_over), base_url(port))
        if serve:
            self.serve(port)

    def confirm_loss(self) -> None:
        """Raise a CommandError if work would be lost, unless somebody at a terminal agrees to it."""
        if not (others := demo.describe_other_content()):
            return
        loss = LOSS.format(what=" and ".join(others))
        if not sys.stdin.isatty():
            raise CommandError(f"{loss} Add --yes to confirm.")
        self.stdout.write(f"{loss} Type yes to continue: ", ending="")
        self.stdout.flush()
        if sys.stdin.readline().strip().lower() != "yes":
            raise CommandError("Nothing was deleted.")

    def print_summary(self, result: str, address: str) -> None:
        """Print the result and all addresses."""
        lines = {"Start page": f"{address}/", "Admin": f"{address}/admin/"}
        if result != OTHER_PROGRAMME:
            with override("en"):
                lines |= describe_logins()
        lines |= {each.label.en: f"{address}/api/events.{each.extension}" for each in FORMATS}
        lines |= {"Areas": f"{address}/api/areas.json", "On now": f"{address}/api/events.json?date=now"}
        width = max(map(len, lines))
        block = "\n".join(f"  {label:<{width}}  {value}" for label, value in lines.items())
        self.stdout.write(f"{result}\n\n{block}\n")

    def serve(self, port: int) -> None:
        """Replace this process by the development server, with links to its port.

        A call would not do, because this process has already derived settings from BASE_URL.
        """
        connections.close_all()
        self.stdout.write("")
        self.stdout.flush()
        server = ["runserver", "--noreload", "--skip-checks", f"127.0.0.1:{port}"]
        environment = {"BASE_URL": base_url(port), "DJANGO_RUNSERVER_HIDE_WARNING": "true"}
        # Wherever the packages are, and whatever the current folder is.
        environment["PYTHONPATH"] = str(settings.BASE_DIR)
        os.execve(  # noqa: S606 - this very program, with arguments of our own
            sys.executable,
            [sys.executable, "-m", "festival", *server],
            os.environ | environment,
        )


@transaction.atomic
def create_demo(*, start_over: bool = False) -> str:
    """Create the demo in an empty database, or instead of what is there; return the message to print."""
    if start_over:
        demo.clear()
    instant = clock.now()
    if not demo.has_programme():
        demo.create(instant, festival_time())
        create_logins()
        return CREATED
    if not demo.has_demo():
        return OTHER_PROGRAMME
    return PAST if demo.is_over(instant) else UNCHANGED


def create_logins() -> None:
    """Create a staff account for each role; leave existing accounts of the same name alone.

    None is a superuser, so that the demo shows the back office as its users see it.
    """
    for name, role in LOGINS.items():
        user, is_new = get_user_model().objects.get_or_create(username=name, defaults={"is_staff": True})
        if is_new:
            user.set_password(PASSWORD)
            user.save()
            assign_role(user, role)
        if role is Role.AREA_EDITOR and role_of(user) is role and not user.edited_areas.exists():
            AreaEditor.objects.create(user=user, area=Area.objects.all()[0])


def describe_logins() -> dict[str, str]:
    """Return how to log in with each role."""
    users = {user.username: user for user in get_user_model().objects.filter(username__in=LOGINS)}
    if not users:
        return {"Login": "use your own account (those of the demo were deleted)"}
    return {
        str(LABELS[LOGINS[name]]).capitalize(): _describe_login(users[name])
        for name in LOGINS
        if name in users
    }


def _describe_login(user: Any) -> str:
    password = f"password {PASSWORD}" if user.check_password(PASSWORD) else "password changed"
    return f"{user.username}, {password}"
