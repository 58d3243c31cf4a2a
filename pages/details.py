"""The details of an occasion as terms and values, without unknown ones."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds import vocabulary
from feeds.fact import NO, Fact, FactKind
from feeds.facts import BY_NAME, FREE, SIGN_LANGUAGE, derive_free, group_tokens, is_sign_interpreted
from feeds.links import link_addresses
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.wording import list_news
from pages.addresses import START, build_occasion_list_path, build_path, build_place_path
from pages.rows import describe_opening_hours, format_moment

# The interface's codes (decisions, "Stream.source"); 0, another one, has no name.
STREAM_SOURCES = {1: "YouTube", 2: "Vimeo", 3: "Twitch", 4: "Facebook", 5: "SVT Play"}


class DetailText(NamedTuple):
    """A text with its language if that is not the page's, its link, and its instant."""

    text: str
    lang: str = ""
    url: str = ""
    moment: str = ""

    @property
    def is_external(self) -> bool:
        return bool(vocabulary.safe_url(self.url))

    @property
    def linked(self) -> SafeString:
        """The text as HTML, in which addresses are links."""
        return mark_safe(link_addresses(self.text))  # noqa: S308 - it is escaped


class Detail(NamedTuple):
    term: str
    values: tuple[DetailText, ...]


def localize(text: vocabulary.Text, language: vocabulary.LanguageCode) -> DetailText:
    """Return a text in a language, or in the other one, marked as such."""
    return DetailText(text.within(language), text.find_other_language(language))


def link(text: str, url: str) -> DetailText:
    return DetailText(text, url=url) if vocabulary.safe_url(url) else DetailText("")


def link_map(location: vocabulary.Location) -> DetailText:
    """Return a link to a map of a place with coordinates; phones open their own app (pages.js)."""
    if location.latitude is None:
        return DetailText("")
    at = f"{location.latitude:.6f}", f"{location.longitude:.6f}"
    url = "https://www.openstreetmap.org/?mlat={0}&mlon={1}#map=17/{0}/{1}".format(*at)
    return DetailText(_("Show on a map"), url=url)


def link_selection(name: str, selection: Selection, *, is_linked: bool = True) -> DetailText:
    url = build_path(START[selection.language], selection) if name and is_linked else ""
    return DetailText(name, url=url)


def describe_moment(instant: datetime, snapshot: Snapshot, language: vocabulary.LanguageCode) -> DetailText:
    local = snapshot.programme.site.time.local(instant)
    return DetailText(format_moment(local, language), moment=local.isoformat(timespec="seconds"))


def find_area_day(snapshot: Snapshot, occasion: vocabulary.Occasion) -> vocabulary.AreaDay | None:
    day = snapshot.programme.site.time.day_of(occasion.start)
    return next((each for each in occasion.event.area.days if each.date == day), None)


def describe_facts(tokens: Iterable[str], every: Selection) -> Iterator[Detail]:
    """Yield the known values of each fact, with links to filters."""
    for name, codes in group_tokens(tokens).items():
        fact = BY_NAME[name]
        values = (_describe_value(fact, each, every) for each in codes)
        yield describe(fact.title.within(every.language), *values)


def _describe_value(fact: Fact, code: str, every: Selection) -> DetailText:
    words = capfirst(fact.label(code.removeprefix(NO)).within(every.language))
    if fact.kind is FactKind.STATES:
        words = f"{words}: {_('no') if code.startswith(NO) else _('yes')}"
    selection = replace(every, facts=(fact.token(code),))
    return link_selection(words, selection, is_linked=code in fact.offered)


