"""Sees to what the production server needs, says what is missing, and becomes the server."""

import os
from argparse import ArgumentParser
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.module_loading import import_string

from festival.addresses import base_url, refuse_taken_port
from festival.collect_static import collect
from festival.environment import STARTED_WITH
from festival.server_options import Service, environment, this_machine, workers_for
from programme.publishing.disk_cache import load

BEHIND = "The database is behind this version ({count} to apply): run `manage.py migrate`, or add --migrate."
# Of the checks before a deployment, those that say what is not right whatever stands in front.
OURS = {"security.W018", *(f"festival.W00{number}" for number in (1, 2, 3))}
AWAY = "The database does not answer ({reason}). Readers get the programme that was kept on disk, if any."
NOT_MIGRATED = "The database does not answer ({reason}), so it cannot be brought up to date."
NOT_KEPT = (
    "The database does not answer ({reason}), and there is no kept programme that this version can read:"
    " readers would get nothing."
)


class Command(BaseCommand):
    help = "Serve the festival in production: SIGHUP loads the application anew, SIGTERM ends it."
    # Later, in `handle`: with the database away they are all that is checked.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.WEB_HOST, help="Address to serve on (%(default)s).")
        parser.add_argument(
            "--port", type=int, default=settings.WEB_PORT, help="Port to serve on (%(default)s)."
        )
        parser.add_argument(
            "--workers", type=int, default=settings.WEB_WORKERS, help="Processes (0: by the machine)."
        )
        parser.add_argument(
            "--threads", type=int, default=settings.WEB_THREADS, help="Threads of each (%(default)s)."
        )
        parser.add_argument(
            "--no-access-log", dest="access_log", action="store_false", default=settings.WEB_ACCESS_LOG
        )
        parser.add_argument("--pid-file", default="", help="File for the process ID.")
        parser.add_argument("--migrate", action="store_true", help="Bring the database up to date first.")
        parser.add_argument(
            "--prepare",
            action="store_true",
            help="Do all that comes before serving, and stop: before a reload of a running server.",
        )

    def handle(self, *, migrate: bool, prepare: bool, **chosen: Any) -> None:
        service = chosen_service(chosen)
        self.check()
        refuse_senseless(service)
        if not prepare:
            refuse_taken_port(service.port, "make serve", service.host)
        self.warn()
        self.see_to_database(migrate=migrate, prepare=prepare)
        collect()
        # A reload replaces workers that work by those that it starts: let it fail here, if it must.
        import_string(settings.WSGI_APPLICATION)
        if not prepare:
            self.serve(service)

    def warn(self) -> None:
        """Say what works on one's own machine, but cannot be right in production."""
        for message in run_checks(tags=[Tags.security], include_deployment_checks=True):
            if message.id in OURS:
                self.stderr.write(self.style.WARNING(f"Warning: {message.msg} {message.hint}"))

    def see_to_database(self, *, migrate: bool, prepare: bool) -> None:
        """Raise a CommandError if the database is behind this version; only say it if it is away.

        A server that runs already has the programme in memory: a reload that would lose it is refused.
        """
        try:
            connection.ensure_connection()
        except Error as error:
            reason = str(error).strip().partition("\n")[0]
            if prepare and migrate:
                raise CommandError(NOT_MIGRATED.format(reason=reason)) from None
            if prepare and load() is None:
                raise CommandError(NOT_KEPT.format(reason=reason)) from None
            self.stderr.write(self.style.WARNING(AWAY.format(reason=reason)))
            return
        if migrate:
            # Even if there is nothing to apply: it brings the database's triggers up to date too.
            call_command("migrate", interactive=False, verbosity=0)
            return
        executor = MigrationExecutor(connection)
        if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError(BEHIND.format(count=len(plan)))

    def serve(self, service: Service) -> None:
        """Become the server: a process image of its own, which does not have Django in it."""
        connections.close_all()
        self.stdout.write(
            f"Serving on http://{service.host}:{service.port}/ with {service.workers} workers"
            f" of {service.threads} threads each."
        )
        self.stdout.flush()
        links = {"BASE_URL": address} if (address := base_url(service.port)) != settings.BASE_URL else {}
        command = service.command()
        os.execve(  # noqa: S606 - this very Python, with arguments of our own
            command[0], command, environment(STARTED_WITH, settings.BASE_DIR) | links
        )


def chosen_service(chosen: dict[str, Any]) -> Service:
    """Return what was chosen, with as many workers as the machine has room for unless that was said."""
    service = Service(**{field.name: chosen[field.name] for field in fields(Service)})
    return replace(service, workers=service.workers or workers_for(this_machine()))


def refuse_senseless(service: Service) -> None:
    """Raise a CommandError where an option cannot be what was meant."""
    if service.workers < 1 or service.threads < 1:
        raise CommandError("--workers (WEB_WORKERS) and --threads (WEB_THREADS) are counted from 1.")
    if not service.host:
        raise CommandError(
            "--host (WEB_HOST) is empty: 127.0.0.1 is this machine alone, 0.0.0.0 all addresses."
        )
    if service.pid_file and not Path(service.pid_file).absolute().parent.is_dir():
        raise CommandError(f"--pid-file: there is no folder {Path(service.pid_file).absolute().parent}.")
