"""The list that other websites embed, in their colours, and the code for embedding it."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from msgspec.structs import replace

from feeds.contrast import COLOR, complete_code, ensure_contrast, is_light
from feeds.facts import BY_NAME, FACTS
from feeds.palette import complete
from feeds.selection import DayRange, Selection, find_days
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, Theme
from pages import addresses
from pages.addresses import EMBED, START, build_path
from pages.days import MAX_ATTENDED, DaySection, DayTab, build_day_section, part_by_day
from pages.layout import get_festival_name
from pages.programme import ProgrammePage
from pages.query import GRID, LIST, PageQuery, parse_query
from pages.rendering import Page, hash_source, render_page
from pages.rows import RowBuilder

# The list links to the rest.
MAX_OCCASIONS, MAX_ASKED = 200, 500
# The views of the embedded programme beside the list of all days.
VIEWS = DAYS, TIMETABLE, NOW = "days", "timetable", "now"
# The values for all filters, and for no fixed parameter.
ALL, NONE = "all", "none"
FLAGS = [fact.name for fact in FACTS if "true" in fact.codes]
# The variables of the style sheet by parameter.
COLOR_VARIABLES = {"accent": "--festival-accent", "ink": "--festival-ink", "paper": "--festival-paper"}
ACCENT, INK, PAPER = COLOR_VARIABLES.values()
_HEX = re.compile("[0-9a-fA-F]{3}|[0-9a-fA-F]{6}")


def read_colors(query: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters that are colours, as their digits."""
    requested = ((name, query.get(name, "").lstrip("#")) for name in COLOR_VARIABLES)
    return {name: digits for name, digits in requested if _HEX.fullmatch(digits)}


