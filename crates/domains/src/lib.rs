//! Generators that write well-known games as PSVN text.
