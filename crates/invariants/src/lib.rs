//! What no rule of a game changes, and what therefore never happens.
