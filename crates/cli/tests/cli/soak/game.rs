//! Random games as text, and what that text means, by a reading of its own.
//!
//! Nothing here uses the crates under test: a game is drawn as rows of entries, printed as PSVN,
//! and carried out entry by entry on vectors of numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The most states of a game, so that all of them can be tried.
const MOST_STATES: usize = 256;

/// Random numbers, all of them from one seed.
pub(crate) struct Dice(SplitMix64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// `true` in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn one_of<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

/// An entry of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Dash,
    /// A value of the position's domain.
    Value(u8),
    Symbol(&'static str),
}

#[derive(Clone, Debug)]
struct Rule {
    left: Vec<Entry>,
    right: Vec<Entry>,
    label: Option<String>,
    cost: Option<u64>,
}

impl Rule {
    fn is_empty(&self) -> bool {
        let mut entries = self.left.iter().chain(&self.right);
        entries.all(|entry| *entry == Entry::Dash)
    }
}

struct Domain {
    name: String,
    /// `None` for the domains of numbers, which need no declaration.
    declared: bool,
    values: Vec<String>,
}

/// A game with few states.
pub(crate) struct RandomGame {
    domains: Vec<Domain>,
    /// The domain of each position.
    positions: Vec<usize>,
    rules: Vec<Rule>,
    goals: Vec<Vec<Entry>>,
}

/// A state: for each position the number of its value.
pub(crate) type State = Vec<u8>;

/// A way out of a state.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) label: String,
    pub(crate) cost: u64,
    pub(crate) target: State,
}

