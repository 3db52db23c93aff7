//! From words to machines, within a memory budget.

use std::time::{Duration, Instant};

use fsm::{
    BuildError, Dense, Stopped, WordAutomaton, minimize_unless, minimize_with_dont_cares_unless,
    product_within,
};
use host::Host;
use move_prune::{Analysis, CompatiblePairs, Limits};
use psvn_ir::RuleId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::choices;
use crate::error::AnalyzeError as Error;

/// A machine that would take more bytes than this is described and not built, unless the user
/// allows more.
pub(crate) const DEFAULT_BUDGET: usize = 2 << 30;

/// Return the most bytes that a machine may take: two must fit into the memory, since one is made
/// from the other. Small machines are always built.
pub fn budget(memory: Option<usize>) -> usize {
    memory.map_or(DEFAULT_BUDGET, |memory| (memory / 2).max(SMALL))
}

/// A machine that takes no more than this is small beside the program.
const SMALL: usize = 1 << 20;

/// Return the share of a time limit for the analysis itself: building its machines takes about a
/// tenth as long.
pub fn time_before(time: Duration) -> Duration {
    time / 8 * 7
}

/// The time that building machines may take beyond a limit, so that what an analysis found in its
/// time isn't lost.
const MORE_TIME: Duration = Duration::from_millis(500);

/// Return what says whether building the machines of an analysis, which begins now, takes too long:
/// longer than what [`time_before`] leaves of the time, and [`MORE_TIME`].
pub(crate) fn out_of_time(limits: &Limits) -> impl Fn() -> bool + use<> {
    let all = |time: Duration| time + time / 7 + MORE_TIME;
    let end = limits
        .time
        .map(all)
        .and_then(|time| Instant::now().checked_add(time));
    move || end.is_some_and(|end| Instant::now() >= end)
}

/// Tables larger than this are compressed, if that at least halves them: they don't fit in caches
/// anyway.
pub(crate) const COMPRESS_ABOVE: usize = 4 << 20;

/// A machine of sleep sets with more states is too large for a product.
const MOST_SLEEP_STATES: usize = 1 << 20;

/// The size of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Size {
    /// Its states.
    pub states: usize,
    /// The bytes of its table.
    #[serde(with = "budget::exact_number")]
    #[schemars(with = "budget::Exact")]
    pub bytes: u128,
}

impl Size {
    /// The size of a machine.
    pub fn of(machine: &Dense) -> Self {
        Self {
            states: machine.n_states(),
            bytes: machine.bytes() as u128,
        }
    }
}

/// The sizes of the machines.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize, Deserialize)]
pub struct MachineSizes {
    /// The interior nodes of the trie of redundant words.
    pub trie_states: usize,
    /// The table machine, which has a state for each word that is remembered.
    pub table: Size,
    /// The Aho-Corasick machine.
    pub aho_corasick: Size,
    /// The minimal machine; `None` where it is too large to be built, or the time ran out.
    pub minimized: Option<Size>,
    /// The machine of sleep sets, where it is used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sleep_sets: Option<Size>,
    /// Its product with the machine for the words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub product: Option<Size>,
    /// The machine that treats impossible successions as don't-cares, where it is used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dont_cares: Option<Size>,
}

/// The machines of some words.
pub(crate) struct Machines {
    /// A machine that would take more bytes is not built.
    budget: usize,
    /// Their sizes.
    pub sizes: MachineSizes,
    /// The Aho-Corasick machine and the minimal one, unless they would be too large.
    pub built: Option<Built>,
    /// Whether there was no time to make a machine as small as was wanted.
    pub is_cut_short: bool,
}

/// Machines that were built.
pub(crate) struct Built {
    pub aho_corasick: Dense,
    /// `None` if there was no time for it.
    pub minimized: Option<Dense>,
}

impl Built {
    /// Return the smaller machine.
    pub(crate) fn smallest(&self) -> &Dense {
        self.minimized.as_ref().unwrap_or(&self.aho_corasick)
    }

