r"""The people and places of the tests: one hand-made programme with a part for every hard case.

The festival is *Kulturnatten i Åsunda*, seen on Wednesday 29 July 2026 at 14:00.

Areas
    **Ångtorget** has everything an area can have: both names, texts, prices, a stream, entered days
    (one of them without occasions), a sub area **Scenen**. **Parken; norr, söder & \mitt** has the
    characters that formats treat specially, and a logical sub area that is called Scenen too.
    **Tomten** is empty.
Organizers
    **Föreningen Jazz** holds most of it. **<Åsa> & co; ek., för.** has the awkward name.
Locations
    **Biblioteket** has rooms, **Nätet** is online and has neither room nor address.
Events
    **JAZZ** has every field filled and every awkward character; it happens today, tomorrow, and once
    more in another place, cancelled; it was marked as changed yesterday. **NIGHT** is emoji and
    right-to-left, in no English, goes on past midnight, and was marked as changed too long ago.
    **ABROAD** is in no Swedish, online, nobody's, and goes on now. **CLOCKS** happens in the nights in
    which the clock changes. **MARATHON** is long in title and time, and cancelled. **BARE** has a title
    and nothing else, and occasions in other years. **DRAFT** is not published, **NEVER** has no
    occasion.
"""

from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import connection
from django.db.models import Model, QuerySet

from feeds.news import NewsState
from feeds.vocabulary import Text
from programme import models
from programme.models import NewsKind, Production, Status, StreamSource

JAZZ, NIGHT, ABROAD, CLOCKS, MARATHON, BARE, DRAFT, NEVER = range(7001, 7009)
TORGET, PARKEN, TOMTEN = 1001, 1002, 1003
TORGET_SCENEN, PARKEN_SCENEN = 2001, 2002
FORENINGEN, ASA = 3001, 3002


def utc(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=UTC)


# The statements that write the sample, with their values: building them takes five times as long as running them.
_statements: list[tuple[str, Any]] = []


def make_sample() -> None:
    """Write the programme to the database."""
    if models.Day.objects.exists():
        _build_sample()
    elif _statements:
        with connection.cursor() as cursor:
            for statement, values in _statements:
                cursor.execute(statement, values)
    else:
        built: list[tuple[str, Any]] = []

        def execute(run: Any, statement: str, values: Any, *how: Any) -> Any:
            if statement.startswith(("INSERT", "UPDATE")):
                built.append((statement, values))
            return run(statement, values, *how)

        with connection.execute_wrapper(execute):
            _build_sample()
        _statements.extend(built)


def _build_sample() -> None:
    """Write the sample by its models; moments that the database keeps are set last."""
    _festival()
    _areas()
    _people_and_types()
    _places()
    _events()
    _occasions()
    jazz, night = (models.Occasion.objects.filter(event=each) for each in (JAZZ, NIGHT))
    mark_changed(jazz, Text('Ny sal: "Sal 2" <nu>'), utc(2026, 7, 28, 6, 0, 0, 123456))
    mark_changed(night, Text("Ny tid"), utc(2026, 7, 28, 0, 0))
    _moments()


def make_lists() -> None:
    """Write two lists that are published and one that is not, beside the sample."""
    texts = {"text_sv": "Lugnt & roligt.\n\nHela dagen.", "text_en": "All day."}
    _write(
        models.OccasionList(id=12, title_sv="För familjer", title_en="For families", published=True, **texts),
        models.OccasionList(id=13, title_sv="Redaktionens utkast"),
        models.OccasionList(id=15, title_sv="Bara <på> svenska", published=True),
    )
    _write(
        models.ListItem(on_list_id=12, event_id=JAZZ),
        models.ListItem(on_list_id=12, occasion_id=8005),
        models.ListItem(on_list_id=12, occasion_id=8001),
        models.ListItem(on_list_id=13, occasion_id=8005),
        models.ListItem(on_list_id=15, occasion_id=8009),
    )


def _write(*rows: Model) -> None:
    """Write rows of one model with one statement: thousands of tests begin with the sample."""
    type(rows[0])._default_manager.bulk_create(rows)


