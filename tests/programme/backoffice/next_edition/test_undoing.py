"""Whatever the next edition takes along: undoing it as one edit gives the same database."""

import datetime as dt
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from programme.backoffice.next_edition.forms import NextEditionForm, propose
from programme.changes.undo import plan_undo
from programme.changes.writing import write as write_plan
from programme.history import edits
from programme.models import (
    Area,
    AreaDay,
    Day,
    Edit,
    Edition,
    Event,
    EventType,
    Occasion,
    models_with_history,
)
from programme.publishing import loading
from tests.conftest import NOW
from tests.programmes import utc

FIRST = dt.date(2026, 10, 23)
starts = st.integers(0, 9 * 24 * 4).map(
    lambda quarters: utc(2026, 10, 20) + quarters * dt.timedelta(minutes=15)
)
events = st.tuples(
    st.sampled_from(["draft", "published"]), st.lists(st.tuples(starts, st.integers(1, 900)), max_size=3)
)
chosen = st.fixed_dictionaries(
    {
        "by": st.sampled_from(["weeks", "first"]),
        "hours": st.sampled_from(["", "on"]),
        "events": st.sampled_from(["", "published", "all"]),
        "first": st.integers(-4, 4),
        "days": st.integers(0, 8),
    }
)


def write(opened: list[tuple[int, int]], drawn: list[Any]) -> Edition:
    for number in (1, 2):
        Area.objects.create(id=number, name=f"Parken {number}")
    EventType.objects.create(id=1, name_sv="Konsert")
    for area, day in set(opened):
        AreaDay.objects.create(area_id=area, day=Day.on(FIRST + dt.timedelta(day)), opens=dt.time(10))
    for number, (status, occasions) in enumerate(drawn):
        event = Event.objects.create(title=f"Jazz {number}", area_id=1, type_id=1, status=status)
        for start, minutes in occasions:
            Occasion.objects.create(event=event, start=start, end=start + dt.timedelta(minutes=minutes))
    return Edition.objects.create(
        slug="2026", name_sv="Natten 2026", first_day=FIRST, last_day=FIRST + dt.timedelta(4)
    )


def read_rows() -> dict[str, list[dict[str, Any]]]:
    """Return all rows; followers are told of all editions when one is deleted: `saved_at`."""
    rows = {model.__name__: list(model.objects.order_by("pk").values()) for model in models_with_history()}
    for each in rows["Edition"]:
        del each["saved_at"]
    return rows


@given(
    opened=st.lists(st.tuples(st.sampled_from([1, 2]), st.integers(-2, 6)), max_size=8),
    drawn=st.lists(events, max_size=4),
    choice=chosen,
)
@pytest.mark.usefixtures("db")
def test_undoing_gives_the_same_database(opened: list[Any], drawn: list[Any], choice: dict[str, Any]) -> None:
    with transaction.atomic():
        with edits.record(moment=NOW):
            source = write(opened, drawn)
        before, programme = read_rows(), loading.load()
        first = FIRST + dt.timedelta(364 + choice.pop("first"))
        days = {"first_day": first, "last_day": first + dt.timedelta(choice.pop("days"))}
        form = NextEditionForm(source, Edition(), propose(source) | choice | days)
        assert form.is_valid(), form.errors
        with edits.record(moment=NOW):
            write_plan(form.load_plan().build())
        written = {name: len(rows) - len(before[name]) for name, rows in read_rows().items()}
        plan = form.load_plan()
        assert written["Edition"] == 1
        assert (plan.hours, plan.occasions) == ([], [])
        edit = Edit.objects.latest("pk")
        assert edit.reason == "prepared the edition"
        with edits.record(moment=NOW):
            write_plan(plan_undo(edit))
        assert read_rows() == before
        after = loading.load()
        assert (after.occasions, after.areas) == (programme.occasions, programme.areas)
        transaction.set_rollback(True)
