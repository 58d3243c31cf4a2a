"""The initial scroll position of a day: after the night before; in a list at what is on or comes next."""

from collections.abc import Iterable

from feeds.day_layout import HOUR, MinuteSpan

# What begins before is the night's; a day opens at it only where no long gap separates it from the day.
NIGHT_ENDS = 6 * HOUR
GAP = 4 * HOUR
# What goes on for longer, as an exhibition does, does not say how far the day has come.
LONG_OCCASION = 4 * HOUR

TimedOccasion = tuple[int, MinuteSpan]


def find_first_of_day(timed: Iterable[TimedOccasion], day_begins: int) -> int | None:
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


def find_current_or_next(timed: Iterable[TimedOccasion], now: int) -> int | None:
    """Return the first occasion that is not over; None where the list begins with it, or none is left."""
    ordered = sorted(timed, key=lambda each: each[1])
    left = [each for each in ordered if each[1].ends > now]
    soon = [each for each in left if each[1].begins >= now or each[1].ends - each[1].begins <= LONG_OCCASION]
    found = (soon or left)[:1]
    return found[0][0] if found and found != ordered[:1] else None
