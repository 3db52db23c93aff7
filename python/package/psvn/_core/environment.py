"""The environment of work: threads, seed, cache, progress."""

from __future__ import annotations

import os
import sys
import time
import warnings
from typing import Any, Callable, Union

from .. import _psvn
from .errors import PsvnWarning
from .options import natural

#: Takes progress: the work in words, and the number of finished parts and of all parts, where they
#: are known. At the end of a piece of work, all three are ``None``.
OnProgress = Callable[[Union[str, None], Union[int, None], Union[int, None]], None]

#: The seconds of work after which a bar is shown.
_PATIENCE = 0.5


class _Bar:
    """Shows progress with tqdm, once work takes a while."""

    def __init__(self, tqdm) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._began: float | None = None

    def __call__(self, message: str | None, done: int | None, total: int | None) -> None:
        if message is None:
            if self._bar is not None:
                self._bar.close()
            self._bar = self._began = None
            return
        now = time.monotonic()
        self._began = self._began if self._began is not None else now
        if self._bar is None:
            if now - self._began < _PATIENCE:
                return
            self._bar = self._tqdm(leave=False, bar_format="{desc} {elapsed}")
        if total:
            self._bar.bar_format = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
            self._bar.total, self._bar.n = total, done
        self._bar.set_description_str(message)


def _in_a_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _listener(progress: bool | str | OnProgress) -> OnProgress | None:
    if callable(progress):
        return progress
    if progress == "auto":
        progress = _in_a_notebook() or sys.stderr.isatty()
    if not progress:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


def _warn(message: str) -> None:
    warnings.warn(message, PsvnWarning, stacklevel=4)


class Environment:
    """Threads, seed, cache and progress of the work on games that are opened with it.

    Args:
        threads: The threads of a search, at least 1. Analyses and tables use all processors.
        seed: The seed of random choices.
        cache: A folder that keeps results of analyses; none if ``None``.
        progress: ``"auto"`` for a bar in terminals and notebooks where tqdm is installed, ``True``
            or ``False``, or a function ``(message, done, total)``.
    """

    def __init__(
        self,
        threads: int = 1,
        seed: int = 1,
        cache: str | os.PathLike[str] | None = None,
        progress: bool | str | OnProgress = "auto",
    ) -> None:
        folder = None if cache is None else os.fspath(cache)
        threads, seed = natural("threads", threads), natural("seed", seed)
        self._env = _psvn.Environment(threads, seed, folder, _listener(progress), _warn)

    @property
    def threads(self) -> int:
        """The threads of a search."""
        return self._env.threads

    @property
    def seed(self) -> int:
        """The seed of random choices."""
        return self._env.seed

    def __repr__(self) -> str:
        return f"Environment(threads={self.threads}, seed={self.seed})"


_default: Environment | None = None


def default() -> Environment:
    """The environment of games that are opened without one."""
    global _default
    if _default is None:
        _default = Environment()
    return _default
