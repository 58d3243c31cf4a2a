"""What readers get of an edit, in the words of the feed of news."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from feeds.news import NewsEntry, build_entries
from feeds.news_wording import format_title
from programme.backoffice.dates import editor_language
from programme.models import News
from programme.models.festival_time import festival_time
from programme.publishing.news_reader import read_rows

# More is on the page of news.
MOST_SHOWN = 3


def describe_news(edit: int, instant: datetime) -> str:
    """Return what entries readers get of an edit and when, in the editor's language; '' if none."""
    told = sorted(
        read_rows(News.objects.filter(edit_id=edit).exclude(appears_at=None)), key=lambda each: each.order
    )
    entries = list(build_entries(told))
    later = [each for each in entries if each.first.appears_at > instant]
    said = (_("Readers have got:"), entries[len(later) :]), (_("Readers get in five minutes:"), later)
    return ". ".join(f"{begin} {_list_titles(chosen)}" for begin, chosen in said if chosen)


def _list_titles(entries: Sequence[NewsEntry]) -> str:
    titles = [format_title(each, festival_time(), editor_language()) for each in entries[:MOST_SHOWN]]
    more = len(entries) - MOST_SHOWN
    rest = f" {_('and %(count)d more') % {'count': more}}" if more > 0 else ""
    return f"{'; '.join(titles)}{rest}"
