"""Form fields: what editors type becomes the right instants, and stored values are shown as typed."""

import datetime as dt
from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.forms import modelform_factory
from hypothesis import assume, given
from hypothesis import strategies as st

from feeds.fact import LARGEST, NO, FactKind, build_range
from feeds.facts import facts_of
from feeds.festival_time import FestivalTime, Length
from programme.backoffice.forms.facts import FactFormField
from programme.backoffice.forms.fields import ClockField, DayField, EndField
from programme.backoffice.forms.occasion import ENTRY, EnteredTimes, OccasionForm, occasion_times
from programme.backoffice.forms.shifts import ShiftField
from programme.models import Area, Event, EventType, Occasion
from tests.programme.backoffice.requests import submission
from tests.programmes import utc

STOCKHOLM = "Europe/Stockholm"
pytestmark = pytest.mark.usefixtures("in_english")
CLOCK_FORWARD, CLOCK_BACK = dt.date(2026, 3, 29), dt.date(2026, 10, 25)


@pytest.fixture
def event(db: None) -> Event:
    return Event.objects.create(title="Jazz", area=Area.objects.create(name="Torget"), type=EventType.other())


def occasion_form(event: Event, instance: Occasion | None = None, **typed: Any) -> OccasionForm:
    form: Any = modelform_factory(Occasion, OccasionForm, fields=["cancelled"])
    return form(typed, instance=instance or Occasion(event=event))  # type: ignore[no-any-return]


def find_errors(event: Event, **typed: Any) -> dict[str, list[str]]:
    return {field: list(found) for field, found in occasion_form(event, **typed).errors.items()}


# --- Clock times and days -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("19:00", dt.time(19)),
        ("19.30", dt.time(19, 30)),
        ("1915", dt.time(19, 15)),
        ("915", dt.time(9, 15)),
        ("7 pm", dt.time(19)),
        ("ca 18.30", dt.time(18, 30)),
        ("18h30", dt.time(18, 30)),
        ("19", dt.time(19)),
        ("7", dt.time(7)),
        ("kl 19", dt.time(19)),
        ("Kl. 19.45", dt.time(19, 45)),
        (" 00:00 ", dt.time(0)),
    ],
)
def test_clock_field_takes_a_time_as_it_is_typed(typed, meant):
    assert ClockField().clean(typed) == meant


@pytest.mark.parametrize("typed", ["24:00", "19:60", "19:5", "18, 19", "190000", "१९", "-1", "kl"])
def test_clock_field_refuses_what_is_no_time(typed):
    with pytest.raises(ValidationError) as refusal:
        ClockField().clean(typed)
    assert refusal.value.messages == ["Write it as 19:00. Midnight is 00:00."]


@pytest.mark.parametrize(("field", "time"), [(ClockField, "18:00"), (EndField, "19:30")])
def test_of_a_span_a_field_asks_for_its_own_time(field, time):
    with pytest.raises(ValidationError) as refusal:
        field().clean("kl 18-19.30")
    assert refusal.value.messages == [f"“kl 18-19.30” is no single time: write it as {time}."]


@pytest.mark.parametrize("typed", ["0206-07-29", "1899-12-31", "2200-01-01", "9999-12-31"])
def test_day_field_refuses_a_year_that_nobody_means(typed):
    with pytest.raises(ValidationError) as refusal:
        DayField().clean(typed)
    assert refusal.value.messages == ["Check the year: it must be from 1900 to 2199."]


# --- Occasions ----------------------------------------------------------------------------------


SKIPPED = "There is no 02:30 on 29 March: the clock goes forward."
OUT_OF_TIME = "Check the year: it must be from 1900 to 2199."


