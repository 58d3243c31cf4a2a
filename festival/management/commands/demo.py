"""Makes the demo festival where there is no programme yet, tells how to reach it, and serves it."""

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
from festival.addresses import PORT, base_url, refuse_taken_port
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
PASSWORD = "festival"  # noqa: S105 - meant to be known: it opens a demo on one's own machine

MADE = "The demo festival is made: five days, today in the middle."
KEPT = "The demo festival is as it was left; nothing has been moved or changed."
OVER = f"{KEPT}\nIts days are over: --start-over makes it anew around today."
FOREIGN = "The database has a programme of its own. It is left alone, and no login was made for it."
LOSS = "Starting over would delete {what} for good."


class Command(BaseCommand):
    help = "Make the demo festival if the database has no programme, and serve it."
    # Later, in `handle`: that the port is taken is said before anything else is done.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help="The port to serve on (%(default)s).")
        parser.add_argument(
            "--no-serve", dest="serve", action="store_false", help="Make the demo, but do not serve it."
        )
        parser.add_argument(
            "--start-over",
            action="store_true",
            help="Delete the programme and make the demo anew around today.",
        )
        parser.add_argument(
            "--yes", action="store_true", help="Start over even if work is lost that is not the demo's."
        )

    def handle(self, *, port: int, serve: bool, start_over: bool, yes: bool, **_options: Any) -> None:
        if serve:
            refuse_taken_port(port, "make demo")
        self.check()
        call_command("migrate", verbosity=0, interactive=False)
        if start_over and not yes:
            self.agree_to_loss()
        self.tell(prepare(start_over=start_over), base_url(port))
        if serve:
            self.serve(port)

    def agree_to_loss(self) -> None:
        """Return if nothing is lost that is not the demo's, or if somebody at a terminal agrees to it."""
        if not (others := demo.others_work()):
            return
        loss = LOSS.format(what=" and ".join(others))
        if not sys.stdin.isatty():
            raise CommandError(f"{loss} Add --yes if that is meant.")
        self.stdout.write(f"{loss} Type yes to go on: ", ending="")
        self.stdout.flush()
        if sys.stdin.readline().strip().lower() != "yes":
            raise CommandError("Nothing was deleted.")

    def tell(self, what: str, address: str) -> None:
        """Print what was done, and where everything is."""
        lines = {"Start page": f"{address}/", "Admin": f"{address}/admin/"}
        if what != FOREIGN:
            with override("en"):
                lines |= logins()
        lines |= {each.label.en: f"{address}/api/events.{each.extension}" for each in FORMATS}
        lines |= {"Areas": f"{address}/api/areas.json", "On now": f"{address}/api/events.json?date=now"}
        width = max(map(len, lines))
        block = "\n".join(f"  {label:<{width}}  {value}" for label, value in lines.items())
        self.stdout.write(f"{what}\n\n{block}\n")

    def serve(self, port: int) -> None:
        """Become the development server, with links that lead to its port.

        A new process image and not a call, because settings derived from BASE_URL are made already.
        """
        connections.close_all()
        self.stdout.write("")
        self.stdout.flush()
        server = ["runserver", "--noreload", "--skip-checks", f"127.0.0.1:{port}"]
        environment = {"BASE_URL": base_url(port), "DJANGO_RUNSERVER_HIDE_WARNING": "true"}
        os.execve(  # noqa: S606 - this very program, with arguments of our own
            sys.executable,
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *server],
            os.environ | environment,
        )


@transaction.atomic
def prepare(*, start_over: bool = False) -> str:
    """Make the demo where there is no programme, or in place of the one there; return what was done."""
    if start_over:
        demo.clear()
    instant = clock.now()
    if not demo.has_programme():
        demo.make(instant, festival_time())
        make_logins()
        return MADE
    if not demo.is_the_demos():
        return FOREIGN
    return OVER if demo.is_over(instant) else KEPT


def make_logins() -> None:
    """Make a login for each role: staff with this role, and nothing else.

    No superuser, so that the demo shows the back office as its users see it. An account that has one of
    the names already is left as it is.
    """
    for name, role in LOGINS.items():
        user, is_new = get_user_model().objects.get_or_create(username=name, defaults={"is_staff": True})
        if is_new:
            user.set_password(PASSWORD)
            user.save()
            assign_role(user, role)
        if role is Role.AREA_EDITOR and role_of(user) is role and not user.edited_areas.exists():
            AreaEditor.objects.create(user=user, area=Area.objects.first())


def logins() -> dict[str, str]:
    """Return how to log in as each role, as far as it is known."""
    users = {user.username: user for user in get_user_model().objects.filter(username__in=LOGINS)}
    if not users:
        return {"Login": "an account of your own (the demo's were deleted)"}
    return {str(LABELS[LOGINS[name]]).capitalize(): _how(users[name]) for name in LOGINS if name in users}


def _how(user: Any) -> str:
    known = user.check_password(PASSWORD)
    how = f"password {PASSWORD}" if known else "with the password that was set since"
    return f"{user.username}, {how}"
