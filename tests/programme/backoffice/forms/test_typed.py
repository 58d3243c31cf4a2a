"""What scripts ask while times are typed: in rows of occasions, and on the timetable of a day."""

import datetime as dt

import pytest
from django.utils.translation import override

from programme.backoffice.forms.typed import follow_start, read_slot

CLOCK = "Write it as 19:00. Midnight is 00:00."
END = "Write it as 21:00, or how long it lasts: 2 h, 90 min."


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        # The end is as long after the start as before, in the night after, too.
        ({"start": "kl 18.30", "before": "16:00", "end": "17:00"}, {"start": "18:30", "end": "19:30"}),
        ({"start": "23:30", "before": "18:30", "end": "20"}, {"start": "23:30", "end": "01:00"}),
        ({"start": "6 pm", "before": "20:00", "end": "24:00"}, {"start": "18:00", "end": "22:00"}),
        # A length stays as it was typed, and so does what may be one or a time.
        ({"start": "19", "before": "18:00", "end": "2 h"}, {"start": "19:00"}),
        ({"start": "19", "before": "18:00", "end": "120"}, {"start": "19:00"}),
        ({"start": "19", "before": "", "end": "20:00"}, {"start": "19:00"}),
        ({"start": "10am-1pm", "before": "16:00", "end": "17:00"}, {"start": "10:00", "end": "13:00"}),
        # A delay has a day.
        (
            {"start": "+2 h", "before": "23:00", "end": "01:00", "day": "2026-07-29"},
            {"start": "01:00", "end": "03:00", "day": "2026-07-30"},
        ),
        ({"start": "+2 h", "before": "23:00", "end": "01:00"}, {}),
        ({"start": "15", "day": "2026-07-29"}, {"start": "15:00", "when": "Wed 29 Jul 15:00"}),
        ({"start": "15", "day": "2027-07-29"}, {"start": "15:00", "when": "Thu 29 Jul 2027 15:00"}),
        *(
            ({"start": each, "before": "16:00", "end": "17:00"}, {})
            for each in ("soon", "", "25:00", "24:00", "x" * 999)
        ),
        ({"start": "+9999 d", "before": "16:00", "end": "17:00", "day": "9999-99-99"}, {}),
    ],
)
def test_the_end_follows_the_start(typed, found):
    with override("en"):
        assert follow_start(typed) == found


def test_the_hours_after_midnight_are_of_the_day_before(settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 5
    typed = {"before": "23:00", "end": "00:30", "day": "2026-07-29"}
    assert follow_start({"start": "+2 h", **typed}) == {
        "start": "01:00", "end": "02:30", "day": "2026-07-29"
    }  # fmt: skip
    assert follow_start({"start": "01", **typed})["end"] == "02:30"


DAY, BACK, FORWARD = (dt.date(2026, *each) for each in ((7, 29), (10, 25), (3, 29)))
HOUR = 60


@pytest.mark.parametrize(
    ("date", "typed", "read"),
    [
        (DAY, {"start": "19.30"}, {"minute": 19 * HOUR + 30, "minutes": 60}),
        (DAY, {"end": "18"}, {"minute": 16 * HOUR, "minutes": 120}),
        (DAY, {"end": "1 h 30 min"}, {"minute": 16 * HOUR, "minutes": 90}),
        (DAY, {"start": "20-22"}, {"minute": 20 * HOUR, "minutes": 120}),
        # At or before the start it is in the night after.
        (DAY, {"start": "22", "end": "02"}, {"minute": 22 * HOUR, "minutes": 240}),
        (DAY, {"end": "16"}, {"minute": 16 * HOUR, "minutes": 24 * HOUR}),
        (DAY, {"start": "25"}, {"name": "start", "refused": CLOCK}),
        (DAY, {"end": "soon"}, {"name": "end", "refused": END}),
        (DAY, {"end": "2 days"}, {"name": "end", "refused": END}),
        (DAY, {"minute": "x"}, {"name": "minute", "refused": "Enter a whole number."}),
        # Minutes are counted: the clock shows an hour twice, or never.
        (BACK, {"start": "01:00", "end": "04:00"}, {"minute": HOUR, "minutes": 240}),
        (BACK, {"start": "04:00"}, {"minute": 5 * HOUR, "minutes": 60}),
        (FORWARD, {"start": "01:00", "end": "04:00"}, {"minute": HOUR, "minutes": 120}),
        (
            FORWARD,
            {"start": "02:30"},
            {"name": "start", "refused": "There is no 02:30 on 29 March: the clock goes forward."},
        ),
    ],
)
def test_the_timetable_gets_minutes(date, typed, read):
    with override("en"):
        assert read_slot({"minute": "960", "minutes": "60", **typed}, date) == read
