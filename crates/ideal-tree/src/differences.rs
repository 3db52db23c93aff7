//! Sequences that a machine keeps although they are not least.

use std::collections::BTreeMap;

use budget::StopReason;
use fsm::Machine;
use macro_compose::compose_all;
use psvn_ir::{CanonicalRule, Equation, Game, RuleId, State};

use crate::Order;
use crate::least::Finder;
use crate::moves::Moves;
use crate::windows::Windows;
use crate::work::Work;

/// A sequence that a machine keeps although it isn't least at some state. Its proper parts are
/// least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The sequence.
    pub word: Vec<RuleId>,
    /// The state nearest to the start where the sequence isn't least; the first of several.
    pub state: State,
    /// The first sequence that leads from there to the same state and costs no more.
    pub replacement: Vec<RuleId>,
    /// Conditions of that state that must be known, besides the sequence's preconditions, for the
    /// replacement to be possible and to lead to the same state.
    pub missing: Vec<Equation>,
    /// The number of states where the sequence isn't least, but its proper parts are.
    pub n_states: usize,
    /// The number of states where the sequence can be carried out.
    pub n_applicable: usize,
}

/// A sequence that comes earlier in the order has the smaller key. Letters of one rule are ordered
/// by their numbers.
type Key = (u64, usize, Vec<(u32, u32)>);

/// A place where a sequence isn't least.
struct Place {
    word: Vec<RuleId>,
    state: u32,
    end: u32,
    cost: u64,
    n_states: usize,
}

/// Find the first sequences that a machine keeps although they aren't least everywhere.
pub(crate) fn find<M: Machine>(
    game: &Game,
    moves: &Moves<'_>,
    windows: &Windows,
    order: Order,
    machine: &M,
    most: usize,
    work: &Work,
) -> Result<Vec<Difference>, StopReason> {
    if most == 0 {
        return Ok(Vec::new());
    }
    let mut found = Found {
        moves,
        windows,
        order,
        machine,
        most,
        places: BTreeMap::new(),
        steps: 0,
    };
    for state in 0..windows.n_states() {
        work.check(0, 0)?;
        let state = u32::try_from(state).expect("states have numbers of 32 bits");
        if let Some(root) = windows.root(state) {
            let mut word = Vec::new();
            found.below(state, root, machine.start(), 0, &mut word);
            work.step(std::mem::take(&mut found.steps))?;
        }
    }
    let places = found.places;
    let mut finder = Finder::new(moves.space, order, windows.max_length());
    let mut differences = Vec::new();
    for place in places.into_values() {
        work.check(0, 0)?;
        let replacement = finder.first_to(place.state, place.end, place.cost);
        let replacement = replacement.expect("the sequence itself leads there");
        // A game that lacks moves may also lack those of the replacement.
        let Some(replacement) = moves.spell(place.state, &replacement) else {
            continue;
        };
        let missing = macro_rule(game, &replacement)
            .equations_to_generalize(&macro_rule(game, &place.word))
            .expect("both lead from the state to the same one");
        let states = 0..u32::try_from(windows.n_states()).expect("as before");
        work.step(windows.n_states())?;
        let can_start = |state: &u32| moves.follow(*state, &place.word).is_some();
        differences.push(Difference {
            state: State::new(moves.space.values(place.state)),
            n_applicable: states.filter(can_start).count(),
            word: place.word,
            replacement,
            missing,
            n_states: place.n_states,
        });
    }
    Ok(differences)
}

fn macro_rule(game: &Game, word: &[RuleId]) -> CanonicalRule {
    let rules = word.iter().map(|rule| &game.rule(*rule).canonical);
    compose_all(game.n_variables(), rules).expect("it was carried out from a state")
}

struct Found<'a, M> {
    moves: &'a Moves<'a>,
    windows: &'a Windows,
    order: Order,
    machine: &'a M,
    most: usize,
    /// The first sequences so far.
    places: BTreeMap<Key, Place>,
    /// The edges that were tried.
    steps: usize,
}

impl<M: Machine> Found<'_, M> {
    /// Compare the sequences at a state that begin with that of a node, which costs `cost`. A
    /// sequence is listed as rules with their letters.
    fn below(
        &mut self,
        state: u32,
        node: u32,
        memory: M::State,
        cost: u64,
        word: &mut Vec<(u32, u32)>,
    ) {
        if word.len() == self.windows.max_length() {
            return;
        }
        let (moves, windows) = (self.moves, self.windows);
        let end = windows.end(node);
        self.steps += moves.space.edges(end).len();
        for (letter, edge) in moves.at(end) {
            let Some(memory) = self.machine.next(memory, letter) else {
                continue;
            };
            word.push((edge.rule, letter));
            let cost = cost + moves.space.cost(edge.rule);
            match windows.child(node, edge.rule) {
                Some(child) => self.below(state, child, memory, cost, word),
                None if word.len() == 1 || self.is_rest_least(node, edge.rule) => {
                    self.add(state, edge.target, cost, word);
                }
                None => {}
            }
            word.pop();
        }
    }

    /// Return whether a sequence without its first rule has only least parts.
    fn is_rest_least(&self, node: u32, rule: u32) -> bool {
        let suffix = self.windows.suffix(node);
        suffix.is_some_and(|suffix| self.windows.child(suffix, rule).is_some())
    }

    fn add(&mut self, state: u32, end: u32, cost: u64, word: &[(u32, u32)]) {
        let by_cost = match self.order {
            Order::LengthLexicographic => 0,
            Order::CostLengthLexicographic => cost,
        };
        let space = self.moves.space;
        let ranks = word
            .iter()
            .map(|(rule, letter)| (space.rank(*rule), *letter));
        let ranks = ranks.collect();
        let new = || Place {
            word: word.iter().map(|(_, letter)| RuleId(*letter)).collect(),
            state,
            end,
            cost,
            n_states: 0,
        };
        let key = (by_cost, word.len(), ranks);
        self.places.entry(key).or_insert_with(new).n_states += 1;
        if self.places.len() > self.most {
            self.places.pop_last();
        }
    }
}
