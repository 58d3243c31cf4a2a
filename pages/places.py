"""The page of a place: what it is, how one gets there, and what is on there."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from feeds.facts import find_tokens
from feeds.listing import Listing
from feeds.names import order_name
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Location, Occasion, Room
from pages.addresses import START, build_path, build_place_path
from pages.details import Detail, describe, describe_facts, keep_known, link_maps, localize
from pages.query import ALL_DAYS, PageQuery
from pages.rows import DayRows, RowBuilder
from pages.selected import SelectedPage
from pages.subscribing import CalendarSubscription

# On one page; the programme has the others.
MAX_LISTED = 300


class PartPage(SelectedPage):
    """A page of a part of the programme, which is something of its own: a place, a list."""

    is_embeddable = True

    def __init__(self, snapshot: Snapshot, selection: Selection, occasions: tuple[Occasion, ...]) -> None:
        super().__init__(snapshot, PageQuery(selection))
        self.occasions = occasions
        # Of a former edition all.
        now, is_current = snapshot.now, snapshot.programme.is_current
        self.ahead = [each for each in occasions if each.end > now or not is_current]
        self.programme_path = build_path(START[self.language], selection, days=ALL_DAYS)
        listing = Listing(snapshot, selection)
        self.calendar = CalendarSubscription(listing.url("ics"), listing.title)

    @property
    def days(self) -> list[DayRows]:
        return RowBuilder(self.snapshot, self.language).group_by_day(self.ahead[:MAX_LISTED])

    @property
    def is_more(self) -> bool:
        """Whether the programme has occasions that are not listed here."""
        return len(self.occasions) > len(self.ahead[:MAX_LISTED])


class PlacePage(PartPage):
    def __init__(
        self, snapshot: Snapshot, location: Location, occasions: tuple[Occasion, ...], language: LanguageCode
    ) -> None:
        selection = snapshot.programme.select(language, locations=(str(location.id),))
        super().__init__(snapshot, selection, occasions)
        self.location = location

    def path_in(self, language: LanguageCode) -> str:
        return build_place_path(self.location, language, self.selection.edition)

    @property
    def details(self) -> list[Detail]:
        return keep_known([*self._describe_location(), *map(self._describe_room, self._rooms)])

    def _describe_location(self) -> Iterator[Detail]:
        yield describe(_("Location"), _("Online") if self.location.online else "")
        yield describe(_("Address"), self.location.address)
        yield describe(_("Map"), *link_maps(self.location))
        yield describe(_("Nearest public transport"), self.location.public_transport_station)
        yield from self._describe_facts(self.location)
        yield describe(_("Accessibility"), localize(self.location.accessibility, self.language))

    @property
    def _rooms(self) -> list[Room]:
        rooms = {each.place.room for each in self.occasions if each.place and each.place.room}
        return sorted(rooms, key=lambda each: (order_name(each.name, self.language), each.id))

    def _describe_room(self, room: Room) -> Detail:
        facts = (value for fact in self._describe_facts(room) for value in fact.values)
        return describe(room.name, room.floor, *facts, localize(room.accessibility, self.language))

    def _describe_facts(self, stating: Location | Room) -> Iterator[Detail]:
        return describe_facts(find_tokens(stating.stated), self.snapshot.programme.select(self.language))
