"""The form of an event in a browser, which the service keeps where it cannot save it."""

from http.client import HTTPConnection
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from tests.failures.editing import FORM
from tests.programme.backoffice.requests import submission

HEADING = "<h1>Databasen svarar inte</h1>"


class Editor:
    """A browser with one editor's session."""

    def __init__(self, connection: HTTPConnection, known: dict[str, Any], token: str = "t" * 32) -> None:
        self.connection = connection
        self.path = f"/admin/programme/event/{known['event']}/change/"
        self.headers = {"Cookie": f"sessionid={known['session']}; csrftoken={token}", "Accept-Language": "sv"}

    def send(self, form: dict[str, Any] | None = None) -> SimpleNamespace:
        method, headers = ("POST", self.headers | FORM) if form else ("GET", self.headers)
        self.connection.request(method, self.path, urlencode(form) if form else None, headers)
        response = self.connection.getresponse()
        return SimpleNamespace(status=response.status, headers=response.headers, content=response.read())


def assert_kept(answer: SimpleNamespace, title: str) -> dict[str, Any]:
    """Return the form of the error page."""
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert HEADING in answer.content.decode()
    kept = submission(answer)
    assert kept["title"] == title
    return kept
