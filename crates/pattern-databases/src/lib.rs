//! Pattern databases.