@pytest.mark.parametrize(
    ("times", "field", "why"),
    [
        ("2026-03-29 02:30 04:00", "start_time", SKIPPED),
        # Its end, which is no later, is not spoken of.
        ("2026-03-29 02:30 03:00", "start_time", SKIPPED),
        ("2026-03-29 02:30 02:45", "start_time", SKIPPED),
        ("2026-03-28 22:00 02:30", "end_time", SKIPPED),
        ("2026-03-28 02:30 1d", "end_time", SKIPPED),
        ("2026-07-31 10:00 11:00 2026-07-30", "end_date", "The end date is before the start."),
        ("2026-07-31 10:00 10:00 2026-07-31", "end_time", "The end must be later than the start."),
        ("2026-07-31 10:00 09:59 2026-07-31", "end_time", "The end must be later than the start."),
        ("2199-12-31 23:00 01:00", "end_time", OUT_OF_TIME),
        ("1900-01-01 00:00 01:00", "day", OUT_OF_TIME),
        ("1900-01-01 00:00 01:00 2026-07-31", "day", OUT_OF_TIME),
        (
            "2026-07-31 22:00 3h 2026-07-31",
            "end_date",
            "Leave it empty where the end says how long it lasts.",
        ),
        (
            "2026-07-31 10:00 10:00 2036-07-31",
            "end_date",
            "That is more than 400 days after the start. Check the year, 2036.",
        ),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(event, times, field, why):
    assert find_errors(event, **dict(zip(ENTRY, times.split(), strict=False))) == {field: [why]}


@pytest.mark.parametrize(
    "times",
    [
        "2199-12-31 23:00 00:59",
        "1900-01-01 01:00 02:00",
        "2026-07-31 22:00 3h 2026-08-01",
        # An exhibition of a year.
        "2026-07-31 10:00 10:00 2027-09-04",
    ],
)
def test_what_just_may_be_is_saved(event, times):
    occasion_form(event, **dict(zip(ENTRY, times.split(), strict=False))).save()
    assert event.occasions.count() == 1


@pytest.mark.parametrize(
    ("times", "hours"),
    [
        ("2026-10-24 23:00 4h", 4),
        ("2027-03-27 23:00 3h", 3),
        ("2026-10-25 02:30 30min", 0.5),
        # The second two o'clock, though the first is after the start, too.
        ("2026-10-25 01:00 2h", 2),
        # Hours are of instants, days of the calendar.
        ("2026-10-24 12:00 24h", 24),
        ("2026-10-24 12:00 1d", 25),
        ("2027-03-27 12:00 1,5d", 35),
        # Of two readings the one that is after the start.
        ("2026-10-25 02:45 02:15", 0.5),
        ("2026-10-25 02:45 02:15 2026-10-25", 0.5),
        ("2026-10-25 02:30 02:30", 1),
        ("2026-10-25 02:30 02:30 2026-10-26", 25),
        ("2026-10-25 01:30 02:15", 0.75),
    ],
)
def test_length_is_one_of_instants_where_the_clock_changes(event, times, hours):
    sent = dict(zip(ENTRY, times.split(), strict=False))
    occasion_form(event, **sent).save()
    stored = Occasion.objects.get()
    assert (stored.end - stored.start) / dt.timedelta(hours=1) == hours
    # Saved again as it is shown, and with the same length over what was stored.
    occasion_form(event, stored, cancelled="on", **_typed_back(OccasionForm(instance=stored))).save()
    occasion_form(event, stored, **sent).save()
    after = Occasion.objects.get()
    assert (after.start, after.end) == (stored.start, stored.end)


def test_readings_follow_a_start_that_was_stored_as_the_later_one(event):
    stored = Occasion.objects.create(event=event, start=utc(2026, 10, 25, 1, 30), end=utc(2026, 10, 25, 2))
    typed = _typed_back(OccasionForm(instance=stored))
    occasion_form(event, stored, **(typed | {"end_time": "02:45"})).save()
    assert Occasion.objects.get().end == utc(2026, 10, 25, 1, 45)
    # An end that was the first reading becomes the second where only that is after the new start.
    stored = Occasion.objects.get()
    stored.start, stored.end = utc(2026, 10, 24, 23, 30), utc(2026, 10, 25, 0, 15)
    typed = _typed_back(OccasionForm(instance=stored))
    occasion_form(event, stored, **(typed | {"start_time": "02:45"})).save()
    assert Occasion.objects.get().end == utc(2026, 10, 25, 1, 15)


# What editors type as the end of an occasion that starts at 18:30 on 31 July 2026, and the day of the month and time
# of the end that it means.
LENGTHS = [
    ("2 h", "31 20:30"),
    ("+2h", "31 20:30"),
    ("90 min", "31 20:00"),
    ("1 h 30 min", "31 20:00"),
    ("1h30", "31 20:00"),
    ("1,5 tim", "31 20:00"),
    (" 6 timmar ", "01 00:30"),
    ("1 dag", "01 18:30"),
    # Clock times.
    ("20", "31 20:00"),
    ("20.15", "31 20:15"),
    ("20h15", "31 20:15"),
    ("2015", "31 20:15"),
    ("945", "01 09:45"),
    ("24", "01 00:00"),
    ("kl 2", "01 02:00"),
]
# 120 is 01:20, or two hours; 25 is no time, and 18 no length.
NO_ENDS = ["120", "259", "25", "90", "180", "1,5", "19.60", "2460", "-2 h", "0 min", "kl 90", "2 x", "x"]


@pytest.mark.parametrize(("typed", "end"), LENGTHS)
def test_length_typed_as_the_end_counts_from_the_start(event, typed, end, settings):
    form = occasion_form(event, day="2026-07-31", start_time="18.30", end_time=typed)
    form.save()
    assert f"{FestivalTime().local(form.instance.end):%d %H:%M}" == end
    # In the night that belongs to the day it counts from there.
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    form = occasion_form(event, day="2026-07-31", start_time="02", end_time="90 min")
    form.save()
    assert (form.instance.start, form.instance.end) == (utc(2026, 8, 1, 0), utc(2026, 8, 1, 1, 30))


BOTH = "Write the end here or in its own field, not in both."


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        ("18-20", "", "31 18:00 31 20:00"),
        ("kl. 18.30–24", "", "31 18:30 01 00:00"),
        ("6p-9p", "", "31 18:00 31 21:00"),
        ("18-20", "21", f"start_time: {BOTH}"),
        ("18-20", "x", "end_time: Write it as 21:00, or how long it lasts: 2 h, 90 min."),
        ("18, 20", "", "start_time: Write it as 19:00. Midnight is 00:00."),
        ("", "", "start_time: This field is required. end_time: This field is required."),
        ("x", "", "start_time: Write it as 19:00. Midnight is 00:00."),
    ],
)
def test_start_and_end_may_be_typed_as_one(event, start, end, found):
    form = occasion_form(event, day="2026-07-31", start_time=start, end_time=end)
    shown = (
        [f"{FestivalTime().local(each):%d %H:%M}" for each in (form.instance.start, form.instance.end)]
        if form.is_valid()
        else [f"{field}: {' '.join(why)}" for field, why in sorted(form.errors.items(), reverse=True)]
    )
    assert " ".join(shown) == found


