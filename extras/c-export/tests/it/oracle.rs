//! The required output of the programs, by the rules of the game alone or by the library's
//! searches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use c_export::{Backward, Export, ExportError, Histories, HistoryForm, to_c, to_rust};
use fsm::{Dense, WordAutomaton, minimize};
use invariants::Invariants;
use move_prune::Options;
use psvn_ir::{CanonicalRule, Game, State, Term, Value, all_states};
use search::{Bound, CompiledGame, Searcher, ZeroHeuristic};

/// A game with its machines.
pub(crate) struct Subject {
    pub(crate) game: Game,
    pub(crate) backward: Game,
    length: usize,
    machines: Option<[Dense; 2]>,
    form: HistoryForm,
}

/// The most backward rules.
const MOST_BACKWARD: usize = 100_000;

/// The minimal machine for words up to a length.
fn machine(game: &Game, length: usize) -> Dense {
    let rules: Vec<CanonicalRule> = game
        .rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect();
    // Sequences that no state on the way from a goal allows need not be compared.
    let known = Invariants::from_goals(game);
    let admits = |preconditions: &[Term]| known.admits(preconditions);
    let options = Options {
        max_length: length,
        admits: Some(&admits),
        ..Options::default()
    };
    let analysis = move_prune::analyze(game.n_variables(), &rules, &options, |_| ());
    let words = WordAutomaton::forbidding(rules.len() as u32, analysis.redundant_letters());
    minimize(&words.unwrap().build().unwrap()).unwrap()
}

impl Subject {
    /// A game with the machines for sequences up to a length; none for 0.
    pub(crate) fn new(game: Game, length: usize) -> Self {
        let backward = game.backward(MOST_BACKWARD).unwrap();
        let machines = (length > 0).then(|| [&game, &backward].map(|game| machine(game, length)));
        Self {
            game,
            backward,
            length,
            machines,
            form: HistoryForm::Auto,
        }
    }

    /// The same with histories stored in this form.
    pub(crate) fn with_histories(self, form: HistoryForm) -> Self {
        Self { form, ..self }
    }

    /// A built-in game.
    pub(crate) fn built_in(reference: &str, length: usize) -> Self {
        let text = domains::generate_reference(reference).unwrap();
        Self::new(psvn_ir::load(&text).game.unwrap(), length)
    }

    /// The game as C.
    pub(crate) fn to_c(&self) -> String {
        self.written(to_c)
    }

    /// The game as Rust.
    pub(crate) fn to_rust(&self) -> String {
        self.written(to_rust)
    }

