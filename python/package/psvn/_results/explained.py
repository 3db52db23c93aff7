"""Why a sequence is redundant, in words."""

from __future__ import annotations

from typing import Any

#: What is known of a sequence, by the verdict on it.
_VERDICTS = {
    "redundant": "redundant",
    "contains-redundant": "contains a redundant part",
    "impossible": "impossible",
    "not-redundant": "not redundant, and no part of it is, by the length-lexicographic order",
}

#: The most values that are listed.
_MOST_IMPLIED = 8


class Explained:
    """An explanation, which `print` shows as the command `psvn explain` does."""

    word: list[str]
    verdict: str
    reason: str | None
    cost: int | None
    rule: str | None
    certificate: dict[str, Any] | None
    nearest: dict[str, Any] | None
    impossible_within: bool
    analyzed_length: int

    def __str__(self) -> str:
        """The verdict, and its reasons line by line."""
        unknown = (
            f"nothing redundant up to length {self.analyzed_length}; the analysis stopped there"
        )
        lines = [f"{' '.join(self.word)}: {_VERDICTS.get(self.verdict, unknown)}"]
        if self.reason is not None:
            lines.append(f"  {self.reason}")
        if self.impossible_within:
            lines.append("  no state with the invariants of the goal allows it")
        if self.certificate is not None:
            lines += _proved(self.certificate, self.verdict == "contains-redundant")
        elif self.rule is not None:
            lines.append(f"  {self.rule}  cost {self.cost}")
        if self.nearest is not None:
            lines += _nearest(self.nearest)
        return "\n".join(lines)


def _sequence(word: list[str]) -> str:
    return " ".join(word) or "doing nothing"


def _proved(certificate: dict[str, Any], is_part: bool) -> list[str]:
    """What replaces a sequence, and why that is safe."""
    redundant, replacement = certificate["redundant"], certificate["replacement"]
    word, start = redundant["word"], certificate["start"]
    implied = certificate.get("implied") or []
    end = start + len(word) - 1
    place = f"rule {start}" if start == end else f"rules {start} to {end}"
    can = (
        "can be replaced, in states with the invariants of the goal, by"
        if implied
        else "can always be replaced by"
    )
    pairs = [f"{unknown} = {value}" for unknown, value in certificate["substitution"]]
    under = f", with {', '.join(pairs)}" if pairs else ""
    n_more = len(implied) - _MOST_IMPLIED
    more = f" and {n_more} more value{'s' if n_more > 1 else ''}" if n_more > 0 else ""
    values = ", ".join(implied[:_MOST_IMPLIED])
    return [
        *([f"  {' '.join(word)} ({place} of the sequence) is redundant"] if is_part else []),
        "",
        f"  {' '.join(word)}",
        f"    {redundant['rule']}  cost {redundant['cost']}",
        f"  {can} {_sequence(replacement['word'])}",
        f"    {replacement['rule']}  cost {replacement['cost']}",
        "",
        *([f"  - the invariants imply {values}{more} before it"] if implied else []),
        f"  - it can be used wherever the other can, and leads to the same state{under}",
        f"  - it costs no more: {replacement['cost']} <= {redundant['cost']}",
        f"  - it comes first: {certificate['order']}",
    ]


def _nearest(nearest: dict[str, Any]) -> list[str]:
    """What comes nearest to replacing a sequence, and what it lacks."""
    n_compared = nearest["compared"]
    among = (
        ""
        if nearest["complete"]
        else f" of the first {n_compared:,} sequence{'' if n_compared == 1 else 's'}"
    )
    return [
        "",
        f"  nearest sequence{among}: {_sequence(nearest['word'])}",
        f"    {nearest['rule']}  cost {nearest['cost']}",
        *(f"  - {failed}" for failed in nearest["failed"]),
    ]
