"""What cells leave to be understood: asked about with an answer that one tick takes back, or not read, and said."""

from collections.abc import Mapping
from datetime import date, time

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles import Font

from feeds.festival_time import FestivalTime
from programme.exchange.readers.sheet.mapping import UnknownHeadingsError, propose_columns
from programme.exchange.readers.sheet.reader import read_sheet
from programme.exchange.values import Contents, ImportDefaults
from tests.programme.exchange.workbooks import build_book, save, write_workbook

TIME = FestivalTime("Europe/Stockholm", 0)


def read(content: str | bytes, answers: Mapping[str, str] | None = None, **given: object) -> Contents:
    content = content.encode() if isinstance(content, str) else content
    with override("en"):
        return read_sheet(
            content, ImportDefaults(TIME, answers=answers or {}, today=date(2027, 5, 1), **given)
        )


def occasions(contents: Contents) -> list[str]:
    return sorted(
        f"{TIME.local(each.start):%d %H:%M}–{TIME.local(each.end):%H:%M} {event.title}, {each.location}"
        + " (cancelled)" * bool(each.cancelled)
        for event in contents.events
        for each in event.occasions
    )


def questions(contents: Contents) -> dict[str, str]:
    return {each.key: each.answer for each in contents.questions}


def problems(contents: Contents) -> list[str]:
    return [f"{each.where}: {each.what}{' (warns)' * each.warns}" for each in contents.problems]


ROWS = [
    ["Titel", "Datum", "Start", "Pris"], ["Jazz", date(2027, 6, 5), time(18), "gage 40 000"], ["Rock", date(2027, 6, 5), time(19), ""],
]  # fmt: skip


def test_hidden_rows_and_columns_are_not_read_and_it_is_said():
    found = read(save(build_book(*ROWS, hidden=[3, "D"])))
    assert occasions(found) == ["05 18:00–18:30 Jazz, "]
    assert [each.more.get("price") for each in found.events] == [None]
    assert "the spreadsheet: hidden in the file, and not read: Sheet, row 3, column D (warns)" in problems(
        found
    )
    found = read(save(build_book(*ROWS, hidden="D")))
    assert problems(found)[0] == "the spreadsheet: hidden in the file, and not read: Sheet, column D"


def test_what_is_struck_through_is_cancelled():
    book = build_book(*ROWS)
    book.active["A3"].font = Font(strike=True)
    found = read(save(book))
    assert occasions(found) == ["05 18:00–18:30 Jazz, ", "05 19:00–19:30 Rock,  (cancelled)"]
    assert "the spreadsheet: struck through, and therefore cancelled: row 3" in problems(found)


UNTITLED = "Scen;Datum;Start;Slut;Titel;Pris\nBar;2027-06-05;20;21;Kung;\nBar;2027-06-05;21;22;;\nTält;;23;24;;\nBar;2027-06-06;20;21;;50 kr"


def test_a_blank_title_is_never_filled_from_above_without_an_answer():
    found = read(UNTITLED)
    assert occasions(found) == ["05 20:00–21:00 Kung, Bar"]
    assert problems(found) == [f"row {row}, Titel: left out: the title is missing" for row in (3, 4, 5)]
    assert questions(found) == {"untitled": "left-out"}
    # A row that says more than when and where is left out all the same.
    found = read(UNTITLED, {"untitled": "continued"})
    expected = ["05 20:00–21:00 Kung, Bar", "05 21:00–22:00 Kung, Bar", "05 23:00–00:00 Kung, Tält"]
    assert occasions(found) == expected
    assert problems(found) == ["row 5, Titel: left out: the title is missing"]


def test_placeholders_are_no_value_and_no_break_blanks_are_blanks():
    found = read(
        "Titel;Plats;Arrangör;Datum;Start;Pris\nVisor;-;N/A;2027-06-05;kl\xa018;?\nBio;TBA;.;2027-06-05;19;0"
    )
    assert occasions(found) == ["05 18:00–18:30 Visor, ", "05 19:00–19:30 Bio, "]
    assert [(each.organizer, each.more["price"]) for each in found.events] == [("", ""), ("", "0")]


def test_a_text_alone_below_a_programme_is_no_event():
    found = read(
        "Titel;Plats;Datum;Start\nVisor;Torget;2027-06-05;14\nDans;Torget;2027-06-05;15\n;;;\nMed reservation för ändringar;;;"
    )
    assert [each.title for each in found.events] == ["Visor", "Dans"]
    assert "row 5: a text alone, and no event; left out" in problems(found)
    # The first has no title, and the last nothing else.
    found = read("Titel;Datum;Start\n;2027-06-05;14\nVisor;2027-06-05;15\nDans;;")
    [warning] = (each.what for each in found.problems if each.warns)
    assert warning.endswith("are titles shifted by a row?")


