"""The options of Django's formset script, with the name of a row as inside a sentence."""

import json
from typing import Any

from django import template
from django.utils.text import capfirst

register = template.Library()


@register.filter
def small_letter(formset: Any) -> str:
    """Return Django's options of a formset; the button adds `another occasion`, not `another Occasion`."""
    options = json.loads(formset.inline_formset_data())
    name = str(formset.opts.verbose_name)
    options["options"]["addText"] = options["options"]["addText"].replace(capfirst(name), name)
    return json.dumps(options)
