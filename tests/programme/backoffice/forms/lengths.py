"""What editors type as the end of an occasion that starts at 18:30 on 31 July 2026, in forms and on the timetable."""

# What is typed, and the day of the month and time of the end that it means.
LENGTHS = [
    ("2 h", "31 20:30"),
    ("+2h", "31 20:30"),
    ("90", "31 20:00"),
    ("180", "31 21:30"),
    ("90 min", "31 20:00"),
    ("1 h 30 min", "31 20:00"),
    ("1h30", "31 20:00"),
    ("1,5 tim", "31 20:00"),
    (" 6 timmar ", "01 00:30"),
    ("1 dag", "01 18:30"),
    # Clock times.
    ("20", "31 20:00"),
    ("20.15", "31 20:15"),
    ("20h15", "31 20:15"),
    ("2015", "31 20:15"),
    ("945", "01 09:45"),
    ("24", "01 00:00"),
    ("kl 2", "01 02:00"),
]
# 120 is 01:20, or two hours.
NO_ENDS = ["120", "259", "1,5", "19.60", "2460", "-2 h", "0 min", "kl 90", "2 x", "x"]
