"""Runs tasks in forked children of a process that has loaded Django, so that a test can kill them midway.

`serve` runs in a process with the service's settings. It reads a task and its arguments from each line
(JSON), forks a child that runs the task, and prints the child's process ID and exit code.
"""

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management import call_command

from feeds.vocabulary import Revision
from programme.publishing import disk_cache, loading
from tests.failures.processes import ROOT, kill, start


def import_file(file: str) -> None:
    call_command("import", file, verbosity=0)


def save_repeatedly() -> None:
    """Save the programme again and again, each time with a later revision, until killed."""
    programme, path = loading.load(), Path(settings.KEPT_PROGRAMME)
    there = disk_cache.read(path) or programme
    number, moved_at = there.revision.number, there.revision.moved_at
    for later in count(1):
        revision = Revision(number + later, moved_at + timedelta(seconds=later))
        disk_cache.write(msgspec.structs.replace(programme, revision=revision), path)


def write_saved_revision(file: str) -> None:
    """Write the number of the saved revision to a file."""
    Path(file).write_text(str(disk_cache.read(Path(settings.KEPT_PROGRAMME)).revision.number))


TASKS: dict[str, Callable[..., None]] = {
    task.__name__: task for task in (import_file, save_repeatedly, write_saved_revision)
}


def serve() -> None:
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            _run_task(TASKS[name], arguments)
        _print(child)
        _print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _print(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _run_task(task: Callable[..., None], arguments: list[Any]) -> None:
    try:
        task(*arguments)
    except BaseException:  # noqa: BLE001 - nothing may go on in a child as if it were its parent
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


class TaskRunner:
    """The parent's side: runs tasks in children, and kills them."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self.server = server

    def run(self, task: str, *arguments: str, wait: Callable[[int], None] | None = None) -> bool:
        """Run a task, and kill it once `wait` returns; return whether it had ended by then."""
        self.server.stdin.write(json.dumps([task, *arguments]) + "\n")
        self.server.stdin.flush()
        child = int(self.server.stdout.readline())
        if wait:
            wait(child)
            kill(child)
        code = int(self.server.stdout.readline())
        assert code in {0, -9}, f"{task} failed"
        return code == 0


@contextmanager
def run_tasks(environment: dict[str, str]) -> Iterator[TaskRunner]:
    """Yield a process with Django loaded, in an environment of the service."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    program = "from tests.failures import task_runner; task_runner.serve()"
    server = start([*command, program], cwd=ROOT, env=environment, **pipes)
    with server:
        yield TaskRunner(server)
        server.stdin.close()
