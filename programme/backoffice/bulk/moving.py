"""Moving an occasion in memory."""

from django.utils.translation import gettext as _

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from programme.backoffice.forms.fields import UNLIKELY_YEAR, missing_hour
from programme.backoffice.timetable.columns import WriteRefusedError
from programme.models import Occasion
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT


def move(after: Occasion, by: Length, festival: FestivalTime) -> None:
    """Move an occasion by a length; raises `WriteRefusedError` where there is no such time."""
    try:
        after.start, after.end = festival.add(after.start, by), festival.add(after.end, by)
    except SkippedTimeError as error:
        raise WriteRefusedError(missing_hour(error.date, error.clock)) from None
    except OverflowError:
        raise WriteRefusedError(str(UNLIKELY_YEAR)) from None
    if after.end <= after.start:
        raise WriteRefusedError(_("The end must be later than the start."))
    if after.start < FIRST_INSTANT or after.end >= LAST_INSTANT:
        raise WriteRefusedError(str(UNLIKELY_YEAR))