/// What symbols stand for: a symbol of two domains is two variables.
type Bindings = BTreeMap<(&'static str, usize), u8>;

const SYMBOLS: [&str; 5] = ["X", "Y", "Z", "p", "q"];

/// The values of declared domains. Some tokens are values of several domains, `p` and `q` are
/// symbols wherever they are no values, and case doesn't matter.
const NAMES: [&[&str]; 4] = [
    &["Red", "green", "B", "w"],
    &["b", "red", "1", "GOAL"],
    &["q", "0", "on"],
    &["up", "DOWN"],
];

impl RandomGame {
    pub(crate) fn new(seed: u64) -> Self {
        let dice = &mut Dice::new(seed);
        let mut domains: Vec<Domain> = (0..1 + dice.below(3)).map(|i| domain(dice, i)).collect();
        // The same numbers are the same domain.
        domains.sort_by(|a, b| a.name.cmp(&b.name));
        domains.dedup_by(|a, b| a.name == b.name);
        let mut positions = Vec::new();
        let mut n_states = 1;
        for _ in 0..2 + dice.below(4) {
            let home = dice.below(domains.len());
            let size = domains[home].values.len();
            if n_states * size <= MOST_STATES {
                n_states *= size;
                positions.push(home);
            }
        }
        let mut game = Self {
            domains,
            positions,
            rules: Vec::new(),
            goals: Vec::new(),
        };
        let greatest_cost = *dice.one_of(&[0, 1, 2, 5]);
        for number in 0..2 + dice.below(6) {
            let rule = match dice.below(10) {
                0 if number > 0 => dice.one_of(&game.rules).clone(),
                1 => game.idle_rule(dice),
                2..=4 if number > 0 => game.inverse(dice),
                _ => game.rule(dice, greatest_cost),
            };
            game.rules.push(rule);
        }
        for _ in 0..1 + dice.below(3) {
            let goal = game.goal(dice);
            game.goals.push(goal);
        }
        game
    }

    fn value(&self, dice: &mut Dice, position: usize) -> Entry {
        let size = self.domains[self.positions[position]].values.len();
        Entry::Value(dice.below(size) as u8)
    }

    /// A symbol that may stand at a position.
    fn symbol(&self, dice: &mut Dice, position: usize) -> Entry {
        let values = &self.domains[self.positions[position]].values;
        let is_free =
            |symbol: &&'static str| !values.iter().any(|v| v.eq_ignore_ascii_case(symbol));
        let free: Vec<&'static str> = SYMBOLS.into_iter().filter(is_free).collect();
        let symbol: &&'static str = dice.one_of(&free);
        Entry::Symbol(symbol)
    }

    fn left_side(&self, dice: &mut Dice) -> Vec<Entry> {
        let entry = |position| match dice.below(10) {
            0..=3 => self.value(dice, position),
            4..=7 => self.symbol(dice, position),
            _ => Entry::Dash,
        };
        (0..self.positions.len()).map(entry).collect()
    }

    fn rule(&self, dice: &mut Dice, greatest_cost: u64) -> Rule {
        let left = self.left_side(dice);
        let is_bound = |position: usize| {
            let same = |other: &usize| {
                self.positions[*other] == self.positions[position]
                    && matches!(left[*other], Entry::Symbol(_))
            };
            (0..left.len()).filter(same).collect::<Vec<_>>()
        };
        // More than one symbol without a binding would multiply beyond measure.
        let mut may_be_unbound = dice.chance(20);
        let right = (0..left.len()).map(|position| {
            let bound = is_bound(position);
            match dice.below(10) {
                0..=2 => self.value(dice, position),
                3..=6 if !bound.is_empty() => left[*dice.one_of(&bound)].clone(),
                7 if may_be_unbound => {
                    may_be_unbound = false;
                    self.symbol(dice, position)
                }
                _ => Entry::Dash,
            }
        });
        let right: Vec<Entry> = right.collect();
        let label = match dice.below(4) {
            0 => None,
            1 => Some("shared".to_owned()),
            _ => Some(format!("move{}", dice.below(50))),
        };
        let cost = dice
            .chance(60)
            .then(|| dice.below(greatest_cost as usize + 1) as u64);
        Rule {
            left,
            right,
            label,
            cost,
        }
    }

    /// A rule that may test, and changes nothing.
    fn idle_rule(&self, dice: &mut Dice) -> Rule {
        let left = self.left_side(dice);
        let right = left.iter().map(|entry| {
            if dice.chance(50) {
                entry.clone()
            } else {
                Entry::Dash
            }
        });
        Rule {
            right: right.collect(),
            left,
            label: None,
            cost: None,
        }
    }

    /// The sides of an earlier rule exchanged. Its entries may be unbound then.
    fn inverse(&self, dice: &mut Dice) -> Rule {
        let rule = dice.one_of(&self.rules);
        let sides = rule.left.iter().zip(&rule.right);
        let (left, right) = sides
            .map(|(left, right)| match (left, right) {
                (entry, Entry::Dash) => (entry.clone(), Entry::Dash),
                (Entry::Dash, entry) => (entry.clone(), Entry::Dash),
                (left, right) => (right.clone(), left.clone()),
            })
            .unzip();
        Rule {
            left,
            right,
            label: rule.label.as_ref().map(|label| format!("{label}'")),
            cost: rule.cost,
        }
    }

    fn goal(&self, dice: &mut Dice) -> Vec<Entry> {
        let entry = |position| match dice.below(10) {
            0..=5 => self.value(dice, position),
            6 => self.symbol(dice, position),
            _ => Entry::Dash,
        };
        (0..self.positions.len()).map(entry).collect()
    }

    /// The game as a file.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("# drawn at random\n");
        for domain in self.domains.iter().filter(|domain| domain.declared) {
            let values = domain.values.join(" ");
            let n = domain.values.len();
            writeln!(text, "DOMAIN {} {n} {values}", domain.name).unwrap();
        }
        let names = self.positions.iter().map(|home| &*self.domains[*home].name);
        let names: Vec<&str> = names.collect();
        writeln!(text, "{}\n{}", names.len(), names.join(" ")).unwrap();
        for rule in &self.rules {
            let (left, right) = (self.row(&rule.left), self.row(&rule.right));
            write!(text, "{left} => {right}").unwrap();
            if let Some(label) = &rule.label {
                write!(text, " LABEL {label}").unwrap();
            }
            if let Some(cost) = rule.cost {
                write!(text, " COST {cost}").unwrap();
            }
            text.push('\n');
        }
        for goal in &self.goals {
            writeln!(text, "GOAL {}", self.row(goal)).unwrap();
        }
        text
    }

    fn row(&self, entries: &[Entry]) -> String {
        let token = |(entry, home): (&Entry, &usize)| match entry {
            Entry::Dash => "-".to_owned(),
            Entry::Value(value) => self.domains[*home].values[usize::from(*value)].clone(),
            Entry::Symbol(symbol) => (*symbol).to_owned(),
        };
        let tokens = entries.iter().zip(&self.positions).map(token);
        tokens.collect::<Vec<_>>().join(" ")
    }

    /// A state as the command takes and prints it.
    pub(crate) fn state_text(&self, state: &[u8]) -> String {
        let entries: Vec<Entry> = state.iter().map(|value| Entry::Value(*value)).collect();
        self.row(&entries)
    }

    /// All states.
    pub(crate) fn states(&self) -> Vec<State> {
        let mut states = vec![Vec::new()];
        for home in &self.positions {
            let size = self.domains[*home].values.len() as u8;
            let longer = |state: &State| {
                let state = state.clone();
                (0..size).map(move |value| [&state[..], &[value]].concat())
            };
            states = states.iter().flat_map(longer).collect();
        }
        states
    }

    /// What symbols stand for where a row fits a state.
    fn matched(&self, row: &[Entry], state: &[u8]) -> Option<Bindings> {
        let mut bindings = Bindings::new();
        for ((entry, home), value) in row.iter().zip(&self.positions).zip(state) {
            let fits = match entry {
                Entry::Dash => true,
                Entry::Value(wanted) => wanted == value,
                Entry::Symbol(symbol) => bindings.entry((symbol, *home)).or_insert(*value) == value,
            };
            if !fits {
                return None;
            }
        }
        Some(bindings)
    }

    pub(crate) fn is_goal(&self, state: &[u8]) -> bool {
        self.goals
            .iter()
            .any(|goal| self.matched(goal, state).is_some())
    }

    /// The ways out of a state, one for each rule as it is expanded.
    pub(crate) fn edges(&self, state: &[u8]) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (number, rule) in self.rules.iter().enumerate() {
            // Rows that neither test nor write anything are no rules.
            if rule.is_empty() {
                continue;
            }
            let Some(bindings) = self.matched(&rule.left, state) else {
                continue;
            };
            let label = rule.label.clone();
            let label = label.unwrap_or_else(|| format!("rule_{}", number + 1));
            let cost = rule.cost.unwrap_or(1);
            let mut targets = vec![(state.to_vec(), bindings)];
            for (position, entry) in rule.right.iter().enumerate() {
                targets = targets
                    .into_iter()
                    .flat_map(|target| self.written(position, entry, target))
                    .collect();
            }
            edges.extend(targets.into_iter().map(|(target, _)| Edge {
                label: label.clone(),
                cost,
                target,
            }));
        }
        edges
    }

    /// The states that come of writing one entry; several where it is a symbol without a binding.
    fn written(
        &self,
        position: usize,
        entry: &Entry,
        (state, bindings): (State, Bindings),
    ) -> Vec<(State, Bindings)> {
        let home = self.positions[position];
        let with = |value: u8, bindings: Bindings| {
            let mut state = state.clone();
            state[position] = value;
            (state, bindings)
        };
        match entry {
            Entry::Dash => vec![(state, bindings)],
            Entry::Value(value) => vec![with(*value, bindings)],
            Entry::Symbol(symbol) => match bindings.get(&(*symbol, home)) {
                Some(value) => vec![with(*value, bindings.clone())],
                None => (0..self.domains[home].values.len() as u8)
                    .map(|value| {
                        let mut bindings = bindings.clone();
                        bindings.insert((symbol, home), value);
                        with(value, bindings)
                    })
                    .collect(),
            },
        }
    }

    /// All values of the declared domains and numbers that occur, for patterns.
    pub(crate) fn some_values(&self, dice: &mut Dice) -> Vec<String> {
        let homes = self.positions.iter().map(|home| &self.domains[*home]);
        let mut values: Vec<String> = homes.flat_map(|domain| domain.values.clone()).collect();
        values.sort_unstable();
        values.dedup();
        values.retain(|_| dice.chance(60));
        values
    }

    pub(crate) fn n_positions(&self) -> usize {
        self.positions.len()
    }
}

fn domain(dice: &mut Dice, number: usize) -> Domain {
    if dice.chance(40) {
        let size = 2 + dice.below(3);
        let from = usize::from(dice.chance(30));
        return Domain {
            name: format!("{size}{}", if from == 1 { "N" } else { "" }),
            declared: false,
            values: (from..size + from).map(|value| value.to_string()).collect(),
        };
    }
    let names = *dice.one_of(&NAMES);
    let size = 2 + dice.below(names.len() - 1);
    Domain {
        name: format!("kind{number}"),
        declared: true,
        values: names[..size].iter().map(|&name| name.to_owned()).collect(),
    }
}
