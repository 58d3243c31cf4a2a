"""`manage.py serve`: what it says before it becomes the server, and that the server loses no request."""

import errno
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from granian.cli import cli
from granian.constants import Interfaces
from granian.log import LogLevels, configure_logging

from festival.management.commands import serve
from festival.metrics import SHARED_MEMORY
from festival.server.server_options import ALLOCATOR_SETTINGS, ServerOptions
from programme.publishing import disk_cache
from tests.failures.processes import free_port, listening_ports
from tests.failures.reading import GZIP, Question, Readers
from tests.failures.service import Answer, connect, get
from tests.failures.wait import DEADLINE, wait_until


class Became(Exception):  # noqa: N818 - what happens instead of a new process image
    """The command line and the environment of what the process would have become."""


@pytest.fixture
def production(known_settings, monkeypatch, tmp_path, db):
    """A deployment that lacks nothing; it becomes nothing, and collects nothing."""
    known_settings.ALLOWED_HOSTS = ["program.example"]
    known_settings.DATA_DIR = tmp_path
    known_settings.SECRET_KEY = "K7vJ2mQx-9sTzWc4LpRd_8NfYh3GbEa6UoVi1XkM5jq0ZwPt7Cn"
    known_settings.SERVED_OVER_TLS = known_settings.HAS_EMAIL = True
    get_user_model().objects.create_superuser("anna")
    monkeypatch.setattr(serve, "collect", lambda: None)

    def become(_path: str, command: list[str], environment: dict[str, str]) -> None:
        raise Became(command, environment)

    monkeypatch.setattr(os, "execve", become)
    # Not closed, because the test's transaction is in it.
    monkeypatch.setattr(serve.connections, "close_all", lambda: None)
    return known_settings


