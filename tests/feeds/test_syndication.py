"""Elements of feeds are those of Django's SAX generator, byte for byte."""

from io import StringIO

from django.utils.xmlutils import SimplerXMLGenerator
from hypothesis import given
from hypothesis import strategies as st

from feeds.syndication import write_attribute, write_element

texts = st.lists(st.sampled_from([*"<>&\"'\n\t å🎷", "]]>", "&amp;", "a"])).map("".join)
values = st.dictionaries(st.sampled_from(["href", "term", "type"]), texts)


@given(texts, values)
def test_an_element_is_what_the_generator_writes(text: str, attributes: dict[str, str]) -> None:
    out = StringIO()
    SimplerXMLGenerator(out, "utf-8", short_empty_elements=True).addQuickElement("title", text, attributes)
    written = "".join(write_attribute(name, value) for name, value in sorted(attributes.items()))
    assert write_element("title", text, written) == out.getvalue()
