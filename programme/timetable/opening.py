"""Where a day opens: past what is left of the night."""

from collections.abc import Iterable

from programme.timetable.laying import HOUR, Span

# What begins before is the night's; a day opens at it only where no long gap tells it from the day.
NIGHT_ENDS = 6 * HOUR
GAP = 4 * HOUR

Timed = tuple[int, Span]


def first_of_day(timed: Iterable[Timed], day_begins: int) -> int | None:
    """Return which occasion a day begins with: those of the night are passed over before empty hours.

    They are not where more begins before the gap than after it: then it is a day of the night.
    """
    ordered = sorted((each for each in timed if each[1].begins >= day_begins), key=lambda each: each[1])
    first, until = 0, day_begins
    for number, (_id, span) in enumerate(ordered):
        is_night = number and ordered[number - 1][1].begins < NIGHT_ENDS
        if is_night and span.begins - until >= GAP and len(ordered) - number > number:
            first = number
        until = max(until, span.ends)
    return ordered[first][0] if ordered else None
