"""The list that other websites embed, in colours that they choose, and the code with which they do."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import chain
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.contrast import COLOR, complete_code, ensure_contrast, is_light
from feeds.day_layout import HOUR
from feeds.fact import Kind
from feeds.facts import BY_NAME, FACTS
from feeds.palette import complete
from feeds.selection import PARAMETERS, DayRange, Selection, find_days
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion, Theme
from pages.addresses import (
    COMPONENT,
    EMBED,
    FRAGMENT,
    LIST_STYLE,
    START,
    build_occasion_list_path,
    build_path,
    build_place_path,
)
from pages.choices import Toggle
from pages.days import (
    MAX_ROWS,
    DaySection,
    DayTab,
    NowAndNext,
    build_day_section,
    find_now_and_next,
    part_by_day,
)
from pages.filters import Filters
from pages.programme import ProgrammePage
from pages.query import GRID, LIST, PageQuery
from pages.rendering import hash_source
from pages.rows import RowBuilder, count_occasions

# The list links to the rest.
MAX_OCCASIONS, MAX_ASKED = 200, 500
# How other websites show the programme beside a list, and of what that is a day at a time.
VIEWS = DAYS, TIMETABLE, NOW = "days", "timetable", "now"
DAILY = (DAYS, TIMETABLE)
# All filters; no parameter.
ALL, NONE = "all", "none"
FLAGS = (
    *(fact.name for fact in FACTS if fact.kind is Kind.ONE and "true" in fact.codes),
    PARAMETERS["sign_interpreted"],
)
# Parameter, and the variable of the style sheet that it sets.
COLOR_VARIABLES = {"accent": "--festival-accent", "ink": "--festival-ink", "paper": "--festival-paper"}
ACCENT, INK, PAPER = COLOR_VARIABLES.values()
_HEX = re.compile("[0-9a-fA-F]{3}|[0-9a-fA-F]{6}")


def read_colors(query: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that are colours, as their digits."""
    requested = ((name, query.get(name, "").lstrip("#")) for name in COLOR_VARIABLES)
    return {name: digits for name, digits in requested if _HEX.fullmatch(digits)}


