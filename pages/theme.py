"""The festival's theme as a style sheet: its colour, with enough contrast everywhere, and its fonts."""

import re
from collections.abc import Iterator

from feeds.contrast import COLOR, choose_foreground, ensure_contrast
from feeds.vocabulary import Headings, Theme

# The backgrounds of the accent in pages.css: paper and sheet, light and dark.
LIGHT, DARK = ("#fbfaf7", "#f2eee6"), ("#161513", "#221f1c")
# Imported values pass no form: only these may get into a style sheet.
ADDRESS = re.compile(r"[^\s\"'<>\\]+")

FONT_STACKS: dict[str, str] = {
    Headings.SERIF: "",
    Headings.SANS: "var(--text-font)",
    Headings.GEOMETRIC: 'Avenir, Montserrat, Corbel, "URW Gothic", "Century Gothic", sans-serif',
    Headings.ROUNDED: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, '
    '"Arial Rounded MT Bold", Calibri, sans-serif',
    Headings.SLAB: 'Rockwell, "Rockwell Nova", "Roboto Slab", "DejaVu Serif", "Sitka Small", serif',
}


def build_style(theme: Theme) -> str:
    light, dark = list(_colours(theme.color, LIGHT)), list(_colours(theme.color, DARK))
    fonts = list(_fonts(theme))
    rules = _rule(light + fonts) + (f"@media (prefers-color-scheme:dark){{{_rule(dark)}}}" if dark else "")
    return f"{_face(theme.font_url)}{rules}"


def build_accents(color: str) -> tuple[str, str] | None:
    """Return the festival's colour with enough contrast on light and on dark, None if it has none."""
    return (ensure_contrast(color, *LIGHT), ensure_contrast(color, *DARK)) if COLOR.fullmatch(color) else None


def _colours(color: str, grounds: tuple[str, ...]) -> Iterator[str]:
    if COLOR.fullmatch(color):
        accent = ensure_contrast(color, *grounds)
        yield from (f"--accent:{accent}", f"--on-accent:{choose_foreground(accent)}")


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
