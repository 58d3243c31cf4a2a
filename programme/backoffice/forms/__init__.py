"""The form fields, forms and widgets of the back office; never a view."""
