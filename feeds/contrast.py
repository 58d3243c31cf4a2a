"""Colours of areas, and colours with the contrast ratio that text needs: 4.5 (WCAG 2.2)."""

import re
from collections.abc import Iterable

MIN_CONTRAST = 4.5
BLACK, WHITE = "#161513", "#ffffff"
# For colours of medium luminance, on which neither BLACK nor WHITE is readable.
BLACKEST = "#000000"
STEPS = 100
# Of sRGB (WCAG 2.2, "relative luminance"): where its curve begins, and the shares of red, green and blue.
LINEAR_BELOW = 0.04045
LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
# Imported values pass no form: only full codes may get into a style sheet.
COLOR = re.compile("#[0-9a-f]{6}")


def choose_foreground(color: str) -> str:
    """Return black or white, whichever contrasts more with a colour."""
    best = max((BLACK, WHITE), key=lambda each: compute_contrast(each, color))
    return best if compute_contrast(best, color) >= MIN_CONTRAST else BLACKEST


def is_light(color: str) -> bool:
    """Return whether dark text is more readable on a colour than white text."""
    return choose_foreground(color) != WHITE


def mix(one: str, other: str, share: float) -> str:
    """Return a colour mixed with a share, from 0 to 1, of another colour."""
    pairs = zip(_parse(one), _parse(other), strict=True)
    return "#" + "".join(f"{round((a + (b - a) * share) * 255):02x}" for a, b in pairs)


def ensure_contrast(color: str, *grounds: str, contrast: float = MIN_CONTRAST) -> str:
    """Return the nearest colour with enough contrast on all backgrounds, which are all light or all dark."""
    towards = BLACK if is_light(grounds[0]) else WHITE
    mixed = (mix(color, towards, step / STEPS) for step in range(STEPS + 1))
    enough = (each for each in mixed if all(compute_contrast(each, ground) >= contrast for ground in grounds))
    return next(enough, BLACKEST if towards == BLACK else WHITE)


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours of six digits, from 1 to 21."""
    darker, lighter = sorted(_luminance(_parse(each)) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def complete_code(typed: str) -> str:
    """Return the code of a colour typed with three digits or without `#`; any other text unchanged."""
    digits = typed.lower().removeprefix("#")
    full = (f"#{each}" for each in (digits, "".join(2 * each for each in digits)))
    return next(filter(COLOR.fullmatch, full), typed)


def _parse(color: str) -> list[float]:
    return [part / 255 for part in bytes.fromhex(color[1:])]


def _luminance(colour: list[float]) -> float:
    linear = (part / 12.92 if part <= LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return sum(share * part for share, part in zip(LUMINANCE_WEIGHTS, linear, strict=True))


# Stripes and tints only, never text: text on them has the theme's own colours.
PALETTE = ("#3f7cac", "#5b8c5a", "#b0763c", "#8a63a8", "#b0587a", "#3f8f8c", "#8c7b3f", "#6b7a8f")


def assign_colors(areas: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the colour of each area, from their IDs and own colours (or '') in the order of areas."""
    return {area: own or PALETTE[index % len(PALETTE)] for index, (area, own) in enumerate(areas)}
