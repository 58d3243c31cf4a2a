"""Classes in place of style attributes, which the back office's Content-Security-Policy refuses."""


class ClassRules:
    """Names a class for each set of declarations; its text stands in the timetable's style element."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, declarations: str) -> str:
        return self._names.setdefault(declarations, f"x{len(self._names)}")

    def __str__(self) -> str:
        return "".join(f"#timetable .{name}{{{each}}}" for each, name in self._names.items())
