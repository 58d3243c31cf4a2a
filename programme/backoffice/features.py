"""Features: what the lists and forms of a model can do beyond Django's, each an object of its own.

`BackOfficeAdmin.features` lists the features of a model. Each gets the `ModelAdmin` that it serves, and
contributes through the methods below; all of them are optional.
"""
