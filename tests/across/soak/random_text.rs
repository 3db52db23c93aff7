//! Random games as data of their own, with PSVN text for the program and successors for the oracle.

use std::fmt::Write;

use psvn_ir::testing::SplitMix64;

use super::oracle::{Oracle, Values};

/// An entry of a rule. The number of a symbol is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Constant(usize),
    Symbol(usize),
    Dash,
}

#[derive(Debug)]
struct Rule {
    left: Vec<Entry>,
    right: Vec<Entry>,
    cost: u64,
}

/// A game of a few variables with the values 0, 1, ...
#[derive(Debug)]
pub(super) struct RandomGame {
    sizes: Vec<usize>,
    rules: Vec<Rule>,
    /// Goals, in which `None` matches everything.
    goals: Vec<Vec<Option<usize>>>,
}

impl RandomGame {
    /// Draw a game: 2 to 5 variables, most with the same number of values; 2 to 8 rules with
    /// constants, symbols that are moved, repeated, lost, or unbound; costs from 0; 1 or 2 goals.
    pub(super) fn draw(random: &mut SplitMix64) -> Self {
        let n = 2 + random.below(4);
        let most = if n > 3 { 2 } else { 4 };
        let size = 2 + random.below(most - 1);
        let sizes: Vec<usize> = (0..n)
            .map(|_| if random.chance(80) { size } else { 2 })
            .collect();
        let largest_cost = [1, 1, 3, 1000][random.below(4)];
        let has_free_moves = random.chance(30);
        let n_rules = 2 + random.below(7);
        let rules = (0..n_rules)
            .map(|_| Rule::draw(random, &sizes, largest_cost, has_free_moves))
            .collect();
        let goals = (0..1 + random.below(2))
            .map(|_| {
                let value = |size: &usize| random.chance(75).then(|| random.below(*size));
                sizes.iter().map(value).collect()
            })
            .collect();
        Self {
            sizes,
            rules,
            goals,
        }
    }

    /// The game as PSVN.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", self.sizes.len());
        let words = |entries: &[Entry]| -> String {
            let words = entries.iter().map(|entry| match entry {
                Entry::Constant(value) => value.to_string(),
                Entry::Symbol(name) => format!("X{name}"),
                Entry::Dash => "-".to_owned(),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        writeln!(text, "{}", joined(&self.sizes)).unwrap();
        for (number, rule) in self.rules.iter().enumerate() {
            let (left, right, cost) = (words(&rule.left), words(&rule.right), rule.cost);
            writeln!(text, "{left} => {right} COST {cost} LABEL r{number}").unwrap();
        }
        for goal in &self.goals {
            let entry = |it: &Option<usize>| it.map_or(Entry::Dash, Entry::Constant);
            let entries: Vec<Entry> = goal.iter().map(entry).collect();
            writeln!(text, "GOAL {}", words(&entries)).unwrap();
        }
        text
    }

    /// All states, as the oracle lists them.
    pub(super) fn oracle(&self) -> Oracle {
        let mut states: Vec<Values> = vec![Vec::new()];
        for size in &self.sizes {
            let extend = |state: &Values| -> Vec<Values> {
                (0..*size).map(|value| [&**state, &[value]].concat()).collect()
            };
            states = states.iter().flat_map(extend).collect();
        }
        Oracle::new(
            states,
            |state| {
                let rules = self.rules.iter();
                rules
                    .flat_map(|rule| rule.successors(state, &self.sizes))
                    .collect()
            },
            |state| {
                let holds = |goal: &Vec<Option<usize>>| {
                    goal.iter()
                        .zip(state)
                        .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
                };
                self.goals.iter().any(holds)
            },
        )
    }
}

/// The values of a state as text.
pub(super) fn joined(values: &[usize]) -> String {
    let words: Vec<String> = values.iter().map(usize::to_string).collect();
    words.join(" ")
}

impl Rule {
    /// A rule that tests or changes something.
    fn draw(
        random: &mut SplitMix64,
        sizes: &[usize],
        largest_cost: u64,
        has_free_moves: bool,
    ) -> Self {
        let least_cost = u64::from(!has_free_moves);
        loop {
            let left: Vec<Entry> = (0..sizes.len())
                .map(|place| match random.below(10) {
                    0..4 => Entry::Constant(random.below(sizes[place])),
                    4 => Entry::Dash,
                    // A symbol of an earlier place demands that both hold the same value.
                    5 if place > 0 => Entry::Symbol(same_size(random, sizes, place)),
                    _ => Entry::Symbol(place),
                })
                .collect();
            let right: Vec<Entry> = (0..sizes.len())
                .map(|place| match random.below(10) {
                    0..3 => Entry::Constant(random.below(sizes[place])),
                    // The symbol may stand nowhere on the left: then it takes every value.
                    3..6 => Entry::Symbol(same_size(random, sizes, place)),
                    _ if left[place] == Entry::Dash => Entry::Dash,
                    _ if random.chance(50) => Entry::Dash,
                    _ => left[place],
                })
                .collect();
            let is_idle = right
                .iter()
                .zip(&left)
                .all(|(right, left)| *right == Entry::Dash || right == left);
            if !is_idle {
                let cost = least_cost + random.next_u64() % largest_cost;
                return Self { left, right, cost };
            }
        }
    }

    /// The states after this rule: none where it doesn't apply, several where a symbol is unbound.
    fn successors(&self, state: &[usize], sizes: &[usize]) -> Vec<(u64, Values)> {
        let mut bound: Vec<Option<usize>> = vec![None; sizes.len()];
        for (entry, value) in self.left.iter().zip(state) {
            let is_met = match entry {
                Entry::Constant(wanted) => wanted == value,
                Entry::Symbol(name) => *bound[*name].get_or_insert(*value) == *value,
                Entry::Dash => true,
            };
            if !is_met {
                return Vec::new();
            }
        }
        // One assignment of values to unbound symbols after the other.
        let unbound = self.right.iter().enumerate().filter_map(|(place, entry)| match entry {
            Entry::Symbol(name) if bound[*name].is_none() => Some((*name, sizes[place])),
            _ => None,
        });
        let mut assignments = vec![bound.clone()];
        for (name, size) in unbound {
            if assignments[0][name].is_some() {
                continue;
            }
            let assign = |before: &Vec<Option<usize>>| {
                let before = before.clone();
                (0..size).map(move |value| {
                    let mut after = before.clone();
                    after[name] = Some(value);
                    after
                })
            };
            assignments = assignments.iter().flat_map(assign).collect();
        }
        let after = |bound: Vec<Option<usize>>| -> Values {
            let value = |(place, entry): (usize, &Entry)| match entry {
                Entry::Constant(value) => *value,
                Entry::Symbol(name) => bound[*name].expect("all symbols have a value"),
                Entry::Dash => state[place],
            };
            self.right.iter().enumerate().map(value).collect()
        };
        let states = assignments.into_iter().map(after);
        states.map(|state| (self.cost, state)).collect()
    }
}

/// A place whose values are as many as those of this one; its number names a symbol.
fn same_size(random: &mut SplitMix64, sizes: &[usize], place: usize) -> usize {
    let same: Vec<usize> = (0..sizes.len())
        .filter(|other| sizes[*other] == sizes[place])
        .collect();
    same[random.below(same.len())]
}
