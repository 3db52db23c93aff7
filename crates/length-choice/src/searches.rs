//! Searches with the machine that they begin with, and with those for longer sequences.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use fsm::RuleMachine;
use invariants::Invariants;
use psvn_ir::{Game, Value, VarId};
use redundancy::admits;
use rule_splits::SplitGame;
use search::{CompiledGame, CycleDetection, Searcher};

use crate::deepening::LongerAnalysis;
use crate::deepening::surroundings::AnalysisKey;
use crate::prepared::PreparedPruning;

/// The search of a game with each of the machines that it may use.
pub struct Searches {
    cycles: CycleDetection,
    first: Searcher,
    longer: Mutex<BTreeMap<AnalysisKey, Searcher>>,
}

impl Searches {
    /// Prepare the search that begins with the machine of a pruning. Its plan is made when it first
    /// runs.
    pub fn new(game: &Game, pruning: &PreparedPruning, cycles: CycleDetection) -> Self {
        let (split, machine) = (pruning.split.as_deref(), pruning.machine.as_ref());
        Self {
            cycles,
            first: searcher(game, &pruning.known, cycles, split, machine),
            longer: Mutex::default(),
        }
    }

    /// Return the search with the machine that it begins with.
    pub fn first(&self) -> &Searcher {
        &self.first
    }

    /// Return the search with a machine for longer sequences.
    pub(crate) fn with_longer(
        &self,
        game: &Game,
        known: &Invariants,
        longer: &LongerAnalysis,
        machine: &Arc<RuleMachine>,
    ) -> Searcher {
        let mut made = self.longer.lock().unwrap_or_else(PoisonError::into_inner);
        let split = longer.split.as_deref();
        let make = || searcher(game, known, self.cycles, split, Some(machine));
        made.entry(longer.key()).or_insert_with(make).clone()
    }
}

fn searcher(
    game: &Game,
    known: &Invariants,
    cycles: CycleDetection,
    split: Option<&SplitGame>,
    machine: Option<&Arc<RuleMachine>>,
) -> Searcher {
    let searched = split.map_or(game, SplitGame::game);
    let builder = Searcher::builder(&CompiledGame::new(searched))
        .cycle_detection(cycles)
        .invariants(admits(known));
    // Groups are of variables of the game itself.
    let builder = match split {
        Some(split) => builder.parts_of(split.letters().iter().map(|letter| letter.rule)),
        None => builder.one_of(one_of(known)),
    };
    match machine {
        Some(machine) => builder.machine(Arc::clone(machine)).build(),
        None => builder.build(),
    }
}

/// Return the sets of facts of which exactly one holds.
fn one_of(known: &Invariants) -> impl Iterator<Item = Vec<(VarId, Value)>> + '_ {
    let counts = known.counts().filter(|count| count.number == 1);
    counts.map(|count| {
        let facts = count.facts.iter();
        facts.map(|fact| (fact.var, fact.value)).collect()
    })
}
