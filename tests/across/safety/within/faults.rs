//! Faults planted in the knowledge of an analysis: the tests of safety within invariants must
//! detect them.

use invariants::Invariants;
use move_prune::{Admits, Options};
use psvn_ir::testing::cases;
use psvn_ir::{Game, State, Term, Value, VarId};
use psvn_toolkit::Known;

use super::*;

/// A fault in the knowledge.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// One value too many is implied: the first unknown that occurs once is taken for the first
    /// value of its domain.
    ValueTooMany,
    /// A fact excludes another one that it doesn't exclude: where the first variable has its first
    /// value, the second one is taken to have its second value.
    WrongExclusion,
}

/// Knowledge with a fault.
struct Faulty<'a> {
    known: Known<'a>,
    sizes: Vec<u32>,
    fault: Fault,
}

impl Faulty<'_> {
    /// Whether a position has an unknown that occurs nowhere else, and no known value.
    fn is_free(&self, p: &[Term], implied: &[(VarId, Value)], var: usize) -> bool {
        let stands = p.iter().filter(|term| **term == p[var]).count();
        p[var].is_own_variable(var)
            && stands == 1
            && self.sizes[var] > 1
            && implied.iter().all(|(known, _)| known.index() != var)
    }
}

impl Admits for Faulty<'_> {
    fn admits(&self, preconditions: &[Term]) -> bool {
        self.known.admits(preconditions)
    }

    fn implied(&self, p: &[Term], implied: &mut Vec<(VarId, Value)>) -> bool {
        if !self.known.implied(p, implied) {
            return false;
        }
        let added = match self.fault {
            Fault::ValueTooMany => (0..p.len())
                .find(|var| self.is_free(p, implied, *var))
                .map(|var| (var, Value(0))),
            Fault::WrongExclusion => {
                let begins = p[0].as_constant() == Some(Value(0));
                (begins && p.len() > 1 && self.is_free(p, implied, 1)).then_some((1, Value(1)))
            }
        };
        implied.extend(added.map(|(var, value)| (VarId::from_index(var), value)));
        true
    }
}

/// The numbers of games in which a fault is detected.
#[derive(Debug, Default)]
struct Seen {
    /// Games where a certificate is refused.
    by_checker: usize,
    /// Games where a search loses a state, or a cheaper path.
    by_brute_force: usize,
}

fn look(game: &Game, start: &State, fault: Fault, seen: &mut Seen, name: &str) {
    let known = Invariants::from_states(game, std::slice::from_ref(start));
    let proved = proved(game, &known);
    let size = |domain: &psvn_ir::DomainId| game.domain(*domain).size() as u32;
    let faulty = Faulty {
        known: Known(&known),
        sizes: game.variables().iter().map(size).collect(),
        fault,
    };
    let options = Options {
        admits: Some(&faulty),
        ..Options::up_to(3)
    };
    let analysis = analysis_with(game, &options);
    let ranks = ranks_of(game, &options);
    let order = WordOrder::with_ranks(checker::Order::LengthLexicographic, &ranks);
    let is_refused = certificates(&analysis)
        .any(|certificate| check_word_within(game, &proved, certificate, order).is_err());
    let has_all = |state: &[Value]| {
        let state = State::new(Box::from(state));
        known.check_state(game, &state).is_ok()
    };
    let graph = Graph::around(game, all_states(game).filter(|state| has_all(state)), 1);
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    let n_rules = game.rules().len();
    let (everything, machine) = (forbidding(n_rules, &[]), forbidding(n_rules, &words));
    let is_lost = (0..graph.edges.len()).any(|start| {
        let expected = least_costs(&graph, &everything, start);
        first_difference(&expected, &least_costs(&graph, &machine, start)).is_some()
    });
    seen.by_checker += usize::from(is_refused);
    seen.by_brute_force += usize::from(is_lost);
    assert!(
        is_refused || !is_lost,
        "{name}: {fault:?} loses something, and all certificates hold"
    );
}

#[test]
fn faults_in_assumptions_are_detected_by_the_checker_and_by_brute_force() {
    for fault in [Fault::ValueTooMany, Fault::WrongExclusion] {
        let mut seen = Seen::default();
        for seed in 0..cases(60) {
            let (game, start) = plain_game(seed);
            look(&game, &start, fault, &mut seen, &format!("seed {seed}"));
            let (game, start) = one_hot_game(seed);
            let name = format!("bits, seed {seed}");
            look(&game, &start, fault, &mut seen, &name);
        }
        assert!(
            seen.by_checker >= 5 && seen.by_brute_force >= 3,
            "{fault:?}: {seen:?}"
        );
    }
}
