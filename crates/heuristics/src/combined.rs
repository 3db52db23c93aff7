//! Named heuristics and pattern databases together.

use std::fmt;

use invariants::Violation;
use pattern_databases::{BuildError, Options, Patterns};
use psvn_ir::{Game, State};
use search::{DEAD_END, Estimated, Heuristic, Memo, PathNode, Properties, Sibling, in_wide_cells};

use crate::cells::cells;
use crate::name::Named;

/// The maximum of named heuristics and of sums of pattern databases. Admissible and consistent if
/// the named ones are.
#[derive(Debug)]
pub struct Combined {
    form: Form,
}

/// The parts of the combination. The form stays the same for a whole search, so the processor
/// predicts the branch.
#[derive(Debug)]
enum Form {
    Named(Named),
    Tables(Tables),
    Both(Named, Tables),
}

#[derive(Debug)]
struct Tables {
    patterns: Patterns,
    words: String,
}

impl Combined {
    /// Take the maximum of both; `words` describes the tables.
    pub fn new(named: Option<Named>, patterns: Patterns, words: impl Into<String>) -> Self {
        let tables = Tables {
            patterns,
            words: words.into(),
        };
        Self {
            form: match named {
                None => Form::Tables(tables),
                Some(named) => Form::Both(named, tables),
            },
        }
    }

    /// Take the maximum of the tables and these heuristics.
    #[must_use]
    pub fn with_named(self, named: Named) -> Self {
        Self {
            form: match self.form {
                Form::Named(_) => Form::Named(named),
                Form::Tables(tables) | Form::Both(_, tables) => Form::Both(named, tables),
            },
        }
    }

    /// Use the tables alone; unchanged if there are none.
    #[must_use]
    pub fn without_named(self) -> Self {
        Self {
            form: match self.form {
                Form::Both(_, tables) => Form::Tables(tables),
                other => other,
            },
        }
    }

    /// Return the named heuristics, if there are any.
    pub fn named(&self) -> Option<&Named> {
        match &self.form {
            Form::Named(named) | Form::Both(named, _) => Some(named),
            Form::Tables(_) => None,
        }
    }

    /// Return the tables, if there are any.
    pub fn patterns(&self) -> Option<&Patterns> {
        match &self.form {
            Form::Tables(tables) | Form::Both(_, tables) => Some(&tables.patterns),
            Form::Named(_) => None,
        }
    }

    /// Look up duals of states in a table of coordinates, too, and describe it by `words` then.
    /// Return whether this can be done quickly.
    ///
    /// # Errors
    /// If a limit is reached: then nothing changes.
    pub fn add_duals_of_coordinates(
        &mut self,
        game: &Game,
        options: &Options<'_>,
        words: &str,
    ) -> Result<bool, BuildError> {
        let (Form::Tables(tables) | Form::Both(_, tables)) = &mut self.form else {
            return Ok(false);
        };
        let are_added = tables.patterns.add_duals_of_coordinates(game, options)?;
        if are_added {
            words.clone_into(&mut tables.words);
        }
        Ok(are_added)
    }

    /// Return whether no estimate is too high.
    pub fn is_admissible(&self) -> bool {
        self.named().is_none_or(Named::is_admissible)
    }

    /// Return the bytes of all tables.
    pub fn n_bytes(&self) -> u64 {
        self.patterns().map_or(0, Patterns::n_bytes)
    }

    /// Check that a state satisfies the tables' assumptions.
    ///
    /// # Errors
    /// The first invariant that it breaks.
    pub fn check_start(&self, game: &Game, state: &State) -> Result<(), Violation> {
        self.patterns()
            .map_or(Ok(()), |patterns| patterns.check_start(game, state))
    }

    /// Return the estimate of a state; [`search::DEAD_END`] if no goal is reachable.
    pub fn of_state(&self, state: &State) -> u64 {
        self.estimate(&cells(state.values()))
    }

