"""Sends forms without a pause while granian's only worker is replaced, and prints how they were answered."""

import json
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from festival.server.server_options import ServerOptions
from tests.failures.processes import ROOT, children, listening_ports, start
from tests.failures.wait import wait_until

PORT, SENDERS, RELOADS = 8000, 16, 4
FORM = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n" + 1000 * b"x"


def application() -> Callable[..., Any]:
    """Return the application that granian's worker answers with: all that it has to do is read the form."""

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        environ["wsgi.input"].read()
        start_response("200 OK", [("Content-Length", "0")])
        return []

    return answer


def send(answers: Counter[str], stop: Event) -> None:
    while not stop.is_set():
        with socket.create_connection(("127.0.0.1", PORT), 30) as connection:
            try:
                connection.sendall(FORM)
                answers[connection.recv(12).decode()] += 1
            except OSError as error:
                answers[type(error).__name__] += 1


def main() -> None:
    command = ServerOptions("127.0.0.1", PORT, workers=1, threads=8, respawn_interval=1).command()
    command[-1] = "tests.failures.form_storm:application"
    answers: Counter[str] = Counter()
    stop = Event()
    senders = [Thread(target=send, args=(answers, stop)) for _ in range(SENDERS)]
    with start(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_until("it listens", listening_ports)
            for sender in senders:
                sender.start()
            for _ in range(RELOADS):
                former = {*children(server.pid)}
                server.send_signal(signal.SIGHUP)
                wait_until("it is replaced", lambda former=former: {*children(server.pid)}.isdisjoint(former))
        finally:
            stop.set()
            for sender in filter(Thread.is_alive, senders):
                sender.join()
            server.terminate()
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
