"""The facts by which visitors choose, each declared once: audience, age, admission, booking, access.

Columns, forms, query parameters, sheets' columns, pages and documents are derived from the declarations. An
occasion has a token for each statement, `audience:children` or (stated to be absent)
`access:no-hearing-loop`, in the order of the declarations, and none for a fact that is unknown.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

from feeds.fact import Fact, FactKind, FactValue, list_known
from feeds.names import fold
from feeds.vocabulary import Occasion, Text

AUDIENCE = Fact(
    "audience",
    Text("För", "For"),
    FactKind.SEVERAL,
    "event",
    (
        FactValue("children", Text("barn", "children"), ("för barn", "kids"), Text("För barn", "For children"), weight=2, ages="0-12"),
        FactValue("families", Text("familjer", "families"), ("familj", "family", "för hela familjen", "barnfamiljer", "family friendly"), weight=2, ages="0-"),
        FactValue("youth", Text("ungdomar", "youth"), ("unga", "ungdom", "young people", "teenagers", "tonåringar"), ages="13-19"),
        FactValue("adults", Text("vuxna", "adults"), ("vuxen", "adult", "grown-ups"), ages="18-"),
        FactValue("seniors", Text("seniorer", "seniors"), ("senior", "äldre", "pensionärer", "elderly"), ages="65-"),
        FactValue("professionals", Text("yrkesverksamma", "professionals"), ("branschfolk", "professional", "industry")),
    ),
    Text("Lämna tomt om det inte är sagt.", "Leave it empty if that is not stated."),
    ("Målgrupp", "Målgrupper", "Publik", "Audience", "Audiences", "Target group"),
    alone=Text("för {}", "for {}"),
)  # fmt: skip
AGE = Fact(
    "age",
    Text("Ålder", "Age"),
    FactKind.RANGE,
    "event",
    (),
    Text(
        "Från och till, i år: 6–12, eller bara det ena.", "From and to, in years: 6–12, or one of them alone."
    ),
    ("Åldrar", "Åldersgrupp", "Åldersgräns", "Ages", "Age group", "Age limit"),
)
FREE = Fact(
    "free",
    Text("Fri entré", "Free admission"),
    FactKind.ONE,
    "event",
    (
        FactValue("true", Text("fri entré", "free"), ("ja", "yes", "1", "on", "gratis", "x"), Text("Fri entré", "Free"), weight=2),
        FactValue("false", Text("kostar", "costs something"), ("nej", "no", "0", "off", "inte gratis", "not free"), weight=0),
    ),
    Text("Lämna tomt: då avgör priset.", "Leave it empty to let the price decide."),
    ("Gratis", "Free", "Free of charge", "Is free", "Fritt inträde"),
)  # fmt: skip
BOOKING = Fact(
    "booking",
    Text("Bokning", "Booking"),
    FactKind.ONE,
    "occasion",
    (
        FactValue("not-needed", Text("behövs inte", "not needed"), ("nej", "no", "ingen", "none", "drop-in", "ingen föranmälan")),
        FactValue("needed", Text("behövs", "needed"), ("ja", "yes", "krävs", "required", "föranmälan", "anmälan krävs", "bokas"), linked=True),
        FactValue("full", Text("fullt", "full"), ("fullbokat", "fullbokad", "slutsålt", "sold out", "fully booked"), Text("Fullt", "Full"), urgent=True, weight=0, lifted=Text("Plats finns", "Places left")),
        FactValue("waiting-list", Text("väntelista", "waiting list"), ("reservlista", "kölista", "kö"), Text("Väntelista", "Waiting list"), urgent=True),
    ),
    Text(),
    ("Anmälan", "Föranmälan", "Registration", "Bokningsläge", "Requires ticket"),
    alone=Text("bokning {}", "booking {}"),
)  # fmt: skip
ACCESS = Fact(
    "access",
    Text("Tillgänglighet i korthet", "Accessibility in brief"),
    FactKind.STATES,
    "place",
    (
        FactValue("step-free", Text("stegfritt", "step-free"), ("rullstol", "wheelchair", "wheelchair accessible", "rullstolsanpassat", "trappfritt"), weight=2),
        FactValue("accessible-toilet", Text("tillgänglig toalett", "accessible toilet"), ("rwc", "hwc", "handikapptoalett", "toilet", "toalett")),
        FactValue("hearing-loop", Text("hörslinga", "hearing loop"), ("teleslinga", "induction loop", "loop", "slinga")),
        FactValue("sign-language", Text("teckenspråk", "sign language"), ("teckenspråkstolkat", "teckentolkat", "tolkas", "teckenspråkstolk", "teckenspråkstolkning", "signed", "sign language interpreted", "sign language interpretation", "tecken"), Text("Teckenspråk", "Signed"), stated_of="occasion", weight=2),
        FactValue("audio-description", Text("syntolkat", "audio description"), ("syntolkning", "audio described"), stated_of="occasion"),
        FactValue("captions", Text("textat", "captions"), ("textning", "skrivtolkat", "captioned", "subtitles", "surtitles"), stated_of="occasion"),
        FactValue("companion-free", Text("ledsagare går gratis", "companion free"), ("ledsagare", "companion", "carer free")),
        FactValue("seats", Text("sittplatser", "seats"), ("sittplats", "seating", "seated")),
        FactValue("quiet-place", Text("lugn plats", "quiet place"), ("vilrum", "lugnt rum", "quiet room")),
        FactValue("strobe-light", Text("stroboskop", "strobe light"), ("strobe", "blinkande ljus", "flashing lights"), warning=True, stated_of="occasion"),
        FactValue("loud", Text("högt ljud", "loud sound"), ("hög volym", "loud music", "högljutt"), warning=True, stated_of="occasion"),
    ),
    Text("Ja eller nej bara där ni vet: okänt är inte nej.", "Yes or no only where you know: unknown is not no."),
    ("Tillgänglig", "Access", "Accessible"),
)  # fmt: skip

# The fact that the interface has as a flag.
SIGN_LANGUAGE = ACCESS.token("sign-language")
FULL = BOOKING.token("full")
# Occasions with one of these are not booked, even if there is a link.
NOT_BOOKED = {FULL, BOOKING.token("not-needed")}
FACTS = (AUDIENCE, AGE, FREE, BOOKING, ACCESS)
BY_NAME = {fact.name: fact for fact in FACTS}


@cache
def facts_of(model: str) -> tuple[Fact, ...]:
    """Return the facts and values that rows of a model (`event`, `occasion`, `location`, `room`) state."""
    kind = "place" if model in ("location", "room") else model
    stated = (fact.stated_by(kind) for fact in FACTS)
    return tuple(fact for fact in stated if fact.values or fact.stated_of == kind)


# The stored texts of a row's facts, in the order of `facts_of`.
Stated = tuple[str, ...]


@cache
def find_tokens(place: Stated = (), event: Stated = (), occasion: Stated = ()) -> tuple[str, ...]:
    """Return the tokens of the statements of a place, an event and an occasion."""
    rows = (("location", place), ("event", event), ("occasion", occasion))
    return order_tokens(
        fact.token(code)
        for model, texts in rows
        for fact, text in zip(facts_of(model), texts, strict=bool(texts))
        for code in fact.split(text)
    )


@lru_cache(4096)
def derive_stated(stated: Stated, price: str) -> Stated:
    """Return an event's statements, with the free admission that its price implies."""
    texts = dict(zip((fact.name for fact in facts_of("event")), stated, strict=True))
    texts[FREE.name] = texts[FREE.name] or derive_free(price)
    return tuple(texts.values())


