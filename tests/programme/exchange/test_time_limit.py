"""Reading a file ends in the midst when the time is over, or when nobody waits for it any more."""

from threading import Event

import pytest
from django.contrib.auth.models import User

from programme.backoffice.imports import steps
from programme.exchange.readers.grouping import build_contents
from programme.exchange.time_limit import TimeLimit, check_time, limit_time
from programme.exchange.values import Conference, Entry, ImportDefaults, Schedule, UnreadableFileError
from programme.models import Upload
from tests.conftest import NOW
from tests.programme.exchange.readers.ical.calendars import JAZZ, STOCKHOLM, read

pytestmark = pytest.mark.usefixtures("in_english")
REASON = "^it takes longer than -1 seconds: divide it into several files$"


def test_a_limit_holds_inside_alone():
    with limit_time(TimeLimit(60)):
        check_time()
    with limit_time(TimeLimit(-1)), pytest.raises(UnreadableFileError, match=REASON):
        check_time()
    check_time()


def test_the_reading_of_a_calendar_ends():
    with limit_time(TimeLimit(-1)), pytest.raises(UnreadableFileError, match=REASON):
        read(JAZZ)


def test_the_grouping_of_a_schedule_ends():
    schedule = Schedule(Conference(), (Entry(title="Tea", date="2026-07-28T10:00:00"),))
    with limit_time(TimeLimit(-1)), pytest.raises(UnreadableFileError, match=REASON):
        build_contents(schedule, STOCKHOLM.zone, "sv", ImportDefaults(STOCKHOLM))


@pytest.mark.django_db
def test_the_reading_of_a_page_that_was_closed_ends(monkeypatch):
    ended = Event()

    def read_forever(*_arguments):
        try:
            while True:
                check_time()
        finally:
            ended.set()

    monkeypatch.setattr(steps, "read", read_forever)
    monkeypatch.setattr(steps, "_PAUSE", 0.01)
    user = User.objects.create_superuser("ada")
    options = {"language": "", "source": "", "area": "", "draft": True, "withdraw_missing": False}
    upload = Upload.objects.create(user=user, name="x.csv", content=b"x", options=options)
    reading = steps.read_upload(upload, user, NOW)
    next(reading)
    assert not ended.is_set()
    reading.close()
    assert ended.wait(10)


def test_steps_that_take_too_long_are_closed(settings):
    settings.IMPORT_SECONDS = -1
    done = []

    def write():
        try:
            yield 1, 2
            done.append("written")
        finally:
            done.append("closed")

    with pytest.raises(UnreadableFileError, match=REASON):
        list(steps.limit_steps(write()))
    assert done == ["closed"]
