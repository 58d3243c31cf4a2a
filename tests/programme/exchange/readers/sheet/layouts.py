"""Sheets in each layout, with what they are read as: for the tests and docs/importing.md."""

Merged = tuple[tuple[int, int, int, int], ...]

# The sheet, its name and its merged cells; what it is shown as, and the rows that are read.
LAYOUTS: dict[str, tuple[str, str, Merged, str, list[str]]] = {
    "a sheet for a day": (
        "Tid;Artist;Scen\n18.00;Jazz;Stora\n19-20;Rock;Lilla\n25.70;Pop;Lilla", "Lördag", (),
        "a table, its name is the day",
        ["2: 18.00, Jazz, Stora, Lördag", "3: 19-20, Rock, Lilla, Lördag", "4: 25.70, Pop, Lilla, Lördag"],
    ),
    "days as section rows": (
        "Tid;Artist;Scen\nLördag 12 september\n18.00;Jazz;Stora\nSöndag 13 september\n18.00;Pop;Stora", "", (),
        "a table with sections, rows between say the day",
        ["3: 18.00, Jazz, Stora, Lördag 12 september", "5: 18.00, Pop, Stora, Söndag 13 september"],
    ),
    "stages as section rows": (
        "Datum;Tid;Artist\nStora scenen\n12/9;18.00;Jazz\n12/9;19-20;Rock\nLilla scenen\n12/9;18.00;Pop\n12/9;19.00;Folk", "", (),
        "a table with sections, rows between say the place",
        [
            "3: 12/9, 18.00, Jazz, Stora scenen", "4: 12/9, 19-20, Rock, Stora scenen", "6: 12/9, 18.00, Pop, Lilla scenen",
            "7: 12/9, 19.00, Folk, Lilla scenen",
        ],
    ),
    "days side by side": (
        "Lördag;;;Söndag\nTid;Artist;;Tid;Artist\n18;Jazz;;17;Pop\n19;Rock;;18;Folk", "", (),
        "tables side by side",
        ["3: 18, Jazz, Lördag", "4: 19, Rock, Lördag", "3: 17, Pop, Söndag", "4: 18, Folk, Söndag"],
    ),
    "stages as section rows of days side by side": (
        "Lördag;;;Söndag\nTid;Artist;;Tid;Artist\nStora;;;Lilla\n18;Jazz;;17;Pop\nLilla;;;18;Folk\n19;Rock;;;", "", (),
        "tables side by side",
        [
            "4: 18, Jazz, Lördag, Stora", "6: 19, Rock, Lördag, Lilla", "4: 17, Pop, Söndag, Lilla",
            "5: 18, Folk, Söndag, Lilla",
        ],
    ),
    "stages side by side": (
        "Stora scenen;;;Lilla scenen\nTid;Artist;;Tid;Artist\n18;Jazz;;17;Pop", "12 sept", (),
        "tables side by side, its name is the day",
        ["3: 18, Jazz, 12 sept, Stora scenen", "3: 17, Pop, 12 sept, Lilla scenen"],
    ),
    "times and places, merged cells are lengths": (
        "Lördag 12/9\n;Stora;Lilla\n18.00;Jazz;Sång\n19.00;;Clown\n20.00;Rock;Kör\n21.00;Visor;", "", ((3, 1, 4, 1), (5, 2, 6, 2)),
        "a grid of times and places",
        [
            "3: Jazz, Lördag 12/9, 18:00, 20:00, Stora", "3: Sång, Lördag 12/9, 18:00, 19:00, Lilla",
            "4: Clown, Lördag 12/9, 19:00, 20:00, Lilla", "5: Rock, Lördag 12/9, 20:00, 21:00, Stora",
            "5: Kör, Lördag 12/9, 20:00, 22:00, Lilla", "6: Visor, Lördag 12/9, 21:00, Stora",
        ],
    ),
    "places and times": (
        "Lördag\n;18.00;19.00;20.00\nStora;Jazz;Rock;\nLilla;;Clown;\nSöndag\n;18.00;19.00;20.00\nStora;Pop;Folk;", "",
        ((3, 2, 3, 3), (7, 2, 7, 3)),
        "a grid of places and times",
        [
            "3: Jazz, Lördag, 18:00, 19:00, Stora", "3: Rock, Lördag, 19:00, 21:00, Stora", "4: Clown, Lördag, 19:00, 20:00, Lilla",
            "7: Pop, Söndag, 18:00, 19:00, Stora", "7: Folk, Söndag, 19:00, 21:00, Stora",
        ],
    ),
    "places and days, several in a cell": (
        ";Lör 12/9;Sön 13/9\nStora;18.00 Jazz|20.00 Rock;14-15 Pop\nLilla;Clown 16.00;", "", (),
        "a grid of places and days",
        [
            "2: Jazz, Lör 12/9, 18.00, Stora", "2: Rock, Lör 12/9, 20.00, Stora", "2: Pop, Sön 13/9, 14-15, Stora",
            "3: Clown, Lör 12/9, 16.00, Lilla",
        ],
    ),
    "days and places": (
        "Dag;Stora;Lilla\nFredag;18.00 Jazz;19.30 Pop\nLördag;20.00 Rock;", "", (),
        "a grid of days and places",
        ["2: Jazz, Fredag, 18.00, Stora", "2: Pop, Fredag, 19.30, Lilla", "3: Rock, Lördag, 20.00, Stora"],
    ),
    "times and places below days": (
        ";Lördag;;Söndag;\nTid;Stora;Lilla;Stora;Lilla\n18-19;Jazz;Sång;Pop;\n19-20;Rock;;;Folk", "", ((1, 1, 1, 2), (1, 3, 1, 4)),
        "a grid of times and places",
        [
            "3: Jazz, Lördag, 18-19, Stora", "3: Sång, Lördag, 18-19, Lilla", "3: Pop, Söndag, 18-19, Stora",
            "4: Rock, Lördag, 19-20, Stora", "4: Folk, Söndag, 19-20, Lilla",
        ],
    ),
    "grids below each other": (
        "Lördag\n;Stora;Lilla\n18;Jazz;Sång\n19;Rock;Clown\nSöndag\n;Parken;Lilla\n18;Pop;Folk\n20;Blås;Kör", "", (),
        "a grid of times and places",
        [
            "3: Jazz, Lördag, 18:00, 19:00, Stora", "3: Sång, Lördag, 18:00, 19:00, Lilla", "4: Rock, Lördag, 19:00, Stora",
            "4: Clown, Lördag, 19:00, Lilla", "7: Pop, Söndag, 18:00, 20:00, Parken", "7: Folk, Söndag, 18:00, 20:00, Lilla",
            "8: Blås, Söndag, 20:00, Parken", "8: Kör, Söndag, 20:00, Lilla",
        ],
    ),
    "no headings": (
        "Lördag 12 september\n18.00;Jazz;Stora scenen\n19.00;Rock;Lilla scenen\nSöndag 13 september\n18.00;Pop;Stora scenen\n"
        "19.30;Folk;Stora scenen", "", (),
        "a table without headings, rows between say the day",
        [
            "2: Jazz, Lördag 12 september, 18.00, Stora scenen", "3: Rock, Lördag 12 september, 19.00, Lilla scenen",
            "5: Pop, Söndag 13 september, 18.00, Stora scenen", "6: Folk, Söndag 13 september, 19.30, Stora scenen",
        ],
    ),
    "one column": (
        "Lördag 12 september\n18.00 Jazz\n19-20 Rock\nSöndag 13 september\nPop kl. 18", "", (),
        "a table without headings, rows between say the day",
        [
            "2: Jazz, Lördag 12 september, 18.00", "3: Rock, Lördag 12 september, 19-20",
            "5: Pop, Söndag 13 september, kl. 18",
        ],
    ),
}  # fmt: skip