def test_every_day_is_doubtful_where_no_other_row_is_on_the_festival_s_days():
    rows = "Titel;Datum;Start\nBio;varje dag;14\nRock;{};15"
    for day, outside in (("2027-06-05", []), ("2028-06-05", ["row 3"])):
        found = read(rows.format(day), days=frozenset({date(2027, 6, 5), date(2027, 6, 6)}))
        what = "dates outside the festival’s days (5 June 2027 – 6 June 2027): "
        assert [each.what.removeprefix(what) for each in found.problems if each.warns] == outside


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("TITLE,ROOM,START,END_STR\nTal,Sal,2027-06-05 08:30:00,09:30\nTe,Sal,2027-06-05 11:00:00,11:25",
         {"column:end str": "end"}, ["05 08:30–09:30 Tal, ", "05 11:00–11:25 Te, "]),
        # What is before the start is no end.
        ("Titel;Datum;Start;Insläpp\nTal;2027-06-05;09:30;09:00\nTe;2027-06-05;11:00;10:30", {}, ["05 09:30–10:00 Tal, ", "05 11:00–11:30 Te, "]),
        ("Titel;Färdig;Wann;Klokken\nTal;10:00;2027-06-05;09:15", {"column:klokken": "start", "column:färdig": "end"}, ["05 09:15–10:00 Tal, "]),
        ("post_id;Titel;Datum;Start\n101;Tal;2027-06-05;9\n102;Te;2027-06-05;10", {"column:post id": "event_id"}, ["05 09:00–09:30 Tal, ", "05 10:00–10:30 Te, "]),
        # Numbers of rows are another's in the next version.
        ("Nr;Titel;Datum;Start\n1;Tal;2027-06-05;9\n2;Te;2027-06-05;10", {"column:nr": "no"}, ["05 09:00–09:30 Tal, ", "05 10:00–10:30 Te, "]),
        ("Yta;Titel;Datum;Start\n101;Tal;2027-06-05;9\n102;Te;2027-06-05;10", {"column:yta": "no"}, ["05 09:00–09:30 Tal, ", "05 10:00–10:30 Te, "]),
    ],
)  # fmt: skip
def test_columns_with_unknown_headings_are_asked_about_by_name(text, asked, expected):
    found = read(text)
    assert (questions(found), occasions(found)) == (asked, expected)


def test_an_id_by_its_cells_says_which_event_a_row_is():
    text = "post_id;Titel;Datum;Start\n101;Tal;2027-06-05;9\n102;Te;2027-06-05;10"
    assert [each.key for each in read(text).events] == ["101", "102"]
    assert [each.key for each in read(text, {"column:post id": "no"}).events] == ["tal", "te"]


FOREIGN = "id,nome_evento,local,data,hora,gratuito\n1,Concerto,Teatro,2027-06-05,21:00,False\n2,Cinema,Praça,2027-06-06,20:00,True"


@pytest.mark.parametrize(
    "text", [FOREIGN, "Tid;Co;Gdzie;Opłata\n18:00;Chór;Kościół;8 €\n19:00;Rock;Sala;5 €"]
)
def test_headings_in_another_language_lead_to_the_columns(text):
    with pytest.raises(UnknownHeadingsError):
        read(text)


def test_the_columns_below_headings_in_another_language_are_proposed():
    headings, *rows = (tuple(line.split(",")) for line in FOREIGN.splitlines())
    proposed = propose_columns(headings, rows)
    assert [str(each or "") for each in proposed] == ["", "title", "", "day", "start", ""]
    rows = [("Tanssit", "Kaikki tanssivat yhdessä."), ("Kuoro", "Kuoro laulaa lauluja.")]
    assert [str(each or "") for each in propose_columns(("Tapahtuma", "Kuvaus"), rows)] == ["title", ""]


def test_what_was_said_of_columns_holds_with_more_or_fewer():
    july, june = ["date", "st time", "class", "series"], ["class", "date", "description", "st time"]
    # The times are asked about, and proposed.
    said = {"column:date": "day", "column:class": "title"}
    first, other = ["2027-07-03", "10:30", "Drawing", 1], ["Lab", "2027-06-06", "With all", "14:00"]
    found = read(write_workbook({"July": [july, first], "June": [june, other]}), answers=said)
    assert occasions(found) == ["03 10:30–11:00 Drawing, ", "06 14:00–14:30 Lab, "]
    assert [each.more.get("description_sv") for each in found.events] == [None, "With all"]
    assert problems(found) == ["the spreadsheet: columns that are left alone: series"]


