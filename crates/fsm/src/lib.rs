//! Machines that forbid words: table, Aho-Corasick, minimized.
