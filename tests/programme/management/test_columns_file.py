"""Columns that are written to a file are read again as they are."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from programme.exchange.readers.sheet.mapping import Mapping, Part, Source
from programme.management.columns_file import Setup, find_setup, write_setup

texts = st.text(st.sampled_from("aÅ1.= \"'\\\n\x7f\x01[]{}#😀"), max_size=8)
headings = st.lists(texts, min_size=1, max_size=6)


@st.composite
def mappings(draw) -> Mapping:
    stated = draw(headings)
    columns = st.lists(st.integers(0, len(stated) - 1), max_size=3).map(tuple)
    sources = st.builds(Source, columns, st.sampled_from(Part), texts, texts, st.booleans())
    fields = st.dictionaries(st.sampled_from(["title", "area", "description_sv"]), sources)
    return Mapping(tuple(stated), {"title": draw(sources)} | draw(fields))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.tuples(texts.map("n{}".format), mappings()), max_size=3), st.dictionaries(texts, texts), texts
)
def test_columns_are_read_as_they_were_written(tmp_path: Path, columns, answers, source):
    setup, file = Setup(columns, answers, source), tmp_path / "x.toml"
    file.write_text(write_setup(setup))
    assert find_setup(str(file)) == setup
