"""Messages on what readers see once something is published or cancelled, with links to its pages."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy

from feeds.vocabulary import Identity
from programme.api.instant import get_instant
from programme.backoffice.forms.doubts import name_some
from programme.models import Event, Occasion, Status
from programme.models.dates import editor_language
from programme.publishing.loading import build_site

PUBLISHED = gettext_lazy("Published, and readers see it:")
WITHDRAWN = gettext_lazy("Withdrawn, and readers do not see it any more:")
READERS_SEE_IT = gettext_lazy("Readers see it:")
# So many pages are linked.
MOST_LINKED = 3


def describe_what_readers_see(request: HttpRequest, event: Event, changed: Iterable[str]) -> str:
    """Return what is new to readers of a saved event of which these fields were changed; '' if nothing is."""
    if "status" not in changed:
        return ""
    is_published = event.status == Status.PUBLISHED
    return link_pages(request, PUBLISHED, [event]) if is_published else f"{WITHDRAWN} {event}"


def link_pages(request: HttpRequest, text: object, rows: Sequence[Event | Occasion]) -> str:
    """Return the text with links to the pages of rows; '' of events without an occasion, which have none."""
    shown = name_some(rows, MOST_LINKED, lambda row: link_to_page(row, get_instant(request)))
    links = format_html_join(", ", "{}", ((each,) for each in shown if each))
    return format_html("{} {}", text, links) if any(shown[:MOST_LINKED]) else ""


def link_to_page(row: Event | Occasion, instant: datetime) -> str:
    """Return a link to the page of an occasion, or of the one of an event that comes next; '' of none."""
    if isinstance(row, Occasion):
        occasion: Occasion | None = row
    else:
        occasions = row.occasions.order_by("start", "end", "id")
        occasion = occasions.filter(end__gt=instant).first() or occasions.last()
    if occasion is None:
        return ""
    identity = Identity(occasion.pk, occasion.uuid, occasion.event_id, occasion.uid)
    url = build_site().occasion_url(identity, editor_language())
    return format_html('<a href="{}">{}</a>', url, row)