def become(*arguments: str) -> tuple[list[str], dict[str, str], str]:
    """Run the command to its end: the server's command line, its environment, what was said on stderr."""
    err = io.StringIO()
    with pytest.raises(Became) as became:
        call_command("serve", f"--port={free_port()}", *arguments, stdout=io.StringIO(), stderr=err)
    return *became.value.args, err.getvalue()


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as error:
        call_command("serve", *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    return str(error.value)


@pytest.mark.usefixtures("production")
def test_what_was_chosen_is_handed_to_the_server():
    chosen = ("--host=127.0.0.1", "--workers=3", "--threads=2")
    command, environment, said = become(*chosen)
    assert (command[1:3], command[-1]) == (["-m", "granian"], "festival.wsgi:start_worker")
    assert Path(command[0]).samefile(sys.executable)
    assert environment.items() >= ALLOCATOR_SETTINGS.items()
    # With those for visitors' lists.
    assert {"--blocking-threads=10", "--access-log", "--workers-kill-timeout=30"} < {*command}
    assert {"--host=127.0.0.1", "--workers=3", "--respawn-failed-workers"} < {*command}
    assert (environment["FESTIVAL_SERVED_AS"], said) == ("all", "")


def test_the_back_office_is_a_second_server_with_one_worker(production):
    production.BACK_OFFICE_PORT = port = free_port()
    production.BACK_OFFICE_THREADS = 3
    with pytest.raises(Became) as became:
        call_command("serve", "--back-office", stdout=io.StringIO())
    command, environment = became.value.args
    assert {f"--port={port}", "--workers=1", "--blocking-threads=11", "--workers-kill-timeout=600"} < {
        *command
    }
    assert "--respawn-interval=30" in command
    assert environment["FESTIVAL_SERVED_AS"] == "all"
    assert become()[1]["FESTIVAL_SERVED_AS"] == "readers"


@pytest.mark.usefixtures("production")
def test_without_a_port_there_is_no_back_office():
    said = "BACK_OFFICE_PORT is not set: readers' processes answer the back office too."
    assert refused("--back-office") == said


def test_granian_takes_the_command_line_and_the_configuration_of_its_log():
    command = ServerOptions("127.0.0.1", 8000, 1, 1).command(Path(sys.executable))
    options = cli.make_context("granian", command[3:]).params
    assert (options["app"], options["interface"]) == (command[-1], Interfaces.WSGI)
    configure_logging(LogLevels.info, json.loads(options["log_config"].read_text()))


@pytest.mark.usefixtures("production")
def test_the_workers_environment_keeps_what_was_chosen_and_has_nothing_of_a_settings_file(monkeypatch):
    chosen = {"GLIBC_TUNABLES": "glibc.malloc.arena_max=2", "PATH": "/bin"}
    monkeypatch.setattr(serve, "INITIAL_ENVIRONMENT", chosen)
    monkeypatch.setenv("FROM_A_FILE", "read again by each worker")
    command, environment, _said = become()
    (port,) = (part.removeprefix("--port=") for part in command if part.startswith("--port="))
    assert environment == {
        **chosen,
        "PROMETHEUS_MULTIPROC_DIR": str(SHARED_MEMORY / f"festival-{os.getuid()}-{port}"),
        "PYTHONPATH": str(settings.BASE_DIR),
        "FESTIVAL_SERVED_AS": "all",
        "TZ": "Europe/Stockholm",
    }


def test_a_local_address_is_warned_of_and_links_have_the_port(production):
    production.BASE_URL = "http://localhost:8000"
    command, environment, said = become()
    assert said == (
        "Warning: Links in feeds and calendars point to http://localhost:8000, the reader's own machine."
        " Set BASE_URL, the beginning of every absolute link.\n"
    )
    port = next(part.removeprefix("--port=") for part in command if part.startswith("--port="))
    assert environment["BASE_URL"] == f"http://localhost:{port}"


UNSAFE = "The service is not started, because others would reach it ({}).\n"


def test_what_makes_a_public_service_unsafe_stops_it_and_is_named(production):
    production.SECRET_KEY = "sommar26"
    production.DEBUG = True
    get_user_model().objects.create_user("chief", password="festival")
    message = refused(f"--port={free_port()}")
    assert message.startswith(UNSAFE.format("BASE_URL is https://program.example"))
    assert [line[:36] for line in message.splitlines()[1:]] == [
        "Everybody knows the password of chie",
        "Your SECRET_KEY has less than 50 cha",
        "You should not have DEBUG set to Tru",
    ]
    # Nor is a running service reloaded.
    assert refused("--prepare") == message


def test_on_this_machine_alone_the_demo_may_have_its_passwords(production):
    production.BASE_URL = "http://localhost:8000"
    get_user_model().objects.update(username="chief", password=make_password("festival"))
    assert "password" not in become()[2]
    assert refused("--host=0.0.0.0", f"--port={free_port()}").startswith(
        UNSAFE.format("it listens on 0.0.0.0")
    )


def test_a_public_service_without_e_mail_or_administrator_is_warned_of(production):
    production.HAS_EMAIL = production.SERVED_OVER_TLS = False
    get_user_model().objects.all().delete()
    assert [line[:36] for line in become()[2].splitlines()] == [
        "Warning: BASE_URL is https://program",
        "Warning: The service sends no e-mail",
        "Warning: No account is an administra",
    ]


@pytest.mark.usefixtures("production")
@pytest.mark.parametrize(
    ("host", "reason"),
    [("127.0.0.1", "Address already in use"), ("192.0.2.1", "Cannot assign requested address")],
)
def test_a_port_that_is_taken_or_not_this_machines_is_reported_in_one_line(host, reason):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(f"--port={port}", f"--host={host}")
    assert said == (
        f"Port {port} cannot be used ({reason}): choose another one, as in `WEB_PORT=8001` or `--port=8001`."
    )


def test_an_invalid_setting_stops_it(production):
    production.TRUSTED_PROXIES = ["anna"]
    assert "(festival.E001) TRUSTED_PROXIES is 'anna'." in refused(f"--port={free_port()}")


@pytest.mark.usefixtures("production")
def test_unapplied_migrations_stop_it_and_the_command_is_named():
    [last] = MigrationLoader(connection).graph.leaf_nodes("programme")
    MigrationRecorder(connection).record_unapplied(*last)
    assert refused(f"--port={free_port()}") == (
        "The database has 1 unapplied migration(s): run `manage.py migrate`, or add --migrate."
    )


@pytest.mark.usefixtures("production")
@pytest.mark.parametrize("options", [(), ("--migrate",)])
def test_without_a_database_there_must_be_a_saved_copy(monkeypatch, options):
    def refuse() -> None:
        raise OperationalError("connection refused\nIs the server running?")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "ensure_connection", refuse)
        nothing = (
            "The database is unavailable (connection refused), and there is no saved copy of the programme:"
            " readers would get nothing."
        )
        assert refused(f"--port={free_port()}", *options) == refused("--prepare") == nothing
        assert refused("--prepare", "--migrate") == (
            "The database is unavailable (connection refused), so it cannot be migrated."
        )
        patched.setattr(disk_cache, "is_there", lambda: True)
        assert become(*options)[2] == (
            "The database is unavailable (connection refused). Readers get the saved copy of the programme.\n"
        )


@pytest.mark.usefixtures("production")
def test_prepare_does_all_that_comes_before_and_stops_while_another_one_serves(monkeypatch):
    collected = []
    monkeypatch.setattr(serve, "collect", lambda: collected.append(True))
    with socket.socket() as running:
        running.bind(("127.0.0.1", 0))
        running.listen()
        call_command("serve", "--prepare", f"--port={running.getsockname()[1]}")
    assert collected == [True]


@pytest.mark.usefixtures("production")
def test_on_a_full_disk_it_starts_and_a_reload_that_would_change_nothing_is_refused(monkeypatch):
    def refuse(_path: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "symlink_to", refuse)
    sentence = "A reload cannot change the version: DATA_DIR cannot be written (No space left on device)."
    command, _environment, said = become()
    assert (command[0], said) == (sys.executable, f"{sentence}\n")
    assert refused("--prepare") == sentence


