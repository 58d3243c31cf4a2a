"""What readers were told, as the record has it, and what marks occasions by it."""

from datetime import datetime

from feeds.marks import MARKING, NO_MARK, Mark
from programme.models import News, Occasion
from programme.publishing.news_reader import read_marks


def read_mark(key: int) -> Mark:
    return read_marks([Occasion.objects.get(pk=key)]).get(key, NO_MARK)


def list_told(since: datetime) -> list[tuple[str, int, str]]:
    """Return what was told by marks since an instant: of which kind, of which occasion, and why."""
    told = News.objects.filter(kind__in=MARKING, told_at__gte=since).order_by("occasion_id", "told_at")
    return [*told.values_list("kind", "occasion_id", "note_sv")]
