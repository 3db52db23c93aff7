//! Games as canonical rules: domains, variables, rules, states, goals, lints.
