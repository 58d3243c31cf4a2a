"""Reads facts from the rows of an event: what all state is the event's, what differs an occasion's own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from feeds.columns import COLUMNS, OCCASION
from feeds.fact import NO as WITHOUT
from feeds.fact import Fact, Kind
from feeds.facts import BY_NAME, facts_of
from feeds.names import fold
from programme.exchange.questions import Question, build_key
from programme.exchange.readers.fields import Report, parse_web_address
from programme.exchange.readers.sheet.fact_columns import (
    ADDRESS,
    NO,
    YES,
    find_fact,
    is_word,
    parse_part,
    split_cell,
)
from programme.exchange.readers.sheet.occasions import RefusedRowError, read_moment
from programme.exchange.readers.sheet.rows import MOMENTS, SheetRow
from programme.exchange.readers.sheet.values import ReportCell
from programme.exchange.text.lines import truncate
from programme.exchange.values import ImportDefaults
from programme.models.cleaning import clean_line, complete_address
from programme.models.facts import localize

# What cells state: codes, a link or a moment, by the names of the columns in the models.
Stated = dict[str, frozenset[Any]]
# The answer by which a value is left out.
LEFT_OUT = "-"
_LINK, _MOMENT = "booking_url", MOMENTS[0]
_OF_BOTH = facts_of("occasion")
_OF_EVENTS = tuple(fact for fact in facts_of("event") if fact not in _OF_BOTH)
_LONGEST_TEXT = 100


# Columns that may differ among the occasions of an event.
OF_OCCASIONS = {OCCASION + _LINK, OCCASION + _MOMENT, _LINK, _MOMENT}
OF_OCCASIONS |= {column.field for column in COLUMNS if find_fact(column.field)[0] in _OF_BOTH}


class FactReader:
    """Reads the facts of a file, and keeps the questions about words that are none of a fact's values."""

    def __init__(self, defaults: ImportDefaults) -> None:
        self.defaults = defaults
        self.questions: dict[str, Question] = {}

    def read_event(self, texts: Mapping[str, str], report: ReportCell) -> dict[str, Any]:
        """Return what an event states of facts that its occasions have in common."""
        return _store(self._read(texts, _OF_EVENTS, report))

    def read_rows(
        self, rows: Sequence[SheetRow], report: Any
    ) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
        """Return what an event states, and what each row does for its occasion alone, by the row's `id()`."""
        stated = list(self._continue(rows, report))
        timed, others = (
            _find_common([each for row, each in zip(rows, stated, strict=True) if row.has_time is has_time])
            for has_time in (True, False)
        )
        shared = {name: timed.get(name) or others.get(name, frozenset()) for name in timed | others}
        own = {}
        for row, each in zip(rows, stated, strict=True):
            differing = {name: values - shared[name] for name, values in each.items()}
            named = self._read(row.texts, _OF_BOTH, partial(report, row), OCCASION)
            own[id(row)] = _store(
                differing | {name: it for name, it in named.items() if it or name not in each}
            )
        return _store(shared), own

    def _continue(self, rows: Iterable[SheetRow], report: Any) -> Iterator[Stated]:
        """Yield what rows state; one without a title states what the row does that it continues."""
        above: Stated = {}
        for row in rows:
            stated = self._read(row.texts, _OF_BOTH, partial(report, row))
            if row.text("title") or row.text("event_id"):
                above = stated
            yield {name: values or above.get(name, values) for name, values in stated.items()}

    # --- Cells

    def _read(
        self, texts: Mapping[str, str], facts: Iterable[Fact], report: ReportCell, prefix: str = ""
    ) -> Stated:
        found: Stated = {}
        for fact in facts:
            found |= self._read_fact(texts, fact, report, prefix)
        if facts is _OF_BOTH and (text := texts.get(prefix + _LINK)) is not None:
            address = parse_web_address(complete_address(text), partial(report, prefix + _LINK))
            found[_LINK] = frozenset(filter(None, [address])) or found.get(_LINK, frozenset())
        if facts is _OF_BOTH and prefix + _MOMENT in texts:
            found[_MOMENT] = self._read_moment(texts[prefix + _MOMENT], partial(report, prefix + _MOMENT))
        return found

    def _read_fact(self, texts: Mapping[str, str], fact: Fact, report: ReportCell, prefix: str) -> Stated:
        field, said = prefix + fact.name, partial(report, prefix + fact.name)
        singles = {value.code: texts.get(fact.token(value.code)) for value in fact.values if not prefix}
        if field not in texts and set(singles.values()) <= {None}:
            return {}
        text = texts.get(field, "")
        link: Stated = {}
        if fact.linked and (address := ADDRESS.search(text)):
            text, link = _take_address(fact, clean_line(text), address[0], said)
        codes = [self._parse(fact, part, said) for part in split_cell(fact, text)]
        codes += [_parse_single(fact, code, cell or "") for code, cell in singles.items()]
        stated = " ".join(filter(None, codes))
        # Of what is stated twice the last counts.
        return {fact.name: frozenset(fact.resolve([stated])), **link}

    def _read_moment(self, text: str, report: Report) -> frozenset[Any]:
        try:
            return frozenset([read_moment(clean_line(text), self.defaults.time)] if text else ())
        except RefusedRowError as refused:
            report(refused.why)
            return frozenset()

    # --- Words

    def _parse(self, fact: Fact, text: str, report: Report) -> str:
        """Return the code of a value, asked for if it is unknown; '' for what is left out."""
        if code := parse_part(fact, text):
            return code
        is_number = fact.kind is Kind.RANGE and fact.parse_wanted(text) is not None
        if not (is_number or (is_word(text) and fact.values)):
            what = _("“%(text)s” is none of the values that are known here; left out")
            report(what % {"text": truncate(text, _LONGEST_TEXT)})
            return ""
        question = self._ask_about_numbers(fact, text) if is_number else self._ask(fact, text)
        self.questions.setdefault(question.key, question)
        answer = question.answer.replace("{}", text)
        return "" if answer == LEFT_OUT else answer

    def _ask(self, fact: Fact, text: str) -> Question:
        choices = {value.code: localize(value.label) for value in fact.values}
        what = _("“%(text)s” is none of the values of “%(fact)s” that are known here. Which one is it?")
        return self._build(fact, fold(text), what % {"text": text, "fact": localize(fact.title)}, choices)

    def _ask_about_numbers(self, fact: Fact, text: str) -> Question:
        codes = {"{}-": f"{text}-", "{}-{}": f"{text}-{text}", "-{}": f"-{text}"}
        choices = {answer: localize(fact.label(code)) for answer, code in codes.items()}
        what = _("“%(fact)s” has numbers alone, such as %(text)s. What do they mean?")
        return self._build(fact, "", what % {"text": text, "fact": localize(fact.title)}, choices)

    def _build(self, fact: Fact, name: str, text: str, choices: dict[str, str]) -> Question:
        key = build_key(f"fact:{fact.name}", name)
        return Question.ask(self.defaults.answers, key, text, choices | {LEFT_OUT: _("leave it out")})


