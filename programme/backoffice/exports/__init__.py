"""The page that exports the programme; the writing itself is in programme/exchange."""
