"""Draw lines on logarithmic axes as SVG, for light and dark pages."""

from collections.abc import Iterator, Mapping
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT = 860, 490
LEFT, RIGHT, TOP, BOTTOM = 78, 290, 64, 58
# Distance of the lines in a name, and extra distance between two names.
LINE_HEIGHT, GAP = 18, 9

# Each color has a contrast of at least 4.5 to its background.
STYLE = """
  svg {
    font: 13px system-ui, sans-serif; --page: #ffffff; --text: #24292f; --faint: #d8dee4; --minor: #57606a;
    --a: #b04a00; --b: #0b62c4; --c: #0f7a52; --d: #7a3fb8
  }
  @media (prefers-color-scheme: dark) {
    svg {
      --page: #0d1117; --text: #e6edf3; --faint: #30363d; --minor: #9198a1;
      --a: #ff9d57; --b: #6cb6ff; --c: #4fd0a0; --d: #c9a2ff
    }
  }
  text { fill: var(--text) } .minor { fill: var(--minor) } .title { font-size: 16px; font-weight: 600 }
  .grid { stroke: var(--faint) } .line { fill: none; stroke-width: 2.25 } .name { font-weight: 600 }
"""
COLORS = ("a", "b", "c", "d")


def figure(value: float) -> str:
    """Format a number with at least two significant digits."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"  # noqa: PLR2004


class Line(NamedTuple):
    """A series: the lines of its name, and y by x."""

    name: tuple[str, ...]
    points: Mapping[int, float]

    @property
    def last(self) -> float:
        return self.points[max(self.points)]

    @property
    def range(self) -> str:
        return f"{figure(self.points[min(self.points)])} to {figure(self.last)}"


class Scale(NamedTuple):
    """A logarithmic scale: decimal logarithms from lowest to highest, over pixels."""

    lowest: float
    highest: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = (log10(value) - self.lowest) / ((self.highest - self.lowest) or 1)
        return self.begin + share * (self.end - self.begin)


def draw(title: str, axes: tuple[str, str], lines: list[Line]) -> str:
    """Return the SVG document; `axes` are the titles of x and y, with units."""
    xs = sorted({x for line in lines for x in line.points})
    ys = [y for line in lines for y in line.points.values()]
    across = Scale(log10(xs[0]), log10(xs[-1]), LEFT, WIDTH - RIGHT)
    up = Scale(floor(log10(min(ys))), ceil(log10(max(ys))), HEIGHT - BOTTOM, TOP)
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill: var(--page)"/>',
        f'<text class="title" x="20" y="30">{escape(title)}</text>',
        *_horizontals(up),
        *_verticals(across, xs),
        *_axes(axes),
        *_lines(lines, across, up),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    return "\n".join(
        [f'{head} aria-label="{escape(title)}">', f"<style>{STYLE}</style>", *body, "</svg>", ""]
    )


def _horizontals(up: Scale) -> Iterator[str]:
    for power in range(int(up.lowest), int(up.highest) + 1):
        y = up(10.0**power)
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="minor" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:,g}</text>'


def _verticals(across: Scale, xs: list[int]) -> Iterator[str]:
    for x in xs:
        place = f"{across(x):.1f}"
        yield f'<line class="grid" x1="{place}" x2="{place}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield f'<text class="minor" x="{place}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,}</text>'


def _axes(axes: tuple[str, str]) -> Iterator[str]:
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{escape(axes[0])}</text>'
    yield f'<text x="20" y="{TOP - 12}">{escape(axes[1])}</text>'


def _lines(lines: list[Line], across: Scale, up: Scale) -> Iterator[str]:
    for line, color, end in zip(lines, COLORS, _ends(lines, up), strict=False):
        points = [(across(x), up(y)) for x, y in sorted(line.points.items())]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline class="line" style="stroke: var(--{color})" points="{joined}"/>'
        for x, y in points:
            yield f'<circle r="3.5" style="fill: var(--{color})" cx="{x:.1f}" cy="{y:.1f}"/>'
        yield from _named(line, color, end)


def _named(line: Line, color: str, y: float) -> Iterator[str]:
    """Write a line's name and the values at its ends."""
    for number, words in enumerate((*line.name, line.range)):
        kind = "name" if number < len(line.name) else "minor"
        place = f'x="{WIDTH - RIGHT + 16}" y="{y + number * LINE_HEIGHT:.1f}"'
        yield f'<text class="{kind}" style="fill: var(--{color})" {place}>{escape(words)}</text>'


def _ends(lines: list[Line], up: Scale) -> list[float]:
    """Return the y of each line's name: at the end of the line, or below the name before it."""
    free = float(TOP)
    ends = {}
    for line in sorted(lines, key=lambda line: -line.last):
        height = len(line.name) * LINE_HEIGHT
        ends[line.name] = max(free, min(up(line.last) + 4 - height / 2, HEIGHT - BOTTOM - height))
        free = ends[line.name] + height + LINE_HEIGHT + GAP
    return [ends[line.name] for line in lines]
