"""Visitors' lists of starred occasions, stored so that a calendar's address remains when stars change."""
