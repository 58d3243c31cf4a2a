"""What an edit costs grows with what it changes, not with the programme: counted in bytecodes, without a clock."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from feeds import vocabulary
from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot

BEGINS = datetime(2026, 7, 27, 8, tzinfo=UTC)
AREAS = [vocabulary.Area(number, f"Torget {number}") for number in range(1, 11)]
PLACES = [vocabulary.Place(vocabulary.Location(number, f"Hus {number}")) for number in range(1, 21)]
FACTS = [("free:true",), ("free:false", "audience:children"), ("access:step-free",)]
WORDS = [
    f"{first}{last}" for first in ("sten", "berg", "dal", "vik") for last in ("ler", "holm", "by", "gård")
]

Change = Callable[[vocabulary.Occasion], vocabulary.Occasion]


def build(events: int) -> Programme:
    occasions = [hold(build_event(number), each) for number in range(1, events + 1) for each in (0, 1)]
    return Programme(
        revision=vocabulary.Revision(1, BEGINS),
        site=vocabulary.Site(),
        festival=vocabulary.Festival(vocabulary.Text("Festivalen"), vocabulary.Text(), "", BEGINS),
        areas=tuple(AREAS),
        occasions=tuple(sorted(occasions, key=lambda each: each.order)),
        gone={},
    )


def build_event(number: int) -> vocabulary.Event:
    words = " ".join(WORDS[number * step % len(WORDS)] for step in range(1, 9))
    organizer = vocabulary.Organizer((number + 1) // 2, f"Förening {(number + 1) // 2}")
    return vocabulary.Event(
        number, AREAS[number % 10], None, f"Konsert {number}", organizer, intro=vocabulary.Text(words)
    )


def hold(event: vocabulary.Event, each: int) -> vocabulary.Occasion:
    number = event.id * 2 + each
    start = BEGINS + timedelta(minutes=number * 619 % 7200)
    identity = vocabulary.Identity(number, UUID(int=number), event.id)
    end, place = start + timedelta(hours=1), PLACES[number % 20]
    return vocabulary.Occasion(identity, event, start, end, False, place, None, facts=FACTS[number % 3])


def retitle(occasion: vocabulary.Occasion) -> vocabulary.Occasion:
    return replace(occasion, event=replace(occasion.event, title="Stenholms natt"))


def postpone(occasion: vocabulary.Occasion) -> vocabulary.Occasion:
    later = timedelta(minutes=35)
    return replace(occasion, start=occasion.start + later, end=occasion.end + later)


def count_bytecodes(run: Callable[[], object]) -> int:
    count = 0

    def trace(frame, event, _argument):
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def measure(programme: Programme, change: Change) -> int:
    now = BEGINS + timedelta(days=1)
    programme.precompute()
    _ = programme.index.search, programme.news_index
    snapshot = Snapshot(programme, now)
    selections = [
        *(Selection(areas=("Torget 1",)), Selection(organizers=("1",)), Selection(locations=("Hus 1",))),
        *(
            Selection(highlighted=True),
            Selection(moments=(DateKeyword.NOW,)),
            Selection(facts=("free:true",)),
        ),
    ]
    for selection in (Selection(), *selections):
        JsonFormat().write_events(Listing(snapshot, selection))
    occasions = [change(each) for each in programme.by_event[150]]

    def renew() -> None:
        Snapshot(programme.apply(frozenset({150}), occasions, revision=vocabulary.Revision(2, now)), now)

    return count_bytecodes(renew)


@pytest.mark.parametrize("change", [retitle, postpone, lambda each: replace(each, place=PLACES[0])])
def test_an_edit_costs_what_it_changes(change: Change) -> None:
    small, large = (measure(build(events), change) for events in (300, 3000))
    assert large < small * 1.5