    /// Return the machine of a kind, or the one that stands in for it if there was no time. The
    /// table machine isn't among them.
    pub(crate) fn into_machine(self, kind: choices::MachineKind) -> (Dense, fsm::MachineKind) {
        match self.minimized {
            Some(minimized) if kind != choices::MachineKind::AhoCorasick => {
                (minimized, fsm::MachineKind::Minimized)
            }
            _ => (self.aho_corasick, fsm::MachineKind::AhoCorasick),
        }
    }
}

impl Machines {
    /// Build the machines that forbid some words, if each takes no more than `budget` bytes. The
    /// table machine, which has as many states as there are words to remember, is not built. What
    /// `stop` says to have no time for isn't built either.
    pub(crate) fn of(
        n_letters: u32,
        words: impl IntoIterator<Item = impl AsRef<[u32]>>,
        n_remembered: usize,
        budget: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, Error> {
        let _span = tracing::info_span!("build machines", n_letters).entered();
        let automaton = WordAutomaton::forbidding(n_letters, words).map_err(Error::Machine)?;
        let trie_states = automaton.n_interior_nodes();
        let size = |states| Size {
            states,
            bytes: Dense::bytes_for(states, n_letters),
        };
        let mut machines = Self {
            budget,
            sizes: MachineSizes {
                trie_states,
                table: size(n_remembered.max(1)),
                aho_corasick: size(trie_states),
                minimized: None,
                sleep_sets: None,
                product: None,
                dont_cares: None,
            },
            built: None,
            is_cut_short: false,
        };
        if machines.sizes.aho_corasick.bytes <= budget as u128 {
            let aho_corasick = automaton.build().map_err(Error::Machine)?;
            let minimized = in_time(minimize_unless(&aho_corasick, stop))?;
            machines.sizes.aho_corasick = Size::of(&aho_corasick);
            machines.sizes.minimized = minimized.as_ref().map(Size::of);
            machines.is_cut_short = minimized.is_none();
            machines.built = Some(Built {
                aho_corasick,
                minimized,
            });
        }
        Ok(machines)
    }

    /// Warn if there was no time to make a machine as small as was wanted.
    pub(crate) fn warn(&self, host: &dyn Host) {
        if self.is_cut_short {
            host.warn(
                "the time ran out before the machine was minimized: it is larger than need be"
                    .to_owned(),
            );
        }
    }

    /// The product of a machine with that of sleep sets, minimized if the machine is and `stop`
    /// doesn't say that there is no time.
    pub(crate) fn with_sleep_sets(
        &mut self,
        (machine, kind): (Dense, fsm::MachineKind),
        sleep: &Dense,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Dense, fsm::MachineKind), Error> {
        let product = product_within(&machine, sleep, self.budget).map_err(Error::Machine)?;
        let minimized = match kind {
            fsm::MachineKind::Minimized => in_time(minimize_unless(&product, stop))?,
            _ => None,
        };
        let (product, kind) = match (minimized, kind) {
            (Some(minimized), kind) => (minimized, kind),
            (None, fsm::MachineKind::Minimized) => {
                self.is_cut_short = true;
                (product, fsm::MachineKind::AhoCorasick)
            }
            (None, kind) => (product, kind),
        };
        self.sizes.sleep_sets = Some(Size::of(sleep));
        self.sizes.product = Some(Size::of(&product));
        Ok((product, kind))
    }

    /// A machine that treats impossible successions as don't-cares, unless `stop` says that there
    /// is no time.
    pub(crate) fn with_dont_cares(
        &mut self,
        (machine, kind): (Dense, fsm::MachineKind),
        followers: &CompatiblePairs,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Dense, fsm::MachineKind), Error> {
        let impossible = |first, second| followers.is_impossible(RuleId(first), RuleId(second));
        let smaller = minimize_with_dont_cares_unless(&machine, impossible, stop);
        let Some(smaller) = in_time(smaller)? else {
            self.is_cut_short = true;
            return Ok((machine, kind));
        };
        self.sizes.dont_cares = Some(Size::of(&smaller));
        Ok((smaller, fsm::MachineKind::MinimizedWithDontCares))
    }
}

/// Return a machine, or `None` if there was no time for it.
fn in_time(machine: Result<Dense, BuildError>) -> Result<Option<Dense>, Error> {
    match machine {
        Ok(machine) => Ok(Some(machine)),
        Err(BuildError::Stopped(Stopped)) => Ok(None),
        Err(error) => Err(Error::Machine(error)),
    }
}

/// The machine of sleep sets for rules that may change places, under an order of rules (their own
/// unless given).
pub(crate) fn sleep_machine(
    n_letters: u32,
    swaps: &[(u32, u32)],
    order: Option<&[u32]>,
) -> Result<Dense, Error> {
    let mut rank: Vec<u32> = (0..n_letters).collect();
    for (place, letter) in (0..).zip(order.unwrap_or_default()) {
        rank[*letter as usize] = place;
    }
    let before = |a: u32, b: u32| rank[a as usize] < rank[b as usize];
    fsm::sleep_machine(n_letters, before, swaps, MOST_SLEEP_STATES).map_err(Error::Machine)
}

/// The table machine: one state for each kept word that is shorter than the length of the analysis.
///
/// It is not built where its `size` is more than `budget` bytes.
pub(crate) fn table(analysis: &Analysis, size: Size, budget: usize) -> Result<Dense, Error> {
    if size.bytes > budget as u128 {
        return Err(Error::Table(size));
    }
    let mut automaton =
        WordAutomaton::forbidding(n_letters(analysis), analysis.redundant_letters())
            .map_err(Error::Machine)?;
    for length in 0..analysis.max_length.min(analysis.kept.depth() + 1) {
        for word in analysis.kept_letters(length) {
            automaton.remember(&word).map_err(Error::Machine)?;
        }
    }
    automaton.build().map_err(Error::Machine)
}

/// A machine that forbids some words.
pub(crate) fn forbidding(
    n_letters: u32,
    words: impl IntoIterator<Item = impl AsRef<[u32]>>,
) -> Result<Dense, Error> {
    let automaton = WordAutomaton::forbidding(n_letters, words).map_err(Error::Machine)?;
    automaton.build().map_err(Error::Machine)
}

/// The size of an analysis's alphabet.
pub(crate) fn n_letters(analysis: &Analysis) -> u32 {
    u32::try_from(analysis.n_rules).expect("rules have ids of 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_time_larger_machines_stand_in() {
        let words = [[0, 0, 0], [1, 0, 0]];
        let of = |stop: &dyn Fn() -> bool| Machines::of(2, words, 1, DEFAULT_BUDGET, stop).unwrap();
        let (mut machines, late) = (of(&|| false), of(&|| true));
        assert!(!machines.is_cut_short && late.is_cut_short);
        assert!(machines.sizes.minimized.is_some() && late.sizes.minimized.is_none());
        let minimized = choices::MachineKind::Minimized;
        let (machine, kind) = late.built.unwrap().into_machine(minimized);
        assert_eq!(kind, fsm::MachineKind::AhoCorasick);
        let (minimal, kind) = machines.built.take().unwrap().into_machine(minimized);
        assert_eq!(kind, fsm::MachineKind::Minimized);
        assert!(minimal.n_states() < machine.n_states());
        let sleep = sleep_machine(2, &[(1, 0)], None).unwrap();
        let product = |machines: &mut Machines, stop: &dyn Fn() -> bool| {
            let of = (minimal.clone(), fsm::MachineKind::Minimized);
            machines.with_sleep_sets(of, &sleep, stop).unwrap().1
        };
        assert_eq!(
            product(&mut machines, &|| false),
            fsm::MachineKind::Minimized
        );
        assert!(!machines.is_cut_short);
        assert_eq!(
            product(&mut machines, &|| true),
            fsm::MachineKind::AhoCorasick
        );
        assert!(machines.is_cut_short);
    }
}
