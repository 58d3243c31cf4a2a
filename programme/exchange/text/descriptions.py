"""Splits an event's subtitle, abstract and description into intro and description."""


def split_description(subtitle: str, abstract: str, description: str) -> tuple[str, str]:
    """Return intro and description of plain texts, without saying anything twice.

    The intro is the subtitle, else the first paragraph of the rest.
    """
    if abstract in description:
        abstract = ""
    if description in abstract:
        description = ""
    body = "\n\n".join(text for text in (abstract, description) if text)
    if subtitle:
        return subtitle, "" if body == subtitle else body
    intro, _break, rest = body.partition("\n\n")
    return intro.strip(), rest.strip()