    /// Return the mean estimate of the states that aren't dead ends; `None` if there are none.
    pub fn mean_of(&self, states: &[State]) -> Option<f64> {
        let estimates = states.iter().map(|state| self.of_state(state));
        let finite: Vec<u64> = estimates.filter(|estimate| *estimate != DEAD_END).collect();
        let sum: f64 = finite.iter().map(|estimate| *estimate as f64).sum();
        (!finite.is_empty()).then(|| sum / finite.len() as f64)
    }
}

impl From<Named> for Combined {
    fn from(named: Named) -> Self {
        Self {
            form: Form::Named(named),
        }
    }
}

impl fmt::Display for Combined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Form::Named(named) => named.fmt(f),
            Form::Tables(tables) => f.write_str(&tables.words),
            Form::Both(named, tables) => {
                let names: Vec<&str> = named.names().iter().map(|name| name.as_str()).collect();
                write!(f, "max({}, {})", names.join(", "), tables.words)
            }
        }
    }
}

/// A node's memo is that of the tables if they use their parent's look-ups, or else that of the
/// named heuristics. There is no room for both: together with such tables, named heuristics are
/// computed from the state.
impl Heuristic for Combined {
    fn estimate(&self, state: &[u32]) -> u64 {
        match &self.form {
            Form::Named(named) => named.estimate(state),
            Form::Tables(tables) => tables.patterns.estimate(state),
            Form::Both(named, tables) => {
                let by_tables = tables.patterns.estimate(state);
                by_tables.max(named.estimate(state))
            }
        }
    }

    fn start(&self, state: &[u8], memo: &mut Memo) -> u64 {
        match &self.form {
            Form::Named(named) => named.start(state, memo),
            Form::Tables(tables) => tables.patterns.start(state, memo),
            Form::Both(named, tables) if tables.patterns.is_incremental() => {
                let by_tables = tables.patterns.start(state, memo);
                by_tables.max(in_wide_cells(state, |state| named.estimate(state)))
            }
            Form::Both(named, tables) => {
                let by_name = named.start(state, memo);
                by_name.max(in_wide_cells(state, |state| {
                    tables.patterns.estimate(state)
                }))
            }
        }
    }

    fn children(
        &self,
        node: PathNode<'_>,
        siblings: &[Sibling],
        states: &[u8],
        estimated: &mut [Estimated],
    ) {
        let (named, tables) = match &self.form {
            Form::Named(named) => return named.children(node, siblings, states, estimated),
            Form::Tables(tables) => {
                return tables.patterns.children(node, siblings, states, estimated);
            }
            Form::Both(named, tables) => (named, tables),
        };
        let is_by_tables = tables.patterns.is_incremental();
        if is_by_tables {
            tables.patterns.children(node, siblings, states, estimated);
        } else {
            named.children(node, siblings, states, estimated);
        }
        let children = states.chunks_exact(node.state.len()).zip(siblings);
        for ((child, Sibling { cutoff, .. }), estimated) in children.zip(estimated) {
            if estimated.estimate <= *cutoff {
                let other = in_wide_cells(child, |child| {
                    if is_by_tables {
                        named.estimate_within(child, *cutoff)
                    } else {
                        tables.patterns.estimate(child)
                    }
                });
                estimated.estimate = estimated.estimate.max(other);
            }
        }
    }

    fn reject(&self, memo: &Memo, siblings: &[Sibling], rejected: &mut [Option<u64>]) {
        if let Some(patterns) = self.patterns() {
            patterns.reject(memo, siblings, rejected);
        }
    }

    fn properties(&self) -> Properties<'_> {
        match &self.form {
            Form::Named(named) => named.properties(),
            Form::Tables(tables) => tables.patterns.properties(),
            Form::Both(_, tables) => Properties {
                ranked_tables: None,
                ..tables.patterns.properties()
            },
        }
    }
}
