"""Cards that link previews show: 1200 × 630 pixels, drawn from what they say and nothing else."""

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import msgspec
from PIL import Image, ImageDraw, ImageFont, ImageOps, ImageStat

from feeds.contrast import choose_foreground, compute_contrast
from feeds.pictures import to_rgb
from feeds.vocabulary import IMAGE_MIDDLE, Value

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN, STRIP, PICTURE_WIDTH, LOGO_SIZE = 64, 96, 460, (420, 90)
# Another drawing has other names.
VERSION = b"2"
BOLD, REGULAR = (Path(__file__).parent / "fonts" / f"fira-sans-{weight}.ttf" for weight in (600, 400))
LARGEST, SMALLEST, MOST_LINES, LINE = 88, 40, 5, 38
COLORS = 128
# The contrast from which a logo is seen.
SEEN = 1.5
CANCELLED = ("#a11d1d", "#ffffff")
# No font has it: what looks like it is missing.
NOWHERE, ELLIPSIS = "\U0010fffd", "…"

# Returns a file by its name; raises OSError without it.
Read = Callable[[str], bytes]
Font = ImageFont.FreeTypeFont


class Card(Value, frozen=True):
    """What a card shows; colours have six digits, and files are named."""

    title: str = ""
    when: str = ""
    where: str = ""
    mark: str = ""
    festival: str = ""
    paper: str = "#fbfaf7"
    ink: str = "#1d1b19"
    fill: str = "#8c2f4b"
    on_fill: str = "#ffffff"
    logo: str = ""
    font: str = ""
    picture: str = ""
    focus: tuple[int, int] = IMAGE_MIDDLE

    @property
    def name(self) -> str:
        """The name of its file, the same for all cards that show the same."""
        kind = "jpg" if self.picture or self.logo else "png"
        return f"{hashlib.sha256(VERSION + msgspec.json.encode(self)).hexdigest()[:32]}.{kind}"

    @property
    def headline(self) -> str:
        """Its title without emoji; the festival's name if there are letters in it that cannot be drawn."""
        lacks_letters = any(each.isalpha() and not _has(BOLD, each) for each in self.title)
        return ("" if lacks_letters else _keep(self.title, BOLD)) or self.festival

    @property
    def words(self) -> str:
        """What is written on it, save the festival's name below."""
        details = (_keep(self.when, BOLD), _keep(self.where, REGULAR))
        return ", ".join(filter(None, (self.mark, self.headline, *details)))


