"""Thunderbird without a window, driven by Marionette's protocol: its feeds, and its calendar."""

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

from festival import clock
from tests.consumers.feed_programs import in_true_time, need, plain
from tests.consumers.scenario import Program, Seen
from tests.failures.processes import free_port, listening_ports, start
from tests.failures.wait import wait_until

PREFERENCES = Path(__file__).parent / "configuration/thunderbird.js"
ACTIONS = (
    (Path(__file__).parent / "thunderbird.js").read_text().replace("export const actions", "const actions")
)


class Thunderbird(Program):
    """The program with a profile of its own."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        program, port = need("thunderbird", "thunderbird"), free_port()
        (folder / "user.js").write_text(PREFERENCES.read_text().replace("PORT", str(port)))
        options = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile"]
        with (folder / "log").open("wb") as log:
            self.process = start(
                [program, *options, str(folder)],
                env=in_true_time(folder),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.resources.callback(self.process.wait)
        self.resources.callback(self.process.terminate)
        wait_until("Thunderbird listens", lambda: port in listening_ports())
        self.connection = self.resources.enter_context(socket.create_connection(("127.0.0.1", port)))
        self.answers = self.resources.enter_context(self.connection.makefile("rb"))
        self._read()
        self._call("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self._call("Marionette:SetContext", value="chrome")
        self._call("WebDriver:SetTimeouts", script=60_000)

    def _read(self) -> Any:
        length = b""
        while (digit := self.answers.read(1)) != b":":
            length += digit
        return json.loads(self.answers.read(int(length)))

    def _call(self, command: str, **parameters: Any) -> Any:
        message = json.dumps([0, 1, command, parameters])
        self.connection.sendall(f"{len(message)}:{message}".encode())
        *_, error, result = self._read()
        assert error is None, error
        return result

    def run(self, action: str, argument: str = "") -> Any:
        ends = "then(answer, error => answer(`${error} ${error.stack}`))"
        script = f"const [argument, answer] = arguments;{ACTIONS}\nactions.{action}(argument).{ends};"
        answer = self._call("WebDriver:ExecuteAsyncScript", script=script, args=[argument])["value"]
        assert not isinstance(answer, str), answer
        return answer


class ThunderbirdFeeds(Thunderbird):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.run("subscribe", url)

    def poll(self) -> list[Seen]:
        return [Seen(title, is_new, plain(text)) for title, is_new, text in self.run("readFeed")]


class ThunderbirdCalendar(Thunderbird):
    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.run("follow", url)
        self.first = f"{clock.now():%Y%m%dT%H%M%SZ}"

    def poll(self) -> list[Seen]:
        shown = self.run("readCalendar", self.first)
        return [Seen(line, mark=mark, text=text) for line, mark, text in shown]