@pytest.mark.parametrize("typed", NO_ENDS)
def test_what_may_be_a_time_or_a_length_or_is_neither_is_refused_beside_it(event, typed):
    assert find_errors(event, day="2026-07-31", start_time="18.30", end_time=typed) == {
        "end_time": ["Write it as 21:00, or how long it lasts: 2 h, 90 min."]
    }


def _typed_back(form: OccasionForm) -> dict[str, Any]:
    """What a browser sends of the times in a form that nobody touched."""
    shown = {name: form[name].value() for name in ENTRY}
    clocks = {name: f"{shown[name]:%H:%M}" for name in ("start_time", "end_time")}
    return {name: value for name, value in (shown | clocks).items() if value}


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(utc(2026, 10, 25, 1, 30), utc(2026, 10, 25, 2), id="second-half-past-two"),
        pytest.param(utc(2026, 10, 25, 0, 50), utc(2026, 10, 25, 1, 10), id="clock-seems-to-run-back"),
        pytest.param(utc(2026, 7, 29, 12, 0, 59, 999999), utc(2026, 7, 31, 9, 3, 2), id="days-and-seconds"),
        pytest.param(utc(2026, 3, 29, 0, 30), utc(2026, 3, 29, 1), id="clock-jumps-forward"),
        pytest.param(utc(2026, 7, 31, 8), utc(2036, 7, 31, 8), id="stored-as-longer-than-may-be"),
    ],
)
def test_occasion_keeps_its_instants_where_only_something_else_is_edited(event, start, end):
    occasion = Occasion.objects.create(event=event, start=start, end=end)
    typed = _typed_back(OccasionForm(instance=occasion))
    untouched = occasion_form(event, occasion, **typed)
    assert untouched.changed_data == []
    form = occasion_form(event, occasion, cancelled="on", **typed)
    form.save()
    stored = Occasion.objects.get()
    assert (stored.start, stored.end, stored.cancelled) == (start, end, True)


