//! Small random games with rules that test, compare and copy values.

use std::collections::BTreeMap;

use psvn_ir::testing::SplitMix64;

/// An entry of a vector: a value, or an unknown.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Value(usize),
    Unknown(usize),
}

struct Rule {
    cost: usize,
    tests: Vec<Entry>,
    puts: Vec<Entry>,
}

pub(super) struct RandomGame {
    sizes: Vec<usize>,
    rules: Vec<Rule>,
    goals: Vec<Vec<Entry>>,
    start: Vec<usize>,
}

impl RandomGame {
    pub(super) fn new(random: &mut SplitMix64) -> Self {
        let n_variables = random.within(&(1..=3));
        let sizes: Vec<usize> = (0..n_variables).map(|_| random.within(&(1..=3))).collect();
        let rules = (0..random.within(&(0..=6)))
            .map(|_| Rule::new(&sizes, random))
            .collect();
        let goals = (0..random.within(&(0..=2)))
            .map(|_| tests(&sizes, random))
            .collect();
        let start = sizes.iter().map(|size| random.below(*size)).collect();
        Self {
            sizes,
            rules,
            goals,
            start,
        }
    }

    /// A potential that is above 0 at the start. It may be wrong.
    pub(super) fn potential(&self, random: &mut SplitMix64) -> String {
        let mut lines = Vec::new();
        let mut sum = 0;
        for (variable, size) in self.sizes.iter().enumerate() {
            let weights: Vec<usize> = (0..*size).map(|_| random.below(4)).collect();
            sum += weights[self.start[variable]];
            lines.push(format!("weigh {} : {}\n", variable + 1, spaced(&weights)));
        }
        format!("potential {}\n{}", random.below(sum.max(1)), lines.concat())
    }

    /// A certificate that claims a bound without a proof. Potentials may come with it.
    pub(super) fn certificate(&self, bound: usize, potentials: &str) -> String {
        let rule = |it: &Rule| {
            let (tests, puts) = (vector(&it.tests), vector(&it.puts));
            format!("rule {} : {tests} => {puts}", it.cost)
        };
        let goal = |it: &Vec<Entry>| format!("goal {}", vector(it));
        let mut lines = vec![
            "psvn-certificate 1".to_owned(),
            format!("domains {}", spaced(&self.sizes)),
        ];
        lines.extend(self.rules.iter().map(rule));
        lines.extend(self.goals.iter().map(goal));
        lines.push(format!("start {}", spaced(&self.start)));
        lines.push(format!(
            "claim bound {bound} by list\n{potentials}closed\nend\n"
        ));
        lines.join("\n")
    }

    /// The least cost of a plan.
    pub(super) fn least_cost(&self) -> Option<usize> {
        let mut costs = BTreeMap::from([(self.start.clone(), 0)]);
        loop {
            let before = costs.clone();
            for (state, cost) in &before {
                for rule in &self.rules {
                    let Some(next) = rule.after(state) else {
                        continue;
                    };
                    let next = costs.entry(next).or_insert(usize::MAX);
                    *next = (*next).min(cost + rule.cost);
                }
            }
            if costs == before {
                break;
            }
        }
        let is_goal = |state: &Vec<usize>| self.goals.iter().any(|it| bind(it, state).is_some());
        let goals = costs.iter().filter(|(state, _)| is_goal(state));
        goals.map(|(_, cost)| *cost).min()
    }
}

impl Rule {
    fn new(sizes: &[usize], random: &mut SplitMix64) -> Self {
        let tests = tests(sizes, random);
        let cost = [1, 1, 2, 3][random.below(4)];
        let put = |variable: usize| {
            let given = tests[random.below(sizes.len())];
            // A copied value must fit, and comes from the first variable with the unknown.
            let first = tests.iter().position(|it| *it == given);
            match given {
                Entry::Unknown(_) if first.is_some_and(|it| sizes[it] <= sizes[variable]) => given,
                _ => Entry::Value(random.below(sizes[variable])),
            }
        };
        Self {
            cost,
            puts: (0..sizes.len()).map(put).collect(),
            tests,
        }
    }

    fn after(&self, state: &[usize]) -> Option<Vec<usize>> {
        let unknowns = bind(&self.tests, state)?;
        let value = |it: &Entry| match it {
            Entry::Value(value) => *value,
            Entry::Unknown(unknown) => unknowns[unknown],
        };
        Some(self.puts.iter().map(value).collect())
    }
}

/// Tests of a vector. Some can't be passed.
fn tests(sizes: &[usize], random: &mut SplitMix64) -> Vec<Entry> {
    let test = |(variable, size): (usize, &usize)| match random.below(20) {
        0..9 => Entry::Unknown(variable),
        9..11 => Entry::Unknown(random.below(sizes.len())),
        11..19 => Entry::Value(random.below(*size)),
        _ => Entry::Value(3),
    };
    sizes.iter().enumerate().map(test).collect()
}

/// The values of unknowns with which a vector is a state.
fn bind(entries: &[Entry], state: &[usize]) -> Option<BTreeMap<usize, usize>> {
    let mut unknowns = BTreeMap::new();
    for (entry, value) in entries.iter().zip(state) {
        let wanted = match entry {
            Entry::Value(wanted) => wanted,
            Entry::Unknown(unknown) => unknowns.entry(*unknown).or_insert(*value),
        };
        if wanted != value {
            return None;
        }
    }
    Some(unknowns)
}

fn vector(entries: &[Entry]) -> String {
    let word = |it: &Entry| match it {
        Entry::Value(value) => value.to_string(),
        Entry::Unknown(unknown) => format!("x{}", unknown + 1),
    };
    entries.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn spaced(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ")
}
