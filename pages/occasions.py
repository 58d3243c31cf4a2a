"""What the page of an occasion says, and that of one that is gone."""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from feeds.snapshot import Snapshot
from feeds.vocabulary import IMAGE_MIDDLE, Identity, LanguageCode, Occasion, Place, occasion_path
from pages.facts import Fact, Said, facts, in_language, moment, web
from pages.words import Words

# Languages that titles are written in, as BCP 47 has them. Codes of three letters are left out: among
# them are sign languages and `zxx`, no language at all.
WRITTEN_LANGUAGE = re.compile(r"[A-Za-z]{2}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?")


class Line(NamedTuple):
    """An occasion in a list: where it leads, and what a reader chooses by."""

    path: str
    start: str
    time_span: str
    title: str
    place: str
    cancelled: bool


def lines(
    snapshot: Snapshot, occasions: Iterable[Occasion], language: LanguageCode, known: Place | None = None
) -> list[Line]:
    """Return a line for each occasion; a place that the reader knows already is not repeated."""
    local = snapshot.programme.site.time.local
    return [
        Line(
            path=occasion_path(each.id, language),
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

    @property
    def title(self) -> Said:
        """The title, which is in the language in which the event is held."""
        code = self.event.language.code if self.event.language else ""
        told = WRITTEN_LANGUAGE.fullmatch(code) and code != self.language
        return Said(self.event.title, code if told else "")

    @property
    def time_span(self) -> str:
        return self.snapshot.time_span(self.occasion, self.language)

    @property
    def start(self) -> Said:
        return moment(self.occasion.start, self.snapshot, self.words)

    @property
    def end(self) -> Said:
        return Said(self._ending[1], moment=moment(self.occasion.end, self.snapshot, self.words).moment)

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
    def changed(self) -> Said | None:
        """When the event was changed, if that is news."""
        if self.event.changed_at is None or not self.snapshot.is_updated(self.event):
            return None
        return moment(self.event.changed_at, self.snapshot, self.words)

    @property
    def change_info(self) -> str:
        return self.event.change_info or self.words.no_change_info

    @property
    def intro(self) -> Said:
        return in_language(self.event.intro, self.language)

    @property
    def description(self) -> Said:
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
    def facts(self) -> list[Fact]:
        return facts(self.snapshot, self.occasion, self.words)

    @cached_property
    def others(self) -> list[Line]:
        """The event's other occasions; of their places only those that differ from this one's."""
        every = self.snapshot.programme.by_event[self.event.id]
        others = (each for each in every if each.id != self.occasion.id)
        return lines(self.snapshot, others, self.language, known=self.occasion.place)


class GonePage:
    """An occasion that was deleted or withdrawn, with what is left of its event."""

    def __init__(self, snapshot: Snapshot, identity: Identity, language: LanguageCode) -> None:
        left = snapshot.programme.by_event.get(identity.event_id, ())
        self.others = lines(snapshot, left, language)
        self.title = left[0].event.title if left else ""
