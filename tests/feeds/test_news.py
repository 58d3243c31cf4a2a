"""Which news a selection has, and what follows for a programme after edits."""

from datetime import timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.grouping import by_order
from feeds.news import KEPT_FOR, News, NewsFacts, NewsState
from feeds.news_listing import NewsListing
from feeds.programme import Programme
from feeds.snapshot import Snapshot
from feeds.vocabulary import Occasion, Text
from tests.conftest import NOW
from tests.feeds.selections import find_ids, parse_selection

PARTS = [
    *(
        "date=2026-07-29",
        "date=2026-07-30/2026-08-01",
        "date=today",
        "date=upcoming",
        "date=now&date=tomorrow",
    ),
    *("area=Ångtorget", "area=tomten&area=ångtorget", "subarea=none", "room=Sal 2", "organizer=3001"),
    *("type=Konsert", "spoken=sv", "q=jazz", "q=stora scenen", "highlighted", "signinterpreted"),
    *("occation=8001.8002.8005.9999", "area=Ingenstans"),
]
queries = st.lists(st.sampled_from(PARTS), max_size=3).map("&".join)


def build_news(number: int, before: Occasion | None, after: Occasion | None, age: timedelta) -> News:
    occasion = after or before
    assert occasion
    states = [each and NewsState(each.start, each.end, place="Scenen") for each in (before, after)]
    event = occasion.event
    facts = NewsFacts(event.title, event.area.id, event.sub_area and event.sub_area.id, event.type.id, None)
    keys = (number, event.id, occasion.id)
    uuids, told = (UUID(int=number), UUID(int=number)), (NOW - age, NOW - age)
    return News(*uuids, "moved", *keys, *told, *states, facts, Text())  # type: ignore[arg-type]


def move(occasion: Occasion, days: int) -> Occasion:
    by = timedelta(days=days)
    return replace(occasion, start=occasion.start + by, end=occasion.end + by)


def list_shown(programme: Programme, query: str) -> list[int]:
    selection = programme.news_index.canonical(parse_selection(query))
    listing = NewsListing(Snapshot(programme, NOW), selection)
    return [piece.occasion_id for entry in listing.every for piece in entry.pieces]


@given(query=queries, days=st.integers(-3, 3))
def test_news_is_selected_by_where_it_was_and_is(sample_programme: Programme, query: str, days: int) -> None:
    former = [move(each, days) for each in sample_programme.occasions]
    earlier = replace(sample_programme, occasions=tuple(sorted(former, key=by_order)))
    news = [
        build_news(number, *pair, timedelta(minutes=number))
        for number, pair in enumerate(zip(former, sample_programme.occasions, strict=True), 1)
    ]
    programme = replace(sample_programme, news=tuple(news))
    expected = {*find_ids(earlier, query), *find_ids(sample_programme, query)}
    shown = list_shown(programme, query)
    assert set(shown) == expected
    # The newest first.
    assert shown == [each.occasion_id for each in news if each.occasion_id in expected]


@given(st.data())
def test_an_edit_leaves_what_loading_all_of_it_gives(
    sample_programme: Programme, data: st.DataObject
) -> None:
    ages = st.integers(-1, 2 * KEPT_FOR.days)
    draw_news = st.lists(st.tuples(st.sampled_from(sample_programme.occasions), ages), max_size=6)
    before, told = data.draw(draw_news), data.draw(draw_news)
    changed = frozenset(occasion.event.id for occasion, _ in told)
    news = [
        build_news(number, each, None, timedelta(days=age))
        for number, (each, age) in enumerate([*before, *told], 1)
    ]
    kept = sorted(news[: len(before)], key=lambda each: each.order)
    programme = replace(sample_programme, news=tuple(kept))
    programme.precompute()
    occasions = tuple(each for each in programme.occasions if each.event.id in changed)
    after = programme.apply(changed, occasions, news=news[len(before) :])
    left = [each for each in kept if each.event_id not in changed] + news[len(before) :]
    newest = max((each.appears_at for each in left), default=NOW)
    expected = [
        each for each in sorted(left, key=lambda each: each.order) if each.appears_at > newest - KEPT_FOR
    ]
    assert list(after.news) == expected
    assert sorted(after.transitions.reasons) == sorted(replace(after).transitions.reasons)
    shown = [each.occasion_id for each in expected if timedelta(0) <= NOW - each.appears_at < timedelta(60)]
    assert list_shown(after, "") == shown