def test_an_invalid_variable_is_reported_in_one_line(tmp_path):
    process = manage(tmp_path, "serve", DATABASE_URL="postgres://u:p@ss@host:port/x")
    _out, err = process.communicate(timeout=DEADLINE)
    assert (process.returncode, err.count("\n")) == (1, 1)
    assert err.startswith("The settings cannot be used: DATABASE_URL is invalid. Use ")
    assert "p@ss" not in err


def manage(folder: Path, *arguments: str, **variables: str) -> subprocess.Popen:
    """A command in a process and a data folder of its own."""
    keep = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "BASE_URL"}}
    return subprocess.Popen(
        [sys.executable, settings.BASE_DIR / "manage.py", *arguments],
        env={**keep, "DATA_DIR": str(folder), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class RunningServer:
    """A server with one worker, and what it has written so far."""

    def __init__(self, folder: Path, port: int) -> None:
        self.port = port
        arguments = ("serve", f"--port={port}", "--workers=1", "--migrate")
        self.process = manage(folder, *arguments, FESTIVAL_ENV_FILE=str(folder / "festival.env"))
        self.out: list[str] = []
        self.err: list[str] = []
        streams = ((self.process.stdout, self.out), (self.process.stderr, self.err))
        self.readers = [Thread(target=lines.extend, args=(stream,)) for stream, lines in streams]
        for reader in self.readers:
            reader.start()

    def wait_for_log(self, text: str) -> None:
        wait_until(f"it logs: {text}", lambda: any(text in line for line in list(self.err)))

    def end(self) -> int:
        """Return the exit status, when all that was written has been read."""
        self.process.terminate()
        status = self.process.wait(DEADLINE)
        for reader in self.readers:
            reader.join(DEADLINE)
        return status

    def get(self, path: str) -> Answer:
        with closing(connect(self.port)) as connection:
            return get(connection, path, GZIP)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningServer]:
    (tmp_path / "festival.env").write_text("EXTENSION_NAMESPACE=https://program.example/before")
    server = RunningServer(tmp_path, free_port())
    with server.process:
        try:
            server.wait_for_log("Started worker-1")
            # On a busy machine the worker listens a little later than it says so.
            wait_until("it listens", lambda: server.port in listening_ports())
            yield server
        finally:
            server.end()


def send_half_a_form(server: RunningServer) -> socket.socket:
    """Return a connection on which the application waits for the second half of FORM."""
    sender = socket.create_connection(("127.0.0.1", server.port), DEADLINE)
    head = (
        "POST /admin/login/ HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        f"Cookie: csrftoken={'a' * 32}\r\nContent-Length: {len(FORM)}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    )
    sender.sendall(head.encode() + FORM[:10])
    # Said when the application begins to read.
    assert sender.recv(100).startswith(b"HTTP/1.1 100 Continue")
    return sender


FORM = b"username=editor&password=none"

LINE = re.compile(r'\[20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}\] 127\.0\.0\.1 - "([^"]*)" (\d{3}) [\d.]+\n')


def test_a_reload_loses_no_request_and_a_stop_answers_pending_ones(tmp_path, running):
    page = running.get("/")
    assert running.get(f"/my-list/{'0' * 40}.ics").status == 404
    assert (page.status, f"http://localhost:{running.port}/".encode() in page.body) == (200, True)
    style = re.search(rb'href="(/static/pages/pages\.\w{12}\.css)"', page.body)[1].decode()
    assert running.get(style).headers["Content-Encoding"] == "gzip"
    # Has static files too, all of them by their collected names.
    assert running.get("/admin/login/").status == 200

    assert b"https://program.example/before" in running.get("/api/events.atom").body
    (tmp_path / "festival.env").write_text("EXTENSION_NAMESPACE='https://program.example/after'")

    # What is cut off is asked again, as nginx does.
    with Readers(running.port, [Question("/api/events.json?date=today")], attempts=2) as readers:
        readers.wait_for_reads()
        running.process.send_signal(signal.SIGHUP)
        running.wait_for_log("Stopped old worker-1")
        readers.wait_for_reads()
    assert readers.failed == []
    workers = [line.split()[-1] for line in running.err if "Spawning worker-1 with PID" in line]
    assert len(set(workers)) == 2

    # The workers have read the settings file again.
    assert b"https://program.example/after" in running.get("/api/events.atom").body

    with send_half_a_form(running) as sender:
        running.process.terminate()
        running.wait_for_log("Shutting down")
        sender.sendall(FORM[10:])
        assert sender.recv(100).startswith(b"HTTP/1.1 403 Forbidden")
    assert running.end() == 0
    requests = [LINE.fullmatch(line) for line in running.out[1:]]
    assert all(requests)
    # Several threads write the log, each line in one piece but not in the order of asking.
    assert {("GET / HTTP/1.1", "200"), ("GET /my-list/REDACTED HTTP/1.1", "404")} < {
        each.groups() for each in requests
    }
