"""Paints the demo's pictures: an evening by the river in the colours of the event's area."""

from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from math import sin, tau
from random import Random

from PIL import Image, ImageColor, ImageDraw

SIZE = (1200, 675)
# Painted twice as large and then reduced, which makes the edges smooth.
WIDTH, HEIGHT = 2 * SIZE[0], 2 * SIZE[1]
SHORE = 0.62 * HEIGHT
STEP = 40

# The share of the windows in which somebody is at home.
LIT = 0.4
NIGHT, GLOW = (13, 18, 46), (255, 222, 170)

Color = tuple[int, int, int]
Point = tuple[float, float]


# Cached, because a picture costs more than the rest of its event.
@cache
def paint(key: str, motif: str, color: str, accent: str) -> bytes:
    """Return a JPEG image of a motif of MOTIFS, which depends on its arguments alone (`#rrggbb` colours)."""
    evening = _Evening(Random(key), _rgb(color), _rgb(accent))  # noqa: S311 - nothing to guess
    evening.paint_sky()
    evening.paint_hills()
    MOTIFS[motif](evening)
    file = BytesIO()
    evening.image.reduce(2).save(file, "JPEG", quality=86, subsampling=0)
    return file.getvalue()


class _Evening:
    """A canvas with its palette, painted from the back to the front."""

    def __init__(self, chance: Random, color: Color, accent: Color) -> None:
        self.chance = chance
        self.dark = _mix(color, NIGHT, 0.72)
        self.deep = _mix(color, NIGHT, 0.30)
        self.light = _mix(accent, GLOW, 0.7)
        self.zenith = _mix(color, NIGHT, 0.55)
        self.sun = (chance.uniform(0.22, 0.78) * WIDTH, SHORE - chance.uniform(0.10, 0.22) * HEIGHT)
        self.image = Image.new("RGB", (WIDTH, HEIGHT))
        self.draw = ImageDraw.Draw(self.image)

    # --- What every picture has

    def paint_sky(self) -> None:
        middle = _mix(self.zenith, self.light, 0.45)
        column = Image.new("RGB", (1, 3))
        column.putdata([self.zenith, middle, self.light])
        sky = column.resize((1, int(SHORE) + 1), Image.Resampling.BICUBIC)
        self.image.paste(sky.resize((WIDTH, sky.height), Image.Resampling.NEAREST), (0, 0))
        self.glow(self.sun, 620)
        self.disc(self.sun, 92, _mix(self.light, (255, 255, 255), 0.55))

    def paint_hills(self) -> None:
        for depth in (0.25, 0.45, 0.65):
            line = self.line(SHORE - (0.17 - 0.18 * depth) * HEIGHT, 60, 1.5 + depth)
            self.fill(line, _mix(self.light, self.deep, depth))

    def paint_river(self) -> None:
        """Waves, each nearer one darker and higher, and the sun's path over them."""
        bands = 7
        for band in range(bands):
            near = band / (bands - 1)
            top = SHORE + (HEIGHT - SHORE) * near**1.35 * 0.86
            line = self.line(top, 5 + 26 * near, 7 - 4 * near)
            self.fill(line, _mix(_mix(self.light, self.deep, 0.45), self.dark, near**0.7))
            self.glints(top, near)

    def glints(self, top: float, near: float) -> None:
        reach = 90 + 260 * near
        for _ in range(7):
            x = self.sun[0] + self.chance.gauss(0, reach / 2)
            y = top + self.chance.uniform(18, 40 + 80 * near)
            half, thick = self.chance.uniform(0.15, 0.5) * reach, 3 + 4 * near
            ink = _mix(self.light, self.deep, 0.15 + 0.45 * near)
            self.draw.rounded_rectangle((x - half, y, x + half, y + thick), thick / 2, fill=ink)

    # --- Strokes

    def line(self, top: float, swing: float, waves: float) -> list[Point]:
        phases = [self.chance.uniform(0, tau) for _ in range(3)]
        parts = [
            (swing, waves, phases[0]),
            (swing / 2, waves * 2.3, phases[1]),
            (swing / 5, waves * 5, phases[2]),
        ]
        return [
            (x, top + sum(high * sin(tau * many * x / WIDTH + phase) for high, many, phase in parts))
            for x in range(0, WIDTH + STEP, STEP)
        ]

    def fill(self, line: list[Point], ink: Color) -> None:
        self.draw.polygon([(0, HEIGHT), *line, (WIDTH, HEIGHT)], fill=ink)

    def disc(self, centre: Point, radius: float, ink: Color) -> None:
        x, y = centre
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)

    def glow(self, centre: Point, radius: int) -> None:
        mask = _halo().resize((2 * radius, 2 * radius), Image.Resampling.BILINEAR)
        self.image.paste(self.light, (int(centre[0]) - radius, int(centre[1]) - radius), mask)


