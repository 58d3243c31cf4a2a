"""The page and the list actions that export the programme; the writing itself is in programme/exchange."""