SHARED = {
    "a place in brackets": ("Akt;Datum;Start\nJazz (Salen);2027-06-13;18", {"akt": "title location/brackets"}, "13 18:00–18:30 Jazz, Salen"),
    "a place in most brackets": ("Akt;Datum;Start\nJazz (Salen);2027-06-13;18", {"akt": "title location"}, "13 18:00–18:30 Jazz, Salen"),
    "a room after a comma": ("Titel;Var;Start\nJazz;Magasin 3, Salen;2027-06-13 18:00", {"var": "location room/comma"}, "13 18:00–18:30 Jazz, Magasin 3"),
    "day, start and end": ("Titel;Quand\nJazz;Samedi 13 juin 2027 de 10h à 19h", {"quand": "day start end"}, "13 10:00–19:00 Jazz, "),
    "columns for each stage": (
        ";Stora;;Lilla;\nTid;Akt;Art;Akt;Art\n2027-06-13 18:00;Jazz;Musik;Pop;Dans",
        {"tid": "start", "akt": "title", "akt (2)": "title", "art": "type", "art (2)": "type"},
        "13 18:00–18:30 Jazz, Stora\n13 18:00–18:30 Pop, Lilla",
    ),
    "without headings": ("2027-06-13 18:00;Jazz;Stora\n2027-06-13 19:00;Pop;Lilla", {"#A": "start", "#B": "title", "#C": "location"},
                         "13 18:00–18:30 Jazz, Stora\n13 19:00–19:30 Pop, Lilla"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "said", "expected"), SHARED.values(), ids=SHARED)
def test_columns_are_what_was_said(content, said, expected):
    answers = {f"column:{heading}": use for heading, use in said.items()}
    assert occasions(read(content, answers=answers)) == expected.split("\n")


PROGRAMS = {
    "Google Calendar": (
        "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n"
        "Story,06/13/2027,10:00 AM,06/13/2027,1:30 PM,False,,Library,False\nOpen,06/14/2027,,06/14/2027,,True,,Museum,False\n"
        "Staff,06/15/2027,9:00 AM,06/15/2027,10:00 AM,False,Internal,Office,True",
        ["13 10:00–13:30 Story, Library", "14 00:00–00:00 Open, Museum"], ["row 4: marked as private: left out"],
    ),
    "The Events Calendar": (
        "EVENT NAME,EVENT VENUE NAME,EVENT START DATE,EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT\n"
        "Story,Library,2027-06-13,10:00,2027-06-13,13:30,FALSE", ["13 10:00–13:30 Story, Library"], [],
    ),
    "pretalx": (
        "ID,Proposal title,Session type,Room,Start,End,Speaker names\nABC,Story,Talk,Hall,2027-06-13 10:00,2027-06-13 11:00,Ada",
        ["13 10:00–11:00 Story, "], [],
    ),
    "Outlook": (
        '"Subject","Start Date","Start Time","End Date","End Time","All day event","Reminder on/off","Reminder Date","Reminder Time",'
        '"Meeting Organizer","Required Attendees","Optional Attendees","Meeting Resources","Billing Information","Categories","Description",'
        '"Location","Mileage","Priority","Private","Sensitivity","Show time as"\n'
        '"Story","6/13/2027","10:00:00 AM","6/13/2027","1:30:00 PM","False","False","6/13/2027","9:45:00 AM","Ada",,,,,"Children",'
        '"Come!","Library",,"Normal","False","Normal","2"\n'
        '"Staff","6/15/2027","9:00:00 AM","6/15/2027","10:00:00 AM","False","False",,,"Ada",,,,,,,"Office",,"Normal","True","Private","2"',
        ["13 10:00–13:30 Story, Library"],
        ["the spreadsheet: columns that are left alone: Reminder on/off, Reminder Date, Reminder Time, Meeting Organizer, Priority, "
         "Sensitivity, Show time as", "row 3: marked as private: left out"],
    ),
    "a German office": (
        "Tag;Uhrzeit;Was;Wo;Eintritt;Status\nso 13.6.2027;18 Uhr;Chor;Kirche;8 €;abgesagt\nsu 13.6.2027;19 Uhr;Rock;Zelt;frei;angefragt",
        ["13 18:00–18:30 Chor, Kirche (cancelled)", "13 19:00–19:30 Rock, Zelt"],
        ["row 3, Status: “angefragt” is none of the words that are known here; left as it is"],
    ),
    "Sched": (
        "event_key,name,event_start,event_end,event_type,description,speakers,venue,address,seats,id\n"
        "a1,Story,2027-06-13 10:00:00,2027-06-13 13:30:00,Children,Come!,Ada,Library,Street 1,40,9f2c\n"
        "a2,Talk,2027-06-13 15:00:00,2027-06-13 16:00:00,Talks,,Bo,Museum,,,77ab", ["13 10:00–13:30 Story, Library", "13 15:00–16:00 Talk, Museum"],
        ["the spreadsheet: columns that are left alone: event_key, seats"],
    ),
    "prefixed": (
        "artist_name,event_location,event_title,event_day,event_start_time,event_summary,source_url\n"
        "Ana,Glade,Songs,2027-06-13,19:45,A singer with prizes,https://a.example/1", ["13 19:45–20:15 Songs, Glade"], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "said"), PROGRAMS.values(), ids=PROGRAMS)
