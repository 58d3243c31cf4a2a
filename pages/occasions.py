"""The page of an occasion, and of a deleted or withdrawn one."""

from collections.abc import Iterable
from functools import cached_property

from django.utils.translation import gettext as _

from feeds.names import divide
from feeds.selection import DayRange
from feeds.snapshot import Snapshot
from feeds.vocabulary import (
    IMAGE_MIDDLE,
    Identity,
    LanguageCode,
    Occasion,
    Place,
    build_occasion_path,
    safe_url,
)
from feeds.wording import format_booking, format_clock, format_dated_span, format_full_span, list_news
from pages.addresses import OTHER, START, build_discovery_url, build_path
from pages.calendars import CalendarLink, build_calendar_links, build_url, shorten
from pages.days import build_hour_anchor
from pages.details import DetailText, OccasionDetails, describe_moment, link_selection, link_type, localize
from pages.layout import build_area_rules
from pages.pictures import build_figure, build_shared_figure
from pages.rendering import Page, write_page
from pages.rows import OccasionRow, RowBuilder, write_urgent
from pages.structured_data import build_event, write_json_ld

# Link previews show no more.
MAX_SUMMARY_LENGTH = 200
# The most nearby occasions, nearest in time.
MAX_NEARBY = 12

OccasionLink = dict[str, str | bool]


def build_links(
    snapshot: Snapshot, occasions: Iterable[Occasion], language: LanguageCode, known: Place | None = None
) -> list[OccasionLink]:
    """Return a link to each occasion; the place `known` is not repeated."""
    local = snapshot.programme.site.time.local
    return [
        {
            "path": build_occasion_path(each.id, language),
            "start": local(each.start).isoformat(timespec="seconds"),
            "time_span": snapshot.time_span(each, language),
            "dated": format_dated_span(snapshot.programme.span(each), language),
            "place": each.place.full_name if each.place and each.place != known else "",
            "cancelled": each.cancelled,
            "urgent": write_urgent(each, language),
        }
        for each in occasions
    ]


