"""The cards of the festival, its days and occasions, which link previews show, and their files.

Pages name a card by what it shows. A thread of the back office's process draws them ahead of readers.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from django.conf import settings
from msgspec.structs import replace

from feeds.cards import Card, draw
from feeds.palette import complete
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import LANGUAGES, LanguageCode, Occasion, Theme
from feeds.wording import WORDS, format_dated_span, format_full_date, format_full_span
from programme.publishing.current import current

logger = logging.getLogger(__name__)

# Seconds between two looks for another programme.
POLL_INTERVAL = 5.0
# Another process that draws for longer has ended; link previews ask again for what they showed.
CLAIM_TIME, KEPT_FOR = timedelta(minutes=1), timedelta(days=7)
LOWEST_PRIORITY = 19


def describe_festival(programme: Programme, language: LanguageCode) -> Card:
    festival, base_url = programme.festival, programme.site.base_url
    title, subtitle = programme.find_title(language, asked=False), festival.subtitle.within(language)
    picture = _name_file(festival.theme.hero_url, base_url)
    return replace(_choose_face(festival.theme, base_url), title=title, when=subtitle, picture=picture)


def describe_day(programme: Programme, day: date, language: LanguageCode) -> Card:
    card, name = describe_festival(programme, language), format_full_date(day, language)
    count, (one, several) = len(programme.index.by_day.get(day, ())), WORDS[language].event
    title, counted = name[:1].upper() + name[1:], f"{count} {one if count == 1 else several}"
    return replace(card, title=title, when=counted, where=card.when, festival=card.title)


def describe_occasion(programme: Programme, occasion: Occasion, language: LanguageCode) -> Card:
    event, base_url, span = occasion.event, programme.site.base_url, programme.span(occasion)
    return replace(
        _choose_face(programme.festival.theme, base_url),
        title=event.title,
        when=(format_dated_span if span.is_long else format_full_span)(span, language),
        where=occasion.place.full_name if occasion.place else event.area.name,
        mark=WORDS[language].cancelled.capitalize() if occasion.cancelled else "",
        festival=programme.find_title(language, asked=False),
        picture=_name_file(event.image_url, base_url),
        focus=event.image_focus,
    )


@lru_cache(maxsize=8)
def _choose_face(theme: Theme, base_url: str) -> Card:
    of, logo, font = complete(theme).light, theme.logo_url, theme.font_url
    card = Card(paper=of["paper"], ink=of["ink"], fill=of["fill"], on_fill=of["on-accent"])
    return replace(card, logo=_name_file(logo, base_url), font=_name_file(font, base_url))


def _name_file(url: str, base_url: str) -> str:
    """Return the name of an uploaded file, '' of what lies elsewhere."""
    stored = f"{base_url}{settings.MEDIA_URL}"
    return unquote(url.removeprefix(stored)) if url.startswith(stored) else ""


def list_wanted(snapshot: Snapshot) -> Iterator[Card]:
    """Yield the cards that pages name; those of what is over come last."""
    programme = snapshot.programme
    yield from (describe_festival(programme, language) for language in LANGUAGES)
    for is_over in (False, True):
        for day in sorted(programme.index.by_day):
            if (day < snapshot.today) is is_over:
                yield from (describe_day(programme, day, language) for language in LANGUAGES)
        for occasion in programme.occasions:
            if (occasion.end <= snapshot.now) is is_over:
                yield from (describe_occasion(programme, occasion, language) for language in LANGUAGES)


def find(name: str) -> Path:
    """Return the file of a card, which may not be drawn yet."""
    return Path(settings.MEDIA_ROOT, "cards", name)


def make(card: Card) -> bool:
    """Draw a card unless it is there or another process draws it; return whether it was drawn."""
    path = find(card.name)
    claim = path.with_suffix(".part")
    with suppress(FileExistsError):
        if not path.exists():
            with claim.open("xb") as file:
                file.write(draw(card, lambda name: Path(settings.MEDIA_ROOT, name).read_bytes()))
            claim.replace(path)
            return True
    return False


def make_all(snapshot: Snapshot, stop: threading.Event) -> bool:
    """Draw what is missing; return whether that is all, and no newer programme came between.

    It rests as long as it has drawn. What no page names any more is deleted a week after it was drawn.
    """
    folder, wanted = find("*").parent, set[str]()
    folder.mkdir(exist_ok=True)
    _sweep(folder.glob("*.part"), snapshot.now - CLAIM_TIME)
    for card in list_wanted(snapshot):
        begun = time.monotonic()
        wanted.add(card.name)
        if make(card) and stop.wait(time.monotonic() - begun):
            return False
        if current.programme not in (None, snapshot.programme):
            return False
    _sweep((each for each in folder.iterdir() if each.name not in wanted), snapshot.now - KEPT_FOR)
    return True


def _sweep(paths: Iterable[Path], before: datetime) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < before.timestamp():
                path.unlink()


def watch(stop: threading.Event, now: Callable[[], datetime]) -> None:
    """Draw what is missing after each edit and at each new hour, until `stop` is set."""
    with suppress(OSError, AttributeError):
        # Of this thread alone, on Linux.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)
    done: object = None
    while not stop.wait(POLL_INTERVAL):
        programme, instant = current.programme, now()
        state = programme and (programme.revision, instant.replace(minute=0, second=0, microsecond=0))
        try:
            if programme and state != done and make_all(Snapshot(programme, instant), stop):
                done = state
        except Exception:
            # A full disk, say: link previews show the general card until the next edit.
            logger.exception("Cards could not be drawn")
            done = state
