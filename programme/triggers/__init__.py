"""Database triggers, generated from the rules that models declare."""
