"""The timetable of a festival day: rooms beside each other, time downwards, occasions to be moved about."""
