//! Finds the rules that can be used in a state connected with a goal state.
//!
//! Each position is considered alone: the values that it may hold in a state from which a goal
//! state can be reached, or that can be reached from one. This overestimates the values, so a rule
//! that isn't live is really dead.
//!
//! A rule is examined again only when the value that it waits for has been added. The time is
//! proportional to the size of the rules and of the domains, and to how often values are copied.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;

use crate::game::Game;
use crate::ids::{Value, VarId};
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::{Term, TermKind};

/// For each rule whether it can be used.
pub(super) fn live_rules(game: &Game) -> Vec<bool> {
    let mut search = Search::new(game);
    for side in 0..search.next_term.len() {
        search.take_up(side);
        search.settle();
    }
    let forward = (0..game.rules().len()).map(|rule| search.is_done(2 * rule));
    forward.collect()
}

/// A side of a rule represents a step from states that match it: side `2 r` is the left side of
/// rule r, side `2 r + 1` the right side.
struct Search<'a> {
    game: &'a Game,
    /// By position and value, whether the position may hold the value.
    possible: Vec<Vec<bool>>,
    /// The positions that may hold all of their values.
    is_full: Vec<bool>,
    /// For each side, the first term that has not been found possible yet.
    next_term: Vec<u32>,
    /// The sides that wait for a value at a position.
    for_value: HashMap<(usize, Value), Vec<usize>, RandomState>,
    /// By position, the sides that wait for a value that another position may hold as well.
    for_any: Vec<Vec<(usize, usize)>>,
    /// By position, the positions that receive each of its values.
    copies: Vec<Vec<usize>>,
    copied: HashSet<(usize, usize), RandomState>,
    /// Values that are new.
    fresh: Vec<(usize, Value)>,
    /// By unknown, its first position on a side.
    first: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(game: &'a Game) -> Self {
        let n = game.n_variables();
        let sizes = (0..n).map(|i| game.domain_of(VarId::from_index(i)).size());
        let mut search = Self {
            game,
            possible: sizes.map(|size| vec![false; size]).collect(),
            is_full: vec![false; n],
            next_term: vec![0; 2 * game.rules().len()],
            for_value: HashMap::default(),
            for_any: vec![Vec::new(); n],
            copies: vec![Vec::new(); n],
            copied: HashSet::default(),
            fresh: Vec::new(),
            first: vec![0; n],
        };
        for goal in game.goals() {
            for (i, term) in goal.conditions().iter().enumerate() {
                match term.as_constant() {
                    Some(value) => search.add(i, value),
                    None => search.fill(i),
                }
            }
        }
        search
    }

    fn is_done(&self, side: usize) -> bool {
        self.next_term[side] as usize == self.game.n_variables()
    }

    fn add(&mut self, position: usize, value: Value) {
        if !std::mem::replace(&mut self.possible[position][value.index()], true) {
            self.fresh.push((position, value));
        }
    }

    fn fill(&mut self, position: usize) {
        if !std::mem::replace(&mut self.is_full[position], true) {
            for value in 0..self.possible[position].len() {
                self.add(position, Value::from_index(value));
            }
        }
    }

    /// Process new values until there are none.
    fn settle(&mut self) {
        while let Some((position, value)) = self.fresh.pop() {
            for at in 0..self.copies[position].len() {
                self.add(self.copies[position][at], value);
            }
            for side in self
                .for_value
                .remove(&(position, value))
                .unwrap_or_default()
            {
                self.take_up(side);
            }
            let waiting = std::mem::take(&mut self.for_any[position]);
            for (side, other) in waiting {
                if self.is_done(side) {
                    continue;
                }
                if self.possible[other][value.index()] {
                    self.take_up(side);
                } else {
                    self.for_any[position].push((side, other));
                }
            }
        }
    }

    /// Test the remaining terms of a side. If all are possible, add what the rule makes of them.
    fn take_up(&mut self, side: usize) {
        if self.is_done(side) {
            return;
        }
        let game = self.game;
        let rule = &game.rules()[side / 2].canonical;
        let (known, made) = match side % 2 {
            0 => (rule.preconditions(), rule.actions()),
            _ => (rule.actions(), rule.preconditions()),
        };
        self.note_first(known);
        let start = self.next_term[side] as usize;
        for (i, term) in known.iter().enumerate().skip(start) {
            let is_possible = match term.kind() {
                TermKind::Constant(value) => {
                    let is_possible = self.possible[i][value.index()];
                    if !is_possible {
                        self.for_value.entry((i, value)).or_default().push(side);
                    }
                    is_possible
                }
                TermKind::Variable(var) => {
                    // An unknown may be at several positions, which then hold the same value.
                    let home = self.first[var.index()];
                    let mut both = self.possible[i].iter().zip(&self.possible[home]);
                    let is_possible = home == i || both.any(|(here, there)| *here && *there);
                    if !is_possible {
                        self.for_any[i].push((side, home));
                        self.for_any[home].push((side, i));
                    }
                    is_possible
                }
            };
            if !is_possible {
                self.next_term[side] = i as u32;
                return;
            }
        }
        self.next_term[side] = known.len() as u32;
        self.make(rule, made);
    }

    fn note_first(&mut self, known: &[Term]) {
        self.first.fill(usize::MAX);
        for (i, term) in known.iter().enumerate().rev() {
            if let Some(var) = term.as_variable() {
                self.first[var.index()] = i;
            }
        }
    }

    /// Add the values of the side `made` when the other side is possible. Its unknowns must have
    /// been noted.
    fn make(&mut self, rule: &CanonicalRule, made: &[Term]) {
        for (i, term) in made.iter().enumerate() {
            // A position with equal terms on both sides gains nothing.
            if rule.preconditions()[i] == rule.actions()[i] {
                continue;
            }
            match term.kind() {
                TermKind::Constant(value) => self.add(i, value),
                TermKind::Variable(var) => match self.first[var.index()] {
                    // An unknown that the other side doesn't hold may have any value.
                    usize::MAX => self.fill(i),
                    source => self.copy(source, i),
                },
            }
        }
    }

    /// Let a position have all values of another, now and later.
    fn copy(&mut self, source: usize, target: usize) {
        if source == target || !self.copied.insert((source, target)) {
            return;
        }
        self.copies[source].push(target);
        for value in 0..self.possible[source].len() {
            if self.possible[source][value] {
                self.add(target, Value::from_index(value));
            }
        }
    }
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::testing::{GameShape, random_game};

    /// Repeat rounds over all rules until nothing is new.
    fn by_rounds(game: &Game) -> Vec<bool> {
        let sizes = game.variables().iter().map(|id| game.domain(*id).size());
        let mut possible: Vec<Vec<bool>> = sizes.map(|size| vec![false; size]).collect();
        for goal in game.goals() {
            for (values, term) in possible.iter_mut().zip(goal.conditions()) {
                match term.as_constant() {
                    Some(value) => values[value.index()] = true,
                    None => values.fill(true),
                }
            }
        }
        let mut live = vec![false; game.rules().len()];
        loop {
            let before = possible.clone();
            for (rule, live) in game.rules().iter().zip(&mut live) {
                let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
                for (known, made, is_forward) in [(p, a, true), (a, p, false)] {
                    let home = |term: &Term| known.iter().position(|other| other == term);
                    let fits = |(i, term): (usize, &Term)| match term.as_constant() {
                        Some(value) => possible[i][value.index()],
                        None => {
                            let home = home(term).expect("an unknown is known of its own position");
                            let mut both = possible[i].iter().zip(&possible[home]);
                            home == i || both.any(|(here, there)| *here && *there)
                        }
                    };
                    if !known.iter().enumerate().all(fits) {
                        continue;
                    }
                    *live |= is_forward;
                    for (i, term) in made.iter().enumerate().filter(|(i, _)| p[*i] != a[*i]) {
                        for value in 0..possible[i].len() {
                            let is_made = match term.as_constant() {
                                Some(constant) => constant.index() == value,
                                None => home(term).is_none_or(|home| possible[home][value]),
                            };
                            possible[i][value] |= is_made;
                        }
                    }
                }
            }
            if possible == before {
                return live;
            }
        }
    }

    #[test]
    fn the_same_rules_are_live_as_round_by_round() {
        let mut n_dead = 0;
        for seed in 0..2_000 {
            let shape = GameShape {
                n_rules: 1..=6,
                several_domains: seed % 2 == 0,
                lost_values: seed % 3 != 0,
                ..GameShape::default()
            };
            let game = random_game(seed, &shape);
            let live = live_rules(&game);
            assert_eq!(live, by_rounds(&game), "seed {seed}");
            n_dead += live.iter().filter(|live| !**live).count();
        }
        assert!(n_dead > 100, "{n_dead}");
    }
}