def parse_colors(query: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    chosen = {COLOR_VARIABLES[name]: complete_code(digits) for name, digits in read_colors(query).items()}
    paper = chosen.get(PAPER)
    if paper:
        # Colours without enough contrast are made darker or lighter.
        chosen |= {name: ensure_contrast(colour, paper) for name, colour in chosen.items() if name != PAPER}
    return tuple(chosen.items())


def build_rules(chosen: tuple[tuple[str, str], ...], theme: Theme) -> str:
    """Return the rule of the style sheet's variables: chosen colours, by default the festival's accent."""
    declared = dict(chosen)
    root = ""
    if PAPER in declared:
        # A chosen paper does not change in dark mode, so no other colour may.
        declared["color-scheme"] = "light" if is_light(declared[PAPER]) else "dark"
    elif INK in declared:
        # Nor may they beside a chosen ink, which is for the website's ground. Where that is of the other
        # scheme, the browser's own paper of this one is under it.
        declared |= {PAPER: "transparent", "color-scheme": "dark" if is_light(declared[INK]) else "light"}
        root = f":root {{ color-scheme: {declared['color-scheme']}; }} "
    if ACCENT not in declared and COLOR.fullmatch(theme.color):
        paper, own = dict(chosen).get(PAPER), complete(Theme(color=theme.color))
        both = f"light-dark({own.light['accent']}, {own.dark['accent']})"
        declared[ACCENT] = ensure_contrast(theme.color, paper) if paper else both
    declarations = "; ".join(f"{name}: {value}" for name, value in declared.items())
    return f"{root}.festival-frame {{ {declarations}; }}" if declared else ""


class Part(NamedTuple):
    """A list or a place, which has a page of its own."""

    name: str
    path: str


def find_part(snapshot: Snapshot, selection: Selection) -> Part | None:
    """Return the list or the place that is all that a selection asks for."""
    index, language = snapshot.programme.index, selection.language
    lists, places = index.find_lists(selection), index.find_named("location", selection.locations)
    others = replace(selection, lists=(), locations=())
    edition = selection.edition
    if len(lists) + len(places) != 1 or others != Selection(language=language, edition=edition):
        return None
    for each in lists:
        return Part(each.title.within(language), build_occasion_list_path(each, language, edition))
    [place] = places
    return Part(place.name, build_place_path(place, language, edition))


def fill_flags(query: QueryDict) -> QueryDict:
    """Return a query in which flags without a value are set, as attributes of elements are."""
    filled = query.copy()
    filled.update({name: "true" for name in FLAGS if query.get(name) == ""})
    return filled


def read_options(given: QueryDict, query: PageQuery) -> dict[str, str]:
    """Return the parameters that say how a list is shown, as far as they are understood.

    `fixed` names those by which the website selects; its visitors choose by the others.
    """
    fixed = {name for name, _value in query.selection.pairs()} - {"language"}
    if "fixed" in given:
        fixed &= {*given["fixed"].split(".")}
    named = {*(given.get("filters") or ALL).split()} & {ALL, "area", "highlighted", *BY_NAME}
    options = {
        "view": view if (view := given.get("view", "")) in VIEWS else "",
        "limit": str(query.limit or ""),
        "level": level if re.fullmatch("[1-6]", level := given.get("level", "")) else "",
        "filters": " ".join(sorted(named)) if "filters" in given else "",
        **{name: "true" for name in ("search", "stars", "images") if name in given},
        **read_colors(given),
        "fixed": ".".join(sorted(fixed)) or NONE,
    }
    return {name: value for name, value in options.items() if value}


class EmbedPage(ProgrammePage):
    """The programme as other websites show it."""

    def __init__(self, snapshot: Snapshot, query: PageQuery, options: Mapping[str, str]) -> None:
        self.options, self.view, self.level = options, options.get("view", LIST), options.get("level", "2")
        self.fixed, selection = {*options["fixed"].split(".")}, query.selection
        self.is_searched = bool(selection.words) and "q" not in self.fixed
        if self.view != LIST:
            selection = replace(selection, moments=())
        if self.is_searched and "during" not in self.fixed:
            # What is searched for may be on any day.
            selection = replace(selection, during=())
        shown = GRID if self.view == TIMETABLE else LIST
        super().__init__(snapshot, replace(query, selection=selection, view=shown))
        self.rows, self.found = RowBuilder(snapshot, self.language), None
        self.part = find_part(snapshot, selection)
        usual = 2 * MAX_ROWS if self.view == NOW else MAX_OCCASIONS
        self._limit = min(query.limit or usual, MAX_ASKED)

    @property
    def shows_every_day(self) -> bool:
        return not self.query.is_dated and (self.view not in DAILY or self.is_searched)

    # --- What is listed

    @cached_property
    def _left(self) -> Sequence[Occasion]:
        """What is not over; of days that are asked for all but today's, and all where all is over."""
        left = [each for each in self._listed if each.end > self.snapshot.now]
        return self._listed if self.query.is_dated or self.day else left or self._listed

    @cached_property
    def sections(self) -> list[DaySection]:
        """The days, from today or the first that is asked for on."""
        is_over = all(each.end <= self.snapshot.now for each in self._left)
        ahead = DayRange(date.min if is_over else self.snapshot.today, date.max)
        asked = [find_days(each, self.snapshot.today) for each in self._shown.during] or [ahead]
        before, begun = part_by_day(self.snapshot, min(each.first for each in asked), self._left)
        # What goes on since an earlier day counts last.
        counted = {*[*begun, *before][: self._limit]}
        listed = [each for each in self._left if each in counted]
        return [
            build_day_section(day, self.rows.name_day(day), held, self.rows)
            for day, held in self.rows.split_days(listed, asked)
        ]

    @cached_property
    def now_and_next(self) -> NowAndNext | None:
        if self.view != NOW:
            return None
        most = self.query.limit or MAX_ROWS
        found = find_now_and_next(self.snapshot, self.undated, self.rows, most)
        return found if found.running or found.upcoming else None

    @property
    def hours(self) -> list[tuple[int, bool]]:
        """The hours of the timetable in which anything begins, and whether each is past."""
        areas, now = (self.grid.areas, self.grid.now or 0) if self.grid else ([], 0)
        columns = chain.from_iterable(area.columns for area in areas)
        hours = {block.hour for column in columns for block in column.blocks}
        return [(hour, hour < now // HOUR) for hour in sorted(hours)]

    @property
    def count(self) -> str:
        return count_occasions(len(self._left))

    @property
    def more(self) -> str:
        now = self.now_and_next
        shown = len(now.running) + len(now.upcoming) if now else self._limit
        count = 0 if self.grid else len(self._left) - shown
        return _("{} more").format(count) if count > 0 else ""

    # --- What visitors choose, and links

    @property
    def day_tabs(self) -> list[DayTab]:
        """The days to choose from: those to come, unless all are over."""
        if self.view not in DAILY or self.is_searched or "during" in self.fixed:
            return []
        having = [each for each in self.tabs if each["size"] or each["chosen"]]
        ahead = [each for each in having if each["date"] >= self.snapshot.today.isoformat()]
        return ahead or having

    @property
    def has_search(self) -> bool:
        return "search" in self.options and "q" not in self.fixed

    def _is_offered(self, parameter: str) -> bool:
        named = {*self.options.get("filters", "").split()}
        return parameter not in self.fixed and not named.isdisjoint({ALL, parameter})

    @property
    def areas(self) -> list[Toggle]:
        return self.filters.areas if self._is_offered("area") else []

    @property
    def toggles(self) -> list[Toggle]:
        return [each for each in self.facts.first if self._is_offered(each.parameter)]

    @property
    def is_narrowed(self) -> bool:
        """Whether a visitor has chosen more than a day."""
        return bool({name for name, _value in self.selection.pairs()} - {*self.fixed, "during", "language"})

    @property
    def hidden(self) -> list[tuple[str, str]]:
        fields = {"language", "q" if self.has_search else "", "area" if self.areas else ""}
        return [*(pair for pair in self.selection.pairs() if pair[0] not in fields), *self.options.items()]

    @cached_property
    def filters(self) -> Filters:
        path, options = self.action, self.options
        return Filters(
            self.programme,
            self.selection,
            lambda selection, **_more: build_path(path, selection, **options),
            self._shown,
            self._find,
        )

    @property
    def action(self) -> str:
        return EMBED[self.language]

    def _build_day_path(self, day: date) -> str:
        return self.filters.build_path(self._select_day(day))

    @property
    def programme_path(self) -> str:
        if self.part:
            return self.part.path
        # The rest of what was chosen one by one is everything.
        shown = replace(self._shown, chosen=())
        return build_path(START[self.language], shown, view=GRID if self.grid else "")


ELEMENT = """\
<script type="module" src="{base_url}{script}"></script>
<festival-programme{attributes}>
  <a href="{programme}">{name}</a>
</festival-programme>"""
# In the order of the page that shows them.
EXAMPLES = (
    *('limit="5"', 'view="days"', 'view="timetable"', 'view="now" limit="4"'),
    *('view="days" search filters', 'view="days" stars', 'images limit="5"'),
)
# A Content-Security-Policy cannot allow a single style attribute, so there is none.
FRAME = """\
<iframe src="{url}" title="{name}"
  width="100%" height="600" frameborder="0" loading="lazy"></iframe>
<script>{script}</script>"""
# It takes a number only, from the frame itself and from this service, and tells it the colour of texts.
FRAME_SCRIPT = """
addEventListener("message", ({{ source, origin, data }}) => {{
  if (origin !== "{origin}" || data?.message !== "height" || !Number.isInteger(data.value)) return;
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source) {{
      frame.height = Math.min(Math.max(data.value, 100), 20000);
      frame.style.colorScheme = "light";
      source.postMessage({{ message: "ink", value: getComputedStyle(frame.parentNode).color }}, origin);
    }}
}});
"""
# It leaves the list as it was if the service does not answer.
CRON = (
    "* * * * * cd /var/www/html && curl -fsS --compressed -o program.new {url} && mv program.new program.html"
)
STYLE = ".event-list { --festival-accent: #8c2f4b; }"
INCLUDE = """\
<link rel="stylesheet" href="{base_url}{style_sheet}">
<style>{style}</style>
<!--#include file="program.html" -->"""


def build_attributes(selection: Selection) -> list[tuple[str, str]]:
    """Return the element's attributes: parameters with one value by their names, others in `query`."""
    pairs = [pair for pair in selection.pairs() if pair[0] != "language"]
    counts = Counter(name for name, _ in pairs)
    repeated = [(name, value) for name, value in pairs if counts[name] > 1]
    return [
        *((name, value) for name, value in pairs if counts[name] == 1),
        *([("query", urlencode(repeated))] if repeated else []),
        ("language", selection.language),
    ]


class EmbeddingCode:
    """The code of a selection, whose name links have."""

    def __init__(self, base_url: str, selection: Selection, name: str) -> None:
        self.base_url = base_url
        self.selection = selection
        self.name = name
        self.attributes = build_attributes(selection)
        self.frame_path = build_path(EMBED[selection.language], selection)
        self.include = INCLUDE.format(base_url=base_url, style_sheet=LIST_STYLE, style=STYLE)
        self._frame_script = FRAME_SCRIPT.format(origin=base_url)

    # --- As an element of the page

    def write_element(self, more: str = "") -> str:
        named = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes)
        return ELEMENT.format(
            base_url=self.base_url,
            script=COMPONENT,
            attributes=f" {more}{named}" if more else named,
            programme=escape(f"{self.base_url}{build_path(START[self.selection.language], self.selection)}"),
            name=escape(self.name),
        )

    @property
    def examples(self) -> list[tuple[str, str]]:
        """Return the attributes of what the element can show, and its code."""
        return [(more, self.write_element(more)) for more in EXAMPLES]

    @property
    def element_policy(self) -> str:
        # Pictures may be on any host.
        return f"script-src {self.base_url}; connect-src {self.base_url}; img-src https:"

    # --- In a frame

    @property
    def frame(self) -> str:
        url = escape(f"{self.base_url}{self.frame_path}")
        return FRAME.format(url=url, name=escape(self.name), script=self._frame_script)

    @property
    def color_example(self) -> str:
        return f"{'&' if '?' in self.frame_path else '?'}accent=8c2f4b&ink=1d1b19&paper=ffffff"

    @property
    def frame_policy(self) -> str:
        return f"frame-src {self.base_url}; script-src {hash_source(self._frame_script)}"

    # --- By the website's server

    @property
    def cron(self) -> str:
        url = f"{self.base_url}{build_path(FRAGMENT[self.selection.language], self.selection)}"
        # A bare percent sign ends a line of crontab.
        return CRON.format(url=shlex.quote(url).replace("%", r"\%"))

    @property
    def include_policy(self) -> str:
        return f"style-src {self.base_url} {hash_source(STYLE)}"
