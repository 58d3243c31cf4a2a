"""What words find: folded, inflected, in compounds, with a letter wrong, and the same in the index and in its test."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from rapidfuzz.distance import OSA
from Stemmer import Stemmer

from feeds.programme import Programme
from feeds.search import split_texts, split_words
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Identity, Occasion, Text
from tests.conftest import NOW

SWEDISH, ENGLISH = (Stemmer(each) for each in ("swedish", "english"))


def build(programme: Programme, *events: tuple[str, str]) -> Programme:
    """Return the programme of so many events with these titles and intros, which have nothing else of their own."""
    model, occasions = programme.occasions[0], []
    for number, (title, intro) in enumerate(events, 1):
        texts = {"title": title, "intro": Text(intro), "description": Text()}
        event = replace(model.event, id=number, organizer=None, sub_area=None, **texts)
        identity = Identity(number, model.identity.uuid, number)
        occasions.append(replace(model, identity=identity, event=event, place=None))
    return replace(programme, occasions=tuple(sorted(occasions, key=lambda each: each.order)))


def find(programme: Programme, *texts: str) -> set[str]:
    found = Snapshot(programme, NOW).find(Selection(words=texts))
    return {each.event.title for each in found}


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("stromkarlen", "Strömkarlen"),
        ("STRÖMKARLEN", "stromkarlen"),
        ("film", "ﬁlm på ﬂaket"),
        ("strasse", "Straße 9"),
        ("smorrebrod", "Smørrebrød"),
        ("lodz", "Łódź"),
        ("dont", "Don’t look"),
        ("konserter", "Julkonsert"),
        ("konsert", "Konserterna"),
        ("workshop", "Workshops"),
        ("parties", "Party"),
        ("konst", "Glaskonst"),
        ("konst", "Konsthall"),
        ("Dadgostr", "Dadgostar"),
        ("Dagdostar", "Dadgostar"),
        ("Dadgistar", "Dadgostar"),
        ("dj", "DJ Älva"),
        *product(
            ("hiphop", "hip-hop", "hip hop", "HIP‑HOP"), ("Hip-hop, drum & bass", "Hiphop", "Hip‐hopens år")
        ),
        ("hip-hop", "Hip hop"),
        ("sci-fi", "Scifi"),
        ("rock-n-roll", "Rock'n'roll"),
        ("c++", "C++ för barn"),
    ],
)
def test_what_is_typed_finds_a_title(sample_programme, typed, title):
    assert find(build(sample_programme, (title, ""), ("Annat", "")), typed) == {title}


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("vis", "Hus"),
        ("dj", "Adjö"),
        ("partiet", "Party"),
        ("mora", "Mara"),
        ("Dadgst", "Dadgostar"),
        ("+++", "+++"),
        ("hiphop", "Hip - hop"),
    ],
)
def test_what_is_typed_finds_no_other_title(sample_programme, typed, title):
    assert find(build(sample_programme, (title, "")), typed) == set()


@given(st.text(st.sampled_from("aÅäé'’-–“”€½ßøæ7 \n\xad\xa0‑ﬁ\u0301")))
def test_simple_letters_are_folded_as_all_are(text: str) -> None:
    # The last letter is in no simple character set.
    assert split_words(text) == split_words(f"{text} Ω") - split_words("Ω")


def test_a_wrong_letter_counts_only_where_nothing_is_spelled_so_and_only_in_names(sample_programme):
    programme = build(sample_programme, ("Mosters mat", ""), ("Annat", "Monsters i mosster"))
    assert find(programme, "monster") == {"Annat"}
    # Of the words within one letter, that of the text is none of a name; what has the name's word is found in texts, too.
    assert find(programme, "mosterss") == {"Mosters mat"}
    assert find(build(sample_programme, ("Mosters mat", ""), ("Annat", "Hos mosters")), "mosterss") == {
        "Mosters mat",
        "Annat",
    }


def test_all_words_of_one_text_are_found_in_one_occasion(sample_programme):
    programme = build(sample_programme, ("Blå timmen", "Jazz"), ("Gula timmen", "Blues"), ("Natt", "Soul"))
    assert find(programme, "jazz timmen") == {"Blå timmen"}
    assert find(programme, "jazz blues") == set()
    assert find(programme, "jazz timmen", "soul") == {"Blå timmen", "Natt"}


def test_a_word_beside_others_may_have_two_wrong_letters(sample_programme):
    programme = build(sample_programme, ("Cirkus Krokus", ""), ("Krokar", "Cirkus"), ("Annat", "krokus"))
    assert find(programme, "Cirkus Krukos") == {"Cirkus Krokus"}
    assert find(programme, "krukos", "dans krukos") == set()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        *product(("toalett", "Toaletter", "toilet", "rwc"), [{"Sal"}]),
        *product(("rullstol", "wheelchairs", "step-free", "stegfritt"), [{"Park"}]),
        ("barn", {"Park", "Barnens dag"}),
        *product(("för barnen", "kids"), [{"Park"}]),
        *product(("gratis", "fri entré"), [{"Dans"}]),
        ("free", {"Dans", "Free jazz"}),
        ("free jazz", {"Free jazz"}),
        ("gratis dans", {"Dans"}),
        ("barn stegfritt", {"Park"}),
        ("utan stroboskop", {"Sal"}),
        # Answers name nothing, and neither do parts of names.
        *product(("yes", "behövs", "stroboskop", "light"), [set()]),
    ],
)
def test_facts_are_found_by_what_people_call_them(sample_programme, typed, found):
    facts = {
        "Sal": ("access:accessible-toilet", "access:no-strobe-light"),
        "Park": ("audience:children", "access:step-free"),
        "Dans": ("free:true",),
        "Film": ("booking:needed", "access:strobe-light"),
    }
    programme = build(sample_programme, *((each, "") for each in (*facts, "Barnens dag", "Free jazz")))
    occasions = (replace(each, facts=facts.get(each.event.title, ())) for each in programme.occasions)
    programme = replace(programme, occasions=tuple(occasions))
    assert find(programme, typed) == found


def distance_is_one(one: str, other: str) -> bool:
    """Return whether one edit leads from a word to another, found by making all of them."""
    letters = {*other, "-"}
    cut = [(one[:at], one[at:]) for at in range(len(one) + 1)]
    made = {a + b[1:] for a, b in cut if b} | {a + b[1] + b[0] + b[2:] for a, b in cut if len(b) > 1}
    made |= {a + c + b[1:] for (a, b), c in product(cut, letters) if b}
    made |= {a + c + b for (a, b), c in product(cut, letters)}
    return other in made


def hits(typed: str, word: str) -> bool:
    stem = SWEDISH.stemWord(typed)
    return (
        word.startswith(typed)
        or (len(typed) > 2 and typed in word)
        or SWEDISH.stemWord(word) == stem
        or (len(stem) > 3 and SWEDISH.stemWord(word).endswith(stem))
        or (word[:3] == typed[:3] and ENGLISH.stemWord(word) == ENGLISH.stemWord(typed))
    )


def list_words(occasion: Occasion) -> tuple[set[str], set[str]]:
    """Return the words of an occasion, and those of names."""
    (words, names), (others, named) = split_texts(occasion.event), split_texts(occasion.place)
    return words | others, names | named


def has(programme: Programme, occasion: Occasion, typed: str) -> bool:
    words = {word for each in programme.occasions for word in list_words(each)[0]}
    found = {word for word in words if hits(typed, word)}
    if not found and len(typed) > 4:
        names = {word for each in programme.occasions for word in list_words(each)[1]}
        found = {name for name in names if distance_is_one(typed, name)}
    return not found.isdisjoint(list_words(occasion)[0])


def expect(programme: Programme, words: set[str]) -> set[int]:
    """Return the IDs of what has all words; where nothing has, one of them may be misspelt by two letters."""

    def find_having(*others: str) -> set[int]:
        having = (each for each in programme.occasions if all(has(programme, each, word) for word in others))
        return {each.id for each in having}

    found = find_having(*words) if words else set()
    for word in sorted(words) if len(words) > 1 and not found else ():
        names = {name for each in programme.occasions for name in list_words(each)[1]}
        near = {name for name in names if len(word) > 5 and OSA.distance(word, name) < 3}
        others = find_having(*words - {word})
        found = {each.id for each in programme.occasions if each.id in others and near & list_words(each)[0]}
        if found:
            break
    return found


WORDS = [
    *("konsert", "konserter", "konserten", "julkonserter", "konserthus", "workshop", "workshops", "party"),
    *("parties", "dance", "dancing", "danser", "dansen", "glaskonst", "konst", "konsthall", "Strömkarlen"),
    *("stromkarlar", "Dadgostar", "Dadgoster", "café", "cafés", "Ålands", "åländska", "a", "i", "och"),
    *("mumla", "mumlar", "musikal", "musikalen", "musikaler", "story", "stories", "storys"),
]
_known = st.sampled_from(WORDS)
_typed = st.one_of(
    _known,
    st.builds(
        lambda word, at, letter: word[:at] + letter + word[at + 1 :],
        _known,
        st.integers(0, 6),
        st.sampled_from("aeskx"),
    ),
    st.builds(lambda word, first, last: word[first:last], _known, st.integers(0, 3), st.integers(1, 9)),
)
_texts = st.lists(_known, max_size=4).map(" ".join)


@settings(max_examples=150)
@given(data=st.data())
def test_the_index_its_test_and_the_rule_agree(sample_programme, data):
    events = data.draw(st.lists(st.tuples(_texts, _texts), min_size=1, max_size=5))
    typed = data.draw(st.lists(st.lists(_typed, max_size=2).map(" ".join), min_size=1, max_size=2))
    programme = build(sample_programme, *events)
    found = set().union(*(expect(programme, split_words(text)) for text in typed))
    expected = [occasion for occasion in programme.occasions if occasion.id in found]
    selection = Selection(words=tuple(typed))
    assert list(Snapshot(programme, NOW).find(selection)) == expected
    matches = programme.index.build_test(selection, NOW, NOW.date())
    assert list(filter(matches, programme.occasions)) == expected
