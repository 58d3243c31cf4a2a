"""Editors who save in the back office over HTTP and record which saves were confirmed."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from http.client import HTTPException
from http.cookies import SimpleCookie
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, Self
from urllib.parse import urlencode

from tests.failures import sample_festival
from tests.failures.service import connect
from tests.failures.wait import wait_until
from tests.programme.backoffice.requests import submission

# The state of the event that the form shows.
STATE = re.compile(rb'name="_state" value="([0-9.]+)"')
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Editor:
    """A browser with the form of one event, which it reloads before each save.

    Edits are numbered from 1; the event's title and its occasion's end both hold the number of the last one.
    `tried` and `confirmed` are the number of the last edit, `done` is the number of confirmed edits.
    """

    def __init__(self, port: int, known: dict[str, Any], number: int = 0) -> None:
        self.number = number
        self.connection = connect(port)
        self.cookies = SimpleCookie({"sessionid": known["session"]})
        self.path = f"/admin/programme/event/{known['event']}/change/"
        self.form: dict[str, str] = {}
        self.tried = self.confirmed = self.done = 0
        self.refused: list[str] = []

    def close(self) -> None:
        self.connection.close()

    def open(self) -> None:
        """Open the event's form, which can be submitted repeatedly."""
        self.form = submission(self.send())
        # The server may close the connection before the first save.
        self.close()

    def save(self) -> bool:
        """Submit the next edit, and return whether it was confirmed."""
        self.tried += 1
        values = {
            "title": sample_festival.format_title(self.number, self.tried),
            "occasions-0-end_time": sample_festival.format_end(self.tried),
        }
        try:
            answer = self.send()
            if state := STATE.search(answer.content):
                values["_state"] = state[1].decode()
                answer = self.send(self.form | values)
        except (OSError, HTTPException) as error:
            self.close()
            self.refused.append(repr(error))
            return False
        if answer.status != HTTPStatus.FOUND:
            self.refused.append(f"{answer.status}: {answer.content[:300]!r}")
            return False
        self.confirmed = self.tried
        self.done += 1
        return True

    def send(self, form: dict[str, Any] | None = None) -> SimpleNamespace:
        """Send a form, or ask for the page that has it; return the answer."""
        cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items())
        headers = {"Cookie": cookies, "Accept-Language": "sv", **(FORM if form else {})}
        self.connection.request("POST" if form else "GET", self.path, urlencode(form or {}) or None, headers)
        response = self.connection.getresponse()
        for cookie in response.headers.get_all("Set-Cookie", ()):
            self.cookies.load(cookie)
        return SimpleNamespace(status=response.status, headers=response.headers, content=response.read())


def assert_away(answer: SimpleNamespace) -> None:
    """Check that a page says that it is a matter of waiting."""
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert "<h1>Just nu kan inget visas eller sparas</h1>" in answer.content.decode()


class Editors:
    """Editors who save continuously while the context is active."""

    def __init__(self, port: int, known: Sequence[dict[str, Any]]) -> None:
        self.editors = [Editor(port, each, number) for number, each in enumerate(known)]
        self.stopping = Event()
        self.threads = [Thread(target=self._work, args=(editor,), daemon=True) for editor in self.editors]

    def __enter__(self) -> Self:
        for editor in self.editors:
            editor.open()
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        for editor in self.editors:
            editor.close()

    def _work(self, editor: Editor) -> None:
        while not self.stopping.wait(0.01):
            editor.save()

    def wait_for_saves(self) -> None:
        """Wait until each editor has one more confirmed save."""
        # Refused edits use up numbers, so `confirmed` cannot be counted.
        ends = [(editor, editor.done + 1) for editor in self.editors]
        wait_until("a save more", lambda: all(editor.done >= end for editor, end in ends))

    @property
    def refused(self) -> list[str]:
        return [reason for editor in self.editors for reason in editor.refused]
