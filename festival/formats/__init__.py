"""Formats of dates and times in the back office, where Django's own are American."""