class OccasionDetails:
    def __init__(
        self, snapshot: Snapshot, occasion: vocabulary.Occasion, language: vocabulary.LanguageCode
    ) -> None:
        self.snapshot = snapshot
        self.occasion = occasion
        self.event = occasion.event
        self.place = occasion.place
        self.language = language
        self.every = snapshot.programme.select(language)
        self.select = partial(replace, self.every)
        self._localize = partial(localize, language=language)

    @property
    def essential(self) -> list[Detail]:
        """The details that a visitor needs to attend."""
        price = describe(_("Price"), self.event.price)
        # Facts that other details show.
        said = {SIGN_LANGUAGE, FREE.token(derive_free(self.event.price))}
        facts = describe_facts((each for each in self.occasion.facts if each not in said), self.every)
        return select_known((*self._location(), *self._how(), price, *facts))

    @property
    def further(self) -> list[Detail]:
        return select_known(
            (*self._accessibility(), *self._areas(), *self._kind(), *self._prices(), *self._history())
        )

    def _location(self) -> Iterator[Detail]:
        if self.place is None:
            return
        location, room = self.place.location, self.place.room
        url = build_place_path(location, self.language, self.every.edition)
        name = DetailText(location.name, url=url)
        yield describe(_("Location"), name, _("Online") if location.online else "")
        if room:
            yield describe(_("Room"), room.name)
            yield describe(_("Floor"), room.floor)
        yield describe(_("Address"), location.address, link_map(location))
        yield describe(_("Nearest public transport"), location.public_transport_station)

    def _how(self) -> Iterator[Detail]:
        if stream := self.occasion.stream:
            source = STREAM_SOURCES.get(stream.source)
            name = f"{stream.name} ({source})" if source else stream.name
            yield describe(_("Streamed online"), DetailText(name, url=vocabulary.safe_url(stream.url)))
        if self.event.language:
            yield describe(_("Language"), self._localize(self.event.language.name))
        interpreted = _("Sign language interpreted") if is_sign_interpreted(self.occasion) else ""
        yield describe(_("Interpretation"), interpreted)

    def _accessibility(self) -> Iterator[Detail]:
        if self.place is None:
            return
        yield describe(_("Accessibility"), self._localize(self.place.location.accessibility))
        if self.place.room:
            yield describe(_("Accessibility of the room"), self._localize(self.place.room.accessibility))

    def _areas(self) -> Iterator[Detail]:
        area, sub_area = self.event.area, self.event.sub_area
        yield self._area(_("Area"), area, self.select(areas=(area.name,)))
        if sub_area:
            within = self.select(areas=(area.name,), sub_areas=(sub_area.name,))
            yield self._area(_("Sub area"), sub_area, within)

    def _area(self, term: str, area: vocabulary.Area | vocabulary.SubArea, selection: Selection) -> Detail:
        return describe(
            term,
            link_selection(area.full_name, selection),
            ", ".join(filter(None, (area.location_name, area.address))),
            self._localize(area.info),
            link(_("Website"), area.external_url),
        )

    def _lists(self) -> Iterator[DetailText]:
        for each in self.snapshot.programme.lists:
            if each.has(self.occasion):
                url = build_occasion_list_path(each, self.language, self.every.edition)
                yield self._localize(each.title)._replace(url=url)

    def _kind(self) -> Iterator[Detail]:
        yield describe(
            _("Type"), *(link_type(each, self.select(types=(str(each.id),))) for each in self.event.types)
        )
        yield describe(_("Lists"), *self._lists())
        if organizer := self.event.organizer:
            selection = self.select(organizers=(str(organizer.id),))
            yield describe(
                _("Organizer"),
                link_selection(organizer.name, selection),
                self._localize(organizer.info),
                link(_("Website"), organizer.external_url),
            )
        yield describe(_("Read more"), link(self.event.external_url, self.event.external_url))

    def _prices(self) -> Iterator[Detail]:
        area, entered = self.event.area, find_area_day(self.snapshot, self.occasion)
        if entered:
            hours = describe_opening_hours(entered.opens, entered.closes)
            yield describe(_("Area open that day") if hours else _("Day"), hours, entered.title)
            tickets = describe_opening_hours(entered.ticket_opens, entered.ticket_closes)
            is_free = FREE.token("true") in self.occasion.facts
            yield describe(_("Ticket sales that day"), "" if is_free else tickets)
        yield describe(_("Price in the area"), area.price, entered.price_info if entered else "")
        yield describe(_("Tickets for the area"), link(_("Buy tickets"), area.ticket_url))

    def _history(self) -> Iterator[Detail]:
        occasion = self.occasion
        # A recent change stands at the top of the page.
        if not self.snapshot.is_updated(occasion):
            at = occasion.changed_at
            changed = describe_moment(at, self.snapshot, self.language) if at else ""
            news = list_news(occasion, self.snapshot.programme.site.time, self.language)
            yield describe(_("Changed"), changed, *(DetailText(*each) for each in news))


def link_type(kind: vocabulary.EventType, selection: Selection) -> DetailText:
    name = localize(kind.name, selection.language)
    return name._replace(url=link_selection(name.text, selection).url)


def select_known(details: Iterable[Detail]) -> list[Detail]:
    known = (
        Detail(term, tuple(dict.fromkeys(each for each in values if each.text))) for term, values in details
    )
    return [detail for detail in known if detail.values]


def describe(term: str, *values: DetailText | str) -> Detail:
    return Detail(term, tuple(DetailText(each) if isinstance(each, str) else each for each in values))
