"""The exceptions of the toolkit, with places and hints."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Flaw:
    """One error of a text, such as a game or an experiment.

    Attributes:
        message: The error.
        code: The stable name of the kind of error, such as ``wrong-row-length``.
        line: The line, from 1, or ``None`` where the error has no place.
        column: The column in characters, from 1, or ``None``.
        hint: What to do about it, or ``None``.
    """

    message: str
    code: str
    line: int | None
    column: int | None
    hint: str | None


class PsvnError(Exception):
    """An error of the toolkit.

    Attributes:
        message: The error.
        hint: What to do about it, or ``None``.
        line: The line of the first error of a text, from 1, or ``None``.
        column: Its column in characters, from 1, or ``None``.
        file: The name of the text, or ``None``.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        line: int | None = None,
        column: int | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column
        self.file = file

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class UsageError(PsvnError, ValueError):
    """The request is invalid: options contradict each other, or a name is unknown."""


class InputError(PsvnError, ValueError):
    """An input is rejected, or a file can't be read or written."""


class LimitError(PsvnError):
    """A limit is exceeded, and there is no partial result."""


class CancelledError(PsvnError):
    """The work was cancelled, and there is no partial result."""


class WrongResultError(PsvnError):
    """A result turned out to be wrong."""


class TextError(InputError):
    """A text has errors, each with its place.

    Attributes:
        flaws: All errors, in the order of the text.
        text: The text.
    """

    def __init__(self, message: str, *, flaws: str = "[]", text: str = "", **details) -> None:
        super().__init__(message, **details)
        self.flaws = tuple(Flaw(**flaw) for flaw in json.loads(flaws))
        self.text = text

    def __str__(self) -> str:
        """The first error with its line and a caret below its column."""
        shown = [self.message]
        lines = self.text.splitlines()
        if self.line is not None and self.line <= len(lines):
            number = str(self.line)
            line = lines[self.line - 1].replace("\t", " ")
            shown.append(f"{number} | {line}")
            shown.append(" " * (len(number) + 3 + (self.column or 1) - 1) + "^")
        if self.hint is not None:
            shown.append(f"hint: {self.hint}")
        return "\n".join(shown)


class PsvnWarning(UserWarning):
    """A warning that something may be wrong."""
