"""Calendars in iCalendar (RFC 5545)."""
