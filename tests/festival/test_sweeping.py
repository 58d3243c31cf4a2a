"""What is swept, and what is not; once a day."""

import io
import os
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event as Signal
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import OperationalError
from pytest_django.fixtures import Settings

from festival import sweeping
from programme.models import Area, ChangedEvent, Event, EventType, Festival, News, Revision, Upload
from programme.models.trigger_rules import SHARED
from tests.conftest import NOW

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = settings.DATA_DIR = tmp_path
    return tmp_path


def store(media: Path, name: str, age: timedelta = 2 * DAY) -> None:
    path = media / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    stored = (NOW - age).timestamp()
    os.utime(path, (stored, stored))


def test_images_that_nothing_names(media):
    event = Event.objects.create(
        title="Jazz",
        area=Area.objects.create(name="Torget"),
        type=EventType.other(),
        image="events/former.jpg",
    )
    Event.objects.filter(pk=event.pk).update(image="events/present.jpg")
    Festival.objects.create(name_sv="Festivalen", logo="festival/logo.png", icon="festival/own.png")
    kept = [
        *("events/former.jpg", "events/present.jpg", "festival/logo.png", "festival/own.png"),
        "other/of-others.jpg",
    ]
    for name in (*kept, "events/orphan.jpg", "festival/orphan.png"):
        store(media, name)
    store(media, "events/young.jpg", DAY - SECOND)
    assert sweeping.sweep_images(NOW) == 2
    left = sorted(path.relative_to(media).as_posix() for path in media.rglob("*") if path.is_file())
    assert left == sorted([*kept, "events/young.jpg"])


def test_images_of_deleted_rows_stay_because_the_rows_can_be_restored(media):
    area = Area.objects.create(name="Torget")
    Event.objects.create(title="Jazz", area=area, type=EventType.other(), image="events/jazz.jpg").delete()
    store(media, "events/jazz.jpg")
    assert sweeping.sweep_images(NOW) == 0


def test_uploads_that_were_not_imported(media):
    user = User.objects.create_user("editor")
    for name, age in (("old.xlsx", 7 * DAY + SECOND), ("young.xlsx", 7 * DAY - SECOND)):
        upload = Upload.objects.create(user=user, name=name, content=b"")
        Upload.objects.filter(pk=upload.pk).update(uploaded_at=NOW - age)
    assert sweeping.TASKS["uploads"](NOW) == 1
    assert [upload.name for upload in Upload.objects.all()] == ["young.xlsx"]


def test_news_that_is_no_longer_shown():
    values, ages = (
        {"kind": "new", "edit_id": 1, "event_id": 1, "occasion_id": 1},
        (90 * DAY, 90 * DAY + SECOND),
    )
    kept, _old = (News.objects.create(**values, entry=uuid4(), told_at=NOW - age) for age in ages)
    assert sweeping.TASKS["news"](NOW) == 1
    assert News.objects.get() == kept
    revision = Revision.objects.get().number
    assert (sweeping.TASKS["news"](NOW), Revision.objects.get().number) == (0, revision)


def test_changes_of_deleted_events():
    area, kind = Area.objects.create(name="Torget"), EventType.other()
    jazz, tea = (Event.objects.create(title=title, area=area, type=kind) for title in ("Jazz", "Tea"))
    kept = set(ChangedEvent.objects.exclude(event_id=tea.pk).values_list("event_id", "revision"))
    tea.delete()
    assert sweeping.TASKS["logged changes"](NOW) == 1
    assert set(ChangedEvent.objects.values_list("event_id", "revision")) == kept
    assert {event for event, _ in kept} == {SHARED, jazz.pk}
    lineage = Revision.objects.get().lineage
    assert sweeping.TASKS["logged changes"](NOW) == 0
    # Nobody loads everything because there was nothing to sweep.
    assert Revision.objects.get().lineage == lineage


def test_the_command_says_what_it_has_deleted(media, at):
    Session.objects.create(session_key="over", session_data="", expire_date=NOW - SECOND)
    Session.objects.create(session_key="valid", session_data="", expire_date=NOW + SECOND)
    out = io.StringIO()
    call_command("sweep", stdout=out)
    assert (
        out.getvalue() == "Deleted: 1 sessions, 0 uploads, 0 images,"
        " 0 lines of the log, 0 counted attempts, 0 lists of stars, 0 links of organizers, 0 news,"
        " 0 logged changes.\n"
    )
    assert [session.session_key for session in Session.objects.all()] == ["valid"]


def test_it_is_done_once_a_day_and_tried_again_when_the_database_is_back(monkeypatch, at, caplog):
    results: list[Exception | int] = [OperationalError("the server is\nstarting"), 1, 1]

    def sweep(instant: datetime) -> int:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    pauses: list[float] = []

    class Stop(Signal):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0.0)
            return not results

    kept: list[str] = []
    monkeypatch.setattr(sweeping, "TASKS", {"sessions": sweep})
    monkeypatch.setattr(sweeping, "store_address", lambda: kept.append("kept"))
    sweeping.watch(Stop())
    assert kept == ["kept", "kept"]
    assert pauses == [60, 600, 86_400, 86_400]
    assert caplog.messages == ["Nothing was swept (the server is); it is tried again"]
