//! Rules carried out on rows of cells.

use psvn_ir::{CanonicalRule, Game, RuleId, State, Term, TermKind, Value, VarId};

use crate::game::cell::Cell;

/// A condition on a row.
#[derive(Clone, Copy)]
enum Test<C> {
    /// The cell at a place holds a value.
    Is(usize, C),
    /// Two cells hold the same value.
    Same(usize, usize),
}

impl<C: Cell> Test<C> {
    fn new((var, term): (VarId, Term)) -> Self {
        match term.kind() {
            TermKind::Constant(value) => Self::Is(var.index(), C::pack(value)),
            TermKind::Variable(other) => Self::Same(var.index(), other.index()),
        }
    }

    #[inline]
    fn holds(self, row: &[C]) -> bool {
        match self {
            Self::Is(place, value) => row[place] == value,
            Self::Same(place, other) => row[place] == row[other],
        }
    }
}

/// A rule on rows.
struct RowRule<C> {
    tests: Vec<Test<C>>,
    constants: Vec<(usize, C)>,
    /// Pairs of a target place and the place whose old value it gets.
    copies: Vec<(usize, usize)>,
    cost: u64,
}

impl<C: Cell> RowRule<C> {
    fn new(rule: &CanonicalRule) -> Self {
        let (mut constants, mut copies) = (Vec::new(), Vec::new());
        for (var, term) in rule.changes() {
            match term.kind() {
                TermKind::Constant(value) => constants.push((var.index(), C::pack(value))),
                TermKind::Variable(from) => copies.push((var.index(), from.index())),
            }
        }
        Self {
            tests: rule.tests().map(Test::new).collect(),
            constants,
            copies,
            cost: rule.cost(),
        }
    }
}

/// The rules that test one place.
struct Place {
    place: usize,
    /// For each value, the rules that require it there.
    rules: Vec<Vec<RuleId>>,
}

/// The rules of a game, for states in rows of cells.
pub(super) struct Moves<C> {
    n_variables: usize,
    rules: Vec<RowRule<C>>,
    /// Each rule that requires a value somewhere is listed at one place, one with few other rules.
    places: Vec<Place>,
    /// The other rules.
    anywhere: Vec<RuleId>,
    /// The tests of each goal condition.
    goals: Vec<Vec<Test<C>>>,
}

impl<C: Cell> Moves<C> {
    pub(super) fn new(game: &Game) -> Self {
        let wanted = |rule: &CanonicalRule| {
            let tests = rule.tests();
            let constant = |(var, term): (VarId, Term)| Some((var.index(), term.as_constant()?));
            tests.filter_map(constant).collect::<Vec<_>>()
        };
        let sizes = |place| game.domain_of(VarId::from_index(place)).size();
        let mut rules_at: Vec<Vec<usize>> = (0..game.n_variables())
            .map(|it| vec![0; sizes(it)])
            .collect();
        for rule in game.rules() {
            for (place, value) in wanted(&rule.canonical) {
                rules_at[place][value.index()] += 1;
            }
        }
        let mut places: Vec<Place> = (0..game.n_variables())
            .map(|place| Place {
                place,
                rules: vec![Vec::new(); sizes(place)],
            })
            .collect();
        let mut anywhere = Vec::new();
        for (id, rule) in game.rules_with_ids() {
            let tests = wanted(&rule.canonical);
            let fewest = tests
                .into_iter()
                .min_by_key(|(place, value)| rules_at[*place][value.index()]);
            match fewest {
                Some((place, value)) => places[place].rules[value.index()].push(id),
                None => anywhere.push(id),
            }
        }
        places.retain(|place| place.rules.iter().any(|rules| !rules.is_empty()));
        let conditions = |goal: &psvn_ir::Goal| {
            let terms = goal.conditions().iter().enumerate();
            terms
                .filter(|(place, term)| !term.is_own_variable(*place))
                .map(|(place, term)| Test::new((VarId::from_index(place), *term)))
                .collect()
        };
        Self {
            n_variables: game.n_variables(),
            rules: game
                .rules()
                .iter()
                .map(|rule| RowRule::new(&rule.canonical))
                .collect(),
            places,
            anywhere,
            goals: game.goals().iter().map(conditions).collect(),
        }
    }

