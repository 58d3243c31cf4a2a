"""Pages on which organizers correct their own events by a link, without an account.

They are below `/admin/`, where the back office's process answers and forms are protected.
"""
