"""Schedules in the frab format and its dialects (CCC, FOSDEM, pretalx, EMF)."""
