"""The festival's time zone and the first hour of its days, from the settings."""

from django.conf import settings

from feeds.festival_time import FestivalTime


def festival_time() -> FestivalTime:
    return FestivalTime(settings.FESTIVAL_TIME_ZONE, settings.FESTIVAL_DAY_FIRST_HOUR)
