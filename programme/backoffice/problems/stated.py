"""What finds facts that are not stated, and those that contradict each other."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from feeds.facts import BY_NAME, FREE, derive_free
from programme.backoffice.problems.facts import STATED, Facts
from programme.backoffice.problems.finders import Found, build_event_problem
from programme.models.facts import localize_later

LINKLESS, CONTRADICTED = "no-booking-link", "price-contradicts"
_LINKED = {name: {value.code for value in BY_NAME[name].values if value.linked} for name in STATED}


def find_missing_links(facts: Facts) -> Found:
    for event in facts.events.values():
        for name, text in zip(STATED, event.stated, strict=True):
            if text in _LINKED[name] and not (event.links or event.cancelled):
                fact = BY_NAME[name]
                labels = localize_later(fact.title), localize_later(fact.label(text))
                yield build_event_problem(facts, event, format_lazy("{}: {}", *labels), "booking_url", text)


def find_contradicted_prices(facts: Facts) -> Found:
    place = STATED.index(FREE.name)
    for event in facts.events.values():
        text, derived = event.stated[place], derive_free(event.price)
        if text and derived and text != derived:
            labels = {"price": event.price, "fact": localize_later(FREE.label(text))}
            detail = format_lazy(_("The price is “{price}”, but: {fact}"), **labels)
            yield build_event_problem(facts, event, detail, FREE.name, text, event.price)
