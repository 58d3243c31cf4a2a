"""Programs that people have poll five times, with edits in between: `make consumers` (docs/consumers.md).

What a person sees after each poll is in `seen/`; `--regolden` writes it. A program that is not installed is skipped.
"""

import datetime as dt
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.contrib.auth.models import User

from festival import clock
from programme import models
from tests.browser import live_server
from tests.consumers.calendar_programs import FullCalendar, Khal, MagicMirror
from tests.consumers.feed_programs import FreshRSS, Liferea, Newsboat, Rss2email, WordPressBlock
from tests.consumers.scenario import ROLL_OVER, ZONE, Program, Scenario, SetClock
from tests.consumers.thunderbird import ThunderbirdCalendar, ThunderbirdFeeds
from tests.programmes import JAZZ

__all__ = ["live_server"]

SEEN = Path(__file__).parent / "seen"
FEEDS = ["events.atom", "events.rss", "events.rss-wp", "news.atom", "news.rss"]
CALENDARS = ["events.ics", "events.ics?cancelled=show", "events.ics?cancelled=mark"]
ADDRESSES: dict[type[Program], list[str]] = {
    Rss2email: FEEDS,
    Newsboat: FEEDS,
    FreshRSS: FEEDS,
    WordPressBlock: ["events.rss-wp", "events.rss-wp?date=upcoming", "news.rss"],
    Liferea: FEEDS,
    Khal: CALENDARS,
    FullCalendar: CALENDARS,
    MagicMirror: CALENDARS,
    ThunderbirdFeeds: FEEDS,
    ThunderbirdCalendar: CALENDARS,
}
# Those that were tried when the next edition of a festival becomes the current one.
FOLLOWING_EDITIONS = [Rss2email, Newsboat, Khal, FullCalendar]
AWKWARD = 'a<b und <b>tags</b> &amp; mehr, 1 < 2 & 3 ]]> "c\'t"'


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetClock]:
    """Return a function that moves the clock of the service, its database and the programs alike.

    It begins on the next morning: what is seen does not depend on when it is tried.
    """
    if "libfaketime" not in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("the clock cannot be moved: needs `make consumers`, and Debian's libfaketime")
    file = Path(os.environ["FAKETIME_TIMESTAMP_FILE"])
    # Its clock_nanosleep fails where monotonic time goes on.
    monkeypatch.setattr(time, "sleep", lambda seconds: Event().wait(seconds))

    monkeypatch.delenv("LD_PRELOAD")
    now = clock.now().astimezone(ZONE)
    begin = now.replace(hour=10, minute=0) + dt.timedelta(days=1) - now
    yield lambda later: file.write_text(f"+{(begin + later).total_seconds():.0f}\n")
    file.write_text("+0\n")


@pytest.fixture
def scenario(
    transactional_db: None, admin_user: User, live_server: Any, settings: Any, set_clock: SetClock
) -> Scenario:
    settings.BASE_URL, settings.CACHE_SECONDS = live_server.url, 0
    return Scenario(live_server.url, admin_user, set_clock)


@pytest.mark.parametrize("program", ADDRESSES, ids=lambda program: program.__name__)
def test_five_polls(program, request, scenario, tmp_path):
    compare(request, f"{program.__name__}.txt", scenario.run(program, ADDRESSES[program], tmp_path))


@pytest.mark.parametrize("program", FOLLOWING_EDITIONS, ids=lambda program: program.__name__)
def test_the_next_edition(program, request, scenario, tmp_path):
    report = scenario.run(program, ADDRESSES[program], tmp_path, ROLL_OVER)
    compare(request, f"{program.__name__}-editions.txt", report)


def compare(request: pytest.FixtureRequest, name: str, report: str) -> None:
    file = SEEN / name
    if request.config.getoption("regolden"):
        file.write_text(report)
    assert file.exists(), f"Write {file} with --regolden, and review it."
    assert report == file.read_text()


# Of Atom it sends the plain summary; of RSS the introduction and the description.
@pytest.mark.parametrize(("extension", "count"), [("rss", 2), ("rss-wp", 2), ("atom", 1)])
@pytest.mark.usefixtures("transactional_db", "sample")
def test_texts_arrive_whole_in_mails(live_server, tmp_path, extension, count):
    models.Event.objects.filter(id=JAZZ).update(title=AWKWARD, intro_sv=AWKWARD, description_sv=AWKWARD)
    reader = Rss2email(f"{live_server.url}/api/occations/8001.{extension}", tmp_path)
    (mail,) = reader.fetch().values()
    assert " ".join(mail.get_content().split()).count(AWKWARD) == count
    # RSS does not say whether a title is HTML, and feedparser takes one with tags for it.
    assert (AWKWARD in mail["subject"]) == (extension == "atom")
