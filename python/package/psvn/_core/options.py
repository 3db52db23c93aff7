"""Options as the library takes them: names with values as text."""

from __future__ import annotations

import os
from typing import Any


def text(value: Any) -> str | None:
    """A value as text; ``None`` stays."""
    if value is None:
        return None
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)
    return str(value)


def pairs(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Options that are given, each with its value as text."""
    texts = ((name, text(value)) for name, value in options.items())
    return [(name, value) for name, value in texts if value is not None]
