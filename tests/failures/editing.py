"""Editors who save in the back office over HTTP and record which saves were confirmed."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
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
LOGIN = "/admin/login/"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Editor:
    """A browser with the form of one event, which it reloads before each save.

    Edits are numbered from 1; the event's title and its occasion's end both hold the number of the last one.
    `tried` and `confirmed` are the number of the last edit, `done` is the number of confirmed edits.
    """

    def __init__(self, port: int, number: int, known: dict[str, Any]) -> None:
        self.number = number
        self.event: int = known["event"]
        self.occasion: int = known["occasion"]
        self.connection = connect(port)
        self.cookies = SimpleCookie({"sessionid": known["session"]})
        self.path = f"/admin/programme/event/{self.event}/change/"
        self.form: dict[str, str] = {}
        self.tried = self.confirmed = self.done = 0
        self.refused: list[str] = []

    def log_in(self) -> None:
        """Log in as the first editor with a password."""
        self.cookies = SimpleCookie()
        form = submission(self._page(LOGIN))
        form |= {"username": "editor0", "password": sample_festival.PASSWORD}
        assert self._send("POST", LOGIN, form)[0] == HTTPStatus.FOUND

    def open(self) -> None:
        """Open the event's form, which can be submitted repeatedly."""
        self.form = submission(self._page(self.path))
        # The server may close the connection before the first save.
        self.connection.close()

    def save(self) -> bool:
        """Submit the next edit, and return whether it was confirmed."""
        self.tried += 1
        edit = self.tried
        values = {
            "title": sample_festival.editors_title(self.number, edit),
            "occasions-0-end_time": sample_festival.editors_end(edit),
        }
        try:
            status, body = self._send("GET", self.path)
            if state := STATE.search(body):
                values["_state"] = state[1].decode()
                status, body = self._send("POST", self.path, self.form | values)
        except (OSError, HTTPException) as error:
            self.connection.close()
            self.refused.append(repr(error))
            return False
        if status != HTTPStatus.FOUND:
            self.refused.append(f"{status}: {body[:300]!r}")
            return False
        self.confirmed = edit
        self.done += 1
        return True

    def _page(self, path: str) -> SimpleNamespace:
        status, body = self._send("GET", path)
        assert status == HTTPStatus.OK, (path, status, body[:300])
        return SimpleNamespace(content=body)

    def _send(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items())
        headers = {"Cookie": cookies, **(FORM if form else {})}
        self.connection.request(method, path, urlencode(form) if form else None, headers)
        response = self.connection.getresponse()
        self._store_cookies(response)
        return response.status, response.read()

    def _store_cookies(self, response: HTTPResponse) -> None:
        for cookie in response.headers.get_all("Set-Cookie", ()):
            self.cookies.load(cookie)


class Editors:
    """Editors who save continuously while the context is active."""

    def __init__(self, port: int, known: Sequence[dict[str, Any]], *, pause: float = 0.01) -> None:
        self.editors = [Editor(port, number, each) for number, each in enumerate(known)]
        self.pause = pause
        self.stopping = Event()
        self.threads = [Thread(target=self._work, args=(editor,), daemon=True) for editor in self.editors]

    def __enter__(self) -> Self:
        self.editors[0].log_in()
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
            editor.connection.close()

    def _work(self, editor: Editor) -> None:
        while not self.stopping.wait(self.pause):
            editor.save()

    def wait_for_saves(self, saves: int = 1) -> None:
        """Wait until each editor has so many more confirmed saves."""
        # Refused edits use up numbers, so `confirmed` cannot be counted.
        ends = [(editor, editor.done + saves) for editor in self.editors]
        wait_until(f"{saves} saves more", lambda: all(editor.done >= end for editor, end in ends))

    @property
    def refused(self) -> list[str]:
        return [reason for editor in self.editors for reason in editor.refused]
