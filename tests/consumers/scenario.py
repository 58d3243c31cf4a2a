"""Five polls of a small festival, with edits in the back office between them: what programs are shown.

A program is what it does to follow an address and what a person sees in it afterwards (`Program`). Whatever is not as
the service has it at that moment is marked.
"""

import datetime as dt
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen
from zoneinfo import ZoneInfo

import feedparser
import icalendar
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from feeds.wording import format_short_date
from festival import clock
from programme import models
from programme.backoffice import schedule
from programme.models import Edition, Event, News, Occasion, Status
from tests.programme.backoffice.requests import send

ZONE = ZoneInfo("Europe/Stockholm")
# On which day after the first, and from when to when; a title's first four letters stay.
CONCERTS = {
    "Jazzkväll": (1, "20:00"),
    "Danskurs": (2, "18:00"),
    "Operagala": (3, "19:00"),
    "Poesiaftom": (4, "17:00"),
    "Cirkus": (5, "14:00"),
    "Filmnatt": (6, "21:00"),
}
# Of the next edition, in drafts at first.
NEXT = {"Nyårskör": (8, "19:00"), "Vårvisor": (9, "18:00")}
TITLES = [*CONCERTS, *NEXT]
# How long before a poll is what is edited before it: news appears five minutes after an edit.
BEFORE = dt.timedelta(minutes=10)
SetClock = Callable[[dt.timedelta], object]


@dataclass(frozen=True)
class Seen:
    """A line that a person sees: a title with all that stands beside it, whether it is new, and its text."""

    line: str
    is_new: bool = False
    text: str = ""
    # How its program marks it: struck, or with a word of its own.
    mark: str = ""

    @property
    def tells(self) -> str:
        """What the text begins with where that is news."""
        found = re.search(r"(INSTÄLLT|ÄNDRAT)\..*", self.text)
        return found[0].strip() if found else ""


class Program(ABC):
    """A program of somebody, in a folder of its own; made with the address that it follows."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        # What is ended after the polls.
        self.resources = ExitStack()

    @abstractmethod
    def poll(self) -> list[Seen]:
        """Let the program ask for news; return what stands in its list then."""


def make_festival(day: dt.date) -> None:
    """Publish the concerts on the days after a day."""
    models.Festival.objects.create(name_sv="Höstfesten", name_en="Autumn Festival")
    park = models.Area.objects.create(name="Parken")
    kind = models.EventType.objects.create(name_sv="Scen", name_en="Stage")
    stage = models.Location.objects.create(name="Stora scenen", address="Parkvägen 1")
    for title, (days, starts) in {**CONCERTS, **NEXT}.items():
        start = dt.datetime.combine(day + dt.timedelta(days), dt.time.fromisoformat(starts), ZONE)
        event = Event.objects.create(
            title=title,
            area=park,
            type=kind,
            status=Status.PUBLISHED if title in CONCERTS else Status.DRAFT,
            intro_sv="Kom och se.",
        )
        Occasion.objects.create(event=event, start=start, end=start + dt.timedelta(hours=1), location=stage)


class Editor:
    """An editor with a browser, who leaves what the forms suggest."""

    def __init__(self, user: User, day: dt.date) -> None:
        self.user, self.day = user, day

    def sign_in(self) -> None:
        """Begin a session: none lasts until the next day."""
        self.office = Client(SERVER_NAME="localhost")
        self.office.force_login(self.user)

    def edit(self, title: str, kind: str, /, **typed: str) -> None:
        """Fill in the form of a concert's event or occasion; without anything typed, delete it."""
        row = Occasion.objects.get(event__title__startswith=title)
        address = f"/admin/programme/{kind}/{row.event_id if kind == 'event' else row.pk}/"
        if "day" in typed:
            typed["day"] = (self.day + dt.timedelta(int(typed["day"]))).isoformat()
        if kind == "occasion":
            typed = {f"occasions-0-{name}" if name != "note" else name: typed[name] for name in typed}
        answer = (
            send(self.office, f"/admin/programme/event/{row.event_id}/change/", **typed)
            if typed
            else self.office.post(f"{address}delete/", {"post": "yes"})
        )
        assert answer.status_code == 302, BeautifulSoup(answer.content, "lxml").select(".errorlist")

    def begin_editions(self) -> None:
        """Let the next edition begin after the concerts, and become current tomorrow."""
        first, last = self.day, self.day + dt.timedelta(7)
        Edition.objects.create(slug="1", name_sv="Höstfesten", first_day=first, last_day=last)
        tomorrow, begins, ends = (self.day + dt.timedelta(days) for days in (1, 8, 30))
        Edition.objects.create(
            slug="2", name_sv="Vårfesten", first_day=begins, last_day=ends, current_from=tomorrow
        )

    def publish_next(self) -> None:
        for title in NEXT:
            self.edit(title, "event", status="published")

    def take_news_back(self) -> None:
        """Take back what readers were told of the concert that was moved, and of the one that was deleted."""
        for title in ("Danskurs", "Cirkus"):
            entry = News.objects.get(facts__title=title).entry
            answer = send(self.office, f"/admin/news/{entry}/take-back/")
            assert answer.status_code == 302

    def let_plans_happen(self) -> None:
        schedule.carry_out(clock.now(), lambda _user: None)


