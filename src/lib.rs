//! Support code that the cross-crate tests and benches share: from the name of a built-in game to
//! what the layers make of it.

use fsm::{Dense, Growth, WordAutomaton};
use invariants::{Invariants, Scratch};
use move_prune::{Admits, Analysis, Options};
use psvn_ir::{CanonicalRule, Game, Term, Value, VarId};
use search::{Bound, CompiledGame, CycleDetection, Searcher};

/// A built-in game by its reference, such as `topspin:14:3`.
///
/// # Panics
/// When there is none, or it isn't valid.
pub fn built_in(reference: &str) -> Game {
    match domains::generate_reference(reference) {
        Ok(text) => load(&text),
        Err(error) => panic!("{reference}: {error}"),
    }
}

/// A game from text.
///
/// # Panics
/// When it has errors.
pub fn load(source: &str) -> Game {
    let loaded = psvn_ir::load(source);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

/// The canonical rules of a game.
pub fn canonical_rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect()
}

/// The analysis of a game up to a length, without limits.
pub fn analyze(game: &Game, max_length: usize) -> Analysis {
    let rules = canonical_rules(game);
    move_prune::analyze(
        game.n_variables(),
        &rules,
        &Options::up_to(max_length),
        |_| (),
    )
}

thread_local! {
    /// Room for looking at preconditions. Games take turns in it.
    static SCRATCH: std::cell::RefCell<Scratch> = std::cell::RefCell::default();
}

/// What an analysis knows of states with invariants.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a>(pub &'a Invariants);

impl Admits for Known<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        self.0.admits(preconditions)
    }

    fn implied(&self, preconditions: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        let mut facts = Vec::new();
        let is_possible =
            SCRATCH.with_borrow_mut(|scratch| self.0.implied(scratch, preconditions, &mut facts));
        implied.clear();
        implied.extend(facts.iter().map(|fact| (fact.var, fact.value)));
        is_possible
    }
}

/// The analysis of a game up to a length, assuming what holds in all states that can be reached
/// from its goal states.
pub fn analyze_reachable(game: &Game, max_length: usize) -> Analysis {
    let rules = canonical_rules(game);
    let known = Invariants::from_goals(game);
    let options = Options {
        max_length,
        admits: Some(&Known(&known)),
        ..Options::default()
    };
    move_prune::analyze(game.n_variables(), &rules, &options, |_| ())
}

/// Whether no replacement is longer than the word that it replaces. Then a search that is bounded
/// by the number of moves loses nothing; one that is bounded by cost never does.
pub fn keeps_numbers_of_moves(analysis: &Analysis) -> bool {
    let mut redundant = analysis.redundant.iter();
    redundant.all(|redundant| redundant.replacement.len() <= redundant.word.len())
}

/// The branching factor of the words that contain no redundant word and no pair of rules of which
/// the second can never follow the first.
///
/// # Panics
/// When the machine is too large.
pub fn branching_factor(analysis: &Analysis) -> Growth {
    let mut words = WordAutomaton::new(analysis.n_rules as u32);
    let impossible = analysis
        .impossible_pairs()
        .map(|pair| pair.map(|rule| rule.0).to_vec());
    analysis
        .redundant_letters()
        .chain(impossible)
        .try_for_each(|word| words.forbid(&word))
        .and_then(|()| words.build())
        .map(|machine| fsm::growth(&machine))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The Aho-Corasick machine of an analysis.
///
/// # Panics
/// When it is too large.
pub fn machine(analysis: &Analysis) -> Dense {
    WordAutomaton::forbidding(analysis.n_rules as u32, analysis.redundant_letters())
        .and_then(|words| words.build())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The machine of sleep sets of a game, under the order of its rules.
///
/// # Panics
/// When it has more than a million states.
pub fn sleep_machine(game: &Game) -> Dense {
    let swaps = move_prune::commuting_pairs(game.n_variables(), &canonical_rules(game), None);
    let swaps: Vec<(u32, u32)> = swaps.pairs.into_iter().map(|(a, b)| (a.0, b.0)).collect();
    fsm::sleep_machine(game.rules().len() as u32, |a, b| a < b, &swaps, 1_000_000)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The nodes of each depth below the goal state, beside the machine for words up to `max_length`
/// (none for 0).
///
/// # Panics
/// When the game has no single goal state.
pub fn count(game: &Game, max_length: usize, cycles: CycleDetection, depth: u64) -> Vec<u64> {
    count_beside(game, &machine(&analyze(game, max_length)), cycles, depth)
}

/// The nodes of each depth below the goal state, beside a machine.
///
/// # Panics
/// When the game has no single goal state.
pub fn count_beside(game: &Game, machine: &Dense, cycles: CycleDetection, depth: u64) -> Vec<u64> {
    let Some(start) = game.goal_state() else {
        panic!("the game has no single goal state")
    };
    let compiled = CompiledGame::new(game);
    let mut search = Searcher::builder(&compiled)
        .machine(machine.clone())
        .cycle_detection(cycles)
        .build()
        .run();
    match search.count_tree(&start, Bound::Depth(depth)) {
        Ok(tree) => (0..=depth as usize)
            .map(|depth| tree.generated(depth))
            .collect(),
        Err(error) => panic!("{error}"),
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;

#[cfg(doctest)]
#[doc = include_str!("../docs/book/src/library.md")]
pub struct LibraryDoctests;
