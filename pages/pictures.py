"""The images of events on pages: their files for browsers to choose from, sizes, and alternative texts."""

from collections.abc import Sequence
from typing import NamedTuple

from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, Picture, safe_url
from pages.addresses import build_own_path
from pages.rows import OccasionRow, RowBuilder
from programme.models.image_sizes import Size, find_shared, list_cut, list_whole

# The widths of `src`, for browsers without `srcset`.
USUAL, CARD = 960, 480
# The most highlighted events on the first page.
MAX_HIGHLIGHTS = 12


class Figure(NamedTuple):
    """A whole image on a page; without sizes, only its address is known."""

    url: str
    alt: str
    sources: str = ""
    width: int = 0
    height: int = 0


def build_figure(url: str, picture: Picture | None, alt: str, base_url: str) -> Figure | None:
    if not safe_url(url) or picture is None:
        return Figure(build_own_path(url, base_url), alt) if safe_url(url) else None
    sizes = list_whole(picture.width, picture.height)
    sources = [f"{picture.folder}{each.name} {each.width}w" for each in sizes]
    usual = f"{picture.folder}{find_nearest(sizes, USUAL).name}"
    return Figure(usual, alt, ", ".join(sources), picture.width, picture.height)


def build_shared_figure(event: Event, base_url: str) -> Figure | None:
    """Return an event's image for link previews; one on another website is whole and of unknown size."""
    url, picture = safe_url(event.image_url), event.picture
    alt = event.image_alt or event.title
    if not url or picture is None:
        return Figure(url, alt) if url else None
    name, width, height = find_shared(picture.width, picture.height, picture.focus)
    return Figure(f"{base_url}{picture.folder}{name}", alt, "", width, height)


class Card(NamedTuple):
    """A coming highlighted event: `when` has its day, `sources` are empty without an image."""

    row: OccasionRow
    when: str
    url: str
    sources: str


def build_highlights(snapshot: Snapshot, rows: RowBuilder) -> list[Card]:
    """Return the highlighted coming events, each at its next time, the first first; after the end, all."""
    found: dict[int, Card] = {}
    every = snapshot.programme.occasions
    for each in [each for each in every if each.end > snapshot.now] or every:
        event = each.event
        if event.highlighted and not each.cancelled and event.id not in found:
            url, sources, picture = "", "", event.picture
            if picture:
                cuts = list_cut(picture.width, picture.height, picture.focus)
                url = f"{picture.folder}{find_nearest(cuts, CARD).name}"
                sources = ", ".join(f"{picture.folder}{one.name} {one.width}w" for one in cuts)
            found[event.id] = Card(rows.build(each), rows.format_when(each), url, sources)
            if len(found) == MAX_HIGHLIGHTS:
                break
    return [*found.values()]


def find_nearest(sizes: Sequence[Size], width: int) -> Size:
    """Return the smallest size of at least a width, else the widest."""
    return next((each for each in sizes if each.width >= width), sizes[-1])
