"""What the script of rows is told, with the name of a row as it stands inside of a sentence."""

import json
from typing import Any

from django import template
from django.utils.text import capfirst

register = template.Library()


@register.filter
def small_letter(formset: Any) -> str:
    """Return Django's options of a formset; the button adds `another occasion`, not `another Occasion`."""
    told = json.loads(formset.inline_formset_data())
    name = str(formset.opts.verbose_name)
    told["options"]["addText"] = told["options"]["addText"].replace(capfirst(name), name)
    return json.dumps(told)
