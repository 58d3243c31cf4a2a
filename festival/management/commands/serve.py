"""Prepare the database and the static files, report problems, and start the production server."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection, connections
from django.utils.module_loading import import_string

from festival.configuration.addresses import base_url, require_free_port
from festival.configuration.data_files import is_checkout
from festival.configuration.environment import INITIAL_ENVIRONMENT
from festival.configuration.migrations import explain_newer_database, find_unapplied
from festival.metrics import prepare_folder
from festival.server.collect_static import collect
from festival.server.deployment_checks import find_messages
from festival.server.server_options import (
    ALLOCATOR_SETTINGS,
    IMPORT_KILL_TIMEOUT,
    ONLY_WORKER_INTERVAL,
    ServerOptions,
    recommend_workers,
    switch_version,
)
from programme.publishing import disk_cache
from programme.publishing.followers import LOOPBACK, is_local

UNAPPLIED_MIGRATIONS = (
    "The database has {count} unapplied migration(s): run `manage.py migrate`, or add --migrate."
)
UNSAFE = "The service is not started, because others would reach it ({way}).\n{reasons}"
NO_COPY = "{reason}, and there is no saved copy of the programme: readers would get nothing."
FLAGS = {
    "--back-office": "Serve the back office in a process of its own, on BACK_OFFICE_PORT.",
    "--migrate": "Migrate the database first.",
    "--prepare": "Only prepare: run this before you reload a running server.",
}


class Command(BaseCommand):
    help = "Serve the festival in production: SIGHUP reloads the application, SIGTERM stops the server."
    # `handle` runs them.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.WEB_HOST, help="Address to serve on.")
        parser.add_argument("--port", type=int, help="Port to serve on; else WEB_PORT or BACK_OFFICE_PORT.")
        parser.add_argument("--workers", type=int, default=settings.WEB_WORKERS, help="Worker processes.")
        parser.add_argument(
            "--threads", type=int, default=settings.WEB_THREADS, help="Threads of each worker."
        )
        for name, purpose in FLAGS.items():
            parser.add_argument(name, action="store_true", help=purpose)

    def handle(self, *, migrate: bool, prepare: bool, back_office: bool, **values: Any) -> None:
        options = build_options(values, back_office=back_office)
        self.check()
        if not prepare:
            require_free_port(options.port, "`WEB_PORT=8001` or `--port=8001`", options.host)
        self.check_safety(options.host)
        self.prepare_database(migrate=migrate, prepare=prepare)
        collect()
        # If the application cannot be loaded, fail here, before a reload replaces working workers.
        import_string(settings.WSGI_APPLICATION)
        try:
            python = switch_version(options.port)
        except OSError as error:
            reason = f"A reload cannot change the version: DATA_DIR cannot be written ({error.strerror})."
            if prepare:
                raise CommandError(reason) from None
            self.stderr.write(reason)
            python = Path(sys.executable)
        if not prepare:
            self.serve(options, python, back_office=back_office)

    def check_safety(self, host: str) -> None:
        """Refuse unsafe settings of a service that other machines reach; warn of other problems."""
        unsafe, others = find_messages()
        is_local_address = is_local(settings.BASE_URL)
        if unsafe and not (is_local_address and host in LOOPBACK):
            way = f"it listens on {host}" if is_local_address else f"BASE_URL is {settings.BASE_URL}"
            raise CommandError(UNSAFE.format(way=way, reasons="\n".join(unsafe)))
        for message in others:
            self.stderr.write(self.style.WARNING(f"Warning: {message}"))

    def prepare_database(self, *, migrate: bool, prepare: bool) -> None:
        """Raise a CommandError if migrations are missing, or if there is neither a database nor a saved copy.

        A running server has the programme in memory, so `--prepare` fails if a reload would lose it.
        """
        try:
            connection.ensure_connection()
        except Error as error:
            reason = f"The database is unavailable ({str(error).strip().partition(chr(10))[0]})"
            if prepare and migrate:
                raise CommandError(f"{reason}, so it cannot be migrated.") from None
            if not disk_cache.is_there():
                raise CommandError(NO_COPY.format(reason=reason)) from None
            self.stderr.write(f"{reason}. Readers get the saved copy of the programme.")
            return
        if reason := explain_newer_database(connection):
            raise CommandError(reason)
        if migrate:
            # Even without unapplied migrations, because it updates the database's triggers too.
            call_command("migrate", interactive=False, verbosity=0)
        elif unapplied := find_unapplied():
            raise CommandError(UNAPPLIED_MIGRATIONS.format(count=len(unapplied)))

    def serve(self, options: ServerOptions, python: Path, *, back_office: bool) -> None:
        """Replace this process by the server, whose main process does not load Django."""
        connections.close_all()
        workers = f"{options.workers} worker{'' if options.workers == 1 else 's'}"
        self.stdout.write(
            f"Serving on http://{options.host}:{options.port}/ with {workers} of {options.threads} threads."
        )
        self.stdout.flush()
        # Without variables from the settings file, which each new worker reads for itself.
        environment = {**ALLOCATOR_SETTINGS, **INITIAL_ENVIRONMENT, **prepare_folder(options.port)}
        # The main process writes its log in the time zone of its workers.
        served_as = "readers" if settings.BACK_OFFICE_PORT and not back_office else "all"
        environment |= {"FESTIVAL_SERVED_AS": served_as, "TZ": settings.FESTIVAL_TIME_ZONE}
        address = base_url(settings.WEB_PORT if back_office else options.port)
        if address != settings.BASE_URL:
            environment["BASE_URL"] = address
        if is_checkout():
            # Whatever the current folder is.
            paths = filter(None, (str(settings.BASE_DIR), environment.get("PYTHONPATH")))
            environment["PYTHONPATH"] = os.pathsep.join(paths)
        command = options.command(python)
        os.execve(command[0], command, environment)  # noqa: S606 - this Python, with our own arguments


def build_options(values: dict[str, Any], *, back_office: bool) -> ServerOptions:
    """Return the options, with the recommended number of workers unless one is set."""
    host, log = values["host"], settings.WEB_ACCESS_LOG
    if back_office:
        if not (port := values["port"] or settings.BACK_OFFICE_PORT):
            raise CommandError("BACK_OFFICE_PORT is not set: readers' processes answer the back office too.")
        threads = settings.BACK_OFFICE_THREADS
        return ServerOptions(host, port, 1, threads, IMPORT_KILL_TIMEOUT, ONLY_WORKER_INTERVAL, log)
    port, workers = values["port"] or settings.WEB_PORT, values["workers"] or recommend_workers()
    return ServerOptions(host, port, workers, values["threads"], access_log=log)
