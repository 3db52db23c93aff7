//! Random planning tasks and twisty puzzles, translated and searched.

use std::fmt::Write;

use psvn::{Environment, Game, Lints, State, Value};
use psvn_ir::VarId;
use psvn_ir::testing::{SplitMix64, cases};

use super::oracle::{Oracle, Values};
use super::random_text::joined;
use super::requests::Subject;
use super::spaces;
use super::tally::Tally;

/// A fact: a variable with one of its values.
type Fact = (usize, usize);

/// An effect with its conditions.
struct Effect {
    conditions: Vec<Fact>,
    before: Option<usize>,
    fact: Fact,
}

struct Operator {
    prevail: Vec<Fact>,
    effects: Vec<Effect>,
    cost: u64,
}

/// A planning task. Derived variables come last, have the value 1 by default, and 0 where an axiom
/// says so.
struct Task {
    sizes: Vec<usize>,
    n_derived: usize,
    /// The conditions and the derived variable of each axiom.
    axioms: Vec<(Vec<Fact>, usize)>,
    operators: Vec<Operator>,
    start: Values,
    goal: Vec<Fact>,
}

/// Draw at most `most` facts of different variables.
fn facts(random: &mut SplitMix64, sizes: &[usize], most: usize) -> Vec<Fact> {
    let mut found: Vec<Fact> = Vec::new();
    for _ in 0..random.below(most + 1) {
        let variable = random.below(sizes.len());
        if found.iter().all(|(other, _)| *other != variable) {
            found.push((variable, random.below(sizes[variable])));
        }
    }
    found
}

fn holds(facts: &[Fact], state: &[usize]) -> bool {
    facts
        .iter()
        .all(|(variable, value)| state[*variable] == *value)
}

impl Task {
    fn draw(random: &mut SplitMix64) -> Self {
        let n_primary = 2 + random.below(3);
        let n_derived = random.below(3);
        let primary: Vec<usize> = (0..n_primary).map(|_| 2 + random.below(2)).collect();
        let sizes = [&*primary, &vec![2; n_derived]].concat();
        // Derived variables depend on those before them alone.
        let axioms = (n_primary..sizes.len())
            .flat_map(|head| [head; 2])
            .map(|head| (facts(random, &sizes[..head], 2), head))
            .collect();
        let operators = (0..3 + random.below(5))
            .map(|_| Operator::draw(random, &sizes, n_primary))
            .collect();
        let start = primary.iter().map(|size| random.below(*size)).collect();
        let goal = loop {
            let goal = facts(random, &sizes, 3);
            if !goal.is_empty() {
                break goal;
            }
        };
        Self {
            sizes,
            n_derived,
            axioms,
            operators,
            start,
            goal,
        }
    }

    fn n_primary(&self) -> usize {
        self.sizes.len() - self.n_derived
    }

    /// A state with its derived variables. An axiom for a variable tests only variables before it,
    /// so one pass in the order of variables is enough.
    fn derived(&self, state: &[usize]) -> Values {
        let mut full = [state, &vec![1; self.n_derived]].concat();
        for (conditions, head) in &self.axioms {
            if holds(conditions, &full) {
                full[*head] = 0;
            }
        }
        full
    }

    fn oracle(&self) -> Oracle {
        Oracle::new(
            [self.start.clone()],
            |state| {
                let full = self.derived(state);
                let next = |operator: &Operator| Some((operator.cost, operator.apply(&full)?));
                let next = self.operators.iter().filter_map(next);
                next.map(|(cost, mut state)| {
                    state.truncate(self.n_primary());
                    (cost, state)
                })
                .collect()
            },
            |state| holds(&self.goal, &self.derived(state)),
        )
    }

    /// The task as translators write it. Older ones print, beside each rule that derives a fact,
    /// rules that give the default value back where one of its conditions fails; searches reset
    /// derived variables, so these rules change nothing.
    fn text(&self, is_older: bool) -> String {
        let mut text = "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n".to_owned();
        let add =
            |text: &mut String, line: &dyn std::fmt::Display| writeln!(text, "{line}").unwrap();
        add(&mut text, &self.sizes.len());
        for (variable, size) in self.sizes.iter().enumerate() {
            // A layer for each derived variable.
            let layer = variable as i64 - self.n_primary() as i64;
            add(
                &mut text,
                &format!("begin_variable\nvar{variable}\n{}\n{size}", layer.max(-1)),
            );
            for value in 0..*size {
                add(&mut text, &format!("Atom f{variable}({value})"));
            }
            add(&mut text, &"end_variable");
        }
        add(&mut text, &"0\nbegin_state");
        for value in self.start.iter().chain(&vec![1; self.n_derived]) {
            add(&mut text, value);
        }
        add(&mut text, &"end_state\nbegin_goal");
        write_facts(&mut text, &self.goal);
        add(&mut text, &format!("end_goal\n{}", self.operators.len()));
        for (number, operator) in self.operators.iter().enumerate() {
            operator.write(&mut text, number);
        }
        let rules = self.rules(is_older);
        add(&mut text, &rules.len());
        for (conditions, (variable, value)) in rules {
            add(&mut text, &"begin_rule");
            write_facts(&mut text, &conditions);
            add(
                &mut text,
                &format!("{variable} {} {value}\nend_rule", 1 - value),
            );
        }
        text
    }

