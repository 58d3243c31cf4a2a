"""The form fields of facts: what is stated survives the form, whichever way it is sent; mistakes have one error."""

from types import SimpleNamespace
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from feeds.fact import LARGEST, NO, Kind, build_range
from feeds.facts import facts_of
from programme.backoffice.forms.facts import FactFormField
from tests.programme.backoffice.requests import submission

FIELDS = [
    apps.get_model("programme", level)._meta.get_field(fact.name)
    for level in ("event", "occasion", "location", "room")
    for fact in facts_of(level)
]
AGES = st.none() | st.integers(0, LARGEST)
SPANS = st.tuples(AGES, AGES).map(lambda ends: ends if None in ends else sorted(ends))


def list_texts(field: Any) -> st.SearchStrategy[str]:
    """Return all that can be stated of a fact, in the order of its declaration."""
    codes = [value.code for value in field.fact.values]
    if field.fact.kind is Kind.RANGE:
        return SPANS.map(lambda ends: build_range(*ends))
    if field.fact.kind is Kind.ONE:
        return st.sampled_from(["", *codes])
    states = st.sampled_from(["", NO] if field.fact.kind is Kind.STATES else [""])
    chosen = st.dictionaries(st.sampled_from(codes), states)
    return chosen.map(lambda found: field.clean_text(" ".join(f"{no}{code}" for code, no in found.items())))


def build_form(field: Any, data: Any = None, stated: str = "") -> Any:
    return type("Form", (forms.Form,), {field.name: FactFormField(field)})(data, initial={field.name: stated})


@pytest.mark.parametrize("field", FIELDS, ids=str)
@given(data=st.data())
def test_what_is_stated_survives_a_form(field: Any, data: Any) -> None:
    stated, before = data.draw(list_texts(field)), data.draw(list_texts(field))
    page = f'<div id="content-main"><form method="post">{build_form(field, stated=stated)}</form></div>'
    untouched = submission(SimpleNamespace(content=page.encode()))
    for sent in (untouched, {field.name: stated}):
        form = build_form(field, sent, before)
        assert form.is_valid()
        assert form.cleaned_data == {field.name: stated}
        assert form.has_changed() == (stated != before)
    assert build_form(field, {}).fields[field.name].widget.value_omitted_from_data({}, {}, field.name)


@pytest.mark.parametrize(
    ("first", "last", "error"),
    [
        ("12", "6", "The first number is larger than the second."),
        ("6", "121", "Write whole numbers up to 120, such as 6 and 12."),
        ("six", "", "Write whole numbers up to 120, such as 6 and 12."),
    ],
)
def test_a_range_that_is_none_has_one_error(first: str, last: str, error: str) -> None:
    [field] = [each for each in FIELDS if each.fact.kind is Kind.RANGE]
    with override("en"):
        form = build_form(field, {f"{field.name}-first": first, f"{field.name}-last": last})
        assert form.errors == {field.name: [error]}