def _festival() -> None:
    models.Festival.objects.create(
        name_sv="Kulturnatten i Åsunda",
        name_en="Åsunda Culture Night",
        subtitle_sv="Hela stadens natt & dag",
        subtitle_en="The whole town's night & day",
        website="https://kulturnatten.example/",
    )


def _areas() -> None:
    _write(
        models.Area(
            id=TORGET,
            name="Ångtorget",
            full_name="Stora Ångtorget",
            color="#2f6f4e",
            location_name="Ångtorget 1",
            address="Torggatan 1, Åsunda",
            info_sv="Mitt i stan.",
            info_en="In the middle of town.",
            external_url="https://angtorget.example/?a=1&b=2",
            price="100 kr, barn gratis",
            ticket_url="https://biljetter.example/angtorget",
            sort_order=1,
        ),
        models.Area(id=PARKEN, name=r"Parken; norr, söder & \mitt", sort_order=2),
        models.Area(id=TOMTEN, name="Tomten", info_en="Nothing here yet.", sort_order=3),
    )
    _write(
        models.SubArea(
            id=TORGET_SCENEN,
            area_id=TORGET,
            name="Scenen",
            full_name="Scenen på Ångtorget",
            color="#ffcc00",
            location_name="Scenen",
            address="Torggatan 2",
            info_sv="Under tak.",
            external_url="https://scenen.example/",
        ),
        models.SubArea(id=PARKEN_SCENEN, area_id=PARKEN, name="Scenen", physical=False),
    )
    wednesday, friday = models.Day.on(date(2026, 7, 29)), models.Day.on(date(2026, 7, 31))
    _write(
        models.AreaDay(
            area_id=TORGET,
            day=wednesday,
            opens=time(10),
            closes=time(3),
            ticket_opens=time(9, 30),
            ticket_closes=time(18),
            title="Premiär",
            price_info="Fri entré före 12",
        ),
        models.AreaDay(area_id=TORGET, day=friday, opens=time(12), ticket_closes=time(18)),
    )
    _write(
        models.Stream(
            id=9001,
            name="Torget live",
            url="https://video.example/torget?v=1&t=2",
            source=StreamSource.YOUTUBE,
            area_id=TORGET,
        ),
        models.Stream(
            id=9002, name="Scenen live", url="https://video.example/scenen", sub_area_id=TORGET_SCENEN
        ),
        models.Stream(
            id=9003, name="Direkt", url="https://video.example/direkt", source=StreamSource.SVT_PLAY
        ),
    )


def _people_and_types() -> None:
    _write(
        models.Organizer(
            id=FORENINGEN,
            name="Föreningen Jazz",
            info_sv="Jazz sedan 1957.",
            info_en="Jazz since 1957.",
            external_url="https://jazz.example/",
            offer_count=3,
        ),
        models.Organizer(id=ASA, name="<Åsa> & co; ek., för."),
    )
    _write(
        models.EventType(id=4001, name_sv="Konsert", name_en="Concert", color="#aa0000"),
        models.EventType(id=4002, name_sv="Övrigt, blandat"),
    )
    _write(
        models.Language(id=4501, code="sv", name_sv="svenska", name_en="Swedish"),
        models.Language(id=4502, code="en", name_sv="engelska", name_en="English"),
    )


def _places() -> None:
    _write(
        models.Location(
            id=5001,
            name="Biblioteket",
            address="Storgatan 1, Åsunda",
            accessibility_sv="Ramp till vänster",
            accessibility_en="Ramp on the left",
            public_transport_station="Stortorget",
        ),
        models.Location(id=5002, name="Nätet", online=True),
        models.Location(id=5003, name="Magasinet; kaj 3, port B", address="Kajen 3"),
    )
    _write(
        models.Room(
            id=6001,
            location_id=5001,
            name="Sal 2",
            floor="2 tr",
            accessibility_sv="Hörslinga",
            accessibility_en="Induction loop",
        ),
        models.Room(id=6002, location_id=5001, name="Källaren"),
        models.Room(id=6003, location_id=5003, name="Övre, golvet"),
    )


