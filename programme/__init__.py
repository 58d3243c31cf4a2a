"""The write side: the programme's models, its admin, its imports, and loading it for readers."""
