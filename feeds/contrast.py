"""Colours of areas, and those with enough contrast to be read (WCAG 2.2, "contrast ratio"): 4.5."""

import re
from collections.abc import Iterable

MIN_CONTRAST = 4.5
BLACK, WHITE = "#161513", "#ffffff"
STEPS = 100
HALF = 0.5
# Of sRGB (WCAG 2.2, "relative luminance"): where its curve begins, and the shares of red, green and blue.
LINEAR_BELOW = 0.04045
LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
# Imported values pass no form: only these may get into a style sheet.
COLOR = re.compile("#[0-9a-f]{6}")
# The backgrounds of the accent in variables.css: paper and sheet, light and dark.
LIGHT, DARK = ("#fbfaf7", "#f2eee6"), ("#161513", "#221f1c")

Rgb = tuple[float, float, float]


def choose_foreground(color: str) -> str:
    """Return black or white, whichever contrasts more with a colour."""
    return max((BLACK, WHITE), key=lambda each: compute_contrast(each, color))


def is_light(color: str) -> bool:
    return _luminance(_parse(color)) > HALF


def ensure_contrast(color: str, *grounds: str) -> str:
    """Return the nearest colour with enough contrast on all backgrounds, which are all light or all dark."""
    towards = _parse(BLACK if is_light(grounds[0]) else WHITE)
    own = _parse(color)
    for step in range(STEPS + 1):
        share = step / STEPS
        mixed = _written(a + (b - a) * share for a, b in zip(own, towards, strict=True))
        if all(compute_contrast(mixed, ground) >= MIN_CONTRAST for ground in grounds):
            return mixed
    return _written(towards)


def choose_accents(color: str) -> tuple[str, str] | None:
    """Return the festival's colour with enough contrast on light and on dark, None if it has none."""
    return (ensure_contrast(color, *LIGHT), ensure_contrast(color, *DARK)) if COLOR.fullmatch(color) else None


def write_accents(color: str) -> list[str]:
    """Return the declarations that replace the accent of variables.css; none without a colour."""
    accents = choose_accents(color)
    if accents is None:
        return []
    light, dark = accents
    return [
        *(f"--accent-light:{light}", f"--accent-dark:{dark}"),
        *(f"--on-accent-light:{choose_foreground(light)}", f"--on-accent-dark:{choose_foreground(dark)}"),
    ]


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours of six digits, from 1 to 21."""
    darker, lighter = sorted(_luminance(_parse(each)) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _parse(color: str) -> Rgb:
    red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return red, green, blue


def _written(colour: Iterable[float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)


def _luminance(colour: Rgb) -> float:
    linear = (part / 12.92 if part <= LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return sum(share * part for share, part in zip(LUMINANCE_WEIGHTS, linear, strict=True))


# Stripes and tints only, never text: what stands on them is in the theme's own colours.
PALETTE = ("#3f7cac", "#5b8c5a", "#b0763c", "#8a63a8", "#b0587a", "#3f8f8c", "#8c7b3f", "#6b7a8f")


def assign_colors(areas: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the colour of each area, from their IDs and own colours (or '') in the order of areas."""
    return {area: own or PALETTE[index % len(PALETTE)] for index, (area, own) in enumerate(areas)}
