"""The words for what an address says that cannot be understood."""

from pages.words.word import Spoken, Word


class InvalidRequestWords(Spoken):
    """The filters as visitors know them, and what is wrong with what was asked of each."""

    not_understood = Word(
        "Något i adressen går inte att förstå, så här är programmet utan det.",
        "Something in the address cannot be understood, so here is the programme without it.",
    )

    asked_date = Word("Datum", "Date")
    asked_highlighted = Word("Höjdpunkt", "Highlights")
    asked_signinterpreted = Word("Teckenspråkstolkat", "Sign language interpreted")
    asked_q = Word("Sök", "Search")
    asked_occation = Word("Tillfällen", "Occasions")
    asked_language = Word("Sidans språk", "Language of the page")

    # Under the names of `programme.api.parameters.Fault`.
    no_date = Word("”{}” är inget datum.", "“{}” is not a date.")
    backwards = Word("”{}” slutar innan det börjar.", "“{}” ends before it begins.")
    no_flag = Word("”{}” är varken ja eller nej.", "“{}” is neither yes nor no.")
    no_occasion = Word("”{}” är inget tillfälle.", "“{}” is no occasion.")
    no_language = Word(
        "”{}” finns inte, bara svenska och engelska.", "There is no “{}”, only Swedish and English."
    )
    several_languages = Word("”{}” är flera: välj ett.", "“{}” are several: choose one.")
    too_many_words = Word("Högst {} ord på en gång.", "At most {} words at once.")
    too_many_occasions = Word("Högst {} på en gång.", "At most {} at once.")

    def misread(self, parameter: str, fault: str, value: str) -> str:
        """Return `Datum: ”igårr” är inget datum.`"""
        return f"{getattr(self, f'asked_{parameter}')}: {getattr(self, fault).format(value)}"
