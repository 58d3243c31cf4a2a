"""Questions that a file raises and only the person who imports it can answer, with their answers."""

from collections.abc import Iterable, Mapping

import msgspec

# The values of choices, by the keys of questions.
Answers = Mapping[str, str]


class Choice(msgspec.Struct, frozen=True):
    value: str
    label: str


class Question(msgspec.Struct, frozen=True):
    """A question as a file raises it: `key` is the same each time that the file is read, and has no `=`.

    `answer` is the value of the choice that holds. It is '' while nobody has answered and nothing can be
    assumed: then the import can be previewed and not applied. One that is asked `each_time` is answered for
    one import alone, and one without choices is only remembered.
    """

    key: str
    text: str
    choices: tuple[Choice, ...]
    answer: str = ""
    each_time: bool = False

    @classmethod
    def ask(
        cls, answers: Answers, key: str, text: str, choices: Mapping[str, str], default: str = ""
    ) -> "Question":
        """Return a question with the answer that was given, else its default."""
        given = answers.get(key, "")
        answer = given if given in choices else default
        return cls(key, text, tuple(Choice(*each) for each in choices.items()), answer)

    def allows(self, answer: str) -> bool:
        return not self.choices or any(each.value == answer for each in self.choices)


class NameQuestion(Question, frozen=True, kw_only=True):
    """What a name of a file is that nothing has yet: one that is `known`, a `new` one, or left out.

    `kind` says what it names, and `rows` how many rows of the file do. `refused` is an answer that is none of
    these. `among` is the same for all questions with the same `known` names.
    """

    kind: str
    name: str
    rows: int
    among: str
    known: tuple[str, ...]
    new: str
    refused: str = ""

    @property
    def is_new(self) -> bool:
        return self.answer == self.new


def build_key(kind: str, name: str) -> str:
    """Return the key of a question about a name of a file."""
    return f"{kind}:{name}".replace("=", "-")


def find_unanswered(questions: Iterable[Question]) -> list[Question]:
    return [each for each in questions if not each.answer]
