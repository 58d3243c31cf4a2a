"""The page of the bulk edit: sent as a browser sends it, and read."""

from typing import Any

from bs4 import Tag
from django.test import Client

from tests.programme.backoffice.requests import parse, words

ADDRESS = "/admin/change-many/"


def show(office: Client, occasions: list[int], **typed: Any) -> Any:
    """Return the preview of what is typed for these occasions."""
    return office.post(ADDRESS, {"occasion": occasions, "show": "1"} | typed)


def apply(office: Client, shown: Any, *, follow: bool = True, **typed: Any) -> Any:
    """Return what follows after the preview is confirmed; `typed` is changed on it first."""
    form = parse(shown).select_one("#content-main form[method=post]")
    assert form
    sent: dict[str, Any] = {"apply": "1", "occasion": [], "event": []}
    for field in form.select("input[name], select[name]"):
        name = str(field["name"])
        if name in {"occasion", "event"} and (field.get("type") == "hidden" or field.has_attr("checked")):
            sent[name].append(field["value"])
        elif name not in {"show", "apply", "occasion", "event"}:
            sent[name] = _read_value(field)
    return office.post(str(form["action"]), sent | typed, follow=follow)


def change(office: Client, occasions: list[int], **typed: Any) -> Any:
    return apply(office, show(office, occasions, **typed))


def _read_value(field: Tag) -> str:
    if field.name == "select":
        chosen = field.select_one("option[selected]") or field.select_one("option")
        return str(chosen["value"]) if chosen else ""
    return str(field.get("value", "on" if field.has_attr("checked") else ""))


def read_rows(response: Any) -> dict[int, list[str]]:
    """Return the cells of each row beside its tick, by the key of the occasion."""
    rows = {}
    for row in parse(response).select("tbody tr"):
        tick = row.select_one("input[name=occasion]")
        if tick:
            rows[int(str(tick["value"]))] = [words(cell) for cell in row.select("th, td:not(.tick)")]
    return rows


def read_errors(response: Any) -> list[str]:
    return [each.get_text() for each in parse(response).select(".errorlist li, .errornote")]
