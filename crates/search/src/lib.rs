//! Depth-first searches over compiled games.
