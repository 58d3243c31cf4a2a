"""What the page of an occasion says, and that of one that is gone."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from feeds.selection import DayRange, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import IMAGE_MIDDLE, Identity, LanguageCode, Occasion, Place, build_occasion_path
from pages import structured_data
from pages.addresses import START, address
from pages.calendars import Calendar, calendars, mail, shortened
from pages.details import Detail, DetailText, brief, details, in_language, moment, selected, web
from pages.rows import OccasionRow, RowWriter
from pages.words import Words

# Languages that titles are written in, as BCP 47 has them. Codes of three letters are left out: among
# them are sign languages and `zxx`, no language at all.
WRITTEN_LANGUAGE = re.compile(r"[A-Za-z]{2}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")
# What those who show a link show of what it leads to.
LONGEST_SUMMARY = 200
# Of a place that is busy all day, those around the time.
MOST_NEARBY = 12


class OccasionLine(NamedTuple):
    """An occasion in a list: where it leads, and what a reader chooses by."""

    path: str
    start: str
    time_span: str
    title: str
    place: str
    cancelled: bool


def lines(
    snapshot: Snapshot, occasions: Iterable[Occasion], language: LanguageCode, known: Place | None = None
) -> list[OccasionLine]:
    """Return a line for each occasion; a place that the reader knows already is not repeated."""
    local = snapshot.programme.site.time.local
    return [
        OccasionLine(
            path=build_occasion_path(each.id, language),
            start=local(each.start).isoformat(timespec="seconds"),
            time_span=snapshot.time_span(each, language),
            title=each.event.title,
            place=each.place.full_name if each.place and each.place != known else "",
            cancelled=each.cancelled,
        )
        for each in occasions
    ]


class OccasionPage:
    """One occasion with all its facts and all its event's other occasions."""

    def __init__(self, snapshot: Snapshot, occasion: Occasion, language: LanguageCode) -> None:
        self.snapshot = snapshot
        self.occasion = occasion
        self.event = occasion.event
        self.language = language
        self.words = Words(language)
        self.writer = RowWriter(snapshot, language)

    @property
    def title(self) -> DetailText:
        """The title, which is in the language in which the event is held."""
        code = self.event.language.code if self.event.language else ""
        told = WRITTEN_LANGUAGE.fullmatch(code) and code != self.language
        return DetailText(self.event.title, code if told else "")

    @property
    def time_span(self) -> str:
        return self.writer.dated(self.occasion)

    @property
    def start(self) -> DetailText:
        return moment(self.occasion.start, self.snapshot, self.words)

    @property
    def end(self) -> DetailText:
        return DetailText(self._ending[1], moment=moment(self.occasion.end, self.snapshot, self.words).moment)

    @property
    def joiner(self) -> str:
        """What stands between start and end."""
        return self._ending[0]

    @cached_property
    def _ending(self) -> tuple[str, str]:
        local = self.snapshot.programme.site.time.local
        return self.words.ending(local(self.occasion.start), local(self.occasion.end))

    @property
    def cancelled(self) -> str:
        """A sentence on what is cancelled, '' where nothing is."""
        if not self.occasion.cancelled:
            return ""
        if self.event.cancelled:
            return self.words.event_cancelled
        return self.words.occasion_cancelled if self.others else self.words.only_occasion_cancelled

    @property
    def changed(self) -> DetailText | None:
        """When the event was changed, if that is news."""
        if self.event.changed_at is None or not self.snapshot.is_updated(self.event):
            return None
        return moment(self.event.changed_at, self.snapshot, self.words)

    @property
    def change_info(self) -> str:
        return self.event.change_info or self.words.no_change_info

    @property
    def intro(self) -> DetailText:
        return in_language(self.event.intro, self.language)

    @property
    def description(self) -> DetailText:
        return in_language(self.event.description, self.language)

    @property
    def image_url(self) -> str:
        return web(self.event.image_url)

    @property
    def image_position(self) -> str:
        """What must stay where the image is cropped, as CSS has it; '' for its middle."""
        across, down = self.event.image_focus
        return "" if (across, down) == IMAGE_MIDDLE else f"{across}% {down}%"

    @property
    def brief(self) -> list[Detail]:
        return brief(self.snapshot, self.occasion, self.words)

    @property
    def facts(self) -> list[Detail]:
        return details(self.snapshot, self.occasion, self.words)

    # --- Before it, and after

    @property
    def area(self) -> DetailText:
        area = self.event.area
        return selected(area.name, Selection(areas=(area.name,), language=self.language))

    @property
    def type(self) -> DetailText:
        said = in_language(self.event.type.name, self.language)
        of_type = Selection(types=(str(self.event.type.id),), language=self.language)
        return said._replace(url=selected(said.text, of_type).url)

    @property
    def state(self) -> str:
        """Whether it goes on or is over, '' before it begins."""
        if self.occasion.cancelled or self.snapshot.now < self.occasion.start:
            return ""
        return self.words.going_on if self.snapshot.now < self.occasion.end else self.words.over

    # --- To take along

    @property
    def is_to_come(self) -> bool:
        """Whether it is worth a ticket, and a line in a calendar."""
        return not self.occasion.cancelled and self.snapshot.now < self.occasion.end

    @property
    def ticket_url(self) -> str:
        return web(self.event.ticket_url) if self.is_to_come else ""

    @property
    def calendars(self) -> list[Calendar]:
        return calendars(self.snapshot, self.occasion, self.words) if self.is_to_come else []

    @property
    def url(self) -> str:
        return self.snapshot.programme.site.occasion_url(self.occasion.identity, self.language)

    @property
    def mail(self) -> str:
        return mail(self.event.title, f"{self.when}\n{self.url}")

    @property
    def when(self) -> str:
        """Time and place in one line."""
        place, time = self.occasion.place, f"{self.start.text}{self.joiner}{self.end.text}"
        return f"{time}, {place.full_name}" if place else time

    @property
    def summary(self) -> DetailText:
        """What the page is about in a line: the introduction, else when and where."""
        intro = self.intro
        return (
            intro._replace(text=shortened(intro.text, LONGEST_SUMMARY))
            if intro.text
            else DetailText(self.when)
        )

    @property
    def structured(self) -> str:
        return structured_data.script(self.snapshot, self.occasion, self.language)

    # --- Where else to go

    @cached_property
    def others(self) -> list[OccasionLine]:
        """The event's other occasions; of their places only those that differ from this one's."""
        every = self.snapshot.programme.by_event[self.event.id]
        others = (each for each in every if each.id != self.occasion.id)
        return lines(self.snapshot, others, self.language, known=self.occasion.place)

    @cached_property
    def nearby(self) -> list[OccasionRow]:
        """What else is on in the same location that day, at most so much, that which is nearest in time."""
        place = self.occasion.place
        if place is None:
            return []
        found = [
            each
            for each in self._that_day
            if each.place and each.place.location.id == place.location.id and each.event.id != self.event.id
        ]
        nearest = sorted(found, key=lambda each: abs(each.start - self.occasion.start))[:MOST_NEARBY]
        return [self.writer.row(each) for each in found if each in nearest]

    @property
    def _that_day(self) -> tuple[Occasion, ...]:
        return self.snapshot.find(self._day_selection)

    @property
    def _day_selection(self) -> Selection:
        day = self.snapshot.programme.span(self.occasion).day
        return Selection(days=(DayRange(day, day),), language=self.language)

    @property
    def whole_day(self) -> DetailText:
        """All of the area on that day."""
        area = self.event.area
        path = address(START[self.language], replace(self._day_selection, areas=(area.name,)))
        return DetailText(self.words.whole_day.format(area.name), url=path)

    @property
    def area_ids(self) -> set[int]:
        """The areas whose colours the page shows."""
        return {self.event.area.id, *(row.area_id for row in self.nearby)}


class GonePage:
    """An occasion that was deleted or withdrawn, with what is left of its event."""

    def __init__(self, snapshot: Snapshot, identity: Identity, language: LanguageCode) -> None:
        left = snapshot.programme.by_event.get(identity.event_id, ())
        self.others = lines(snapshot, left, language)
        self.title = left[0].event.title if left else ""
