"""Machines, tables and heuristics."""