def parse_colors(query: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    chosen = {COLOR_VARIABLES[name]: complete_code(digits) for name, digits in read_colors(query).items()}
    if paper := chosen.get(PAPER):
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
        # The same applies to a chosen ink, which is for the website's background. If that is of the other
        # scheme, the browser paints its own paper under the frame.
        declared |= {PAPER: "transparent", "color-scheme": "dark" if is_light(declared[INK]) else "light"}
        root = f":root {{ color-scheme: {declared['color-scheme']}; }} "
    if ACCENT not in declared and COLOR.fullmatch(theme.color):
        paper, own = dict(chosen).get(PAPER), complete(Theme(color=theme.color))
        both = f"light-dark({own.light['accent']}, {own.dark['accent']})"
        declared[ACCENT] = ensure_contrast(theme.color, paper) if paper else both
    declarations = "; ".join(f"{name}: {value}" for name, value in declared.items())
    return f"{root}.festival-frame {{ {declarations}; }}" if declared else ""


class PartLink(NamedTuple):
    """A list or a place, which has a page of its own."""

    name: str
    path: str


def find_part(snapshot: Snapshot, selection: Selection) -> PartLink | None:
    """Return the list or the place that a selection consists of, if it has a page of its own."""
    index, language = snapshot.programme.index, selection.language
    lists, places = index.find_lists(selection), index.find_named("location", selection.locations)
    others = replace(selection, lists=(), locations=())
    edition = selection.edition
    if len(lists) + len(places) != 1 or others != Selection(language=language, edition=edition):
        return None
    for each in lists:
        return PartLink(
            each.title.within(language), addresses.build_occasion_list_path(each, language, edition)
        )
    [place] = places
    return PartLink(place.name, addresses.build_place_path(place, language, edition))


def parse_embed_query(given: QueryDict, language: LanguageCode) -> PageQuery:
    """Parse a query; the parameters in `fixed` are chosen by the website, not by its visitors."""
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
        # The parameters that a visitor has chosen beside a day.
        self.chosen = {name for name, _value in selection.pairs()} - {*self.fixed, "during", "language"}
        if self.view != LIST:
            selection = replace(selection, moments=())
        if "q" in self.chosen and "during" not in self.fixed:
            # A search includes all days.
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
        """The occasions that are not over; on requested days, or if all are over, all of them."""
        left = [each for each in self._listed if each.end > self.snapshot.now]
        return self._listed if self.query.is_dated or self.day else left or self._listed

    @cached_property
    def sections(self) -> list[DaySection]:
        """The days, from today or from the first requested one."""
        is_over = all(each.end <= self.snapshot.now for each in self.left)
        ahead = DayRange(date.min if is_over else self.snapshot.today, date.max)
        asked = [find_days(each, self.snapshot.today) for each in self._shown.during] or [ahead]
        before, _begun = part_by_day(self.snapshot, min(each.first for each in asked), self.left)
        # Long occasions from earlier days are the first that the limit leaves out.
        long = {each for each in before if each.end - each.start > MAX_ATTENDED}
        counted = {*sorted(self.left, key=long.__contains__)[: self.limit]}
        listed = [each for each in self.left if each in counted]
        return [
            build_day_section(day, self.rows.name_day(day), occasions, self.rows)
            for day, occasions in self.rows.split_days(listed, asked)
        ]

    @property
    def more(self) -> str:
        count = len(self.left) - self.limit
        return _("{} more").format(count) if count > 0 and not self.grid else ""

    @property
    def day_tabs(self) -> list[DayTab]:
        """The tabs of coming days, or of all days if all are over."""
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
        # Without the individually chosen occasions.
        shown = replace(self._shown, chosen=())
        return build_path(START[self.language], shown, view=GRID if self.grid else "")


def write_embed_page(snapshot: Snapshot, query: PageQuery) -> Page:
    page, programme, colors = EmbedPage(snapshot, query), snapshot.programme, dict(query.colors)
    path = build_path(page.action, page.selection, **colors)
    context = {
        "page": page,
        "style_sheet": addresses.LIST_STYLE,
        "festival": get_festival_name(programme, page.language, page.selection.edition),
        "oembed": addresses.build_discovery_url(programme.site.base_url, path),
    }
    style = build_rules(parse_colors(colors), programme.festival.theme)
    return render_page("embed", page.language, style, context)


# In the order of the page that shows them.
EXAMPLES = (
    *('limit="5"', 'view="days"', 'view="timetable"', 'view="now" limit="4"'),
    *('view="days" search filters', 'view="days" stars', 'images highlighted limit="5"'),
)
# If the service does not respond, the former list remains.
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
    """The code that embeds a selection: as an element, in a frame, or by the website's server."""

    def __init__(self, base_url: str, selection: Selection, name: str) -> None:
        paths = (each[selection.language] for each in (START, EMBED, addresses.FRAGMENT))
        programme_path, self.frame_path, fragment = (build_path(each, selection) for each in paths)
        self.attributes = build_attributes(selection)
        self.base_url = base_url
        self._context = {"base_url": base_url, "script": addresses.COMPONENT, "name": name}
        self._context |= {"programme_path": programme_path, "frame_path": self.frame_path}
        # Images may be on any host.
        self.element_policy = f"script-src {base_url}; connect-src {base_url}; img-src https:"
        self.frame = self._write("frame")
        self.color_example = f"{'&' if '?' in self.frame_path else '?'}accent=8c2f4b&ink=1d1b19&paper=ffffff"
        script = self.frame.partition("<script>")[2].removesuffix("</script>")
        self.frame_policy = f"frame-src {base_url}; script-src {hash_source(script)}"
        # A bare percent sign ends a line of crontab.
        self.cron = CRON.format(url=shlex.quote(f"{base_url}{fragment}").replace("%", r"\%"))
        self.include = INCLUDE.format(base_url=base_url, style_sheet=addresses.LIST_STYLE, style=STYLE)
        self.include_policy = f"style-src {base_url} {hash_source(STYLE)}"

    def write_element(self, more: str = "") -> str:
        return self._write("element", more=more, attributes=self.attributes)

    def _write(self, kind: str, **more: Any) -> str:
        # Stripped, it is not safe any more: pages show it escaped.
        return render_to_string(f"pages/code/{kind}.html", {**self._context, **more}).strip()
