//! From an analysis to machines, within reason of memory.

use fsm::{Dense, Growth, WordAutomaton, growth, minimize};
use move_prune::Analysis;
use serde::Serialize;

use crate::failure::Failure;

/// A machine that would take more bytes than this is described and not built, unless the user allows
/// more.
pub(crate) const DEFAULT_BUDGET: usize = 2 << 30;

/// What a machine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Size {
    pub(crate) states: usize,
    pub(crate) bytes: u128,
}

impl Size {
    /// The size of a machine.
    pub(crate) fn of(machine: &Dense) -> Self {
        Self {
            states: machine.n_states(),
            bytes: machine.bytes() as u128,
        }
    }
}

/// The machines of an analysis.
pub(crate) struct Machines {
    /// The interior nodes of the trie of redundant words.
    pub(crate) trie_states: usize,
    /// The size of the table machine, which is not built.
    pub(crate) table: Size,
    /// The size of the Aho-Corasick machine.
    pub(crate) aho_corasick: Size,
    /// The Aho-Corasick machine and the minimal one, unless they would be too large.
    pub(crate) built: Option<Built>,
}

/// Machines that were built.
pub(crate) struct Built {
    pub(crate) aho_corasick: Dense,
    pub(crate) minimized: Dense,
}

impl Machines {
    /// Builds the machines, if each takes no more than `budget` bytes.
    pub(crate) fn of(analysis: &Analysis, budget: usize) -> Result<Self, Failure> {
        let n_letters = n_letters(analysis);
        let automaton = WordAutomaton::forbidding(n_letters, analysis.redundant_letters())
            .map_err(too_large)?;
        let trie_states = automaton.n_interior_nodes();
        let size = |states| Size {
            states,
            bytes: Dense::bytes_for(states, n_letters),
        };
        let n_shorter: usize = (0..analysis.max_length.min(analysis.kept.depth() + 1))
            .map(|length| analysis.kept.of_length(length).len())
            .sum();
        let table = size(n_shorter.max(1));
        let mut machines = Self {
            trie_states,
            table,
            aho_corasick: size(trie_states),
            built: None,
        };
        if machines.aho_corasick.bytes <= budget as u128 {
            let aho_corasick = automaton.build().map_err(too_large)?;
            let minimized = minimize(&aho_corasick).map_err(too_large)?;
            machines.aho_corasick = Size::of(&aho_corasick);
            machines.built = Some(Built {
                aho_corasick,
                minimized,
            });
        }
        Ok(machines)
    }
}

/// The table machine: one state for each kept word that is shorter than the length of the analysis.
pub(crate) fn table(analysis: &Analysis) -> Result<Dense, Failure> {
    let mut automaton =
        WordAutomaton::forbidding(n_letters(analysis), analysis.redundant_letters())
            .map_err(too_large)?;
    for length in 0..analysis.max_length.min(analysis.kept.depth() + 1) {
        for word in analysis.kept_letters(length) {
            automaton.remember(&word).map_err(too_large)?;
        }
    }
    automaton.build().map_err(too_large)
}

/// The minimal machine that forbids the redundant words up to a length.
pub(crate) fn machine_up_to(analysis: &Analysis, max_length: usize) -> Result<Dense, Failure> {
    let words = analysis
        .redundant_letters()
        .filter(|word| word.len() <= max_length);
    let automaton = WordAutomaton::forbidding(n_letters(analysis), words).map_err(too_large)?;
    minimize(&automaton.build().map_err(too_large)?).map_err(too_large)
}

/// So many impossible pairs are put into a machine.
const MAX_IMPOSSIBLE_PAIRS: u64 = 20_000_000;

/// The asymptotic branching factor of the words that avoid `redundant` and in which each rule can
/// follow the one before it, as far as the analysis `pairs` knows. `None` where such a machine would
/// be too large.
pub(crate) fn growth_of_possible(
    redundant: impl IntoIterator<Item = impl AsRef<[u32]>>,
    pairs: &Analysis,
) -> Result<Option<Growth>, Failure> {
    if let [singles, doubles, ..] = pairs.levels.as_slice() {
        let pairs = singles.kept.saturating_mul(singles.kept);
        let impossible = pairs.saturating_sub(doubles.kept + doubles.redundant);
        if impossible > MAX_IMPOSSIBLE_PAIRS {
            return Ok(None);
        }
    }
    let mut automaton =
        WordAutomaton::forbidding(n_letters(pairs), redundant).map_err(too_large)?;
    for [first, second] in pairs.impossible_pairs() {
        automaton.forbid(&[first.0, second.0]).map_err(too_large)?;
    }
    let machine = automaton.build().map_err(too_large)?;
    Ok(Some(growth(&minimize(&machine).map_err(too_large)?)))
}

/// The size of an analysis's alphabet.
fn n_letters(analysis: &Analysis) -> u32 {
    u32::try_from(analysis.n_rules).expect("rules have ids of 32 bits")
}

/// A machine can't be built, which is a matter of its size.
pub(crate) fn too_large(error: fsm::BuildError) -> Failure {
    Failure::limit(format!("the machine can't be built: {error}"))
}
