"""Pages on which organizers correct their own events by a link, without an account."""
