"""The summary of an event: its intro, or where it has none the beginning of its description."""

import re

from feeds.vocabulary import Event, LanguageCode

MAX_LENGTH = 300
# Sentences that are cut earlier say too little: the text is cut at a word then.
MIN_LENGTH = 100
ELLIPSIS = "…"

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# The end of a sentence: not `kl. 18` or `t.ex. jazz`, which go on with a digit or a small letter.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*(?=\s+[^\s\da-zåäöéæø])")


def summarize(event: Event, language: LanguageCode) -> str:
    """Return the intro, else the description's first paragraph in at most 300 characters, else ''."""
    return event.intro.within(language) or excerpt(event.description.within(language))


def excerpt(text: str) -> str:
    """Return the first paragraph of a text, cut at a sentence or a word if it is too long."""
    paragraph = _BLANK_LINE.split(text, maxsplit=1)[0].rstrip()
    if len(paragraph) <= MAX_LENGTH:
        return paragraph
    sentences = [each.end() for each in _SENTENCE_END.finditer(paragraph) if each.end() <= MAX_LENGTH]
    if sentences and sentences[-1] >= MIN_LENGTH:
        return paragraph[: sentences[-1]]
    # Without a space there are no words, as in Japanese.
    words = paragraph[:MAX_LENGTH].rsplit(maxsplit=1)[0][: MAX_LENGTH - 1]
    return words.rstrip(" \n\t,;:–—-") + ELLIPSIS
