"""Asks a service for its conference schedules by filters that fit its programme, and validates them."""

from typing import Any
from urllib.parse import urlencode

from django.test import Client

from feeds.vocabulary import LANGUAGES
from tests.feeds import schedules

Filters = list[dict[str, Any]]


def find_filters(elements: list[dict[str, Any]]) -> Filters:
    """Return ten filters; each that names something names what some of the elements have."""

    def first(*path: str) -> Any:
        found = elements
        for name in path:
            found = [each[name] for each in found if each.get(name)]
        return found[0] if found else "nobody"

    days = sorted(each["occation"]["date"] for each in elements)
    return [
        {},
        {"date": days[len(days) // 2]},
        {"date": f"{days[0]}/{days[-1]}", "area": first("area", "name")},
        {"subarea": "none"},
        {"room": first("location", "room")},
        {"organizer": first("organizer", "id")},
        {"type": first("type", "name", "sv")},
        {"spoken": first("language", "code")},
        {"q": first("title").split()[0]},
        {"area": "nowhere"},
    ]


def validate_public(client: Client, filters: Filters) -> dict[str, list[int]]:
    """Validate each format in both languages; return the numbers of events, by format, of the Swedish ones."""
    found: dict[str, list[int]] = {extension: [] for extension in schedules.CHECKS}
    for extension, check in schedules.CHECKS.items():
        for query in filters:
            for language in LANGUAGES:
                path = f"/api/events.{extension}?{urlencode({**query, 'language': language})}"
                body = client.get(path).content
                check(body)
                elements = client.get(path.replace(extension, "json")).json()
                guids = [each["id"] for each in schedules.PARSERS[extension](body)]
                assert sorted(guids) == sorted(each["occation"]["id"] for each in elements), path
            found[extension].append(len(guids))
    return found
