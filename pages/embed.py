"""The list that other websites embed, in colours that they choose, and the code with which they do."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.contrast import COLOR, complete_code, ensure_contrast, is_light
from feeds.facts import BY_NAME, FACTS
from feeds.palette import complete
from feeds.selection import DayRange, Selection, find_days
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Theme
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
from pages.days import DaySection, DayTab, build_day_section, part_by_day
from pages.programme import ProgrammePage
from pages.query import GRID, LIST, PageQuery, parse_query
from pages.rendering import hash_source
from pages.rows import RowBuilder

# The list links to the rest.
MAX_OCCASIONS, MAX_ASKED = 200, 500
# How other websites show the programme beside a list of every day.
VIEWS = DAYS, TIMETABLE, NOW = "days", "timetable", "now"
# All filters; no parameter.
ALL, NONE = "all", "none"
FLAGS = [fact.name for fact in FACTS if "true" in fact.codes]
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


def parse_embed_query(given: QueryDict, language: LanguageCode) -> PageQuery:
    """Parse a query with how other websites show a selection, as far as that is understood.

    `fixed` names the parameters by which the website selects; its visitors choose by the others.
    """
    filled = given.copy()
    filled.update({name: "true" for name in FLAGS if given.get(name) == ""})
    query = parse_query(filled, language)
    fixed = {name for name, _value in query.selection.pairs()} - {"language"}
    if "fixed" in given:
        fixed &= {*".".join(given.getlist("fixed")).split(".")}
    offered = ({*" ".join(given.getlist("filters")).split()} or {ALL}) if "filters" in given else set()
    options = {
        "view": view if (view := given.get("view", "")) in VIEWS else "",
        "limit": str(query.limit or ""),
        "level": level if re.fullmatch("[1-6]", level := given.get("level", "")) else "",
        "filters": " ".join(sorted(offered & {ALL, "area", "highlighted", *BY_NAME})),
        **{name: "true" for name in ("search", "stars", "images") if name in given},
        "fixed": ".".join(sorted(fixed)) or NONE,
    }
    understood = tuple(each for each in options.items() if each[1])
    return replace(query, options=understood, colors=tuple(read_colors(given).items()))


class EmbedPage(ProgrammePage):
    """The programme as other websites show it."""

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        self.options, selection = dict(query.options), query.selection
        self.view, self.level = self.options.get("view", LIST), self.options.get("level", "2")
        self.fixed = {*self.options.get("fixed", NONE).split(".")}
        self.offered = {*self.options.get("filters", "").split()}
        # What a visitor has chosen beside a day.
        self.chosen = {name for name, _value in selection.pairs()} - {*self.fixed, "during", "language"}
        if self.view != LIST:
            selection = replace(selection, moments=())
        if "q" in self.chosen and "during" not in self.fixed:
            # What is searched for may be on any day.
            selection = replace(selection, during=())
        shown = GRID if self.view == TIMETABLE else LIST
        super().__init__(snapshot, replace(query, selection=selection, view=shown))
        self.rows, self.found = RowBuilder(snapshot, self.language), None
        self.part, self.action = find_part(snapshot, selection), EMBED[self.language]
        self.limit = min(query.limit or MAX_OCCASIONS, MAX_ASKED)

    @property
    def shows_every_day(self) -> bool:
        return not self.query.is_dated and (self.view == LIST or "q" in self.chosen)

    @cached_property
    def left(self) -> Sequence[Occasion]:
        """What is not over; of days that are asked for all but today's, and all where all is over."""
        left = [each for each in self._listed if each.end > self.snapshot.now]
        return self._listed if self.query.is_dated or self.day else left or self._listed

    @cached_property
    def sections(self) -> list[DaySection]:
        """The days, from today or the first that is asked for on."""
        is_over = all(each.end <= self.snapshot.now for each in self.left)
        ahead = DayRange(date.min if is_over else self.snapshot.today, date.max)
        asked = [find_days(each, self.snapshot.today) for each in self._shown.during] or [ahead]
        before, begun = part_by_day(self.snapshot, min(each.first for each in asked), self.left)
        # What goes on since an earlier day counts last.
        counted = {*[*begun, *before][: self.limit]}
        listed = [each for each in self.left if each in counted]
        return [
            build_day_section(day, self.rows.name_day(day), held, self.rows)
            for day, held in self.rows.split_days(listed, asked)
        ]

    @property
    def more(self) -> str:
        count = len(self.left) - self.limit
        return _("{} more").format(count) if count > 0 and not self.grid else ""

    @property
    def day_tabs(self) -> list[DayTab]:
        """The days to choose from: those to come, unless all are over."""
        if self.view not in {DAYS, TIMETABLE} or self.shows_every_day or "during" in self.fixed:
            return []
        having = [each for each in self.tabs if each["size"] or each["chosen"]]
        return [each for each in having if each["date"] >= f"{self.snapshot.today}"] or having

    def _build_day_path(self, day: date) -> str:
        return build_path(self.action, self._select_day(day), **self.options, **dict(self.query.colors))

    @property
    def hidden(self) -> list[tuple[str, str]]:
        kept = [pair for pair in self.selection.pairs() if pair[0] in {*self.fixed, "during"}]
        return [*kept, *self.query.options, *self.query.colors]

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
    *('view="days" search filters', 'view="days" stars', 'images highlighted limit="5"'),
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
