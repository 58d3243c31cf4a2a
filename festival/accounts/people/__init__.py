"""People: who may invite and look after whom, pasted lists, invitations, and the page of an account."""