def draw(card: Card, read: Read) -> bytes:
    """Return the card, without those of its files that cannot be read."""
    image, right, top = Image.new("RGB", SIZE, card.paper), WIDTH - MARGIN, MARGIN
    pen, content = ImageDraw.Draw(image), BytesIO()
    if picture := _open(card.picture, read):
        room, (across, down) = (PICTURE_WIDTH, HEIGHT - STRIP), card.focus
        fitted = ImageOps.fit(picture.convert("RGBA"), room, centering=(across / 100, down / 100))
        image.paste(fitted, (WIDTH - PICTURE_WIDTH, 0), fitted)
        right = WIDTH - PICTURE_WIDTH - MARGIN // 2
    if logo := _open(card.logo, read):
        fitted = ImageOps.contain(logo.convert("RGBA"), LOGO_SIZE)
        if not _stands_out(fitted, card.paper):
            around = (MARGIN - 20, top - 16, MARGIN + fitted.width + 20, top + fitted.height + 16)
            pen.rounded_rectangle(around, 8, choose_foreground(card.paper))
        image.paste(fitted, (MARGIN, top), fitted)
        top += fitted.height + 40
    if card.mark:
        end = MARGIN + _load(BOLD, LINE).getlength(card.mark) + 40
        pen.rounded_rectangle((MARGIN, top, end, top + 60), 8, CANCELLED[0])
        pen.text((MARGIN + 20, top + 30), card.mark, CANCELLED[1], _load(BOLD, LINE), "lm")
        top += 84
    _draw_title(pen, card, _choose_font(card, read), (top, _draw_details(pen, card, right), right))
    pen.rectangle((0, HEIGHT - STRIP, WIDTH, HEIGHT), card.fill)
    # The logo says it.
    below = "" if logo or card.headline == card.festival else _keep(card.festival, BOLD)
    name = _fit(below, _load(BOLD, LINE), WIDTH - 2 * MARGIN, 1)
    pen.text((MARGIN, HEIGHT - STRIP // 2), "".join(name), card.on_fill, _load(BOLD, LINE), "lm")
    if card.name.endswith(".jpg"):
        image.save(content, "JPEG", quality=85, optimize=True)
    else:
        # A third of the size, and sharp.
        image.quantize(COLORS, Image.Quantize.FASTOCTREE).save(content, "PNG")
    return content.getvalue()


def _stands_out(logo: Image.Image, paper: str) -> bool:
    """Whether a logo is told from the background: one that is made for the other one needs a plate."""
    shade = ImageStat.Stat(logo.convert("RGB"), mask=logo.getchannel("A")).mean
    return compute_contrast("#" + bytes(map(round, shade)).hex(), paper) >= SEEN


def _draw_details(pen: ImageDraw.ImageDraw, card: Card, right: int) -> int:
    """Draw place and time from below; return where the title must end."""
    bottom = HEIGHT - STRIP - 36
    for text, path in ((card.where, REGULAR), (card.when, BOLD)):
        for line in reversed(_fit(_keep(text, path), _load(path, LINE), right - MARGIN, 2)):
            pen.text((MARGIN, bottom), line, card.ink, _load(path, LINE), "ls")
            bottom -= 50
    return bottom - 20


def _draw_title(pen: ImageDraw.ImageDraw, card: Card, own: Path | bytes, room: tuple[int, int, int]) -> None:
    """Draw the title as large as it fits; one that never does ends with an ellipsis."""
    top, bottom, right = room
    text = _keep(card.headline, own)
    for size in range(LARGEST, SMALLEST - 1, -6):
        height, font = round(size * 1.15), _load(own, size)
        most = max(1, min(MOST_LINES, (bottom - top) // height))
        is_whole = all(font.getlength(each) <= right - MARGIN for each in text.split())
        if is_whole and len([*_wrap(text, font, right - MARGIN)]) <= most:
            break
    for number, line in enumerate(_fit(text, font, right - MARGIN, most)):
        pen.text((MARGIN, top + number * height + round(size * 0.9)), line, card.ink, font, "ls")


def _wrap(text: str, font: Font, width: float) -> Iterator[str]:
    """Yield lines that are no wider than that; a word that is wider is divided."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".lstrip()
        if font.getlength(longer) > width and line:
            yield line
            longer = word
        while font.getlength(longer) > width:
            fits = next(end for end in range(len(longer) - 1, 0, -1) if font.getlength(longer[:end]) <= width)
            yield longer[:fits]
            longer = longer[fits:]
        line = longer
    if line:
        yield line


def _fit(text: str, font: Font, width: float, most: int) -> list[str]:
    """Return at most so many lines; the last ends with an ellipsis if there were more."""
    lines = [*_wrap(text, font, width)]
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    while last and font.getlength(last + ELLIPSIS) > width:
        last = last[:-1]
    return [*lines[: most - 1], last.rstrip(" ,.:;–-") + ELLIPSIS]


def _choose_font(card: Card, read: Read) -> Path | bytes:
    """Return the festival's own font if it has all of the title, else ours."""
    try:
        own = read(card.font) if card.font else b""
        return own if own and _keep(card.headline, own) == _keep(card.headline, BOLD) else BOLD
    except (OSError, ValueError):
        return BOLD


@lru_cache(maxsize=64)
def _load(font: Path | bytes, size: int) -> Font:
    return ImageFont.truetype(BytesIO(font) if isinstance(font, bytes) else str(font), size)


def _keep(text: str, font: Path | bytes) -> str:
    """Return a text without the characters that a font lacks: emoji, say, which would be boxes."""
    return " ".join("".join(each if _has(font, each) else " " for each in text).split())


@lru_cache(maxsize=4096)
def _has(font: Path | bytes, character: str) -> bool:
    own, none = (_load(font, 20).getmask(each) for each in (character, NOWHERE))
    return character.isspace() or (own.size, bytes(own)) != (none.size, bytes(none))


def _open(name: str, read: Read) -> Image.Image | None:
    try:
        image = Image.open(BytesIO(read(name))) if name else None
        if image is None:
            return None
        image.draft("RGB", SIZE)
        return to_rgb(image)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
