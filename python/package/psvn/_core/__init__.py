"""What all parts stand on: the surroundings, errors, options, and data."""
