"""The list that other websites embed, in colours that they choose, and the code with which they do."""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.contrast import COLOR, complete_code, ensure_contrast, is_light
from feeds.palette import complete
from feeds.selection import DayRange, Selection
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
from pages.query import PageQuery
from pages.rendering import hash_source
from pages.rows import DayRows, RowBuilder
from pages.selected import SelectedPage

# The list links to the rest.
MAX_OCCASIONS, MAX_ASKED = 200, 500
# Parameter, and the variable of the style sheet that it sets.
COLOR_VARIABLES = {"accent": "--festival-accent", "ink": "--festival-ink", "paper": "--festival-paper"}
ACCENT, INK, PAPER = COLOR_VARIABLES.values()
_HEX = re.compile("[0-9a-fA-F]{3}|[0-9a-fA-F]{6}")


def read_colors(query: QueryDict) -> dict[str, str]:
    """Return the parameters that are colours, as their digits."""
    requested = ((name, query.get(name, "").lstrip("#")) for name in COLOR_VARIABLES)
    return {name: digits for name, digits in requested if _HEX.fullmatch(digits)}


def parse_colors(query: QueryDict) -> tuple[tuple[str, str], ...]:
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


class EmbedPage(SelectedPage):
    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        super().__init__(snapshot, query)
        self.part = find_part(snapshot, query.selection)
        self._limit = min(query.limit or MAX_OCCASIONS, MAX_ASKED)

    @cached_property
    def _occasions(self) -> Sequence[Occasion]:
        found = self.snapshot.find(self.selection)
        # A selection with dates includes occasions that are over.
        if self.selection.days or any(isinstance(each, DayRange) for each in self.selection.during):
            return found
        return [each for each in found if each.end > self.snapshot.now] or found

    @property
    def days(self) -> list[DayRows]:
        rows = RowBuilder(self.snapshot, self.language)
        return rows.group_by_day(self._occasions[: self._limit], self.selection.during)

    @property
    def more(self) -> str:
        count = len(self._occasions) - self._limit
        return _("{} more").format(count) if count > 0 else ""

    @property
    def programme_path(self) -> str:
        if self.part:
            return self.part.path
        # The rest of what was chosen one by one is everything.
        return build_path(START[self.language], replace(self.selection, chosen=()))


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
