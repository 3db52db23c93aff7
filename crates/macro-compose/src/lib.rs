//! Composition of rule sequences into macro-rules.
