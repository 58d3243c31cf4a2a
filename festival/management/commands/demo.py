"""Create the demo festival in an empty database, print its addresses, and serve it."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections, transaction
from django.utils.translation import override

from feeds.formats import FORMATS
from festival import clock
from festival.configuration.addresses import PORT, base_url, require_free_port
from festival.configuration.database import name_database
from programme.backoffice.pictures import sweep_images
from programme.demo import creation as demo
from programme.demo.logins import count_other_accounts, create_logins, describe_logins
from programme.models import Area
from programme.models.festival_time import festival_time
from programme.publishing.followers import is_local

NOT_LOCAL = "The demo's passwords are public, so it is for this machine alone, but BASE_URL is {base_url}."
NOT_THE_DEMOS = (
    "{database} is not the demo's: it has {what}. Set DATA_DIR to an empty folder, and no DATABASE_URL, to"
    " create the demo there."
)
LOSS = "Starting over would permanently delete {what}. If nobody needs it, delete {database} first."
FLAGS = {
    "--no-serve": "Create the demo, but do not serve it.",
    "--start-over": "Delete the programme, and create the demo again around today.",
}


class Command(BaseCommand):
    help = "Create the demo festival if the database has no programme, and serve it."
    # `handle` runs them, after it has checked that the port is free.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help="The port to serve on (%(default)s).")
        for name, purpose in FLAGS.items():
            parser.add_argument(name, action="store_true", help=purpose)

    def handle(self, *, port: int, no_serve: bool, start_over: bool, **_options: Any) -> None:
        if not no_serve:
            require_free_port(port, "`make demo PORT=8001`")
        self.check()
        require_own_database(start_over=start_over)
        call_command("migrate", verbosity=0, interactive=False)
        with transaction.atomic():
            result = demo.create_or_keep(clock.now(), festival_time(), start_over=start_over)
            # Somebody who has another account is not given public passwords.
            if result == demo.CREATED and not count_other_accounts():
                create_logins()
        sweep_images(clock.now())
        self.print_summary(result, base_url(port))
        if not no_serve:
            self.serve(port)

    def print_summary(self, result: str, address: str) -> None:
        """Print the result and all addresses."""
        lines = {"Start page": f"{address}/", "Admin": f"{address}/admin/"}
        with override("en"):
            lines |= describe_logins()
        lines |= {each.label.en: f"{address}/api/events.{each.extension}" for each in FORMATS}
        width = max(map(len, lines))
        block = "\n".join(f"  {label:<{width}}  {value}" for label, value in lines.items())
        self.stdout.write(f"{result}\n\n{block}\n")

    def serve(self, port: int) -> None:
        """Replace this process by the development server, with links to its port."""
        connections.close_all()
        self.stdout.flush()
        server = ["django", "runserver", "--noreload", "--skip-checks", f"127.0.0.1:{port}"]
        environment = {"BASE_URL": base_url(port), "DJANGO_RUNSERVER_HIDE_WARNING": "true"}
        # Wherever the packages are, and whatever the current folder is.
        environment["PYTHONPATH"] = str(settings.BASE_DIR)
        os.execve(sys.executable, [sys.executable, "-m", *server], os.environ | environment)  # noqa: S606 - our own arguments


def require_own_database(*, start_over: bool) -> None:
    """Raise a CommandError unless settings and database are the demo's, before anything is changed."""
    database = name_database(connection.settings_dict)
    if not is_local(settings.BASE_URL):
        raise CommandError(NOT_LOCAL.format(base_url=settings.BASE_URL))
    if Area._meta.db_table not in connection.introspection.table_names():
        return
    found = demo.describe_other_content()
    if demo.has_demo():
        if found and start_over:
            raise CommandError(LOSS.format(what=" and ".join(found), database=database))
        return
    found = found or ["a programme"] * demo.has_programme()
    if accounts := count_other_accounts():
        found.append(f"{accounts} account{'' if accounts == 1 else 's'}")
    if found:
        raise CommandError(NOT_THE_DEMOS.format(database=database, what=" and ".join(found)))
