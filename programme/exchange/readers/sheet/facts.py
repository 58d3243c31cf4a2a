"""Reads facts from the rows of an event: the event's, those of occasions, and those of their places."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from feeds.columns import NOTE
from feeds.fact import NO as WITHOUT
from feeds.fact import Fact, FactKind
from feeds.facts import BY_NAME, facts_of
from feeds.names import fold
from feeds.vocabulary import Text
from programme.exchange.questions import Question, build_key
from programme.exchange.readers.fields import Report, fit_line, parse_web_address
from programme.exchange.readers.sheet import values
from programme.exchange.readers.sheet.occasions import RefusedRowError, read_moment
from programme.exchange.readers.sheet.rows import MOMENTS, SheetRow
from programme.exchange.text.lines import truncate
from programme.exchange.values import ImportDefaults
from programme.models import News
from programme.models.cleaning import clean_line, complete_address
from programme.models.facts import localize

# What cells state as the models store it, by the names of their fields; '' where they are empty.
Stated = dict[str, Any]
# The answer by which a value is left out.
LEFT_OUT = "-"
_EMPTY = ("", None)
_LINK, _MOMENT, _CANCELLED = "booking_url", MOMENTS[0], "cancelled"
# A note for readers, which is no field of an occasion.
TOLD = "told"
# A row may state facts of its occasion and of the place of that in one cell.
_OF_ROWS = tuple(BY_NAME[fact.name] for fact in facts_of("occasion"))
_LONGEST_TEXT = 100


class FactReader:
    """Reads the facts of a file, and keeps the questions about words that are none of a fact's values."""

    def __init__(self, defaults: ImportDefaults) -> None:
        self.defaults = defaults
        self.questions: dict[str, Question] = {}

    def read_rows(self, rows: Sequence[SheetRow], report: Any) -> dict[int, tuple[Stated, Stated]]:
        """Return what rows of an event state of their occasions and of the places, by their `id()`.

        What one leaves out is what a row without a time states.
        """
        stated = [self._read_row(row.texts, partial(report, row)) for row in rows]
        whole = _fill(*(each for row, each in zip(rows, stated, strict=True) if not row.has_time))
        return {id(row): _part(_fill(each, whole)) for row, each in zip(rows, stated, strict=True)}

    # --- Cells

    def _read_row(self, texts: Mapping[str, str], report: values.ReportCell) -> Stated:
        found = self.read(texts, _OF_ROWS, report) | {TOLD: _read_note(texts, report)}
        if _LINK in texts:
            address = parse_web_address(complete_address(texts[_LINK]), partial(report, _LINK))
            found[_LINK] = address or found.get(_LINK, "")
        if _MOMENT in texts:
            found[_MOMENT] = self._read_moment(texts[_MOMENT], partial(report, _MOMENT))
        if _CANCELLED in texts:
            found[_CANCELLED] = texts[_CANCELLED] and values.parse_flag(_CANCELLED, texts[_CANCELLED], report)
        return found

    def read(self, texts: Mapping[str, str], facts: Iterable[Fact], report: values.ReportCell) -> Stated:
        """Return what the cells of an event, or of a row, state of facts."""
        found: Stated = {}
        for fact in facts:
            found |= self._read_fact(texts, fact, partial(report, fact.name))
        return found

    def _read_fact(self, texts: Mapping[str, str], fact: Fact, report: Report) -> Stated:
        singles = {value.code: texts.get(fact.token(value.code)) for value in fact.values}
        if fact.name not in texts and set(singles.values()) <= {None}:
            return {}
        text = texts.get(fact.name, "")
        link: Stated = {}
        if fact.linked and (address := values.ADDRESS.search(text)):
            text, link = _take_address(fact, clean_line(text), address[0], report)
        codes = [self._parse(fact, part, report) for part in values.split_cell(fact, text)]
        codes += [_parse_single(fact, code, cell or "") for code, cell in singles.items()]
        # Of what is stated twice the last counts.
        stated = {code.removeprefix(WITHOUT): code for code in codes}
        return {fact.name: " ".join(fact.split(" ".join(stated.values()))), **link}

    def _read_moment(self, text: str, report: Report) -> datetime | None:
        try:
            return read_moment(clean_line(text), self.defaults.time) if text else None
        except RefusedRowError as refused:
            report(refused.why)
            return None

    # --- Words

    def _parse(self, fact: Fact, text: str, report: Report) -> str:
        """Return the code of a value, asked for if it is unknown; '' for what is left out."""
        if code := values.parse_part(fact, text):
            return code
        is_number = fact.kind is FactKind.RANGE and fact.parse_wanted(text) is not None
        if not (is_number or (values.is_word(text) and fact.values)):
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


def _read_note(texts: Mapping[str, str], report: values.ReportCell) -> Text | None:
    """Return what readers are to be told of the occasion."""
    fields = zip(("note_sv", "note_en"), NOTE, strict=True)
    note = Text(*(fit_line(News, name, texts.get(each, ""), partial(report, each)) for name, each in fields))
    return note or None


def _take_address(fact: Fact, text: str, address: str, report: Report) -> tuple[str, Stated]:
    """Return what a cell with an address states beside it, and the link."""
    rest, usable = text.replace(address, " ").strip(" .:!,;()<>"), address.rstrip(".,;)")
    link = parse_web_address(complete_address(usable))
    if not link or (rest and not values.parse_part(fact, rest)):
        kept = ", ".join(filter(None, [localize(fact.label(fact.linked)), link]))
        what = _("“%(text)s”: only “%(kept)s” is taken")
        report(what % {"text": truncate(text, _LONGEST_TEXT), "kept": kept})
    stated = rest if values.parse_part(fact, rest) else fact.linked
    return stated, {f"{fact.name}_url": link} if link else {}


def _parse_single(fact: Fact, code: str, text: str) -> str:
    """Return the code that yes or no states of one value; where several are stated, no says nothing."""
    word = clean_line(text).casefold()
    if word in values.YES:
        return code
    is_stated = word in values.NO and word.isalnum() and fact.kind is FactKind.STATES
    return f"{WITHOUT}{code}" if is_stated else ""


def _fill(*stated: Stated) -> Stated:
    """Return what is stated first; what is empty stays so where nothing else is stated."""
    filled: Stated = {}
    for each in stated:
        empty = {name for name in each if filled.get(name) in _EMPTY}
        filled |= {name: each[name] for name in empty if name not in filled or each[name] not in _EMPTY}
    return filled


def _part(stated: Stated) -> tuple[Stated, Stated]:
    """Return what a row states of its occasion and of the place, whose facts may be in one cell."""
    of_occasion, of_place = (
        {
            fact.name: " ".join(fact.split(stated[fact.name]))
            for fact in facts_of(model)
            if fact.name in stated
        }
        for model in ("occasion", "location")
    )
    if stated.get(_CANCELLED) == "":
        stated = stated | {_CANCELLED: False}
    return stated | of_occasion, of_place