MOVE = {"day": "3", "start_time": "16:00", "end_time": "17:00"}
CANCEL = {"cancelled": "on", "note": "Sångaren är sjuk."}
HOUR = dt.timedelta(hours=1)
# How long after the first a poll is, what is said of it, and what is edited before it.
Polls = list[tuple[dt.timedelta, str, list[tuple[str, str, dict[str, str]] | Callable[[Editor], None]]]]
POLLS: Polls = [
    (BEFORE, "first", []),
    (
        *(HOUR, "Danskurs moved, Operagala cancelled"),
        [("Dans", "occasion", MOVE), ("Oper", "occasion", CANCEL)],
    ),
    (
        *(2 * HOUR, "Poesiafton retitled, Cirkus deleted, Filmnatt withdrawn"),
        [
            ("Poes", "event", {"title": "Poesiafton"}),
            ("Cirk", "event", {}),
            ("Film", "event", {"status": "draft"}),
        ],
    ),
    (
        *(24 * HOUR, "the next day; Operagala reinstated, Filmnatt published again"),
        [("Oper", "occasion", {"cancelled": ""}), ("Film", "event", {"status": "published"})],
    ),
    (
        *(48 * HOUR, "the day after that; what was told of Danskurs and Cirkus taken back"),
        [Editor.take_news_back],
    ),
]
# The next edition of the festival becomes the current one, as planned.
ROLL_OVER: Polls = [
    (BEFORE, "first", []),
    (HOUR, "the next edition is planned, and published", [Editor.begin_editions, Editor.publish_next]),
    (24 * HOUR, "the next day; the next edition has become current", [Editor.let_plans_happen]),
    (48 * HOUR, "the day after that", []),
]


@dataclass(frozen=True)
class Truth:
    """What the service says at that moment: the line of each concert, and which are cancelled."""

    lines: dict[str, bool]
    # What some programs leave out.
    over: frozenset[str] = frozenset()
    follows: bool = False

    @classmethod
    def fetch(cls, url: str) -> "Truth":
        with urlopen(url) as answer:
            document = answer.read()
        if urlsplit(url).path.endswith(".ics"):
            events = icalendar.Calendar.from_ical(document).walk("VEVENT")
            found = {
                f"{each.decoded('DTSTART').astimezone(ZONE):%Y-%m-%d %H:%M} {each['SUMMARY']}": each
                for each in events
            }
            lines = {line: "INSTÄLLT" in each["DESCRIPTION"] for line, each in found.items()}
            over = (line for line, each in found.items() if each.decoded("DTEND") <= clock.now())
            return cls(lines, frozenset(over))
        entries = feedparser.parse(document).entries
        lines = {each.title: each.get("ext_eventcancelled") == "true" for each in entries}
        return cls(lines, follows="/news." in url)

    def find_topic(self, line: str) -> str:
        """Return what a line is about: a concert, or a piece of news."""
        return line if self.follows else next((each[:4] for each in TITLES if each[:4] in line), line)

    def judge(self, seen: Seen, known: set[str]) -> str:
        """Return what is wrong with a line that is seen, beside those seen so far."""
        marks = []
        topic = self.find_topic(seen.line)
        if topic not in map(self.find_topic, self.lines):
            marks.append("gone")
        elif seen.line not in self.lines:
            marks.append("old")
        elif self.lines[seen.line] and not (seen.mark or "INSTÄLLT" in seen.line):
            marks.append("not marked as cancelled")
        if topic in known:
            marks.append("again")
        return ", ".join(marks)


