"""What the database does by itself, by the rules that models declare; never reads a request."""
