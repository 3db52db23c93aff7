"""The results of work on games, as typed objects."""
