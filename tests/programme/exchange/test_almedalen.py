"""A sheet of another festival through columns that were said: an invented one of its shape."""

import pytest

from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.values import ImportOptions
from programme.models import Event, Occasion
from tests.programme.exchange import almedalen
from tests.programme.exchange.imports import apply_import

pytestmark = pytest.mark.django_db

ORDER = ImportOptions(source="veckan", area="", title="veckan", venue="")
INVENTED = """{headings}
Vad kostar tystnad?,Föreningen,2022-07-03 16:00:00,2022-07-03 16:15:00,Heta stolen,Samtal,A,B,Svenska,"Gatan 1, H10","Kort.","Rad ett
rad två",,['http://a.example'],,,False,,2,1
Vad kostar tystnad?,Föreningen,2022-07-04 16:00:00,2022-07-04 16:15:00,Heta stolen,Samtal,A,B,Svenska,"Gatan 2, scen","Kort.","Rad ett
rad två",,['http://a.example'],,,False,,9,2
 Skepp ohoj ,Hamnen,2022-07-04 08:00:00,2022-07-06 18:00:00,,Träffpunkt,A,B,Svenska and English,Kajen,Kom.,,"['Ada, kapten', 'Bo']","['https://b.example/', 'https://c.example/']",,,True,,3,3
 Skepp ohoj ,Hamnen,2022-07-04 08:00:00,2022-07-06 18:00:00,,Träffpunkt,A,B,Svenska and English,Kajen,Kom.,,"['Ada, kapten', 'Bo']","['https://b.example/', 'https://c.example/']",,,True,,3,3
"""


def test_an_invented_sheet_of_the_same_shape():
    content = INVENTED.format(headings=",".join(almedalen.HEADINGS)).encode()
    contents = read(content, "events.csv", build_import_defaults(answers=almedalen.SAID)).contents
    apply_import(contents, ORDER)
    assert [(each.row, each.left_out) for each in contents.problems] == [(4, False), (5, False)]
    fields = ("title", "organizer__name", "area__name", "type__name_sv", "language__code")
    texts = ("intro_sv", "description_sv", "external_url")
    assert list(Event.objects.order_by("title").values_list(*fields, *texts)) == [
        ("Skepp ohoj", "Hamnen", "Almedalen", "Träffpunkt", "sv", "Kom.", "['Ada, kapten', 'Bo']",
         "https://b.example/"),
        ("Vad kostar tystnad?", "Föreningen", "Almedalen", "Samtal", "sv", "Kort.",
         "Rad ett\nrad två", "http://a.example"),
    ]  # fmt: skip
    places = ("source_id", "location__name", "room__name")
    assert list(Occasion.objects.order_by("source_id").values_list(*places)) == [
        ("1", "Gatan 1", "H10"), ("2", "Gatan 2", "scen"), ("3", "Kajen", None),
    ]  # fmt: skip
