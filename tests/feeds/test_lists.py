"""Lists of editors as a filter, whatever is on them and asked for beside them."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.programme import Change, Programme
from feeds.vocabulary import OccasionList, Text
from tests.feeds.selections import build_listing, find_ids
from tests.feeds.strategies import NOONS, names, programmes, texts

OTHERS = (
    "",
    "highlighted=true",
    "date=2026-01-01/2026-12-31",
    "subarea=none",
    "free=true",
    "type=1&type=2",
    "q=a",
)

ids = st.frozensets(st.integers(1, 8), max_size=4)
lists = st.lists(st.tuples(names, texts, ids, ids), max_size=3).map(
    lambda drawn: tuple(
        OccasionList(number, title, text, NOONS[0], events, occasions)
        for number, (title, text, events, occasions) in enumerate(drawn, 11)
    )
)


@given(programmes(), lists, lists, st.sampled_from(OTHERS))
def test_a_list_holds_what_is_on_it_and_meets_the_rest(
    programme: Programme, former: tuple[OccasionList, ...], now: tuple[OccasionList, ...], other: str
) -> None:
    before = replace(programme, lists=former)
    asked = find_ids(before, f"list=11&{other}")
    assert asked == find_ids(replace(programme, lists=former), f"list=11&{other}")
    # What the former programme has grouped is not asked again.
    change = Change(
        *(programme.revision, programme.festival, programme.areas, programme.published_years),
        *(frozenset(), (), ()),
        lists=now,
    )
    after = before.apply(change)
    for wanted in ({11}, {11, 12}, {13, 99}):
        query = f"{'&'.join(f'list={each}' for each in sorted(wanted))}&{other}"
        chosen = [each for each in now if each.id in wanted]
        rest = {*find_ids(after, other)}
        expected = [
            each.id
            for each in programme.occasions
            if each.id in rest and any(one.has(each) for one in chosen)
        ]
        assert find_ids(after, query) == expected


def test_a_title_stands_for_its_list_and_digits_for_an_id(sample_programme: Programme) -> None:
    some = OccasionList(1, Text("15", "Best"), Text(), NOONS[0], frozenset({7001}))
    other = OccasionList(15, Text("Bäst"), Text(), NOONS[0], occasion_ids=frozenset({8005}))
    programme = replace(sample_programme, lists=(some, other))
    assert find_ids(programme, "list=best") == find_ids(programme, "list=1") == [8001, 8002, 8003]
    assert find_ids(programme, "list=15") == find_ids(programme, "list=BÄST") == [8005]
    assert build_listing(programme, "list=best&list=1").selection.query == "list=1"
