"""An app as somebody would write it with openapi-python-client: mypy checks it with `--strict`, without casts."""

import json
import sys
from datetime import UTC, date, datetime

from festival_programme_client import Client
from festival_programme_client.api.programme import get_occasion, list_areas, list_changes, list_events
from festival_programme_client.models import Event, ListEventsLanguage, Problem, Tombstone


def list_highlighted(client: Client) -> list[str]:
    events = list_events.sync(
        client=client,
        highlighted=True,
        area=["Stora Ångtorget"],
        date=[date(2026, 7, 29)],
        language=ListEventsLanguage.EN,
    )
    assert isinstance(events, list)
    return [f"{event.title} {event.location.address if event.location else None}" for event in events]


def list_area_names(client: Client) -> list[str]:
    areas = list_areas.sync(client=client)
    assert isinstance(areas, list)
    return [area.info.sv or area.full_name for area in areas]


def follow(client: Client, since: datetime) -> tuple[list[int], list[int]]:
    elements = list_changes.sync(client=client, modified_since=since)
    assert isinstance(elements, list)
    stored = [len(each.all_occations) for each in elements if isinstance(each, Event)]
    return stored, [each.occation.id for each in elements if isinstance(each, Tombstone)]


def find_problem(client: Client) -> str:
    answer = get_occasion.sync(1, client=client)
    return f"{answer.status} {answer.title}" if isinstance(answer, Problem) else ""


if __name__ == "__main__":
    with Client(sys.argv[1]) as client:
        answers = {
            "events": list_highlighted(client),
            "areas": list_area_names(client),
            "changes": follow(client, datetime.fromtimestamp(0, UTC)),
            "problem": find_problem(client),
        }
    sys.stdout.write(json.dumps(answers))
