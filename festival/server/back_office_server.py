"""The server of the back office: one worker that listens on a Unix socket, behind whatever serves readers.

`reader_server` starts it as a process of its own (`back_office_process`), so that what editors do takes no
thread and no interpreter lock from readers.
"""

import contextlib
import gc
import os
import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path

from festival.server import parent_process
from festival.server.reader_server import DrainingApplication, build_server, load_application, run
from festival.server.server_options import GARBAGE_THRESHOLDS

APPLICATION = "festival.wsgi:back_office"
# How much less processor time than readers' processes it gets when there is too little, and how much sooner
# it is ended when there is too little memory.
NICENESS, OOM_SCORE = 10, 500
# Seconds that running requests have when the worker is replaced: an import may take minutes.
KILL_TIMEOUT = 600


def load_back_office(target: str) -> DrainingApplication:
    """Load the back office in the worker, keep the programme on disk and write metrics there, and sweep."""
    application = load_application(target)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    # Imported late because it needs Django, which the main process does not load.
    import_module("festival.server.renewal").start_without_readers()
    import_module("festival.monitoring.gauges").start()
    import_module("festival.sweeping.daily").start()
    return application


def main(arguments: list[str]) -> None:
    parser = ArgumentParser(
        prog="python -m festival.server.back_office_server", description="Use `manage.py serve`."
    )
    parser.add_argument("--socket", type=Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--log-format", required=True)
    parser.add_argument("--parent", type=int, required=True)
    chosen = parser.parse_args(arguments)
    parent_process.end_with(chosen.parent)
    os.nice(NICENESS)
    with contextlib.suppress(OSError):  # Linux only
        Path("/proc/self/oom_score_adj").write_text(str(OOM_SCORE))
    server = build_server(
        APPLICATION,
        chosen.log_format,
        uds=chosen.socket,
        workers=1,
        blocking_threads=chosen.threads,
        workers_kill_timeout=KILL_TIMEOUT,
    )
    run(server, load_back_office)


if __name__ == "__main__":
    main(sys.argv[1:])