def is_sign_interpreted(occasion: Occasion) -> bool:
    return SIGN_LANGUAGE in occasion.facts


def split_token(token: str) -> tuple[str, str]:
    name, _, code = token.partition(":")
    return name, code


def order_tokens(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return tokens in the order of the declarations, each once."""
    return tuple(sorted(set(tokens), key=_rank))


def group_tokens(tokens: Iterable[str]) -> dict[str, list[str]]:
    """Return the codes of tokens by the name of their fact."""
    grouped: dict[str, list[str]] = {}
    for name, code in map(split_token, tokens):
        grouped.setdefault(name, []).append(code)
    return grouped


@lru_cache(4096)
def find_sought(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens that find an occasion; without stated ages also the ages of its audience."""
    is_aged = any(split_token(each)[0] == AGE.name for each in tokens)
    return tokens if is_aged else tokens + tuple(_AGES[each] for each in tokens if each in _AGES)


def find_tests(tokens: Iterable[str]) -> Iterator[Callable[[str], bool]]:
    """Yield tests of tokens; an occasion matches if each test is true for one of its tokens."""
    for name, codes in group_tokens(tokens).items():
        yield from BY_NAME[name].build_tests(codes)


def phrase_token(token: str) -> Text:
    """Return a token's words outside a sentence: `för barn`, `utan stroboskop`, `7 år`."""
    name, code = split_token(token)
    return BY_NAME[name].phrase(code)


def list_names() -> Iterator[tuple[str, str]]:
    """Yield each token that visitors choose by with each of its names, for searches."""
    for fact in FACTS:
        for code, label, spellings in list_known(fact, warnings_alone=True):
            # "Ja" is the answer to the heading "Gratis", so the heading is the name.
            answered = (fact.title.sv, fact.title.en, *fact.headings) if code == "true" else ()
            own = answered if fact.kind is FactKind.ONE else (label.sv, label.en, *spellings)
            names = (fact.phrase(code).sv, fact.phrase(code).en, *own)
            yield from ((fact.token(code), each) for each in names if code in fact.offered)


def list_marks(tokens: Iterable[str]) -> Iterator[Text]:
    """Yield the marks that lists show of an occasion."""
    return (_MARKS[token] for token in tokens if token in _MARKS)


def list_urgent(tokens: Iterable[str]) -> Iterator[Text]:
    """Yield the marks that calendars show, too."""
    return (_MARKS[token] for token in tokens if token in _URGENT)


@lru_cache(4096)
def derive_free(price: str) -> str:
    """Return `true` if a price means free admission for all, `false` if it does not, '' if it is unclear."""
    folded = fold(price).strip(" .!")
    if folded in _FREE:
        return "true"
    amounts = [float(re.sub(r"\s", "", each).replace(",", ".")) for each in _AMOUNT.findall(folded)]
    rest = _CURRENCY.sub("", _AMOUNT.sub("", folded))
    is_plain = not rest.strip(" -–/.,:")
    if not amounts or not (is_plain or _CURRENCY.search(folded)) or _FREE & set(re.findall(r"\w+", rest)):
        return ""
    if all(amounts):
        return "false"
    return "true" if is_plain and not any(amounts) else ""


_FREE = {
    "gratis", "fri", "fritt", "fri entré", "fri entre", "fritt inträde", "gratis inträde", "kostnadsfritt", "avgiftsfritt",
    "free", "free admission", "free entry", "free of charge", "no charge",
}  # fmt: skip
_AMOUNT = re.compile(r"\d{1,3}(?:[ \u00a0]\d{3})+(?!\d)|\d+(?:[.,]\d+)?")
_CURRENCY = re.compile(r"\b(?:kr|sek|kronor|eur|euro)\b|:-|€")
_AGES = {AUDIENCE.token(each.code): AGE.token(each.ages) for each in AUDIENCE.values if each.ages}
_URGENT = {fact.token(value.code) for fact in FACTS for value in fact.values if value.urgent}
_MARKS = {fact.token(value.code): value.mark for fact in FACTS for value in fact.values if value.mark}


def _rank(token: str) -> tuple[int, int]:
    name, code = split_token(token)
    return [*BY_NAME].index(name), BY_NAME[name].rank(code)
