"""Search results: the best first, with marked hits, and the numbers of results elsewhere."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from html import unescape
from operator import attrgetter
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from feeds.facts import list_marks, phrase_token
from feeds.search import TOKEN, fold_token
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, Occasion
from feeds.wording import format_dated_span
from pages.addresses import OTHER, START, build_path
from pages.choices import Chip
from pages.occasions import build_links
from pages.query import ALL_DAYS
from pages.rows import MARKS_JOINT, OccasionRow, RowBuilder, count_occasions, render_row

# A text between tags.
_SHOWN = re.compile(r"(?<=>)[^<>]+(?=<)")
_TOKENS = re.compile(f"({TOKEN.pattern})")
# The number of characters shown before and after the first hit of a text.
BEFORE, AFTER = 40, 90
# The ranks of results, the best first.
NAMED, IN_TEXT, OVER = range(3)


class FoundRow(OccasionRow):
    """A row with marked hits, an excerpt of its text, matching facts, and other times of its event."""

    hits: frozenset[str]
    piece: SafeString

    @property
    def as_list_item(self) -> SafeString:
        row = render_row("list_row", self, self)
        begin, end, rest = row.rpartition("</li>")
        marked = _SHOWN.sub(lambda shown: mark(unescape(shown[0]), self.hits), begin)
        return mark_safe(f"{marked}{self.piece}{end}{rest}")  # noqa: S308 - escaped in its parts


class FoundGroup(NamedTuple):
    heading: str
    rows: list[FoundRow]
    # Whether it is folded: past occasions, if there are others.
    folded: bool


class FoundRows(RowBuilder):
    """Builds and ranks the rows of a search."""

    def __init__(self, snapshot: Snapshot, selection: Selection) -> None:
        super().__init__(snapshot, selection.language)
        search = snapshot.programme.index.search
        self.hits = search.find_hits(selection.words)
        self.named = search.find(selection.words, named=True)

    def build(self, occasion: Occasion, day: date | None = None) -> OccasionRow:
        return self._mark(occasion, super().build(occasion, day))

    def _mark(self, occasion: Occasion, row: OccasionRow) -> FoundRow:
        found = FoundRow(*row._replace(text=""))
        found.hits = self.hits
        found.piece = SafeString() if occasion.id in self.named else self._cut_piece(occasion.event)
        # The facts that are not marks of the row.
        facts = [each for each in occasion.facts if each in self.hits and not [*list_marks((each,))]]
        if facts:
            named = MARKS_JOINT.join(capfirst(phrase_token(each).within(self.language)) for each in facts)
            found.piece += format_html("<p>{}</p>", named)
        return found

    def rank(self, occasion: Occasion) -> int:
        """Return the sort key: matches of names, then of texts, then past occasions."""
        is_over = self.snapshot.programme.is_current and occasion.end <= self.snapshot.now
        return OVER if is_over else NAMED if occasion.id in self.named else IN_TEXT

    def group(self, ranked: Iterable[Occasion]) -> list[FoundGroup]:
        """Return ranked occasions in groups, each event once with its times."""
        headings = {NAMED: "", IN_TEXT: _("In the text"), OVER: _("Over")}
        groups: dict[int, dict[int, list[Occasion]]] = {}
        for each in ranked:
            groups.setdefault(self.rank(each), {}).setdefault(each.event.id, []).append(each)
        rows = {rank: [*map(self._build_found, events.values())] for rank, events in groups.items()}
        return [
            FoundGroup(headings[rank], every, rank == OVER and len(rows) > 1) for rank, every in rows.items()
        ]

    def count(self, occasions: tuple[Occasion, ...]) -> str:
        """Return `1 programpunkt, 6 tider`: the number of events, and of occasions if it differs."""
        events = count_occasions(len({each.event.id for each in occasions}))
        times = ngettext("%(count)s time", "%(count)s times", len(occasions)) % {"count": len(occasions)}
        return events if events == count_occasions(len(occasions)) else f"{events}, {times}"

    def _build_found(self, occasions: list[Occasion]) -> FoundRow:
        first, *others = sorted(occasions, key=attrgetter("cancelled"))
        times = self.snapshot.time_span(first, self.language)
        dated = format_dated_span(self.snapshot.programme.span(first), self.language)
        row = self._mark(first, super().build(first)._replace(times=times, dated=dated))
        if others:
            links = build_links(self.snapshot, others, self.language, known=first.place)
            row.piece += mark_safe(render_to_string("pages/occasion_links.html", {"links": links}))  # noqa: S308 - a template's
        return row

    def _cut_piece(self, event: Event) -> SafeString:
        for language in (self.language, OTHER[self.language]):
            for text in (event.intro, event.description, *(each.name for each in event.further_types)):
                if piece := cut_piece(getattr(text, language), self.hits):
                    return format_html('<p lang="{}">{}</p>', language, mark(piece, self.hits))
        return SafeString()


def mark(text: str, hits: frozenset[str]) -> SafeString:
    """Return a text as HTML with marked hits."""
    parts = (
        f"<mark>{escape(part)}</mark>" if at % 2 and _is_hit(part, hits) else escape(part)
        for at, part in enumerate(_TOKENS.split(text))
    )
    return mark_safe("".join(parts))  # noqa: S308 - escaped


def cut_piece(text: str, hits: frozenset[str]) -> str:
    """Return an excerpt around the first hit of a text, '' without any."""
    text = " ".join(text.split())
    found = next((each for each in TOKEN.finditer(text) if _is_hit(each[0], hits)), None)
    if found is None:
        return ""
    begin = text.rfind(" ", 0, found.start() - BEFORE) + 1 if found.start() > BEFORE else 0
    end = text.find(" ", found.end() + AFTER)
    return f"{'… ' * (begin > 0)}{text[begin:end]} …" if end > 0 else f"{'… ' * (begin > 0)}{text[begin:]}"


def _is_hit(token: str, hits: frozenset[str]) -> bool:
    return not hits.isdisjoint(fold_token(token.lower()))


def list_elsewhere(snapshot: Snapshot, undated: Selection, here: int, every: int) -> Iterator[Chip]:
    """Yield the numbers of further results on other days, and without other filters."""
    start = START[undated.language]
    if every > here:
        path = build_path(start, undated, days=ALL_DAYS)
        yield Chip(_("{} more on other days").format(every - here), path)
    alone = snapshot.programme.select(undated.language, words=undated.words)
    if more := len(snapshot.find(alone)) - every:
        is_by_area = replace(undated, areas=()) == alone
        label = _("{} more in other areas") if is_by_area else _("{} more without filters")
        yield Chip(label.format(more), build_path(start, alone))
