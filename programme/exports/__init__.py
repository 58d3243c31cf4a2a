"""The programme as files for others: calendars and schedules."""
