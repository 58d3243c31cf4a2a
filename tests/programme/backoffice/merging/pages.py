"""The page on which rows are merged, as a browser sends it and as it is read."""

from collections.abc import Collection
from typing import Any

from django.test import Client

from programme.backoffice.problems.problem import build_merge_address
from tests.programme.backoffice.requests import parse, submission, words


def show(office: Client, model: str, keys: Collection[int]) -> Any:
    return office.get(build_merge_address(model, keys))


def merge(office: Client, model: str, keys: Collection[int], **chosen: Any) -> Any:
    """Confirm what the page shows; `kept` is shown first. Return the page that it leads to."""
    address = build_merge_address(model, keys)
    shown = office.get(address)
    if "kept" in chosen:
        shown = office.post(address, submission(shown) | {"kept": chosen["kept"], "show": "1"})
    if chosen.keys() - {"kept"}:
        shown = office.post(address, submission(shown) | chosen | {"show": "1"})
    return office.post(address, submission(shown) | chosen, follow=True)


def read_options(page: Any) -> dict[str, list[str]]:
    """Return what can be chosen, by the names of fields; the first word of what is chosen is `*`."""
    return {
        words(each.legend): [
            f"{'*' if label.select_one('[checked]') else ''}{words(label)}" for label in each.select("label")
        ]
        for each in parse(page).select(".fields fieldset")
    }
