"""The festival's theme as a style sheet: its colour, with enough contrast on light and dark, and its fonts.

Contrast is computed as in WCAG 2.2, "contrast ratio": at least 4.5 for text.
"""

import re
from collections.abc import Iterator

from feeds.vocabulary import Headings, Theme

MIN_CONTRAST = 4.5
# The backgrounds of the accent in pages.css: paper and sheet, light and dark.
LIGHT, DARK = ("#fbfaf7", "#f2eee6"), ("#161513", "#221f1c")
BLACK, WHITE = "#161513", "#ffffff"
STEPS = 100
HALF = 0.5
# Of sRGB (WCAG 2.2, "relative luminance"): where its curve begins, and the shares of red, green and blue.
LINEAR_BELOW = 0.04045
LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
# Imported values pass no form: only these may get into a style sheet.
COLOR = re.compile("#[0-9a-f]{6}")
ADDRESS = re.compile(r"[^\s\"'<>\\]+")

FONT_STACKS: dict[str, str] = {
    Headings.SERIF: "",
    Headings.SANS: "var(--text-font)",
    Headings.GEOMETRIC: 'Avenir, Montserrat, Corbel, "URW Gothic", "Century Gothic", sans-serif',
    Headings.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, '
    '"Arial Rounded MT Bold", Calibri, sans-serif',
    Headings.SLAB: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
}

Rgb = tuple[float, float, float]


def build_style(theme: Theme) -> str:
    light, dark = list(_colours(theme.color, LIGHT)), list(_colours(theme.color, DARK))
    fonts = list(_fonts(theme))
    rules = _rule(light + fonts) + (f"@media (prefers-color-scheme:dark){{{_rule(dark)}}}" if dark else "")
    return f"{_face(theme.font_url)}{rules}"


def build_accents(color: str) -> tuple[str, str] | None:
    """Return the festival's colour with enough contrast on light and on dark, None if it has none."""
    return (ensure_contrast(color, *LIGHT), ensure_contrast(color, *DARK)) if COLOR.fullmatch(color) else None


def is_light(color: str) -> bool:
    return _luminance(_parse(color)) > HALF


def ensure_contrast(color: str, *grounds: str) -> str:
    """Return the nearest colour with enough contrast on all backgrounds, which are all light or all dark."""
    towards = _parse(BLACK if is_light(grounds[0]) else WHITE)
    own = _parse(color)
    for step in range(STEPS + 1):
        mixed = _written(_mix(own, towards, step / STEPS))
        if all(compute_contrast(mixed, ground) >= MIN_CONTRAST for ground in grounds):
            return mixed
    return _written(towards)


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours of six digits, from 1 to 21."""
    darker, lighter = sorted(_luminance(_parse(each)) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _colours(color: str, grounds: tuple[str, ...]) -> Iterator[str]:
    if COLOR.fullmatch(color):
        accent = ensure_contrast(color, *grounds)
        on_accent = max((BLACK, WHITE), key=lambda each: compute_contrast(each, accent))
        yield from (f"--accent:{accent}", f"--on-accent:{on_accent}")


def _fonts(theme: Theme) -> Iterator[str]:
    stack = FONT_STACKS.get(theme.headings, "")
    if ADDRESS.fullmatch(theme.font_url):
        yield f"--heading-font:festival,{stack or 'serif'}"
    elif stack:
        yield f"--heading-font:{stack}"


def _face(url: str) -> str:
    if not ADDRESS.fullmatch(url):
        return ""
    return f'@font-face{{font-family:festival;src:url("{url}") format("woff2");font-display:swap}}'


def _rule(declarations: list[str]) -> str:
    return f":root{{{';'.join(declarations)}}}" if declarations else ""


def _parse(color: str) -> Rgb:
    red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def _written(colour: Rgb) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)


def _mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _luminance(colour: Rgb) -> float:
    linear = (part / 12.92 if part <= LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return sum(share * part for share, part in zip(LUMINANCE_WEIGHTS, linear, strict=True))