    pub(super) fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Return the row of a state of the game.
    pub(super) fn row(state: &State) -> Vec<C> {
        state.values().iter().map(|value| C::pack(*value)).collect()
    }

    /// Return the state of a row.
    pub(super) fn state(row: &[C]) -> State {
        State::new(
            row.iter()
                .map(|cell| cell.value())
                .collect::<Box<[Value]>>(),
        )
    }

    /// Find the rules that apply to a row, in order.
    pub(super) fn applicable(&self, row: &[C], found: &mut Vec<RuleId>) {
        let applies = |rule: &RuleId| {
            let tests = &self.rules[rule.index()].tests;
            tests.iter().all(|test| test.holds(row))
        };
        found.clear();
        found.extend(self.anywhere.iter().copied().filter(applies));
        for place in &self.places {
            let rules = &place.rules[row[place.place].index()];
            if !rules.is_empty() {
                found.extend(rules.iter().copied().filter(applies));
            }
        }
        // All of them often come from one place.
        if !found.is_sorted() {
            found.sort_unstable();
        }
    }

    /// Append the row that a rule makes of another one, and return the rule's cost.
    #[inline]
    pub(super) fn append(&self, rule: RuleId, row: &[C], to: &mut Vec<C>) -> u64 {
        let first = to.len();
        to.extend_from_slice(row);
        let child = &mut to[first..];
        let rule = &self.rules[rule.index()];
        for (place, value) in &rule.constants {
            child[*place] = *value;
        }
        for (place, from) in &rule.copies {
            child[*place] = row[*from];
        }
        rule.cost
    }

    /// Return whether a row is that of a goal state.
    #[inline]
    pub(super) fn is_goal(&self, row: &[C]) -> bool {
        let holds = |tests: &Vec<Test<C>>| tests.iter().all(|test| test.holds(row));
        self.goals.iter().any(holds)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::blocks::tests::built_in;

    /// Applicable rules, successors and goals are those of the game, in all states near the goal.
    #[test]
    fn rows_move_as_states_do() {
        let twisted = "3 3 3 3\nA A - => - 1 A LABEL a\n0 - 2 => 2 - 0 LABEL b\n\
                       - 1 - => - 0 2 LABEL c\nA B C => C A B LABEL d\nGOAL A A -\nGOAL 0 - 1\n";
        let twisted = psvn_ir::load(twisted).game.unwrap();
        let mut games = vec![("twisted", twisted)];
        for name in ["sliding-tiles:3:3", "hanoi:4:3", "topspin:6:3", "blocks:4"] {
            games.push((name, built_in(name)));
        }
        for (name, game) in games {
            let moves = Moves::<u8>::new(&game);
            let begin = game.goal_state();
            let begin = begin.unwrap_or_else(|| game.parse_state("0 1 2").unwrap());
            let mut waiting = VecDeque::from([begin]);
            let mut seen = std::collections::HashSet::new();
            let mut found = Vec::new();
            while let Some(state) = waiting.pop_front() {
                if seen.len() > 500 || !seen.insert(state.clone()) {
                    continue;
                }
                let row = Moves::row(&state);
                assert_eq!(moves.is_goal(&row), game.is_goal(state.values()));
                moves.applicable(&row, &mut found);
                let rules = game.rules_with_ids();
                let expected: Vec<RuleId> = rules
                    .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
                    .map(|(id, _)| id)
                    .collect();
                assert_eq!(found, expected, "{name}");
                for id in &found {
                    let rule = &game.rule(*id).canonical;
                    let mut child = Vec::new();
                    assert_eq!(moves.append(*id, &row, &mut child), rule.cost());
                    let reached = State::new(rule.apply(state.values()));
                    assert_eq!(Moves::state(&child), reached);
                    waiting.push_back(reached);
                }
            }
            assert!(seen.len() > 5, "{name}");
        }
    }
}