def test_what_programs_export_is_known_by_its_headings(text, expected, said):
    found = read(text)
    assert (occasions(found), found.questions) == (expected, ())
    assert [each for each in problems(found) if "left" in each] == said


NIGHTS = [
    ("Ismael", "05", 21.5, 22), ("Hopp", "05", 22, 23), ("Kommer", "05", 23, 1), ("Nina", "05", 1, 2), ("Karl", "05", 2, 3),
    ("Kurt", "06", 23, 24), ("Fyra", "06", 0, 1), ("Tidig", "07", 5, 6),
]  # fmt: skip


@given(st.permutations(NIGHTS))
def test_what_follows_on_past_midnight_is_in_the_night_after_its_date(rows):
    lines = [f"{title};Bio;2027-06-{day};{start};{end}" for title, day, start, end in rows]
    text = "\n".join(["Titel;Plats;Datum;Start;Slut", *lines])
    found = read(text)
    starts = {each[15:].partition(",")[0]: each[:8] for each in occasions(found)}
    assert {name: starts[name] for name in ("Kommer", "Nina", "Karl", "Kurt", "Fyra", "Tidig")} == {
        "Kommer": "05 23:00", "Nina": "06 01:00", "Karl": "06 02:00", "Kurt": "06 23:00", "Fyra": "07 00:00", "Tidig": "07 05:00",
    }  # fmt: skip
    assert questions(found) == {"night": "yes"}
    back = read(text, {"night": "no"})
    assert "05 01:00–02:00 Nina, Bio" in occasions(back)


@pytest.mark.parametrize(
    "text",
    [
        "Titel;Plats;Datum;Start;Slut\nA;Bio;2027-06-05;23;00\nB;Bio;2027-06-06;0;1\nC;Bio;2027-06-06;23;00\nD;Bio;2027-06-07;0;1",
        # Nothing follows on later than midnight.
        "Titel;Datum;Start;Slut\nA;2027-06-05;23;00\nB;2027-06-05;0;1",
        # Ends with their dates.
        "Titel;Datum;Start;Slutdatum;Slut\nA;2027-06-05;0;2027-06-05;1\nB;2027-06-05;23;2027-06-06;0\nC;2027-06-06;11;2027-06-07;1",
    ],
)  # fmt: skip
def test_calendar_dates_after_midnight_stay(text):
    assert read(text).questions == ()


@pytest.mark.parametrize(
    ("text", "night"),
    [
        # Below a day what comes after an evening at the same place, and before it a morning.
        ("Lördag 5/6 2027\nTid;Artist\n00.30;Rock\n22.30;Jazz", []),
        ("Lördag 5/6 2027\nTid;Artist;Scen\n22.30;Jazz;Bio\n00.30;Pop;Bio\n00.30;Rock;Stora", ["Pop"]),
        # In a grid the times go on.
        ("Lördag 5/6 2027\n;Stora;Bio\n00:30;Rock\n22:30;Jazz\n00:30;;Pop", ["Pop"]),
        # A date in each row, without ends.
        ("Titel;Datum;Start\nJazz;5/6 2027;22:30\nRock;5/6 2027;00:30", []),
    ],
)
def test_an_evening_below_a_day_has_its_night(text, night):
    found = read(text.replace("Lördag ", ""))
    moved = [
        each.partition(" ")[2][12:].partition(",")[0] for each in occasions(found) if each.startswith("06")
    ]
    assert (moved, questions(found)) == (night, {"night": "yes"} if night else {})


def test_a_clock_of_twelve_hours_is_seen_where_it_leads_over_noon():
    grid = "June 5 2027\nTime;Crystal;Pearl\n8:30-9:45;Plenary;\n12:00-1:30;Lunch;\n1:30-2:45;Papers;Demo\n6:30-10:00;Banquet;"
    expected = [
        *("05 08:30–09:45 Plenary, Crystal", "05 12:00–13:30 Lunch, Crystal", "05 13:30–14:45 Demo, Pearl"),
        *("05 13:30–14:45 Papers, Crystal", "05 18:30–22:00 Banquet, Crystal"),
    ]
    found = read(grid)
    assert (occasions(found), questions(found)) == (expected, {"afternoon": "yes"})
    assert "05 12:00–01:30 Lunch, Crystal" in occasions(read(grid, {"afternoon": "no"}))
    rows = [f"2027-06-05;{start};Från {start}" for start in ("10:00", "11:30", "1:00", "3:00", "7:30")]
    found = read("\n".join(["Datum;Start;Titel", *rows]))
    assert [each[3:8] for each in occasions(found)] == ["10:00", "11:30", "13:00", "15:00", "19:30"]
