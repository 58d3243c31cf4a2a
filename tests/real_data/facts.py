"""Imports the facts that sets state, and counts what is stored of each against the file."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.management import CommandError
from django.db import transaction

from feeds.vocabulary import Occasion
from programme import models
from programme.publishing import loading
from tests.real_data import cases, offices
from tests.real_data.checking import import_file


class FactCase(NamedTuple):
    """A set: its content as it is imported, and the tokens of its occasions, by a reading of its own here.

    `answers` are those to the questions about words that are none of a fact's; `find` returns what is stored.
    """

    file: str
    zone: str
    make: Callable[[Path], tuple[str, str]]
    read: Callable[[Path], Iterable[str]]
    answers: dict[str, dict[str, str]] = {}
    find: Callable[[Occasion], Iterable[str]] = lambda occasion: occasion.facts

    @property
    def options(self) -> list[str]:
        named = ((fact, text, code) for fact, words in self.answers.items() for text, code in words.items())
        return [f"--answer=fact:{fact}:{text}={code}" for fact, text, code in named]


def _write(headings: str, rows: Iterable[list[Any]]) -> tuple[str, str]:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([headings.split(","), *rows])
    return file.getvalue(), ".csv"


def _make_emf(path: Path) -> tuple[str, str]:
    names = (
        *("id", "title", "start_date", "end_date", "age_range", "requires_ticket", "cost"),
        "is_family_friendly",
    )
    headings = "ID,Title,Starts,Ends,Age,requires_ticket,Price,is_family_friendly"
    return _write(headings, ([event.get(name) for name in names] for event in json.loads(path.read_text())))


def _read_emf(path: Path) -> Iterator[str]:
    for event in json.loads(path.read_text()):
        age, ticket = event.get("age_range") or "", event.get("requires_ticket")
        if event["is_family_friendly"]:
            yield "audience:families"
        if found := re.fullmatch(r"(\d+)\+", age):
            yield f"age:{found[1]}-"
        if age == "All ages":
            yield "age:0-"
        if ticket is not None:
            yield "booking:needed" if ticket else "booking:not-needed"
        if (event.get("cost") or "").rstrip(".!") == "Free":
            yield "free:true"


_DIMENSIONS = {"audience": "age-group", "booking": "registration", "access": "inclusivity"}
_LEFT_OUT = (
    "color-blindness dark-lighting fingers irritating-chemicals long-program long-texts lots-of-movement no-movement "
    "no-recordings-or-spoken-text no-subtitles no-text-of-recording not-amplified physical-contact quick-reactions "
    "strong-odours"
)
# As the office would answer; "everyone" is nobody in particular.
_ANSWERS = {
    "audience": {"everyone": "-", "only-adults": "adults", "adultsnyouth": "adults", "youngadults": "youth",
                 "teens": "youth", "small-kids": "children"},
    "booking": {"konsti": "needed", "ropelarp": "needed", "not-required": "not-needed"},
    "access": dict.fromkeys(_LEFT_OUT.split(), "-") | {"loud-sounds": "loud"},
}  # fmt: skip
_KNOWN = {"adults": "adults", "kids": "children", "families": "families", "flashing-lights": "strobe-light"}


def _list_items(path: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for event in json.loads(path.read_text()):
        yield from ((event, item) for item in event["scheduleItems"])


def _make_ropecon(path: Path) -> tuple[str, str]:
    rows = (
        [event["slug"], event["title"], item["startTime"], item["endTime"], item["location"]]
        + [", ".join(event["cachedDimensions"].get(name, ())) for name in _DIMENSIONS.values()]
        for event, item in _list_items(path)
    )
    return _write("ID,Title,Starts,Ends,Location,Audience,Registration,Access", rows)


def _read_ropecon(path: Path) -> Iterator[str]:
    for event, _item in _list_items(path):
        for fact, name in _DIMENSIONS.items():
            words = _ANSWERS[fact] | _KNOWN
            codes = {words[each] for each in event["cachedDimensions"].get(name, ())} - {"-"}
            yield from (f"{fact}:{code}" for code in codes)


def _list_malmo(path: Path) -> Iterable[tuple[str, ...]]:
    """Return the showings, of which some stand twice, with their types."""
    rows = (
        (
            *(str(row.showing.event), row.showing.title, row.showing.location),
            *(row.showing.start.isoformat(), row.showing.end.isoformat(), row.type),
        )
        for row in offices.read_malmo(path, ZoneInfo("UTC"))
        if row.showing.start and row.showing.end
    )
    return dict.fromkeys(rows)


def _read_malmo(path: Path) -> Iterator[str]:
    for *_others, types in _list_malmo(path):
        yield from types.split("; ")


CASES = (
    FactCase(f"{cases.EMF}.json", cases.LONDON, _make_emf, _read_emf),
    FactCase("ropecon-2026/program.json", "Europe/Helsinki", _make_ropecon, _read_ropecon, _ANSWERS),
    FactCase("almedalsveckan-2022/events.csv", cases.STOCKHOLM,
             lambda path: (path.read_text(), ".csv"), lambda _path: ()),
    FactCase("malmofestivalen-2012/concerts.sqlite", cases.STOCKHOLM,
             lambda path: _write("ID,Title,Location,Starts,Ends,Categories", map(list, _list_malmo(path))), _read_malmo,
             find=lambda occasion: (each.name.sv for each in occasion.event.types)),
)  # fmt: skip


def check_all(folder: Path, only: str) -> tuple[list[str], list[str]]:
    """Return a line for each set with the number of its facts, and what differs."""
    lines, faults = [], []
    for case in CASES:
        path = folder / case.file
        if path.exists() and only.casefold() in f"{case.file} facts".casefold():
            expected = Counter(case.read(path))
            try:
                stored = _import(case, path)
            except CommandError as error:
                faults.append(f"{case.file}, facts: {error}")
                continue
            lines.append(f"{case.file}, facts: {expected.total()} stated")
            differing = sorted(token for token in expected | stored if expected[token] != stored[token])
            faults += [
                f"{case.file}, {token}: {expected[token]} in the file, {stored[token]} stored"
                for token in differing
            ]
    return lines, faults


def _import(case: FactCase, path: Path) -> Counter[str]:
    """Return the tokens of the occasions that an import stores; then remove it all."""
    with TemporaryDirectory() as directory, transaction.atomic():
        content, ending = case.make(path)
        made = Path(directory, f"made{ending}")
        made.write_text(content)
        import_file(made, case.zone, "--ids", "event", *case.options)
        programme = loading.load_events(models.Event.objects.all())
        tokens = Counter(token for occasion in programme.occasions for token in case.find(occasion))
        transaction.set_rollback(True)
    return tokens
