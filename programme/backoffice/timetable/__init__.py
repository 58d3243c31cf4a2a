"""The timetable of a festival day: rooms side by side, time downwards, occasions that can be moved."""
