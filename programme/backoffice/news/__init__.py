"""What readers were told: its list, correcting a note, taking an entry back, and telling afterwards."""