def test_occasion_moved_by_an_hour_keeps_the_seconds_of_its_end(event):
    occasion = Occasion.objects.create(
        event=event, start=utc(2026, 7, 29, 12, 0, 10), end=utc(2026, 7, 29, 14, 0, 50)
    )
    typed = _typed_back(OccasionForm(instance=occasion)) | {"start_time": "15:00"}
    occasion_form(event, occasion, **typed).save()
    stored = Occasion.objects.get()
    assert (stored.start, stored.end) == (utc(2026, 7, 29, 13), utc(2026, 7, 29, 14, 0, 50))


_CLOCKS = st.times().map(lambda clock: clock.replace(second=0, microsecond=0, fold=0))
# A year in which both clock changes are, and days around them more often than others.
_DAYS = st.dates(dt.date(2026, 1, 1), dt.date(2026, 12, 31)) | st.sampled_from(
    [change + dt.timedelta(days) for change in (CLOCK_FORWARD, CLOCK_BACK) for days in (-1, 0, 1)]
)


@given(
    day=_DAYS,
    start=_CLOCKS,
    end=_CLOCKS,
    last=st.none() | st.integers(0, 9),
    first_hour=st.integers(0, 8),
    zone=st.sampled_from([STOCKHOLM, "America/New_York", "Australia/Lord_Howe"]),
)
def test_entry_that_was_saved_comes_back_as_it_was_typed(  # noqa: PLR0917 - parts of one entry
    day: dt.date, start: dt.time, end: dt.time, last: int | None, first_hour: int, zone: str
) -> None:
    festival = FestivalTime(zone, first_hour)
    start_date = festival.calendar_date(day, start)
    end_date = None if last is None else start_date + dt.timedelta(last)
    span = festival.occasion_span(day, start, end, end_date)
    is_same_date = end > start or festival.end_after(span[0], end, start_date) > span[0]
    implied = start_date + dt.timedelta(0 if is_same_date else 1)
    assume(festival.exists(start_date, start) and festival.exists(end_date or implied, end))
    assume(span[0] < span[1])
    shown = occasion_times(*span, festival)
    assert shown == EnteredTimes(day, start, end, None if end_date == implied else end_date)
    assert festival.occasion_span(*shown) == span


# --- Moving occasions: what is typed


def minutes(number: int) -> Length:
    return Length(0, dt.timedelta(minutes=number))