def _events() -> None:
    _write(
        models.Event(
            id=JAZZ,
            status=Status.PUBLISHED,
            area_id=TORGET,
            sub_area_id=TORGET_SCENEN,
            type_id=4001,
            organizer_id=FORENINGEN,
            language_id=4501,
            title=r"Jazz, blues & soul; allt på \New \n ]]> <b>fest</b> [b]nu[/b]",
            intro_sv="Kom, kom; kom!\nTa med <i>alla</i> & [url=x]en[/url] vän \\ fiende ]]>",
            intro_en='Come, come; "come"!\nBring a friend.',
            description_sv="Först.\n\nSedan [i]mer[/i] & <p>mer</p>.",
            description_en="First.\r\nThen more.",
            highlighted=True,
            production=Production.TOGETHER,
            price="50 kr; barn 0 kr",
            ticket_url="https://biljetter.example/jazz?a=1&b=2",
            external_url="https://jazz.example/fest",
            image_url="https://bilder.example/jazz.jpg",
            image_caption="Bild: Åsa",
        ),
        models.Event(
            id=NIGHT,
            status=Status.PUBLISHED,
            area_id=TORGET,
            type_id=4002,
            organizer_id=ASA,
            title="🎷👩‍🎤 شعر Nattpoesi",
            intro_sv="Dikter från שלום till 世界.",
            description_sv="Till gryningen 🌅",
        ),
        models.Event(
            id=ABROAD,
            status=Status.PUBLISHED,
            area_id=PARKEN,
            sub_area_id=PARKEN_SCENEN,
            type_id=4002,
            language_id=4502,
            title="Only in English",
            intro_en="Nothing in Swedish.",
            description_en="Really nothing.",
            production=Production.OTHERS,
        ),
        models.Event(
            id=CLOCKS,
            status=Status.PUBLISHED,
            area_id=PARKEN,
            type_id=4001,
            organizer_id=FORENINGEN,
            title="När klockan ställs om",
            intro_sv="En timme mer eller mindre.",
            intro_en="An hour more or less.",
        ),
        models.Event(
            id=MARATHON,
            status=Status.PUBLISHED,
            area_id=PARKEN,
            type_id=4001,
            organizer_id=ASA,
            title="Åtta ångbåtar, åtta ödesmättade ättlingar och två hela nätter på sjön utan sömn överhuvudtaget",
            intro_sv="Åååå, ä ä ä; öööö! " * 12,
            highlighted=True,
        ),
        models.Event(id=BARE, status=Status.PUBLISHED, area_id=TORGET, type_id=4002, title="Bara en titel"),
        models.Event(id=DRAFT, area_id=TORGET, type_id=4001, title="Utkast", highlighted=True),
        models.Event(id=NEVER, status=Status.PUBLISHED, area_id=TORGET, type_id=4001, title="Utan tillfälle"),
    )


