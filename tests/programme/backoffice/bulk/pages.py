"""The actions of lists and the page of their plan: sent as a browser sends them, and read."""

from typing import Any

from django.test import Client

from tests.programme.backoffice.requests import parse, submission, words

EVENTS, OCCASIONS = "/admin/programme/event/", "/admin/programme/occasion/"


def ask(office: Client, action: str, rows: list[int], address: str = OCCASIONS, **sent: Any) -> Any:
    """Return what an action of a list answers about rows that are ticked."""
    return office.post(address, {"action": action, "_selected_action": rows, "index": "0", **sent})


def show(office: Client, action: str, rows: list[int], address: str = OCCASIONS, **typed: Any) -> Any:
    """Return the preview of what is typed."""
    return ask(office, action, rows, address, show="1", **typed)


def apply(office: Client, shown: Any, *, follow: bool = True, **typed: Any) -> Any:
    """Return what follows after the preview is confirmed; `typed` is changed on it first."""
    rows = [each["value"] for each in parse(shown).select("#content-main [name=_selected_action]")]
    sent = submission(shown) | {"_selected_action": rows} | typed
    return office.post(shown.wsgi_request.get_full_path(), sent, follow=follow)


def change(office: Client, action: str, rows: list[int], address: str = OCCASIONS, **typed: Any) -> Any:
    return apply(office, show(office, action, rows, address, **typed))


def confirm(client: Client, address: str, sent: dict[str, Any]) -> Any:
    """Send something to an address, and, where a plan is shown, the same once more with what was shown."""
    answer = client.post(address, sent)
    seen = getattr(answer.context and answer.context.get("preview"), "seen", None)
    return client.post(address, sent | {"seen": seen}) if seen else answer


def read_rows(response: Any) -> dict[str, str]:
    """Return what happens to each row, by its title."""
    rows = {}
    for each in parse(response).select(".rows > li"):
        title = each.select_one(".row-title").extract()
        rows[words(title)] = words(each)
    return rows


def read_errors(response: Any) -> list[str]:
    return [each.get_text() for each in parse(response).select(".errorlist li, .errornote")]
