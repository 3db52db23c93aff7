//! Why move pruning is refused in game trees.
