"""Certificates of least costs."""

from __future__ import annotations

import json
import os

from . import _psvn
from ._core.data import of_data
from ._core.environment import Environment, default
from ._games.game import Game
from ._results.searches import Certified


def certify(
    path: str | os.PathLike[str], game: Game | None = None, env: Environment | None = None
) -> Certified:
    """Check a certificate that `Game.solve` wrote, by code that shares nothing with searches.

    Args:
        path: The file. It holds its game and its start.
        game: The game that it must be about.
        env: The environment.

    Raises:
        InputError: If the file isn't a certificate, or is one of another game.
    """
    env = env or default()
    found = _psvn.certify(env._env, os.fspath(path), None if game is None else game._game)
    return of_data(Certified, json.loads(found))
