"""The basis of all parts: the environment, errors, options, and data."""
