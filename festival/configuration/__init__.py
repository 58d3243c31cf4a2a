"""Reading and checking the settings from the environment and its file."""
