"""Runs inside pretalx's own environment: fills a schedule, and prints as JSON how long its exports take.

`python in_pretalx.py 1000`: so many sessions, held once each, with texts as long as `programme.py` makes
them.
"""

import datetime as dt
import gc
import json
import os
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from random import Random
from statistics import median
from typing import Any

import django
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pretalx.settings")
django.setup()

from django.test import Client  # noqa: E402 - what follows needs Django to be set up
from django_scopes import scope, scopes_disabled  # noqa: E402
from pretalx import __version__  # noqa: E402
from pretalx.event.models import Event, Organiser  # noqa: E402
from pretalx.person.models import SpeakerProfile, User  # noqa: E402
from pretalx.schedule.models import Room, TalkSlot  # noqa: E402
from pretalx.submission.models import Submission, SubmissionType, Track  # noqa: E402

ROUNDS = 7
DAYS, ROOMS, TRACKS, TYPES = 5, 40, 20, 10
FIRST_DAY = dt.datetime(2026, 7, 27, 9, tzinfo=dt.UTC)
SYLLABLES = ("ba", "de", "fi", "gå", "ko", "lu", "mö", "na", "sten", "dal", "fors", "berg", "lund", "vik")
EXPORTS: dict[str, Callable[[bytes], int]] = {
    "json": lambda body: body.count(b'"do_not_record"'),
    "xml": lambda body: body.count(b"<event "),
    "ics": lambda body: body.count(b"BEGIN:VEVENT"),
}

random = Random(1)  # noqa: S311 - invented texts are no secrets


def text(length: int) -> str:
    words = ""
    while len(words) < length:
        words += "".join(random.choices(SYLLABLES, k=random.randint(1, 4))) + " "
    return words[:length].strip().capitalize()


def fill(sessions: int) -> Event:
    event = _event()
    with scope(event=event):
        event.build_initial_data()
        rooms = [Room.objects.create(event=event, name=f"Scen {n}", position=n) for n in range(ROOMS)]
        tracks = [Track.objects.create(event=event, name=f"Torget {n}") for n in range(TRACKS)]
        types = [SubmissionType.objects.create(event=event, name=f"{text(12)} {n}") for n in range(TYPES)]
        speakers = [_speaker(event, number) for number in range(max(1, sessions // 2))]
        for number in range(sessions):
            session = Submission.objects.create(
                event=event,
                state="confirmed",
                content_locale="sv",
                track=random.choice(tracks),
                submission_type=random.choice(types),
                title=text(59),
                abstract=text(250),
                description=text(500),
            )
            session.speakers.add(random.choice(speakers))
            start = FIRST_DAY + dt.timedelta(days=number % DAYS, minutes=random.randrange(0, 720, 5))
            slot = {"start": start, "end": start + dt.timedelta(hours=1), "room": random.choice(rooms)}
            TalkSlot.objects.update_or_create(
                submission=session, schedule=event.wip_schedule, defaults={"is_visible": True, **slot}
            )
        event.release_schedule("1.0")
    return event


def _event() -> Event:
    with scopes_disabled():
        return Event.objects.create(
            name="Stadsfesten",
            slug="stadsfesten",
            is_public=True,
            organiser=Organiser.objects.create(name="Stadsfesten", slug="stadsfesten"),
            date_from=FIRST_DAY.date(),
            date_to=FIRST_DAY.date() + dt.timedelta(days=DAYS - 1),
            timezone="Europe/Stockholm",
            locale="sv",
            locale_array="sv,en",
        )


def _speaker(event: Event, number: int) -> User:
    speaker = User.objects.create_user(name=text(20), email=f"speaker{number}@festival.example")
    SpeakerProfile.objects.create(user=speaker, event=event, biography=text(150))
    return speaker


def measure(event: Event, export: str) -> dict[str, Any]:
    """Return an export's items and bytes, and the median of its ms after a first one that does not count."""
    client, taken = Client(headers={"host": "localhost"}), []
    for _ in range(ROUNDS + 1):
        gc.collect()
        begun = time.perf_counter()
        response = client.get(f"/{event.slug}/schedule/export/schedule.{export}")
        taken.append((time.perf_counter() - begun) * 1000)
    if response.status_code != HTTPStatus.OK:
        sys.exit(f"{export}: {response.status_code}")
    body = response.content
    return {"items": EXPORTS[export](body), "bytes": len(body), "ms": median(taken[1:])}


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    filled = fill(int(sys.argv[1]))
    print(json.dumps({"version": __version__, **{export: measure(filled, export) for export in EXPORTS}}))