    /// The axioms with the facts that they derive, and, if wanted, those of older translators.
    fn rules(&self, is_older: bool) -> Vec<(Vec<Fact>, Fact)> {
        let mut rules = Vec::new();
        for (conditions, head) in &self.axioms {
            rules.push((conditions.clone(), (*head, 0)));
            let can_be_negated = conditions.iter().all(|(it, _)| self.sizes[*it] == 2);
            if is_older && can_be_negated {
                let negated = conditions.iter().map(|(it, value)| (*it, 1 - value));
                rules.extend(negated.map(|fact| (vec![fact], (*head, 1))));
            }
        }
        rules
    }
}

fn write_facts(text: &mut String, facts: &[Fact]) {
    writeln!(text, "{}", facts.len()).unwrap();
    for (variable, value) in facts {
        writeln!(text, "{variable} {value}").unwrap();
    }
}

impl Operator {
    fn draw(random: &mut SplitMix64, sizes: &[usize], n_primary: usize) -> Self {
        let prevail = facts(random, sizes, 1);
        let changed = facts(random, &sizes[..n_primary], 3);
        let changed = changed
            .into_iter()
            .filter(|(variable, _)| prevail.iter().all(|(other, _)| other != variable));
        let effects = changed
            .map(|fact| Effect {
                conditions: if random.chance(30) {
                    facts(random, sizes, 2)
                } else {
                    Vec::new()
                },
                before: random.chance(50).then(|| random.below(sizes[fact.0])),
                fact,
            })
            .collect();
        Self {
            prevail,
            effects,
            cost: random.next_u64() % 3,
        }
    }

    /// The state after it, where it applies. Conditions of all effects are tested before any.
    fn apply(&self, state: &[usize]) -> Option<Values> {
        let demands = self.effects.iter();
        let is_met = demands.clone().all(|effect| {
            let (variable, _) = effect.fact;
            effect.before.is_none_or(|value| state[variable] == value)
        });
        if !is_met || !holds(&self.prevail, state) {
            return None;
        }
        let mut next = state.to_vec();
        for effect in demands.filter(|effect| holds(&effect.conditions, state)) {
            let (variable, value) = effect.fact;
            next[variable] = value;
        }
        Some(next)
    }

    fn write(&self, text: &mut String, number: usize) {
        writeln!(text, "begin_operator\nact {number}").unwrap();
        write_facts(text, &self.prevail);
        writeln!(text, "{}", self.effects.len()).unwrap();
        for effect in &self.effects {
            let (variable, value) = effect.fact;
            let conditions = effect.conditions.iter();
            let conditions: String = conditions.map(|(it, at)| format!(" {it} {at}")).collect();
            let before = effect.before.map_or(-1, |before| before as i64);
            let n = effect.conditions.len();
            writeln!(text, "{n}{conditions} {variable} {before} {value}").unwrap();
        }
        writeln!(text, "{}\nend_operator", self.cost).unwrap();
    }
}

/// The searches that are requested of each task or puzzle.
const SEARCHES: usize = 20;

fn soak_tasks(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let env = Environment::default().with_lints(Lints::None);
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let task = Task::draw(&mut random);
        let text = task.text(random.chance(50));
        let name = format!("task {seed}\n{text}");
        let game =
            Game::parse("task", &text, &env).unwrap_or_else(|error| panic!("{name}: {error}"));
        let oracle = task.oracle();
        let ir = game.ir();
        // Variables and values keep their names.
        let translate = |state: &[Value]| -> Values {
            let mut values = task.start.clone();
            for (place, value) in state.iter().enumerate() {
                let fact = ir.domain_of(VarId::from_index(place)).value_name(*value);
                let (variable, value) = fact.split_once('(').unwrap();
                let variable: usize = variable.strip_prefix('f').unwrap().parse().unwrap();
                values[variable] = value.trim_end_matches(')').parse().unwrap();
            }
            values
        };
        let subject = Subject::new(name, &game, &oracle, &translate);
        let start = game.declared_start().unwrap().expect("tasks have a start");
        tally.games += 1;
        for _ in 0..SEARCHES {
            subject.search(&start, &mut random, &mut tally);
        }
    }
    tally
}

/// Pieces on places, which moves permute, some of which must not be at some places.
struct Puzzle {
    n: usize,
    /// For each move, the place from which each place takes its piece.
    moves: Vec<Values>,
    /// Places with the pieces that must not be there.
    illegal: Vec<(usize, usize)>,
}

impl Puzzle {
    fn draw(random: &mut SplitMix64) -> Self {
        let n = 3 + random.below(3);
        let moves = (0..1 + random.below(2))
            .map(|_| {
                loop {
                    let mut places: Values = (0..n).collect();
                    for place in (1..n).rev() {
                        places.swap(place, random.below(place + 1));
                    }
                    if !places.is_sorted() {
                        break places;
                    }
                }
            })
            .collect();
        let illegal = (0..random.below(4))
            .map(|_| (random.below(n), random.below(n)))
            .filter(|(place, piece)| place != piece)
            .collect();
        Self { n, moves, illegal }
    }

