"""A word in Swedish and English, side by side."""

from feeds.vocabulary import LanguageCode


class Spoken:
    """Words of one language."""

    def __init__(self, language: LanguageCode) -> None:
        self.language = language


class Word:
    """An attribute of `Words` that reads in the language of those words."""

    def __init__(self, sv: str, en: str) -> None:
        self.sv = sv
        self.en = en

    def __get__(self, words: Spoken, owner: type) -> str:
        return self.en if words.language == "en" else self.sv
