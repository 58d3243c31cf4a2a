"""The Swedish and English words of news, in one line and as HTML.

Days are absolute, with the year if the news was announced in another year, so that texts do not depend on the
current time.
"""

from collections.abc import Mapping
from typing import get_args

from feeds import wording
from feeds.festival_time import FestivalTime
from feeds.links import link_addresses
from feeds.news import News, NewsEntry, NewsState
from feeds.syndication import BREAK, escape, write_attribute
from feeds.vocabulary import LANGUAGES, LanguageCode, NewsKind, Site

# How many pieces of a batch its title and its content name.
NAMED, LISTED = 3, 10

KINDS: tuple[NewsKind, ...] = get_args(NewsKind)


class NewsWords(wording.Words):
    """`one` and `several` begin titles, in the order of `KINDS`; `several` has a place for the number."""

    heading = wording.Word("Nytt och ändrat", "New and changed")
    intro = wording.Word(
        "Vad som är nytt, flyttat, inställt, ändrat eller borttaget i programmet",
        "What is new, moved, cancelled, changed or removed in the programme",
    )
    one = wording.Word(
        ("Nytt i programmet", "Flyttad", "Inställt", "Blir av ändå", "Borttaget ur programmet", "Ändrat"),
        ("New in the programme", "Moved", "Cancelled", "Reinstated", "Removed from the programme", "Changed"),
    )
    several = wording.Word(
        (
            *("{} nya programpunkter", "{} programpunkter flyttade", "{} programpunkter inställda"),
            *("{} programpunkter blir av ändå", "{} programpunkter borttagna ur programmet"),
            "{} programpunkter ändrade",
        ),
        (
            *("{} new events", "{} events moved", "{} events cancelled"),
            *("{} events reinstated", "{} events removed from the programme", "{} events changed"),
        ),
    )
    former = wording.Word("från {}", "from {}")
    latter = wording.Word("till {}", "to {}")
    formerly = wording.Word("Förut: {}", "Formerly: {}")
    others = wording.Word(" och {} till", " and {} more")
    every = wording.Word("Alla {}", "All {}")


NEWS_WORDS: Mapping[LanguageCode, NewsWords] = {each: NewsWords(each) for each in LANGUAGES}


def format_kind(news: News, language: LanguageCode) -> str:
    """Return `Flyttad` and the like."""
    return NEWS_WORDS[language].one[KINDS.index(news.told_as)]


def format_title(entry: NewsEntry, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `Inställt: Jazz i parken, lör 1 aug 14:00, Stora scenen`; of a batch, the number and titles."""
    words, first = NEWS_WORDS[language], entry.first
    if not entry.is_batch:
        return f"{format_kind(first, language)}: {describe(first, festival, language)}"
    titles = list(dict.fromkeys(wording.isolate(each.facts.title) for each in entry.pieces))
    if first.kind == "changed" and len(titles) == 1:
        return f"{format_kind(first, language)}: {titles[0]}"
    # The pieces that are not named, even if several share a title.
    others = words.others.format(len(entry.pieces) - NAMED) if len(titles) > NAMED else ""
    return f"{format_number(entry, language)}: {', '.join(titles[:NAMED])}{others}"


def format_number(entry: NewsEntry, language: LanguageCode) -> str:
    """Return `42 programpunkter flyttade`."""
    kinds = {each.told_as for each in entry.pieces}
    kind = entry.first.kind if len(kinds) > 1 else kinds.pop()
    return NEWS_WORDS[language].several[KINDS.index(kind)].format(len(entry.pieces))


def describe(news: News, festival: FestivalTime, language: LanguageCode) -> str:
    """Return `Jazz i parken, från lör 1 aug 14:00, Stora scenen till 16:00, Lilla scenen` and the like."""
    parts = (wording.isolate(news.facts.title), describe_change(news, festival, language))
    return ", ".join(filter(None, parts))


def describe_change(news: News, festival: FestivalTime, language: LanguageCode) -> str:
    """Return the former and the new time and place of a moved occasion, else its latest time and place."""
    if news.kind == "moved" and len(news.states) > 1:
        return _describe_move(news, festival, language)
    parts = (_format_start(news, news.latest, festival, language), wording.isolate(news.latest.place))
    return ", ".join(filter(None, parts))


def _describe_move(news: News, festival: FestivalTime, language: LanguageCode) -> str:
    """Return the former and the new time, place or both."""
    (before, after), words = news.states, NEWS_WORDS[language]
    nothing, names = ["", ""], [wording.isolate(each.place) for each in news.states]
    times = _format_times(news, festival, language) if before.minutes != after.minutes else nothing
    places = names if before.place != after.place else nothing
    former, latter = (", ".join(filter(None, pair)) for pair in zip(times, places, strict=True))
    moved = (words.former.format(former) if former else "", words.latter.format(latter) if latter else "")
    when = "" if times[0] else _format_start(news, after, festival, language)
    return ", ".join(filter(None, (when, " ".join(filter(None, moved)))))


def _format_times(news: News, festival: FestivalTime, language: LanguageCode) -> list[str]:
    """Return the former and the new start, an equal day once, and the ends if only the ends differ."""
    (before, after), local = news.states, festival.local
    former, latter = (_format_start(news, each, festival, language) for each in news.states)
    if local(before.start).date() == local(after.start).date():
        latter = wording.format_clock(local(after.start))
    if before.start != after.start:
        return [former, latter]
    ends = (wording.format_clock(local(each.end)) for each in news.states)
    return [wording.EN_DASH.join(pair) for pair in zip((former, latter), ends, strict=True)]


def _format_start(news: News, state: NewsState, festival: FestivalTime, language: LanguageCode) -> str:
    start = festival.local(state.start)
    day = wording.format_near_day(start.date(), festival.local(news.appears_at).date(), language)
    return f"{day} {wording.format_clock(start)}"


# --- As HTML ------------------------------------------------------------------------------------


def write_news_content(entry: NewsEntry, site: Site, language: LanguageCode, url: str) -> str:
    """Return the content of an entry; of a batch, its first pieces."""
    words, first = NEWS_WORDS[language], entry.first
    link = f"<a{write_attribute('href', url)}>"
    if not entry.is_batch:
        label, note = format_kind(first, language), link_addresses(first.note.within(language))
        lines = BREAK.join(escape(each) for each in list_lines(first, site.time, language))
        return (
            f"<p><strong>{' '.join(filter(None, (f'{label}.', note)))}</strong></p>\n<p>{lines}</p>\n"
            f"<p>{link}{wording.WORDS[language].read_more}</a></p>"
        )
    items = "\n".join(f"<li>{escape(each)}</li>" for each in list_pieces(entry, site.time, language)[:LISTED])
    return f"<ul>\n{items}\n</ul>\n<p>{link}{words.every.format(len(entry.pieces))}</a></p>"


def list_lines(news: News, festival: FestivalTime, language: LanguageCode) -> list[str]:
    """Return the title, the time and place of an occasion, and the former ones if they differ."""
    known = (
        (wording.format_full_span(festival.span(each.start, each.end), language), wording.isolate(each.place))
        for each in reversed(news.states)
    )
    now, *former = (", ".join(filter(None, each)) for each in known)
    others = (NEWS_WORDS[language].formerly.format(each) for each in former if each != now)
    return [wording.isolate(news.facts.title), now, *others]


def list_pieces(entry: NewsEntry, festival: FestivalTime, language: LanguageCode) -> list[str]:
    """Return each piece of a batch in one line, with its note."""
    return [
        f"{describe(each, festival, language)}. {each.note.within(language)}".removesuffix(". ")
        for each in entry.pieces
    ]
