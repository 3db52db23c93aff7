//! Choices for small games, by the searches that they are for.

mod best;
mod choice;
mod duals;
mod kept_tables;
mod tries;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use advisor::Steps;
use container::cache::Cache;
use heuristics::tables::sample_states;
use psvn_ir::random::SplitMix64;
use search::{CompiledGame, Outcome, Searcher, SolveReport};

use super::choose_after;
use crate::*;

/// A host with a cache, a flag that interrupts, and threads.
struct TestHost {
    cache: Cache,
    interrupted: Arc<AtomicBool>,
    pool: Option<rayon::ThreadPool>,
}

impl Default for TestHost {
    fn default() -> Self {
        Self {
            cache: Cache::none(),
            interrupted: Arc::default(),
            pool: None,
        }
    }
}

impl TestHost {
    fn with_cache(cache: Cache) -> Self {
        Self {
            cache,
            ..Self::default()
        }
    }

    fn with_threads(n: usize) -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
        Self {
            pool: Some(pool.expect("threads")),
            ..Self::default()
        }
    }
}

impl Host for TestHost {
    fn limits(&self, own: &Limits) -> Limits {
        Limits {
            interrupt: Some(Arc::clone(&self.interrupted)),
            ..own.clone()
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// A game, and some starts of it.
struct Case {
    game: psvn_ir::Game,
    starts: Vec<State>,
    known: Invariants,
    host: TestHost,
}

impl Case {
    fn new(name: &str, args: &[&str], starts: &[&str]) -> Self {
        let text = domains::generate(name, args).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let state = |text: &&str| game.parse_state(text).expect("a state");
        let starts: Vec<State> = starts.iter().map(state).collect();
        Self {
            known: Invariants::from_states(&game, &starts),
            game,
            starts,
            host: TestHost::default(),
        }
    }

    /// Ends of random walks from the goal.
    fn walks(name: &str, args: &[&str], n: usize) -> Self {
        let mut case = Self::new(name, args, &[]);
        let goal = case.game.goal_state().expect("one goal");
        let known = Invariants::from_states(&case.game, std::slice::from_ref(&goal));
        case.starts = sample_states(&case.game, &known, n, 7);
        case.known = Invariants::from_states(&case.game, &case.starts);
        case
    }

    /// The end of a walk of this many random rules from the goal.
    fn walk(name: &str, args: &[&str], length: usize) -> Self {
        let mut case = Self::new(name, args, &[]);
        let mut random = SplitMix64::new(4);
        let mut state = case.game.goal_state().expect("one goal");
        for _ in 0..length {
            let rules = case.game.rules();
            let applying = rules.iter().map(|rule| &rule.canonical);
            let applying = applying.filter(|rule| rule.applies_to(state.values()));
            let applying: Vec<_> = applying.collect();
            let rule = applying[random.below(applying.len())];
            state = State::new(rule.apply(state.values()).to_vec());
        }
        case.starts = vec![state];
        case.known = Invariants::from_states(&case.game, &case.starts);
        case
    }

    fn request<'a>(&'a self, spec: &'a HeuristicSpec, memory: usize) -> Request<'a> {
        Request {
            limits: Limits {
                memory: Some(memory),
                ..Limits::default()
            },
            ..Request::new(spec, &self.game, &self.starts, &self.known, &self.host)
        }
    }

    fn search(&self, estimate: &Combined, start: &State, limits: Limits) -> SolveReport {
        let compiled = CompiledGame::new(&self.game);
        let mut search = Searcher::builder(&compiled).build().run().limits(limits);
        search
            .ida_star(start, estimate)
            .expect("a start of the game")
    }

    fn search_part(&self, bounds: SomeBounds<'_>) -> SolveReport {
        let compiled = CompiledGame::new(&self.game);
        let searcher = Searcher::builder(&compiled).build();
        let mut search = searcher.run().limits(bounds.limits);
        if let Some(bytes) = bounds.table {
            search = search.transposition_table(bytes);
        }
        search
            .ida_star_part(bounds.start, bounds.estimate, bounds.part)
            .expect("a start of the game")
    }

    /// The choice, and the nodes of each trial.
    fn choose(&self, first_try: Steps, memory: usize) -> (PreparedHeuristic, Vec<u128>) {
        let (chosen, trials, _) = self.choose_counted(first_try, memory);
        (chosen, trials)
    }

    /// The same, and the steps that choosing took.
    fn choose_counted(
        &self,
        first_try: Steps,
        memory: usize,
    ) -> (PreparedHeuristic, Vec<u128>, Steps) {
        let trials = RefCell::new(Vec::new());
        let request = self.request(&HeuristicSpec::Auto, memory);
        let (chosen, spent) = choose_after(first_try, &request, &|bounds| {
            let report = self.search_part(bounds);
            trials.borrow_mut().push(report.totals.generated);
            Some(report)
        });
        (chosen, trials.into_inner(), spent)
    }

    /// The steps of a search from all starts without a known answer; `None` if they are more than
    /// `most`.
    fn steps(&self, estimate: &Combined, found: &[Found], most: Steps) -> Option<Steps> {
        let each = steps_of_node(estimate);
        let mut steps = 0.0;
        for start in &self.starts {
            if found.iter().any(|found| found.start == *start) {
                continue;
            }
            let nodes = Some(((most - steps) / each) as u64);
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let report = self.search(estimate, start, limits);
            if matches!(report.outcome, Outcome::Stopped(_)) {
                return None;
            }
            steps += report.totals.generated as f64 * each;
        }
        Some(steps)
    }
}

const MIB: usize = 1 << 20;

fn hard_eights() -> Case {
    let starts = [
        "8 6 7 2 5 4 3 0 1",
        "6 4 7 8 5 0 3 2 1",
        "8 7 6 0 4 1 2 5 3",
    ];
    Case::new("sliding-tiles", &["3", "3"], &starts)
}

/// The cost of the solution of a search that found one.
fn cost(report: &SolveReport) -> u128 {
    match &report.outcome {
        Outcome::Solved(solution) => solution.cost,
        other => panic!("{other:?}"),
    }
}