    fn is_legal(&self, state: &[usize]) -> bool {
        self.illegal
            .iter()
            .all(|(place, piece)| state[*place] != *piece)
    }

    /// All multiples of all moves, up to the order of each.
    fn multiples(&self) -> Vec<Values> {
        let solved: Values = (0..self.n).collect();
        let mut found = Vec::new();
        for places in &self.moves {
            let mut multiple = places.clone();
            while multiple != solved {
                found.push(multiple.clone());
                multiple = places.iter().map(|from| multiple[*from]).collect();
            }
        }
        found
    }

    fn oracle(&self) -> Oracle {
        let multiples = self.multiples();
        Oracle::new(
            [(0..self.n).collect()],
            |state| {
                let next = multiples
                    .iter()
                    .map(|from| -> Values { from.iter().map(|place| state[*place]).collect() });
                next.filter(|next| self.is_legal(next))
                    .map(|next| (1, next))
                    .collect()
            },
            <[usize]>::is_sorted,
        )
    }

    fn text(&self) -> String {
        let counted =
            |places: &[usize]| joined(&places.iter().map(|it| it + 1).collect::<Vec<_>>());
        let solved: Values = (0..self.n).collect();
        let mut text = format!("Name random\nSet A {} 1\n", self.n);
        writeln!(text, "Solved\nA\n{}\nEnd", counted(&solved)).unwrap();
        for (number, places) in self.moves.iter().enumerate() {
            let name = ["U", "R"][number];
            writeln!(text, "Move {name}\nA\n{}\nEnd", counted(places)).unwrap();
        }
        for (place, piece) in &self.illegal {
            writeln!(text, "Illegal A {} {}", place + 1, piece + 1).unwrap();
        }
        text
    }
}

/// The state after a random walk.
fn walk(game: &psvn_ir::Game, start: &State, n_moves: usize, random: &mut SplitMix64) -> State {
    let mut state = start.values().to_vec();
    for _ in 0..n_moves {
        let applicable: Vec<_> = game
            .rules()
            .iter()
            .filter(|rule| rule.canonical.applies_to(&state))
            .collect();
        if !applicable.is_empty() {
            let rule = applicable[random.below(applicable.len())];
            state = rule.canonical.apply(&state).to_vec();
        }
    }
    State::new(state)
}

fn soak_puzzles(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let env = Environment::default().with_lints(Lints::None);
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let puzzle = Puzzle::draw(&mut random);
        let oracle = puzzle.oracle();
        let text = puzzle.text();
        let name = format!("puzzle {seed}\n{text}");
        let game = match Game::parse("puzzle", &text, &env) {
            Ok(game) => game,
            Err(error) => {
                // No move can be made from the solved state or to it.
                assert_eq!(oracle.states.len(), 1, "{name}: {error}");
                tally.refused(error.kind());
                continue;
            }
        };
        let ir = game.ir();
        let translate = |state: &[Value]| -> Values {
            let piece = |(place, value): (usize, &Value)| {
                let name = ir.domain_of(VarId::from_index(place)).value_name(*value);
                name.parse::<usize>().unwrap() - 1
            };
            // Behind the places there may be variables that say where pieces may not be.
            state.iter().take(puzzle.n).enumerate().map(piece).collect()
        };
        // Each move can be undone by another one, so both directions count the same.
        let (layers, solved) = (
            oracle.layers(&[0]),
            ir.goal_state().expect("there is one goal"),
        );
        assert_eq!(layers, oracle.layers_to_goals(), "{name}");
        for start in [None, Some(&solved)] {
            let [.., ranked, _] = spaces::explore(&game, &name, start, &layers, None);
            tally.ranked += ranked;
        }
        let subject = Subject::new(name.clone(), &game, &oracle, &translate);
        tally.games += 1;
        for _ in 0..SEARCHES {
            let start = walk(ir, &solved, random.below(10), &mut random);
            subject.search(&start, &mut random, &mut tally);
        }
    }
    tally
}

/// What must have happened in a run that says something.
fn check_breadth(tally: &Tally) {
    tally.print();
    let solved = tally.with_outcome("solved");
    assert!(solved * 5 > tally.searches(), "{tally:?}");
}

#[test]
fn some_planning_tasks() {
    check_breadth(&soak_tasks(0..60));
}

#[test]
fn some_twisty_puzzles() {
    let tally = soak_puzzles(0..60);
    check_breadth(&tally);
    // Both directions of most puzzles without forbidden places.
    assert!(tally.ranked > 20, "{tally:?}");
}

/// Search many tasks and puzzles.
#[test]
#[ignore = "takes 10 minutes: tens of thousands of searches"]
fn manual_many_imports() {
    let n_games = cases(1_000);
    for soak in [soak_tasks, soak_puzzles] {
        let mut tally = Tally::default();
        for seed in (1_000..1_000 + n_games).step_by(100) {
            tally.add(soak(seed..(seed + 100).min(1_000 + n_games)));
        }
        check_breadth(&tally);
    }
}