    fn written(&self, write: fn(&Export<'_>) -> Result<String, ExportError>) -> String {
        let histories = |number: usize| {
            self.machines.as_ref().map(|machines| Histories {
                machine: &machines[number],
                max_length: self.length,
                order: "length-lexicographic",
                form: self.form,
            })
        };
        write(&Export {
            name: "a game",
            game: &self.game,
            forward: histories(0),
            backward: Backward::Rules {
                game: &self.backward,
                histories: histories(1),
            },
        })
        .unwrap()
    }

    fn searched<T>(&self, backward: bool, run: impl FnOnce(&CompiledGame, &Dense) -> T) -> T {
        let game = if backward { &self.backward } else { &self.game };
        let compiled = CompiledGame::new(game);
        let everything = WordAutomaton::new(game.rules().len() as u32);
        let unrestricted = everything.build().unwrap();
        let machine = self.machines.as_ref();
        let machine = machine.map_or(&unrestricted, |them| &them[usize::from(backward)]);
        run(&compiled, machine)
    }

    /// The output of the counters, by the library.
    pub(crate) fn counts(&self, start: &State, depth: u64, backward: bool) -> String {
        self.searched(backward, |compiled, machine| {
            let searcher = Searcher::builder(compiled).machine(machine.clone()).build();
            let tree = searcher.run().count_tree(start, Bound::Depth(depth));
            let tree = tree.unwrap();
            (0..=depth as usize)
                .map(|depth| format!("{depth} {}\n", tree.generated(depth)))
                .collect()
        })
    }

    /// The output of IDA*, by the library: the cost of a cheapest path, and the trees within each
    /// earlier bound. `None` if there is no path.
    pub(crate) fn ida(&self, start: &State) -> Option<String> {
        self.searched(false, |compiled, machine| {
            let searcher = Searcher::builder(compiled).machine(machine.clone()).build();
            let report = searcher.run().ida_star(start, &ZeroHeuristic).unwrap();
            let cost = u64::try_from(report.solution()?.cost).unwrap();
            let mut text = String::new();
            let mut bound = 0;
            while bound < cost {
                let tree = searcher
                    .run()
                    .count_tree(start, Bound::Cost(bound))
                    .unwrap();
                let nodes = tree.totals().generated;
                let _ = writeln!(text, "bound {bound} nodes {nodes}");
                bound += self.only_cost();
            }
            let _ = writeln!(text, "cost {cost}");
            Some(text)
        })
    }

    /// The cost of all rules, by which bounds then increase.
    fn only_cost(&self) -> u64 {
        let mut costs = self.game.rules().iter().map(|rule| rule.canonical.cost());
        let cost = costs.next().unwrap();
        assert!(costs.all(|other| other == cost));
        cost
    }

    /// The output about states and goals, by the rules.
    pub(crate) fn states(&self, states: &[Box<[Value]>], most_goals: usize) -> String {
        let mut text = String::new();
        let games = [(&self.game, "forward"), (&self.backward, "backward")];
        for (game, name) in games {
            let costs = || game.rules().iter().map(|rule| rule.canonical.cost());
            let _ = writeln!(
                text,
                "{} {name} rules, costs {} to {}",
                game.rules().len(),
                costs().min().unwrap_or(0),
                costs().max().unwrap_or(0)
            );
        }
        let game = &self.game;
        for state in states {
            let is_goal = u8::from(game.is_goal(state));
            let _ = writeln!(text, "s {is_goal} {}", game.format_state(state));
            for (game, letter) in [(game, 'f'), (&self.backward, 'b')] {
                for (id, rule) in game.rules_with_ids() {
                    if rule.canonical.applies_to(state) {
                        let _ = writeln!(
                            text,
                            "{letter} {} {} {} {}",
                            id.0,
                            rule.canonical.cost(),
                            rule.label,
                            game.format_state(&rule.canonical.apply(state))
                        );
                    }
                }
            }
        }
        let goals = game.goals().iter().flat_map(|goal| {
            let all = all_states(game);
            all.filter(|state| goal.holds_in(state))
        });
        for goal in goals.take(most_goals) {
            let _ = writeln!(text, "g {}", game.format_state(&goal));
        }
        text
    }

    /// The least cost of each state that can be reached.
    fn costs(&self, start: &State) -> BTreeMap<Box<[Value]>, u64> {
        let mut costs: BTreeMap<Box<[Value]>, u64> = BTreeMap::new();
        let mut open = BTreeSet::from([(0, Box::from(start.values()))]);
        while let Some((cost, state)) = open.pop_first() {
            if costs.contains_key(&state) {
                continue;
            }
            for rule in self.game.rules() {
                if rule.canonical.applies_to(&state) {
                    open.insert((cost + rule.canonical.cost(), rule.canonical.apply(&state)));
                }
            }
            costs.insert(state, cost);
        }
        costs
    }

    /// The output of A*, by the rules.
    pub(crate) fn a_star(&self, start: &State) -> String {
        let costs = self.costs(start);
        let goals = costs.iter().filter(|(state, _)| self.game.is_goal(state));
        match goals.map(|(_, cost)| *cost).min() {
            None => format!("unsolvable, {} states\n", costs.len()),
            Some(least) => {
                let n_cheaper = costs.values().filter(|cost| **cost < least).count();
                format!("cost {least}, {n_cheaper} states cost less\n")
            }
        }
    }
}
