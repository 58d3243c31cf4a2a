"""What the search boxes of forms offer."""

from typing import Any

from django.test import Client

PLACES, NEAR = "/admin/places/", "Not found. Do you mean one of these?"


def ask(client: Client, field: str, term: str, model: str = "event", **sent: Any) -> list[Any]:
    """Return what a search box offers: texts, or a heading with texts, and the values of what is to be made."""
    asked = {"app_label": "programme", "model_name": model, "field_name": field, "term": term}
    return _read(client.get("/admin/autocomplete/", asked | sent))


def ask_for_place(client: Client, term: str) -> list[Any]:
    return _read(client.get(PLACES, {"term": term}))


def _read(answer: Any) -> list[Any]:
    return [
        [each["text"], *(one["text"] for one in each["children"])]
        if "children" in each
        else each["id"]
        if each["id"].startswith("new:")
        else each["text"]
        if each["id"].isdigit()
        else (each["id"], each["text"])
        for each in answer.json()["results"]
    ]
