"""The programme as files for others: sheets, calendars and schedules, which come back in by the import."""
