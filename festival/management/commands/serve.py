"""Prepare the database and the static files, report problems, and start the production server."""

import os
import re
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection, connections
from django.utils.module_loading import import_string

from festival.configuration.addresses import LOOPBACK, base_url, is_local, require_free_port
from festival.configuration.data_files import is_checkout
from festival.configuration.environment import INITIAL_ENVIRONMENT
from festival.metrics import prepare_folder
from festival.server.collect_static import collect
from festival.server.deployment_checks import check_deployment
from festival.server.server_options import (
    IMPORT_KILL_TIMEOUT,
    ONLY_WORKER_INTERVAL,
    ServerOptions,
    build_environment,
    detect_machine,
    recommend_workers,
)
from festival.upgrades.versions import explain_newer_database, find_unapplied
from programme.publishing import disk_cache

UNAPPLIED_MIGRATIONS = (
    "The database has {count} unapplied migration(s): run `manage.py migrate`, or add --migrate."
)
UNSAFE = "The service is not started, because others would reach it ({way}).\n{reasons}"
# Without these a service that only this machine reaches is none the worse: accounts and e-mail.
PUBLIC_ONLY = {"festival.E032", "festival.W007", "festival.W008"}
UNAVAILABLE = "The database is unavailable ({reason})"
ANSWERED = f"{UNAVAILABLE}. Readers get the saved copy of the programme, if there is one."
CANNOT_MIGRATE = f"{UNAVAILABLE}, so it cannot be migrated."
NO_COPY = f"{UNAVAILABLE}, and there is no saved copy of the programme: readers would get nothing."
# What waiting does not mend. A failed connection has no SQLSTATE, so its text has to do.
REFUSAL = re.compile(
    r"(database|role) .+ does not exist|authentication failed|no password supplied|no pg_hba\.conf entry"
)

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
        text, number = {"metavar": "TEXT"}, {"type": int, "metavar": "N"}
        for name, default, kind, purpose in (
            ("--host", settings.WEB_HOST, text, "Address to serve on (%(default)s)."),
            ("--port", None, number, f"Port to serve on ({settings.WEB_PORT})."),
            ("--workers", settings.WEB_WORKERS, number, "Worker processes (0: as many as fit the machine)."),
            ("--threads", settings.WEB_THREADS, number, "Threads of each worker (%(default)s)."),
            ("--pid-file", "", text, "File for the process ID."),
        ):
            parser.add_argument(name, default=default, help=purpose, **kind)
        for name, purpose in FLAGS.items():
            parser.add_argument(name, action="store_true", help=purpose)

    def handle(self, *, migrate: bool, prepare: bool, back_office: bool, **values: Any) -> None:
        options = build_options(values, back_office=back_office)
        self.check()
        if not prepare:
            require_free_port(options.port, "`WEB_PORT={port}` or `--port={port}`", options.host)
        is_public = not is_local(settings.BASE_URL) or options.host not in LOOPBACK
        if is_public:
            refuse_unsafe(options.host)
        self.prepare_database(migrate=migrate, prepare=prepare)
        self.warn(is_public=is_public)
        collect()
        # If the application cannot be loaded, fail here, before a reload replaces working workers.
        import_string(settings.WSGI_APPLICATION)
        if not prepare:
            self.serve(options, back_office=back_office)

    def warn(self, *, is_public: bool) -> None:
        """Warn about settings that work on a developer's machine but not in production."""
        for message in check_deployment(None):
            if is_public or message.id not in PUBLIC_ONLY:
                self.stderr.write(self.style.WARNING(f"Warning: {message.msg} {message.hint}"))

    def prepare_database(self, *, migrate: bool, prepare: bool) -> None:
        """Raise a CommandError if migrations are missing; only warn if the database is unavailable.

        One that refuses the settings raises it too, unless there is a saved copy of the programme to serve.
        A running server has the programme in memory, so `--prepare` also fails if a reload would lose it.
        """
        try:
            connection.ensure_connection()
        except Error as error:
            reason = str(error).strip().partition("\n")[0]
            if prepare and migrate:
                raise CommandError(CANNOT_MIGRATE.format(reason=reason)) from None
            if (prepare or REFUSAL.search(reason)) and not disk_cache.is_there():
                raise CommandError(NO_COPY.format(reason=reason)) from None
            self.stderr.write(self.style.WARNING(ANSWERED.format(reason=reason)))
            return
        if reason := explain_newer_database():
            raise CommandError(reason)
        if migrate:
            # Even without unapplied migrations, because it updates the database's triggers too.
            call_command("migrate", interactive=False, verbosity=0)
            return
        if unapplied := find_unapplied():
            raise CommandError(UNAPPLIED_MIGRATIONS.format(count=len(unapplied)))

    def serve(self, options: ServerOptions, *, back_office: bool) -> None:
        """Replace this process by the server, whose main process does not load Django."""
        connections.close_all()
        workers = f"{options.workers} worker{'' if options.workers == 1 else 's'}"
        self.stdout.write(
            f"Serving on http://{options.host}:{options.port}/ with {workers} of {options.threads} threads."
        )
        self.stdout.flush()
        address = base_url(settings.WEB_PORT if back_office else options.port)
        links = {"BASE_URL": address} if address != settings.BASE_URL else {}
        # The main process writes its log in the zone of the others.
        zone = {"TZ": settings.FESTIVAL_TIME_ZONE}
        folder = prepare_folder(options.port)
        part = {"READERS_ONLY": "true"} if settings.BACK_OFFICE_PORT and not back_office else {}
        source = settings.BASE_DIR if is_checkout() else None
        command = options.command()
        environment = build_environment(INITIAL_ENVIRONMENT, source) | links | zone | folder | part
        os.execve(command[0], command, environment)  # noqa: S606 - this Python, with our own arguments


def refuse_unsafe(host: str) -> None:
    """Raise a CommandError for what makes a service unsafe that others reach."""
    reasons = [f"{message.msg} {message.hint}" for message in check_deployment(None) if message.is_serious()]
    if reasons:
        is_local_address = is_local(settings.BASE_URL)
        way = f"it listens on {host}" if is_local_address else f"BASE_URL is {settings.BASE_URL}"
        raise CommandError(UNSAFE.format(way=way, reasons="\n".join(reasons)))


def build_options(values: dict[str, Any], *, back_office: bool) -> ServerOptions:
    """Return the options, with the recommended number of workers unless one is set."""
    host, pid_file = values["host"], values["pid_file"]
    if back_office:
        if not (port := values["port"] or settings.BACK_OFFICE_PORT):
            raise CommandError("BACK_OFFICE_PORT is not set: readers' processes answer the back office too.")
        threads = settings.BACK_OFFICE_THREADS
        return ServerOptions(host, port, 1, threads, pid_file, IMPORT_KILL_TIMEOUT, ONLY_WORKER_INTERVAL)
    workers = values["workers"] or recommend_workers(detect_machine())
    port = values["port"] or settings.WEB_PORT
    return ServerOptions(host, port, workers, values["threads"], pid_file)