@cache
def _halo() -> Image.Image:
    """Return how a light fades around its centre, as a mask."""
    # The gradient reaches white in the corners; the halo ends at the edges.
    return Image.radial_gradient("L").point([int(200 * max(0, 1 - far / 181) ** 2) for far in range(256)])


# --- Motifs -------------------------------------------------------------------------------------


def _river(evening: _Evening) -> None:
    evening.paint_river()


def _park(evening: _Evening) -> None:
    for crowns, ink in ((26, _mix(evening.deep, evening.dark, 0.25)), (17, evening.dark)):
        for _ in range(crowns):
            x, radius = evening.chance.uniform(0, WIDTH), evening.chance.uniform(50, 120)
            evening.disc((x, SHORE - radius * 0.55), radius, ink)
    evening.paint_river()


def _town(evening: _Evening) -> None:
    spire = evening.chance.uniform(0.15, 0.85) * WIDTH
    x, tower = -20.0, False
    while x < WIDTH:
        wide, high = evening.chance.uniform(80, 170), evening.chance.uniform(110, 210)
        if not tower and x + wide > spire:
            tower, wide, high = True, 120.0, 290.0
            _house(evening, x, wide, high, gable=260)
        else:
            _house(evening, x, wide, high, gable=evening.chance.uniform(35, 80))
        x += wide
    evening.paint_river()


def _house(evening: _Evening, x: float, wide: float, high: float, gable: float) -> None:
    eaves, ink = SHORE - high, _mix(evening.deep, evening.dark, evening.chance.uniform(0.45, 1))
    roof = [(x, eaves), (x + wide / 2, eaves - gable), (x + wide, eaves)]
    evening.draw.polygon([(x, SHORE + 40), *roof, (x + wide, SHORE + 40)], fill=ink)
    for left in range(int(x) + 18, int(x + wide) - 28, 38):
        for top in range(int(eaves) + 24, int(SHORE) - 40, 52):
            if evening.chance.random() < LIT:
                evening.draw.rectangle((left, top, left + 16, top + 24), fill=evening.light)


def _lanterns(evening: _Evening) -> None:
    evening.paint_river()
    for x, y, near in sorted(_places(evening.chance), key=lambda place: place[1]):
        evening.glow((x, y), int(40 + 110 * near))
        evening.disc((x, y), 6 + 17 * near, _mix(evening.light, (255, 255, 255), 0.5))
        for bar in range(1, 4):
            half, below = (14 - 3 * bar) * (0.4 + near), y + bar * (16 + 26 * near)
            evening.draw.rounded_rectangle((x - half, below, x + half, below + 4), 2, fill=evening.light)


def _places(chance: Random) -> Iterator[tuple[float, float, float]]:
    for _ in range(30):
        near = chance.random() ** 1.6
        yield chance.uniform(0, WIDTH), SHORE + 20 + near * (HEIGHT - SHORE) * 0.75, near


MOTIFS: dict[str, Callable[[_Evening], None]] = {
    "river": _river,
    "park": _park,
    "town": _town,
    "lanterns": _lanterns,
}


def _rgb(color: str) -> Color:
    red, green, blue = ImageColor.getrgb(color)[:3]
    return red, green, blue


def _mix(one: Color, other: Color, share: float) -> Color:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
