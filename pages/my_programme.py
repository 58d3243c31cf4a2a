"""My programme: the occasions that an address names, by day, with clashes and missing ones."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.news import News
from feeds.news_wording import describe, describe_change, format_kind
from feeds.selection import PARAMETERS, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, build_occasion_path
from feeds.wording import format_full_date
from pages.addresses import MY_LIST, MY_PROGRAMME, OTHER, build_feed_path, build_path
from pages.days import MAX_ATTENDED
from pages.details import DetailText, describe_moment, localize
from pages.layout import build_area_rules
from pages.rendering import Page, write_page
from pages.rows import DayRows, OccasionRow, RowBuilder, count_occasions
from pages.subscribing import CalendarSubscription, render_qr
from programme.api.fields import MAX_OCCASIONS
from programme.publishing.current import DatabaseUnavailable, current
from programme.publishing.other_editions import Titled, read_titles

# The placeholder of a list's secret, which only the browser knows.
PLACEHOLDER = "ADDRESS"
# The most pieces of news.
MAX_TOLD = 100
_ID = re.compile("[0-9]{1,18}", re.ASCII)


def parse_chosen(query: QueryDict) -> tuple[tuple[int, ...], bool]:
    """Return the IDs in an address, and whether all of it could be understood."""
    texts = [each for each in re.split(r"[.,\s]+", ".".join(query.getlist(PARAMETERS["chosen"]))) if each]
    ids = tuple(dict.fromkeys(int(each) for each in texts if _ID.fullmatch(each)))
    return ids[:MAX_OCCASIONS], len(ids) <= MAX_OCCASIONS and all(map(_ID.fullmatch, texts))


class MyProgrammePage:
    """The occasions that an address names: `chosen` is the selection as the address has it, not canonical."""

    def __init__(self, snapshot: Snapshot, chosen: Selection, elsewhere: Iterable[Titled] = ()) -> None:
        """Initialize the page; `elsewhere` are chosen occasions of other editions."""
        self.snapshot = snapshot
        self.programme = snapshot.programme
        self.language: LanguageCode = chosen.language
        self.selection = Selection(
            chosen=tuple(sorted({each for each in chosen.chosen if each in self.programme.by_id})),
            language=self.language,
        )
        self._elsewhere = [*elsewhere]
        kept = {*self.selection.chosen, *(key for _edition, key, *_ in self._elsewhere)}
        self.ids = ".".join(map(str, sorted(kept)))
        self.missing = sorted(set(chosen.chosen) - kept)
        self._every = frozenset(chosen.chosen)
        self.has_chosen = bool(self._every)
        base_url = self.programme.site.base_url
        self.url = f"{base_url}{self.path_in(self.language)}"
        self.qr = render_qr(self.url)
        # Whether a coming occasion is too long to count as a clash.
        self.has_long = any(each.end - each.start > MAX_ATTENDED for each in self._ahead)
        # The address for conference apps.
        self.schedule = f"{base_url}{build_feed_path('frab-xml', self.selection)}"

    @cached_property
    def occasions(self) -> tuple[Occasion, ...]:
        # An empty selection would be the whole programme.
        return self.snapshot.find(self.selection) if self.selection.chosen else ()

    @property
    def count(self) -> str:
        return count_occasions(len(self.occasions))

    # --- Clashes

    @cached_property
    def clashes(self) -> dict[int, list[str]]:
        """The titles of clashing occasions by ID, without long, cancelled and past ones."""
        busy = [each for each in self._ahead if each.end - each.start <= MAX_ATTENDED]
        found: dict[int, list[str]] = {}
        for place, one in enumerate(busy):
            for other in busy[place + 1 :]:
                # They are in the order of their starts.
                if other.start >= one.end:
                    break
                found.setdefault(one.id, []).append(other.event.title)
                found.setdefault(other.id, []).append(one.event.title)
        return found

    @property
    def _ahead(self) -> Iterator[Occasion]:
        now = self.snapshot.now
        return (each for each in self.occasions if each.end > now and not each.cancelled)

    @property
    def days(self) -> list[tuple[str, str, list[tuple[OccasionRow, list[str]]]]]:
        """Return date and name of each day, and its occasions with the titles that they clash with."""
        rows = RowBuilder(self.snapshot, self.language)
        return [
            (
                day.isoformat(),
                format_full_date(day, self.language),
                [(rows.build(each), self.clashes.get(each.id, [])) for each in occasions],
            )
            for day, occasions in rows.split_days(self.occasions)
        ]

    # --- News

    @cached_property
    def _told(self) -> list[News]:
        """The news of the chosen occasions, also of gone ones, the newest first."""
        now, news = self.snapshot.now, self.programme.news
        return [
            each for each in news if each.occasion_id in self._every and each.appears_at <= now < each.ends
        ]

    @property
    def told(self) -> list[dict[str, Any]]:
        """The news without additions, of which `my-news.js` shows the unseen pieces."""
        site = self.programme.site
        return [
            {
                "id": each.occasion_id,
                "area_id": each.facts.area or 0,
                "at": site.time.timestamp(each.appears_at),
                "kind": format_kind(each, self.language),
                "mark": "cancelled" if each.told_as in {"cancelled", "withdrawn"} else "changed",
                "title": each.facts.title,
                "url": build_occasion_path(each.occasion_id, self.language),
                "change": describe_change(each, site.time, self.language),
                "note": localize(each.note, self.language),
            }
            for each in self._told
            if each.told_as != "new"
        ][:MAX_TOLD]

    # --- Occasions of other editions, and missing ones

    @property
    def missing_names(self) -> list[str]:
        """The titles of missing occasions, with the last time and place if known."""
        last = {each.occasion_id: each for each in reversed(self._told)}
        return list(filter(None, (self._name_missing(each, last) for each in self.missing)))

    def _name_missing(self, key: int, last: Mapping[int, News]) -> str:
        if key in last:
            news = last[key]
            return describe(replace(news, kind="withdrawn"), self.programme.site.time, self.language)
        identity = self.programme.gone.get(key)
        left = self.programme.by_event.get(identity.event_id, ()) if identity else ()
        return left[0].event.title if left else ""

    @property
    def elsewhere(self) -> Iterator[tuple[str, list[tuple[int, DetailText, DetailText]]]]:
        """The name of each other edition with its chosen occasions: ID, link, and start."""
        for edition, group in groupby(self._elsewhere, key=itemgetter(0)):
            yield edition.name.within(self.language), [self._link(*each[1:]) for each in group]

    def _link(self, key: int, title: str, start: datetime) -> tuple[int, DetailText, DetailText]:
        link = DetailText(title, url=build_occasion_path(key, self.language))
        return key, link, describe_moment(start, self.snapshot, self.language)

    @property
    def alternatives(self) -> list[DayRows]:
        """The other coming occasions, by day, of the events of missing ones."""
        identities = filter(None, (self.programme.gone.get(each) for each in self.missing))
        events = dict.fromkeys(each.event_id for each in identities)
        others = (each for event in events for each in self.programme.by_event.get(event, ()))
        ahead = (each for each in others if each.end > self.snapshot.now and not each.cancelled)
        left = {each.id: each for each in ahead if each.id not in self.selection.chosen}
        ordered = sorted(left.values(), key=attrgetter("start"))
        return RowBuilder(self.snapshot, self.language).group_by_day(ordered)

    # --- Calendar and address

    @property
    def calendar(self) -> CalendarSubscription:
        """The calendar of the occasions on the page, independent of later stars."""
        url = f"{self.programme.site.base_url}{build_feed_path('ics', self.selection)}"
        return CalendarSubscription(url, _("My programme"))

    @cached_property
    def list_calendar(self) -> CalendarSubscription:
        """The calendar of the stored list; `my-list.js` inserts its secret into addresses."""
        language = "?language=en" if self.language == "en" else ""
        url = f"{self.programme.site.base_url}{MY_LIST}/{PLACEHOLDER}.ics{language}"
        return CalendarSubscription(url, _("My programme"))

    def path_in(self, language: LanguageCode) -> str:
        return build_path(MY_PROGRAMME[language], replace(Selection(), chosen=self.selection.chosen))


def write_my_programme_page(snapshot: Snapshot, chosen: Selection, *, is_complete: bool) -> Page:
    programme, language = snapshot.programme, chosen.language
    known = programme.by_id.keys() | programme.gone.keys()
    others = set(chosen.chosen) - known if programme.editions else set()
    try:
        elsewhere = current.ask(lambda: [*read_titles(others, programme)])
        page = MyProgrammePage(snapshot, chosen, elsewhere)
    except DatabaseUnavailable:
        # During an outage of the database, others are left out.
        page = MyProgrammePage(snapshot, replace(chosen, chosen=tuple(set(chosen.chosen) - others)))
    base_url = programme.site.base_url
    return write_page(
        "my_programme",
        language,
        snapshot,
        page.selection if page.occasions else None,
        build_area_rules(snapshot),
        page=page,
        is_complete=is_complete,
        current_page="my_programme",
        # For search engines, without chosen occasions.
        urls={each: f"{base_url}{MY_PROGRAMME[each]}" for each in programme.festival.languages},
        other_language_path=page.path_in(OTHER[language]),
    )
