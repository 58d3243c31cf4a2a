"""The files of an uploaded image in several widths, whole and cropped around its focal point."""

from typing import NamedTuple

# Widths in pixels; files cropped to 3:2 are for lists.
WHOLE, CUT = (480, 960, 1600), (240, 480)
RATIO = 3 / 2
# The size for link previews.
SHARED = (1200, 630)


class Size(NamedTuple):
    """A file in the folder of an image's sizes."""

    name: str
    width: int
    height: int


def list_whole(width: int, height: int) -> list[Size]:
    """Return the sizes of a whole image, none of them wider than it is."""
    widths = sorted({min(each, width) for each in WHOLE})
    return [Size(f"{each}.webp", each, max(1, round(height * each / width))) for each in widths]


def find_cut(
    width: int, height: int, focus: tuple[int, int], ratio: float = RATIO
) -> tuple[int, int, int, int]:
    """Return the crop box of an image, as of `object-fit: cover` with this position."""
    across, down = min(width, max(1, round(height * ratio))), min(height, max(1, round(width / ratio)))
    left, top = round((width - across) * focus[0] / 100), round((height - down) * focus[1] / 100)
    return left, top, left + across, top + down


def list_cut(width: int, height: int, focus: tuple[int, int]) -> list[Size]:
    """Return the sizes of the cropped image, at least one; their names contain the focus."""
    left, top, right, bottom = find_cut(width, height, focus)
    across, down = right - left, bottom - top
    widths = {min(each, across): each for each in CUT if each <= across or each == CUT[0]}
    return [
        Size(f"{focus[0]}-{focus[1]}-{named}.webp", each, max(1, round(down * each / across)))
        for each, named in widths.items()
    ]


def find_shared(width: int, height: int, focus: tuple[int, int]) -> Size:
    """Return the file for link previews, a JPEG no larger than the image."""
    left, top, right, bottom = find_cut(width, height, focus, SHARED[0] / SHARED[1])
    across, name = min(SHARED[0], right - left), f"{focus[0]}-{focus[1]}-shared.jpg"
    return Size(name, across, max(1, round((bottom - top) * across / (right - left))))
