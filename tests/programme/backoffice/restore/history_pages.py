"""History pages, as tests read and use them."""

from typing import Any

from django.test import Client

from programme.models import Event, Occasion
from tests.programme.backoffice.requests import parse, submission, words
from tests.programmes import NIGHT

EVENTS = "/admin/programme/event/"
FORM = f"{EVENTS}{NIGHT}/change/"
HISTORY = f"{EVENTS}{NIGHT}/history/"


def save(office: Client, address: str = FORM, **values: Any) -> None:
    assert office.post(address, submission(office.get(address)) | values).status_code == 302


def read_steps(office: Client, address: str = HISTORY) -> list[tuple[str, list[str]]]:
    """Return of each step who made it, and its description."""
    page = parse(office.get(address))
    return [(words(step.select_one(".when strong")), _rows(step)) for step in page.select(".step")]


def _rows(step: Any) -> list[str]:
    found = []
    for change in step.select(".rows > li"):
        found += [words(each) for each in change.select("p.row-title")]
        for field in change.select("dl > div"):
            old, new = (words(field.select_one(name)) for name in ("del", "ins"))
            found.append(f"{words(field.select_one('dt'))}: {old} -> {new}")
    return found


def list_links(office: Client, address: str = HISTORY) -> list[str]:
    page = parse(office.get(address))
    return [link["href"] for link in page.select("a.bring-back")]


def restore(office: Client, link: str) -> tuple[list[str], Any]:
    """Follow the link; return what is shown before, and the answer to doing it."""
    shown = office.get(link)
    assert shown.status_code == 200
    page = parse(shown)
    sent = submission(shown)
    return [line for step in page.select("[aria-labelledby=happens]") for line in _rows(step)], office.post(
        link, sent, follow=True
    )


def read_stored(event: int) -> Any:
    kept = {"last_modified", "published_at"}
    rows = [
        *Event.objects.filter(pk=event).values(),
        *Occasion.objects.filter(event=event).order_by("pk").values(),
    ]
    return [{name: value for name, value in row.items() if name not in kept} for row in rows]
