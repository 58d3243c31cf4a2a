"""The pages of a place and of an editors' list, with their occasions."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from feeds.facts import find_tokens
from feeds.listing import Listing
from feeds.names import divide, fold, order_name
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Location, Occasion, OccasionList, Room
from pages.addresses import START, build_occasion_list_path, build_path, build_place_path
from pages.calendars import shorten
from pages.details import Detail, describe, describe_facts, link_map, localize, select_known
from pages.occasions import MAX_SUMMARY_LENGTH
from pages.query import ALL_DAYS, PageQuery
from pages.rows import DayRows, RowBuilder
from pages.selected import SelectedPage
from pages.structured_data import write_json_ld
from pages.subscribing import CalendarSubscription

# The most occasions on the page, which links to the programme for the others.
MAX_LISTED = 300
# The most items of a list for search engines.
MAX_ITEMS = 100


class PartPage(SelectedPage):
    """The base of pages of a place or a list."""

    is_embeddable = True

    def __init__(self, snapshot: Snapshot, selection: Selection, occasions: tuple[Occasion, ...]) -> None:
        super().__init__(snapshot, PageQuery(selection))
        self.occasions = occasions
        now, is_current = snapshot.now, snapshot.programme.is_current
        self.ahead = [each for each in occasions if each.end > now or not is_current]
        self.programme_path = build_path(START[self.language], selection, days=ALL_DAYS)
        listing = Listing(snapshot, selection)
        self.calendar = CalendarSubscription(listing.url("ics"), listing.title)
        self.rows = RowBuilder(snapshot, self.language)
        # Whether the page leaves out occasions.
        self.is_more = len(occasions) > len(self.ahead[:MAX_LISTED])

    @property
    def days(self) -> list[DayRows]:
        return self.rows.group_by_day(self.ahead[:MAX_LISTED])


class PlacePage(PartPage):
    def __init__(
        self, snapshot: Snapshot, location: Location, occasions: tuple[Occasion, ...], language: LanguageCode
    ) -> None:
        selection = snapshot.programme.select(language, locations=(str(location.id),))
        super().__init__(snapshot, selection, occasions)
        self.location, self.title = location, divide(location.name)
        self.rows.unsaid |= {fold(location.name)}

    def path_in(self, language: LanguageCode) -> str:
        return build_place_path(self.location, language, self.selection.edition)

    @property
    def details(self) -> list[Detail]:
        return select_known(self._describe_location())

    @property
    def rooms(self) -> list[Detail]:
        """The rooms with occasions, and their accessibility, or a note that it is the location's."""
        rooms = {each.place.room for each in self.occasions if each.place and each.place.room}
        ordered = sorted(rooms, key=lambda each: (order_name(each.name, self.language), each.id))
        return select_known(map(self._describe_room, ordered))

    def _describe_location(self) -> Iterator[Detail]:
        yield describe(_("Also called"), _list_other_names(self.location))
        yield describe(_("Location"), _("Online") if self.location.online else "")
        yield describe(_("Address"), self.location.address, link_map(self.location))
        yield describe(_("Nearest public transport"), self.location.public_transport_station)
        yield from self._describe_facts(self.location)
        yield describe(_("Accessibility"), localize(self.location.accessibility, self.language))

    def _describe_room(self, room: Room) -> Detail:
        facts = [value for fact in self._describe_facts(room) for value in fact.values]
        text = localize(room.accessibility, self.language)
        place = self.location
        is_stated = find_tokens(place.stated) or localize(place.accessibility, self.language).text
        same = _("Same access as the place") if is_stated and not facts and not text.text else ""
        called = f"{_('Also called')}: {names}" if (names := _list_other_names(room)) else ""
        return describe(room.name, called, room.floor, *facts, text, same)

    def _describe_facts(self, stating: Location | Room) -> Iterator[Detail]:
        return describe_facts(find_tokens(stating.stated), self.snapshot.programme.select(self.language))


def _list_other_names(place: Location | Room) -> str:
    """Return the other names of a place, without a known name followed by an address."""
    names = place.other_names.splitlines()
    known = tuple(f"{each}, " for each in (place.name, *names))
    return ", ".join(each for each in names if not each.startswith(known))


class ListPage(PartPage):
    def __init__(
        self, snapshot: Snapshot, shown: OccasionList, occasions: tuple[Occasion, ...], language: LanguageCode
    ) -> None:
        selection = snapshot.programme.select(language, lists=(str(shown.id),))
        super().__init__(snapshot, selection, occasions)
        self.shown = shown
        self.title = localize(shown.title, language)
        self.text = localize(shown.text, language)
        summary = self.text if self.text.text else self.title
        self.summary = summary._replace(text=shorten(summary.text, MAX_SUMMARY_LENGTH))

    def path_in(self, language: LanguageCode) -> str:
        return build_occasion_list_path(self.shown, language, self.selection.edition)

    @property
    def json_ld(self) -> str:
        """The list as schema.org's ItemList of the pages of its coming occasions."""
        site = self.snapshot.programme.site
        urls = (site.occasion_url(each.identity, self.language) for each in self.ahead[:MAX_ITEMS])
        items = [{"@type": "ListItem", "position": place, "url": url} for place, url in enumerate(urls, 1)]
        described = {"description": self.text.text} if self.text.text else {}
        listed = {"@type": "ItemList", "name": self.title.text, **described, "itemListElement": items}
        return write_json_ld(listed)
