"""Sentences of Django's templates and forms that our catalogues say in a festival office's words."""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

# `locale/sv` has them in Swedish; `locale/en` those of which Django's English would not do.
PHRASES = (
    _("No, take me back"),
    _("Start typing to filter…"),
    _("Filter navigation items"),
    _("Select this object for an action - {}"),
    _("Select all objects on this page for an action"),
    _("Click here to select the objects across all pages"),
    _("Select all %(total_count)s %(module_name)s"),
    _("Clear selection"),
    _("No action selected."),
    _("Items must be selected in order to perform actions on them. No items have been changed."),
    _("Action:"),
    _("Run the selected action"),
    _("Go"),
    _("0 of %(cnt)s selected"),
    _("Delete selected %(verbose_name_plural)s"),
    _("Select %s"),
    _("Clear all filters"),
    _("Skip to main content"),
    _("Breadcrumbs"),
    _("Toggle navigation"),
    _("Sidebar"),
    _("Toggle theme (current theme: auto)"),
    _("Toggle theme (current theme: light)"),
    _("Toggle theme (current theme: dark)"),
    _("%(app)s administration"),
    _("Models in the %(name)s application"),
    _("Model name"),
    _("Add link"),
    _("Change or view list link"),
    _("You don’t have permission to view or edit anything."),
    _(
        "You are authenticated as %(username)s, but are not authorized to access this page. Would "
        "you like to login to a different account?"
    ),
    _("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    _("Currently:"),
    _("Change:"),
    _("Change selected %(model)s"),
    _("Add another %(model)s"),
    _("Add another %(verbose_name)s"),
    _("The {name} “{obj}” was added successfully."),
    _("You may edit it again below."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully."),
    _("The %(name)s “%(obj)s” was deleted successfully."),
    _("Successfully deleted %(count)d %(items)s."),
    _("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    _("Delete multiple objects"),
    _("Cannot delete %(name)s"),
    _("Summary"),
    _("Objects"),
    _("Yes, I’m sure"),
    _(
        'Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the '
        "following related items will be deleted:"
    ),
    _(
        "Are you sure you want to delete the selected %(objects_name)s? All of the following objects "
        "and their related items will be deleted:"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would result in deleting related objects, "
        "but your account doesn't have permission to delete the following types of objects:"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would require deleting the following "
        "protected related objects:"
    ),
    _(
        "Deleting the selected %(objects_name)s would result in deleting related objects, but your "
        "account doesn't have permission to delete the following types of objects:"
    ),
    _(
        "Deleting the selected %(objects_name)s would require deleting the following protected "
        "related objects:"
    ),
    _(
        "Deleting %(class_name)s %(instance)s would require deleting the following protected related "
        "objects: %(related_objects)s"
    ),
    _("Change history: %s"),
    _("Date/time"),
    _("This object doesn’t have a change history. It probably wasn’t added via this admin site."),
    _("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
    _("Enter the same password as before, for verification."),
    _(
        "Designates whether this user should be treated as active. Unselect this instead of deleting "
        "accounts."
    ),
    _("After you’ve created a user, you’ll be able to edit more user options."),
    _("Designates whether the user can log into this admin site."),
    _("Designates that this user has all permissions without explicitly assigning them."),
    _("The groups this user belongs to. A user will get all permissions granted to each of their groups."),
    _("Specific permissions for this user."),
    _("staff status"),
    _("superuser status"),
    _("date joined"),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("email address"),
    _("Password change"),
    _("Password changed successfully."),
    _("Your password was changed."),
    _("Change password: %s"),
    ngettext_lazy("Please correct the error below.", "Please correct the errors below."),
    ngettext_lazy("%(total_count)s selected", "All %(total_count)s selected"),
    ngettext_lazy("%(counter)s result", "%(counter)s results"),
)