class OccasionPage:
    def __init__(self, snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.time = snapshot.programme.site.time
        self.occasion = occasion
        self.event = occasion.event
        self.language = language
        self.details = OccasionDetails(snapshot, occasion, language)
        self.rows = RowBuilder(snapshot, language)
        self.row = self.rows.build(occasion)
        self.time_span = snapshot.time_span(occasion, language)
        self.span = snapshot.programme.span(occasion)
        self.dated = format_dated_span(self.span, language)
        self.intro = localize(self.event.intro, language)
        self.description = localize(self.event.description, language)
        # Screen readers read title and caption, so the image has only its alternative text.
        url, base_url = self.event.image_url, snapshot.programme.site.base_url
        self.image = build_figure(url, self.event.picture, self.event.image_alt, base_url)
        area, select = self.event.area, self.details.select
        self.area = link_selection(area.name, select(areas=(area.name,)))
        self.type = link_type(self.event.type, select(types=(str(self.event.type.id),)))
        self.is_ahead = not occasion.cancelled and snapshot.now < occasion.end
        self.url = snapshot.programme.site.occasion_url(occasion.identity, language)
        places = [occasion.place.full_name] if occasion.place else []
        self.when = ", ".join([format_full_span(self.span, language), *places])
        self.mail_link = build_url("mailto:", subject=self.event.title, body=f"{self.when}\n{self.url}")
        summary = self.intro if self.intro.text else DetailText(self.when)
        self.summary = summary._replace(text=shorten(summary.text, MAX_SUMMARY_LENGTH))
        # The image of link previews, if the event has one.
        self.shared_picture = build_shared_figure(self.event, base_url)
        self.ticket_url = safe_url(self.event.ticket_url) if self.is_ahead else ""
        # `Boka från fre 20 aug 10:00`, '' if booking is not possible.
        self.booking = format_booking(occasion, self.time, language) if self.is_ahead else ""
        self.json_ld = write_json_ld(build_event(snapshot, occasion, language))
        # The former time of a moved occasion, and the note of the change.
        self.news = [DetailText(*each) for each in list_news(occasion, self.time, language)]
        # An image of unknown size is cropped.
        is_cut = self.image is not None and not self.image.width
        self.is_image_focused = is_cut and self.event.image_focus != IMAGE_MIDDLE
        self.day = DayRange(self.span.day, self.span.day)

    @property
    def title(self) -> DetailText:
        """The title, marked with the language in which the event is held."""
        return DetailText(divide(self.event.title), self.row.title_language)

    @property
    def start(self) -> DetailText:
        return describe_moment(self.occasion.start, self.snapshot, self.language)

    @property
    def cancelled(self) -> str:
        """A sentence on the cancellation, '' if there is none."""
        if not self.occasion.cancelled:
            return ""
        if not self.others:
            return _("It will not take place.")
        if all(each.cancelled for each in self.snapshot.programme.by_event[self.event.id]):
            return _("The whole event has been cancelled.")
        return _("This time only. The other times stand unless they say otherwise.")

    @property
    def changed(self) -> DetailText | None:
        """The instant of the change of the occasion or its event, if it is recent."""
        if self.occasion.changed_at is None or not self.snapshot.is_updated(self.occasion):
            return None
        return describe_moment(self.occasion.changed_at, self.snapshot, self.language)

    @property
    def state(self) -> str:
        """The text for a running or past occasion, '' before it begins."""
        if self.occasion.cancelled or self.snapshot.now < self.occasion.start:
            return ""
        return _("On now") if self.snapshot.now < self.occasion.end else _("Is over")

    @property
    def calendars(self) -> list[CalendarLink]:
        return build_calendar_links(self.snapshot, self.occasion, self.language) if self.is_ahead else []

    # --- Other occasions

    @cached_property
    def others(self) -> list[OccasionLink]:
        occasions = self.snapshot.programme.by_event[self.event.id]
        others = (each for each in occasions if each.id != self.occasion.id)
        return build_links(self.snapshot, others, self.language, known=self.occasion.place)

    @cached_property
    def nearby(self) -> list[OccasionRow]:
        """Coming occasions of other events at the same location that day, the nearest in time."""
        place, is_current = self.occasion.place, self.snapshot.programme.is_current
        if place is None:
            return []
        there = self.details.select(days=(self.day,), locations=(str(place.location.id),))
        found = [
            each
            for each in self.snapshot.find(there)
            # In a former edition, also past ones.
            if each.event.id != self.event.id and (each.start > self.snapshot.now or not is_current)
        ]
        nearest = sorted(found, key=lambda each: abs(each.start - self.occasion.start))[:MAX_NEARBY]
        return [self.rows.build(each) for each in found if each in nearest]

    @property
    def whole_day(self) -> DetailText:
        area = self.event.area
        path = build_path(START[self.language], self.details.select(during=(self.day,), areas=(area.name,)))
        anchor = build_hour_anchor(format_clock(self.span.start))
        return DetailText(_("The whole day: {}").format(area.name), url=f"{path}#{anchor}")

    @property
    def rules(self) -> str:
        """The page's own style rules: the colours of its areas, and the focus of its image."""
        areas = build_area_rules(self.snapshot, {self.event.area.id, *(row.area_id for row in self.nearby)})
        across, down = self.event.image_focus
        focus = f".focused{{object-position:{across}% {down}%}}" if self.is_image_focused else ""
        return f"{areas}{focus}"


def write_occasion_page(snapshot: Snapshot, found: Occasion, language: LanguageCode) -> Page:
    site, page = snapshot.programme.site, OccasionPage(snapshot, found, language)
    languages = snapshot.programme.festival.languages
    return write_page(
        "occasion",
        language,
        snapshot,
        rules=page.rules,
        page=page,
        oembed=build_discovery_url(site.base_url, build_occasion_path(found.id, language)),
        # These may be pages of the festival's own website.
        urls={each: site.occasion_url(found.identity, each) for each in languages},
        other_language_path=build_occasion_path(found.id, OTHER[language]),
    )


def write_gone_page(snapshot: Snapshot, key: int, gone: Identity, language: LanguageCode) -> Page:
    """Return the page of an occasion that was deleted or withdrawn, with the other occasions of its event."""
    left = snapshot.programme.by_event.get(gone.event_id, ())
    page = {"others": build_links(snapshot, left, language), "title": left[0].event.title if left else ""}
    other = build_occasion_path(key, OTHER[language])
    return write_page("gone", language, snapshot, page=page, other_language_path=other)
