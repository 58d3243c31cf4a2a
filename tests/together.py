"""Runs the same in several threads at once, each with a connection of its own, as processes have."""

import threading
from collections.abc import Callable

from django.db import connections

THREADS = 4


def run_together(do: Callable[[], object]) -> None:
    begin = threading.Barrier(THREADS)

    def run() -> None:
        begin.wait()
        do()
        connections.close_all()

    running = [threading.Thread(target=run) for _number in range(THREADS)]
    for each in running:
        each.start()
    for each in running:
        each.join()