@pytest.mark.parametrize(
    ("typed", "shift"),
    [
        ("+2 h", minutes(120)),
        ("90", minutes(90)),
        ("-15 min", minutes(-15)),
        ("−15", minutes(-15)),
        ("–1 dag", Length(-1)),
        ("-2:30", minutes(-150)),
        ("+0.45", minutes(45)),
        ("1 day 2 hours", Length(1, dt.timedelta(hours=2))),
        ("18:00", dt.time(18)),
        ("6 pm", dt.time(18)),
        ("1800", dt.time(18)),
        ("kl 18", dt.time(18)),
        ("kl. 9.15", dt.time(9, 15)),
        ("00:00", dt.time(0)),
        ("0", Length()),
        ("24 h", minutes(1440)),
        ("1,5 dygn", Length(1, dt.timedelta(hours=12))),
        ("-1,5 d", Length(-1, dt.timedelta(hours=-12))),
        ("366 d", Length(366)),
        ("  ", None),
    ],
)
def test_what_editors_type_is_understood(typed, shift):
    assert ShiftField(required=False).clean(typed) == shift


UNREAD = ["x", "+", "h", "2 x", "25:00", "18:60", "2 h -30", "1e3", "+18:00:00", "٣", "2 h 3 h", "1,5"]
REFUSED = dict.fromkeys([*UNREAD, "+1830"], r"such as \+2 h|Write it as 19:00")
REFUSED |= dict.fromkeys(["367 d", "-9000 h", "366 d 1 min"], "At most 366 days")


@pytest.mark.parametrize(("typed", "why"), REFUSED.items())
def test_what_is_no_shift_or_more_than_a_year_says_why(typed, why):
    with pytest.raises(ValidationError, match=why):
        ShiftField().clean(typed)


# --- The form fields of facts: what is stated survives the form, whichever way it is sent; mistakes have


FIELDS = [
    apps.get_model("programme", level)._meta.get_field(fact.name)
    for level in ("event", "occasion", "location", "room")
    for fact in facts_of(level)
]
AGES = st.none() | st.integers(0, LARGEST)
SPANS = st.tuples(AGES, AGES).map(lambda ends: ends if None in ends else sorted(ends))


def list_texts(field: Any) -> st.SearchStrategy[str]:
    """Return all that can be stated of a fact, in the order of its declaration."""
    codes = [value.code for value in field.fact.values]
    if field.fact.kind is FactKind.RANGE:
        return SPANS.map(lambda ends: build_range(*ends))
    if field.fact.kind is FactKind.ONE:
        return st.sampled_from(["", *codes])
    states = st.sampled_from(["", NO] if field.fact.kind is FactKind.STATES else [""])
    chosen = st.dictionaries(st.sampled_from(codes), states)
    return chosen.map(lambda found: field.clean_text(" ".join(f"{no}{code}" for code, no in found.items())))


def build_form(field: Any, data: Any = None, stated: str = "") -> Any:
    return type("Form", (forms.Form,), {field.name: FactFormField(field)})(data, initial={field.name: stated})


@pytest.mark.parametrize("field", FIELDS, ids=str)
@given(data=st.data())
def test_what_is_stated_survives_a_form(field, data):
    stated, before = data.draw(list_texts(field)), data.draw(list_texts(field))
    page = f'<div id="content-main"><form method="post">{build_form(field, stated=stated)}</form></div>'
    untouched = submission(SimpleNamespace(content=page.encode()))
    for sent in (untouched, {field.name: stated}):
        form = build_form(field, sent, before)
        assert form.is_valid()
        assert form.cleaned_data == {field.name: stated}
        assert form.has_changed() == (stated != before)
    assert build_form(field, {}).fields[field.name].widget.value_omitted_from_data({}, {}, field.name)


@pytest.mark.parametrize(
    ("first", "last", "error"),
    [
        ("12", "6", "The first number is larger than the second."),
        ("6", "121", "Write whole numbers up to 120, such as 6 and 12."),
        ("six", "", "Write whole numbers up to 120, such as 6 and 12."),
    ],
)
def test_a_range_that_is_none_has_one_error(first, last, error):
    [field] = [each for each in FIELDS if each.fact.kind is FactKind.RANGE]
    form = build_form(field, {f"{field.name}-first": first, f"{field.name}-last": last})
    assert form.errors == {field.name: [error]}
