"""A festival's palette: its chosen colours, completed to schemes in which all text is readable.

A surface, such as a button, has the chosen colour, and text on it is black or white. As text or a line the
colour is made darker or lighter; a light one on a light ground would become brown, so the colour of texts
replaces it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from feeds import contrast
from feeds.contrast import BLACKEST, COLOR, WHITE, ensure_contrast, is_light, mix
from feeds.vocabulary import Theme

Scheme = Mapping[str, str]

STATES = ("good", "caution", "danger")
NAMES = ("paper", "sheet", "surface", "ink", "quiet", "line", "field-line", *STATES)
# The schemes of variables.css.
_LIGHT = "#fbfaf7 #f2eee6 #ffffff #1d1b19 #5d574e #dcd6ca #8d877c #1e6b34 #6d4a00 #a11d1d"
_DARK = "#161513 #221f1c #1c1a18 #efeae2 #b0a89b #3a352f #857e73 #7bd88f #f3cf7a #ffa398"
USUAL_LIGHT, USUAL_DARK = (dict(zip(NAMES, each.split(), strict=True)) for each in (_LIGHT, _DARK))
ACCENTS = ("#8c2f4b", "#f2a0b5")
# The backgrounds of good, caution and danger, in the light and the dark scheme.
STATE_SHEETS = {True: ("#e6f3e8", "#fbefcf", "#fbe7e3"), False: ("#16311d", "#38290a", "#3d1c18")}
# The least contrast of lines around controls (WCAG 2.2, 1.4.11), of text on a sheet that is nearer to the
# text's colour than its paper, and of a colour that is darkened rather than replaced.
LINE_CONTRAST, AMPLE, RELATED = 3.0, 7.0, 2.0


class ColorSchemes(NamedTuple):
    """The light and the dark scheme with their accents; `only` names the one in use, '' for both."""

    light: Scheme
    dark: Scheme
    only: str


@lru_cache(maxsize=8)
def complete(theme: Theme) -> ColorSchemes:
    """Return both schemes; with two light or two dark backgrounds there is one scheme for everybody."""
    chosen = clean_colors(theme)
    light = chosen["color"], chosen["background"], chosen["ink"]
    dark = chosen["dark_color"] or chosen["color"], chosen["dark_background"], chosen["dark_ink"]
    is_dark, is_bright = bool(light[1]) and not is_light(light[1]), bool(dark[1]) and is_light(dark[1])
    if is_dark and is_bright:
        light, dark, is_dark, is_bright = dark, light, False, False
    if is_dark:
        light = dark = dark if dark[1] else light
    elif is_bright:
        light = dark = light if light[1] else dark
    return ColorSchemes(
        _derive(*light, USUAL_DARK if is_dark else USUAL_LIGHT, ACCENTS[is_dark]),
        _derive(*dark, USUAL_LIGHT if is_bright else USUAL_DARK, ACCENTS[not is_bright]),
        only="dark" if is_dark else "light" if is_bright else "",
    )


def clean_colors(theme: Theme) -> dict[str, str]:
    """Return the chosen colours, with '' for invalid ones: imported values pass no form."""
    every = {"color": theme.color, **msgspec.structs.asdict(theme.palette)}
    return {name: each if COLOR.fullmatch(each) else "" for name, each in every.items()}


def _derive(color: str, background: str, ink: str, usual: Scheme, accent: str) -> Scheme:
    scheme = _write_scheme(background, ink, usual) if background or ink else usual
    grounds = scheme["paper"], scheme["sheet"], scheme["surface"]
    fill = color or ensure_contrast(accent, *grounds)
    is_far = is_light(grounds[0]) and contrast.compute_contrast(fill, grounds[0]) < RELATED
    read = scheme["ink"] if is_far else ensure_contrast(fill, *grounds)
    return {**scheme, "accent": read, "fill": fill, "on-accent": contrast.choose_foreground(fill)}


def _write_scheme(background: str, ink: str, usual: Scheme) -> Scheme:
    paper = background or usual["paper"]
    near, far = (BLACKEST, WHITE) if is_light(paper) else (WHITE, BLACKEST)
    sheet, surface = usual["sheet"], usual["surface"]
    if background:
        nearer = mix(paper, near, 0.06)
        sheet = nearer if contrast.compute_contrast(near, nearer) >= AMPLE else mix(paper, far, 0.25)
        surface = mix(paper, far, 0.4)
    grounds = paper, sheet, surface
    text = ensure_contrast(ink or contrast.choose_foreground(paper), *grounds, *STATE_SHEETS[is_light(paper)])
    return {
        "paper": paper,
        "sheet": sheet,
        "surface": surface,
        "ink": text,
        "quiet": ensure_contrast(mix(text, paper, 0.3), *grounds),
        "line": mix(text, paper, 0.8),
        "field-line": ensure_contrast(mix(text, paper, 0.45), *grounds, contrast=LINE_CONTRAST),
        **{state: ensure_contrast(usual[state], *grounds) for state in STATES},
    }


def write_accents(theme: Theme) -> list[str]:
    """Return the declarations that replace the accent of variables.css; none without a chosen colour."""
    if not any(clean_colors(theme).values()):
        return []
    face = complete(theme)
    pairs = [("light", face.light), ("dark", face.dark)]
    return [f"--{name}-{of}:{each[name]}" for name in ("accent", "fill", "on-accent") for of, each in pairs]