def _take_address(fact: Fact, text: str, address: str, report: Report) -> tuple[str, Stated]:
    """Return what a cell with an address states beside it, and the link."""
    rest, usable = text.replace(address, " ").strip(" .:!,;()<>"), address.rstrip(".,;)")
    link = parse_web_address(complete_address(usable))
    if not link or (rest and not parse_part(fact, rest)):
        kept = ", ".join(filter(None, [localize(fact.label(fact.linked)), link]))
        what = _("“%(text)s”: only “%(kept)s” is taken")
        report(what % {"text": truncate(text, _LONGEST_TEXT), "kept": kept})
    stated = rest if parse_part(fact, rest) else fact.linked
    return stated, {f"{fact.name}_url": frozenset([link])} if link else {}


def _parse_single(fact: Fact, code: str, text: str) -> str:
    """Return the code that yes or no states of one value; where several are stated, no says nothing."""
    word = clean_line(text).casefold()
    if word in YES:
        return code
    is_stated = word in NO and word.isalnum() and fact.kind is Kind.STATES
    return f"{WITHOUT}{code}" if is_stated else ""


def _find_common(stated: Sequence[Stated]) -> Stated:
    names = dict.fromkeys(name for each in stated for name in each)
    return {name: frozenset.intersection(*(each.get(name, frozenset()) for each in stated)) for name in names}


def _store(stated: Stated) -> dict[str, Any]:
    """Return what is stated as the models store it."""
    return {
        name: " ".join(fact.split(" ".join(values)))
        if (fact := BY_NAME.get(name))
        else next(iter(values), None if name == _MOMENT else "")
        for name, values in stated.items()
    }
