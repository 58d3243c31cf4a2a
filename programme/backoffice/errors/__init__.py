"""Error pages of the back office: in the editor's language, with the cause, and with what was typed."""
