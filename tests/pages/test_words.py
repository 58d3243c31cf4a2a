"""The pages' words: templates would show a word that is missing as nothing."""

import inspect
import re

from django.conf import settings

from pages.words import Word, Words

WORDS = {name for name in dir(Words) if isinstance(inspect.getattr_static(Words, name), Word)}
TEMPLATES = (settings.BASE_DIR / "templates" / "pages").glob("*.html")


def test_templates_name_no_word_that_is_missing():
    named = {name for path in TEMPLATES for name in re.findall(r"\bwords\.(\w+)", path.read_text())}
    assert len(named) > 30
    assert named - WORDS == set()


def test_every_word_is_in_both_languages():
    swedish, english = Words("sv"), Words("en")
    spoken = [(getattr(swedish, name), getattr(english, name)) for name in WORDS]
    assert [pair for pair in spoken if not all(pair)] == []
