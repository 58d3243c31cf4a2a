"""The colour of each area: its own, else one of a palette by its place in the order."""

from collections.abc import Iterable

# Stripes and tints only, never text: what stands on them is in the theme's own colours.
PALETTE = ("#3f7cac", "#5b8c5a", "#b0763c", "#8a63a8", "#b0587a", "#3f8f8c", "#8c7b3f", "#6b7a8f")


def assign_colors(areas: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the colour of each area, from their IDs and own colours (or '') in the order of areas."""
    return {area: own or PALETTE[index % len(PALETTE)] for index, (area, own) in enumerate(areas)}