def describe(seen: list[Seen], truth: Truth) -> list[str]:
    """Return the lines that a person sees, with what is wrong with them and what is missing.

    They are sorted: what was edited or published within a second stands in any order.
    """
    known: set[str] = set()
    lines = []
    for each in sorted(seen, key=_rank):
        wrong = truth.judge(each, known)
        known.add(truth.find_topic(each.line))
        line = f"({each.mark}) {each.line}" if each.mark else each.line
        tells, wrong = each.tells and f"  | {each.tells}", wrong and f"  [{wrong}]"
        lines.append(f"{'*' if each.is_new else ' '} {line}{tells}{wrong}")
    missing = [line for line in truth.lines if truth.find_topic(line) not in known and line not in truth.over]
    return [*lines, *(f"- {line}  [not shown]" for line in missing)]


def _rank(seen: Seen) -> tuple[list[bool], str]:
    return [title[:4] not in seen.line for title in TITLES], seen.line


@dataclass
class Scenario:
    """A festival whose service answers at an address, its editor, and the clock of all."""

    url: str
    user: User
    set_clock: SetClock

    def run(self, program: type[Program], addresses: list[str], folder: Path, polls: Polls = POLLS) -> str:
        """Let a program follow addresses through all polls; return what is seen."""
        self.set_clock(dt.timedelta(0))
        day = clock.now().astimezone(ZONE).date()
        make_festival(day)
        editor = Editor(self.user, day)
        followers: dict[str, Program] = {}
        report = []
        with ExitStack() as resources:
            for number, (later, said, edits) in enumerate(polls, 1):
                self.set_clock(later - BEFORE)
                editor.sign_in()
                for each in edits:
                    if isinstance(each, tuple):
                        editor.edit(*each[:2], **each[2])
                    else:
                        each(editor)
                self.set_clock(later)
                if not followers:
                    followers = self._follow(program, addresses, folder, resources)
                report += [f"## Poll {number}: {said}", *_poll(followers)]
        return _without_dates("\n\n".join(report), day) + "\n"

    def _follow(
        self, program: type[Program], addresses: list[str], folder: Path, resources: ExitStack
    ) -> dict[str, Program]:
        followers = {}
        for number, address in enumerate(addresses):
            own = folder / str(number)
            own.mkdir()
            follower = followers[address] = program(f"{self.url}/api/{address}", own)
            resources.enter_context(follower.resources)
        return followers


def _poll(followers: dict[str, Program]) -> list[str]:
    """Return what is seen by address, once for addresses that show the same."""
    shown: dict[str, list[str]] = {}
    for address, follower in followers.items():
        lines = describe(follower.poll(), Truth.fetch(follower.url))
        shown.setdefault("\n".join(lines), []).append(address)
    return [f"# {', '.join(where)}\n{what}" for what, where in shown.items()]


def _without_dates(text: str, first: dt.date) -> str:
    for number in range(10):
        day = first + dt.timedelta(number)
        short = format_short_date(day, "sv")
        for name in (day.isoformat(), short, short.rsplit(" ", 1)[0]):
            text = text.replace(name, f"day {number}")
    return text
