"""People: rights to invite and manage, pasted lists, invitations, and the page of an account."""
