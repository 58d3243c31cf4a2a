"""What the search boxes of forms offer."""

from typing import Any

from django.test import Client

NEAR = "Not found. Do you mean one of these?"


def ask(client: Client, field: str, term: str, model: str = "event", **sent: Any) -> list[Any]:
    """Return what a search box offers: texts, or a heading with texts, and the values of what is to be made."""
    asked = {"app_label": "programme", "model_name": model, "field_name": field, "term": term}
    found = client.get("/admin/autocomplete/", asked | sent).json()["results"]
    return [
        [each["text"], *(one["text"] for one in each["children"])]
        if "children" in each
        else each["text"]
        if each["id"].isdigit()
        else each["id"]
        for each in found
    ]
