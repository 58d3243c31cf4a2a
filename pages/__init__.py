"""What people look at: start page, occasion pages, the page of the extension namespace."""
