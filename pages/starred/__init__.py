"""A visitor's list of starred occasions, kept here so that its calendar's address stays when stars change."""
