"""Heuristics written in Python: functions of one state, or of a NumPy array of states."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .. import _psvn
from .._psvn import State

F = TypeVar("F", bound=Callable[..., Any])

#: A function that estimates one state: a number, or ``None`` or infinity for a dead end.
OfState = Callable[[State], "float | int | None"]

_MARK = "__psvn_batched__"

#: The greatest estimate that is accepted.
_MOST = 2**62


def batched(function: F) -> F:
    """Mark a heuristic that estimates many states at once.

    It is called with an array of shape ``(states, variables)`` of unsigned integers: the numbers
    of the values in their variables' domains, from 0. The array is read-only, since the search
    owns it. It returns an array of shape ``(states,)``: integers, or floats with infinity for dead
    ends. Fractions are rounded up, which keeps an estimate admissible, as costs are whole numbers.

    Example:
        >>> @psvn.batched
        ... def misplaced(states):
        ...     return ((states != home) & (states != 0)).sum(axis=1)
    """
    setattr(function, _MARK, True)
    return function


def is_batched(function: Any) -> bool:
    """Whether a heuristic estimates many states at once."""
    return getattr(function, _MARK, False)


def name_of(function: Any) -> str:
    """The name of a heuristic in results."""
    return getattr(function, "__name__", type(function).__name__)


def _number(estimate: Any) -> int:
    """An estimate as a whole number; -1 for a dead end."""
    if estimate is None or estimate == math.inf:
        return -1
    number = math.ceil(estimate)
    if not 0 <= number <= _MOST:
        raise ValueError(f"an estimate is a number from 0 on, and this is {estimate!r}")
    return number


def _of_numbers(estimates: Iterable[Any]) -> bytes:
    return array("q", map(_number, estimates)).tobytes()


def _of_array(found: Any, n_states: int) -> bytes:
    import numpy

    found = numpy.asarray(found)
    if found.shape != (n_states,):
        raise ValueError(
            f"the heuristic returned an array of shape {found.shape} for {n_states} states; "
            f"it takes one of shape ({n_states},)"
        )
    if found.dtype.kind == "f":
        if numpy.isnan(found).any():
            raise ValueError("an estimate is a number from 0 on, and this is nan")
        dead = numpy.isposinf(found)
        if dead.any():
            found = numpy.where(dead, 0, found)
            numbers = numpy.ceil(found)
        else:
            dead, numbers = None, numpy.ceil(found)
    elif found.dtype.kind in "iub":
        dead, numbers = None, found
    else:
        raise TypeError(f"estimates are numbers, and these are {found.dtype}")
    if numbers.dtype.kind != "b" and n_states:
        # Unsigned numbers are never below 0, and narrow integers are never too large.
        is_narrow = numbers.dtype.kind in "iu" and numbers.dtype.itemsize < 8
        least = 0 if numbers.dtype.kind == "u" else numbers.min()
        most = 0 if is_narrow else numbers.max()
        if least < 0 or most > _MOST:
            wrong = least if least < 0 else most
            raise ValueError(f"an estimate is a number from 0 on, and this is {wrong!r}")
    numbers = numbers.astype(numpy.int64, copy=dead is not None)
    if dead is not None:
        numbers[dead] = -1
    return numbers.tobytes()


def for_blocks(function: Any, game: _psvn.Game) -> Callable[[_psvn.StateBlock], bytes]:
    """A heuristic as the library calls it: a block of states in, bytes of numbers out."""
    if is_batched(function):
        import numpy

        def of_block(block: _psvn.StateBlock) -> bytes:
            return _of_array(function(numpy.asarray(block)), len(block))

    else:

        def of_block(block: _psvn.StateBlock) -> bytes:
            return _of_numbers(map(function, block.states(game)))

    return of_block