_SALEN: dict[str, Any] = {"location_id": 5001, "room_id": 6001}
_GOLVET: dict[str, Any] = {"location_id": 5003, "room_id": 6003}
_SIGNED = {"access": "sign-language"}
# ID, event, start, end (UTC), and what else the occasion has.
OCCASIONS = [
    (8001, JAZZ, utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), _SALEN | _SIGNED | {"stream_id": 9003}),
    (8002, JAZZ, utc(2026, 7, 30, 14), utc(2026, 7, 30, 15), _SALEN | _SIGNED | {"room_id": 6002}),
    (8003, JAZZ, utc(2026, 8, 1, 14), utc(2026, 8, 1, 15), _GOLVET | _SIGNED | {"cancelled": True}),
    (8004, NIGHT, utc(2026, 7, 29, 20), utc(2026, 7, 30, 1), _GOLVET),
    # Goes on at 14:00, as does the next one until exactly then.
    (8005, ABROAD, utc(2026, 7, 29, 12), utc(2026, 7, 29, 12, 30), {"location_id": 5002}),
    (8006, ABROAD, utc(2026, 7, 29, 11), utc(2026, 7, 29, 12), {"location_id": 5002}),
    # From 01:30 to 03:30: one hour, and three.
    (8007, CLOCKS, utc(2026, 3, 29, 0, 30), utc(2026, 3, 29, 1, 30), {"location_id": 5003}),
    (8008, CLOCKS, utc(2026, 10, 24, 23, 30), utc(2026, 10, 25, 2, 30), {"location_id": 5003}),
    (8009, MARATHON, utc(2026, 7, 31, 20), utc(2026, 8, 2, 2), {"location_id": 5001, "cancelled": True}),
    # Exactly 24 hours, from yesterday: a long one, too.
    (8010, MARATHON, utc(2026, 7, 28, 10), utc(2026, 7, 29, 10), {"location_id": 5002, "cancelled": True}),
    # Before midnight in UTC, after it in Stockholm: 2025 there, 2026 here.
    (8011, BARE, utc(2025, 7, 28, 22, 30), utc(2025, 7, 29, 0), {}),
    (8012, BARE, utc(2026, 12, 31, 23), utc(2027, 1, 1, 0), {}),
    # Of the same start as 8001, later in the order by end, by area, by title, by ID.
    (8013, BARE, utc(2026, 7, 29, 14), utc(2026, 7, 29, 16), {}),
    (8014, CLOCKS, utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), _SALEN),
    (8015, BARE, utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), {}),
    (8016, BARE, utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), {}),
    (8017, DRAFT, utc(2026, 7, 29, 14), utc(2026, 7, 29, 15), {}),
]


def occasion_uuid(occasion_id: int) -> UUID:
    return UUID(int=occasion_id)


def _occasions() -> None:
    _write(
        *(
            models.Occasion(
                id=number, uuid=occasion_uuid(number), event_id=event_id, start=start, end=end, **own
            )
            for number, event_id, start, end, own in OCCASIONS
        )
    )


def mark_changed(
    occasions: QuerySet[models.Occasion], note: Text, instant: datetime, former: Any = None, **others: Any
) -> None:
    """Tell readers of occasions by marks alone, the feed of news has none of it.

    `former` are values of the state before that differ from the present one.
    """
    rows = occasions.select_related("event", "location", "room")
    values = {"told_at": instant, "appears_at": None} | others
    models.News.objects.bulk_create(_tell(row, note, former or {}, values) for row in rows)


def _tell(row: models.Occasion, note: Text, former: dict[str, Any], values: dict[str, Any]) -> models.News:
    place = row.location_id, row.room_id, row.place_name
    known = msgspec.to_builtins(NewsState(row.start, row.end, row.cancelled, *place))
    uuid, moved = uuid4(), NewsKind.MOVED if former else NewsKind.CHANGED
    kind = NewsKind.CANCELLED if row.cancelled else moved
    names, note_of = ("area", "sub_area", "type", "organizer"), {"note_sv": note.sv, "note_en": note.en}
    facts = {"title": row.event.title} | {name: getattr(row.event, f"{name}_id") for name in names}
    about = {"edit_id": 0, "event_id": row.event_id, "occasion_id": row.pk, "facts": facts}
    shown = {"uuid": uuid, "entry": uuid, "kind": kind, "before": known | former, "after": known}
    return models.News(**shown | about | note_of | values)


def _moments() -> None:
    published, modified = utc(2026, 6, 1, 7, 0, 0, 500000), utc(2026, 7, 20, 7, 0)
    models.Event.objects.exclude(id=DRAFT).update(published_at=published)
    models.Event.objects.update(last_modified=modified)
    models.Event.objects.filter(id=JAZZ).update(last_modified=utc(2026, 7, 28, 12, 3, 12, 483000))
    models.Event.objects.filter(id=BARE).update(published_at=utc(2025, 12, 24, 23, 30))
    models.PublishedYear.objects.update(published_at=published)
    models.PublishedYear.objects.filter(start__lt=utc(2025, 12, 1)).update(
        published_at=utc(2025, 12, 24, 23, 30)
    )
    models.Revision.objects.update(withdrawn_at=None)
    models.Festival.objects.update(saved_at=utc(2026, 5, 1, 8, 0, 0, 1))
