//! What a search left out, as data and in words.

use std::fmt::{self, Display, Formatter};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a search, or the count of a tree, left out. Node counts can only be compared by those who
/// know it.
///
/// ```
/// use length_choice::{Pruned, PrunedSequences};
///
/// let pruned = Pruned {
///     sequences: vec![
///         PrunedSequences::up_to(2),
///         PrunedSequences { from_bound: Some(28), ..PrunedSequences::up_to(10) },
///     ],
///     ..Pruned::default()
/// };
/// assert_eq!(pruned.to_string(), "redundant sequences up to length 2, 10 from bound 28 on");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Pruned {
    /// The sequences of rules that were left out, in the order of the bounds; empty if none were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<PrunedSequences>,
    /// The nodes that were left out because their state is on the path to them already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<PrunedCycles>,
    /// Whether bounds stored in a transposition table cut off nodes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub table: bool,
}

/// Sequences that were left out from some bound on, up to the next bound that has others.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PrunedSequences {
    /// The first bound that was searched without them; `None` if all of the search was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_bound: Option<u64>,
    /// The greatest length of the sequences that were compared; `None` for a machine from a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<usize>,
    /// The file of the machine that forbids them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether rules were split by values of variables, so that more sequences are redundant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub split: bool,
    /// Whether an earlier run had found them, and chosen this length by its own searches.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_earlier_run: bool,
}

/// Which states on the path are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrunedCycles {
    /// The state before the last move.
    Parent,
    /// All states on the path.
    Path,
}

impl PrunedSequences {
    /// Redundant sequences of at most this length, in all of a search.
    pub fn up_to(length: usize) -> Self {
        Self {
            max_length: Some(length),
            ..Self::default()
        }
    }
}

impl Pruned {
    /// Return whether nothing was left out.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Write the sequences: `redundant sequences up to length 2, 10 from bound 28 on`.
    fn write_sequences(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (place, part) in self.sequences.iter().enumerate() {
            match (place, &part.file) {
                (0, Some(file)) => write!(f, "sequences that `{file}` forbids")?,
                (0, None) => f.write_str("redundant sequences up to length ")?,
                _ => f.write_str(", ")?,
            }
            if let Some(length) = part.max_length {
                write!(f, "{length}")?;
            }
            if part.split {
                f.write_str(" of split rules")?;
            }
            if let Some(bound) = part.from_bound {
                write!(f, " from bound {bound} on")?;
            }
            if part.from_earlier_run {
                f.write_str(" (as an earlier run found them)")?;
            }
        }
        Ok(())
    }
}

impl Display for Pruned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_nothing() {
            return f.write_str("nothing");
        }
        self.write_sequences(f)?;
        let cycles = self.cycles.map(|cycles| match cycles {
            PrunedCycles::Parent => "moves back to the state before",
            PrunedCycles::Path => "states that are on the path already",
        });
        let table = self.table.then_some("by a transposition table");
        for (place, part) in cycles.into_iter().chain(table).enumerate() {
            if place > 0 || !self.sequences.is_empty() {
                f.write_str("; ")?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pruned_is_said_in_words_and_survives_json() {
        let said = |pruning: &Pruned| {
            let json = serde_json::to_string(pruning).unwrap();
            assert_eq!(&serde_json::from_str::<Pruned>(&json).unwrap(), pruning);
            pruning.to_string()
        };
        assert_eq!(said(&Pruned::default()), "nothing");
        let of = |sequences: Vec<PrunedSequences>| Pruned {
            sequences,
            ..Pruned::default()
        };
        let later = PrunedSequences {
            from_bound: Some(21),
            split: true,
            ..PrunedSequences::up_to(6)
        };
        let pruning = of(vec![PrunedSequences::up_to(2), later]);
        assert_eq!(
            said(&pruning),
            "redundant sequences up to length 2, 6 of split rules from bound 21 on"
        );
        let kept = PrunedSequences {
            from_earlier_run: true,
            ..PrunedSequences::up_to(10)
        };
        let pruned = Pruned {
            cycles: Some(PrunedCycles::Parent),
            table: true,
            ..of(vec![kept])
        };
        assert_eq!(
            said(&pruned),
            "redundant sequences up to length 10 (as an earlier run found them); moves back to \
             the state before; by a transposition table"
        );
        let file = PrunedSequences {
            file: Some("deep.fsm".to_owned()),
            ..PrunedSequences::default()
        };
        assert_eq!(said(&of(vec![file])), "sequences that `deep.fsm` forbids");
        let cycles = Pruned {
            cycles: Some(PrunedCycles::Path),
            ..Pruned::default()
        };
        assert_eq!(said(&cycles), "states that are on the path already");
    }
}
