"""What finds facts that are not stated, and those that contradict each other."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.fact import Fact, Kind
from feeds.facts import FREE, derive_free, facts_of
from programme.backoffice.forms.facts import NOTHING
from programme.backoffice.problems.facts import STATED, STATED_OF_PLACE, Facts
from programme.backoffice.problems.finders import Found, build_event_problem, build_rows_problem
from programme.backoffice.problems.places import build_problem, find_used
from programme.backoffice.problems.problem import ProblemLink
from programme.models.facts import localize_later

LINKLESS, CONTRADICTED = "no-booking-link", "price-contradicts"
OF_PLACES = [fact for fact in facts_of("location") if fact.kind is Kind.STATES]
# By their places in what an occasion states.
_LINKED = [(place, fact) for place, fact in enumerate(facts_of("occasion")) if fact.linked]


def find_unknown(facts: Facts, fact: Fact) -> Found:
    """Yield one problem of all places where something is held and nothing of a fact is known."""
    used, place = find_used(facts), STATED_OF_PLACE.index(fact.name)
    unknown = sorted(key for key in used if not facts.locations[key].stated[place])
    if unknown:
        words = {"count": len(unknown), "total": len(used), "fact": localize_later(fact.title)}
        title = format_lazy(_("{count} of {total} places without: {fact}"), **words)
        chosen = f"{fact.name}={NOTHING}"
        link = ProblemLink(title, "location", 0, fact.name, facts=tuple(unknown), filter=chosen)
        held = [each for key in unknown for each in used[key]]
        yield build_problem(facts, title, _("Say yes or no of each, where you know."), link, held)


def find_missing_links(facts: Facts) -> Found:
    for key, occasions in facts.occasions_by_event.items():
        lacking = [each for each in occasions if not (each.booking_url or each.cancelled)]
        for place, fact in _LINKED:
            found = [each for each in lacking if each.stated[place] == fact.linked]
            if found and not facts.events[key].ticket_url:
                labels = localize_later(fact.title), localize_later(fact.label(fact.linked))
                detail = format_lazy("{}: {}", *labels)
                yield build_rows_problem(facts, found, detail, "booking_url", fact.linked)


def find_contradicted_prices(facts: Facts) -> Found:
    place = STATED.index(FREE.name)
    for event in facts.events.values():
        text, derived = event.stated[place], derive_free(event.price)
        if text and derived and text != derived:
            labels = {"price": event.price, "fact": localize_later(FREE.label(text))}
            detail = format_lazy(_("The price is “{price}”, but: {fact}"), **labels)
            yield build_event_problem(facts, event, detail, FREE.name, text, event.price)
