use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use advisor::{Advice, Growth, SECOND, Search, Steps, advise};
use budget::Watch;
use container::cache::Cache;
use heuristics::automatic;
use heuristics::tables::{Candidate, families, sample_states};
use invariants::Invariants;
use pattern_databases::{Options, Patterns};
use psvn_ir::State;
use psvn_ir::random::SplitMix64;
use search::{CompiledGame, Limits, Outcome, Searcher, SolveReport, StopReason};

use super::{FIRST_TRY, SAMPLES, choose_after};
use crate::auto::selection::{Incumbent, Samples, Selection, Tables, options};
use crate::auto::trial::{Findings, TrialLimits, Try, try_starts};
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
    fn choose_counted(&self, first_try: Steps, memory: usize) -> (PreparedHeuristic, Vec<u128>, Steps) {
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

    /// The steps of `auto` for all starts; and the names and steps of the candidates that take less
    /// than a part of them, apart from those of the first try.
    fn auto_and_better(
        &self,
        first_try: Steps,
        memory: usize,
        part: f64,
    ) -> (Steps, Vec<(String, Steps)>) {
        let (chosen, _, spent) = self.choose_counted(first_try, memory);
        let rest = self.steps(&chosen.estimate, &chosen.found, f64::INFINITY);
        let auto = spent + rest.expect("no limit");
        let most = (auto - first_try).max(0.0) * part;
        let samples = sample_states(&self.game, &self.known, SAMPLES, self.host.seed());
        let options = Options {
            invariants: Some(self.known.clone()),
            ..Options::default()
        };
        let mut better = Vec::new();
        let cheap = automatic(&self.game, &self.known, &self.starts, &Watch::default()).heuristic;
        let alone = Combined::from(cheap.clone());
        let steps = self.steps(&alone, &[], most);
        better.extend(steps.map(|steps| (cheap.to_string(), steps)));
        let found = families(&self.game, &self.known, &options, memory as u128, &samples);
        for candidate in found.iter().flat_map(|family| &family.candidates) {
            let build = candidate.work() as f64;
            if build >= most {
                continue;
            }
            let patterns = candidate
                .build(&self.game, &options)
                .expect("tables that fit");
            let estimate = Combined::new(None, patterns, candidate.words());
            for estimate in [estimate, both(candidate, &self.game, &options, &cheap)] {
                let steps = self.steps(&estimate, &[], most - build);
                better.extend(steps.map(|steps| (estimate.to_string(), build + steps)));
            }
        }
        (auto, better)
    }
}

/// Tables of a candidate beside a heuristic with a name.
fn both(
    candidate: &Candidate,
    game: &psvn_ir::Game,
    options: &Options<'_>,
    cheap: &Named,
) -> Combined {
    let patterns = candidate.build(game, options).expect("tables that fit");
    Combined::new(Some(cheap.clone()), patterns, candidate.words())
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

#[test]
fn a_try_for_the_next_bound_is_not_too_short_where_other_starts_are_solved() {
    let hard = "8 6 7 2 5 4 3 0 1";
    let mut starts = vec!["1 0 2 3 4 5 6 7 8"; 100];
    // The estimates are equal, so the hard start is tried first.
    starts[..8].fill(hard);
    let case = Case::new("sliding-tiles", &["3", "3"], &starts);
    let estimate = Combined::from(Named::new(&case.game, &case.known, &[]).expect("no name"));
    let spec = HeuristicSpec::Auto;
    let request = case.request(&spec, 0);
    let (mut progress, mut found, mut last) = (Vec::new(), Findings::default(), None::<Try>);
    // Each try is several times as long as the one before.
    for _ in 0..6 {
        let within = TrialLimits {
            request: &request,
            trial: &|bounds| Some(case.search_part(bounds)),
            has_table: false,
            usual: Growth::default(),
            budget: last.map_or(1e6, |last| last.ahead * 1.2),
            deadline: None,
        };
        let tried = try_starts(&estimate, &within, last, &mut progress, &mut found);
        assert!(tried.new > 0.0 && !tried.is_complete(), "{tried:?}");
        last = Some(tried);
    }
}

/// The choice, without times.
fn facts(chosen: &(PreparedHeuristic, Vec<u128>)) -> (String, Option<Choice>, Vec<u128>, usize) {
    let (heuristic, trials) = chosen;
    (
        heuristic.estimate.to_string(),
        heuristic.choice.clone(),
        trials.clone(),
        heuristic.found.len(),
    )
}

#[test]
fn the_choice_is_the_same_with_any_number_of_threads() {
    let cases = [
        (hard_eights(), 2e4, true),
        (Case::walks("pancake", &["9"], 20), 2e3, false),
        (Case::walks("rubik", &["2", "fixed"], 3), 1e5, false),
    ];
    for (mut case, first_try, has_tables) in cases {
        let once = case.choose(first_try, 16 * MIB);
        assert!(once.0.estimate.patterns().is_some() || !has_tables);
        for n in [1, 2] {
            case.host = TestHost::with_threads(n);
            let again = facts(&case.choose(first_try, 16 * MIB));
            assert_eq!(again, facts(&once), "{n} threads");
        }
    }
}

#[test]
fn tables_of_an_earlier_choice_come_from_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = hard_eights();
    let (plain, _, work) = case.choose_counted(2e4, 16 * MIB);
    let costs = |chosen: &PreparedHeuristic| -> Vec<u128> {
        let cost = |found: &Found| match &found.report.outcome {
            Outcome::Solved(solution) => solution.cost,
            other => panic!("{other:?}"),
        };
        let mut costs: Vec<u128> = chosen.found.iter().map(cost).collect();
        costs.sort_unstable();
        costs
    };
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    for is_kept in [false, true] {
        let (chosen, _, with_cache) = case.choose_counted(2e4, 16 * MIB);
        // Kept tables needn't be built, and the answers are the same.
        assert_eq!(costs(&chosen), costs(&plain));
        assert!(with_cache < work || !is_kept && with_cache <= work);
        let reason = chosen.reason.expect("a reason");
        assert_eq!(reason.contains("from the cache"), is_kept, "{reason}");
    }
    let files = case.host.cache.files().expect("a folder");
    assert!(!files.is_empty() && files.iter().all(|file| file.is_table));
}

#[test]
fn tables_that_are_kept_cost_what_reading_takes() {
    let case = hard_eights();
    let found = families(&case.game, &case.known, &Options::default(), 1 << 30, &[]);
    let largest = found.iter().flat_map(|family| family.candidates.last());
    let mut n_compared = 0;
    for candidate in largest {
        let [built, kept] = [false, true].map(|it| Tables::offered(candidate.clone(), it));
        assert!(kept.price < built.price && kept.size == built.size);
        assert_eq!(built.price, candidate.work() as f64);
        n_compared += 1;
    }
    assert!(n_compared > 2);
}

#[test]
fn tables_that_a_search_named_are_considered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = hard_eights();
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    let texts = ["keep 1 6 8 3+keep 2 4 5 7", "keep 1 8 3 6 4"];
    let words = texts.map(|text| text.replace('+', " + "));
    let are_considered = |case: &Case| {
        let (chosen, _) = case.choose(2e4, 16 * MIB);
        let considered = |words: &String| {
            let mut rows = chosen.considered.iter();
            rows.any(|row| row.heuristic == *words)
        };
        words.each_ref().map(considered)
    };
    assert_eq!(are_considered(&case), [false, false]);
    for (text, expected) in texts.iter().zip([[true, false], [true, true]]) {
        let spec: HeuristicSpec = text.parse().expect("tables");
        let request = case.request(&spec, 16 * MIB);
        prepare(&request, &|_| None).expect("tables");
        assert_eq!(are_considered(&case), expected, "{text}");
    }
    // Without the tables themselves, their names are useless.
    for file in std::fs::read_dir(folder.path()).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|it| it == "pdb") {
            std::fs::remove_file(path).expect("a file");
        }
    }
    assert_eq!(are_considered(&case), [false, false]);
}

#[test]
fn the_options_name_the_choice() {
    let cases = [
        (hard_eights(), 2e4, 16 * MIB),
        // No table of the whole game.
        (hard_eights(), 2e4, MIB / 16),
        (Case::walks("pancake", &["9"], 20), 2e3, MIB),
        (Case::walks("hanoi", &["4", "6"], 6), 2e3, MIB / 64),
        (Case::walks("rubik", &["2", "fixed"], 3), 1e5, MIB / 8),
    ];
    for (case, first_try, memory) in cases {
        let (chosen, _) = case.choose(first_try, memory);
        let choice = chosen.choice.expect("tables with names");
        let spec: HeuristicSpec = choice.heuristic.parse().expect("a heuristic");
        let request = Request {
            mirrored: choice.mirrored,
            duals: choice.duals,
            ..case.request(&spec, memory)
        };
        let named = prepare(&request, &|_| None).expect("tables");
        assert!(named.choice.is_none() && named.found.is_empty());
        for start in &case.starts {
            let nodes = |estimate| case.search(estimate, start, Limits::default()).totals;
            assert_eq!(
                nodes(&named.estimate),
                nodes(&chosen.estimate),
                "{choice:?}"
            );
        }
    }
}

#[test]
fn answers_are_kept_and_tries_are_bounded() {
    let case = hard_eights();
    let (chosen, _) = case.choose(2e4, 16 * MIB);
    // All starts are tried, so no work is left.
    assert_eq!(chosen.found.len(), case.starts.len());
    let alone = automatic(&case.game, &case.known, &case.starts, &Watch::default()).heuristic;
    let alone = Combined::from(alone);
    for found in &chosen.found {
        let cost = |report: &SolveReport| match &report.outcome {
            Outcome::Solved(solution) => solution.cost,
            other => panic!("{other:?}"),
        };
        let expected = case.search(&alone, &found.start, Limits::default());
        assert_eq!(cost(&found.report), cost(&expected));
    }
    let reason = chosen.reason.expect("a reason");
    assert!(reason.contains("alone solves"), "{reason}");
    // Where nothing can be built, each try stays within its part of the work.
    let (chosen, trials) = case.choose(6e4, 100);
    assert!(chosen.estimate.patterns().is_none());
    assert!(trials.iter().all(|nodes| *nodes <= 1200), "{trials:?}");
}

#[test]
fn limits_on_time_and_interruptions_end_it() {
    let case = hard_eights();
    let out_of_time = Request {
        limits: Limits {
            time: Some(Duration::ZERO),
            memory: Some(MIB),
            ..Limits::default()
        },
        ..case.request(&HeuristicSpec::Auto, MIB)
    };
    let none = |_: SomeBounds<'_>| panic!("no time for a try");
    let (chosen, _) = choose_after(2e4, &out_of_time, &none);
    assert!(chosen.estimate.patterns().is_none());
    assert!(
        chosen
            .reason
            .expect("a reason")
            .contains("the time for choosing is over")
    );

    let (chosen, _) = choose_after(2e4, &case.request(&HeuristicSpec::Auto, MIB), &|bounds| {
        case.host.interrupted.store(true, Ordering::Relaxed);
        let report = case.search_part(bounds);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
        Some(report)
    });
    assert!(chosen.estimate.patterns().is_none() && chosen.found.is_empty());
}

/// Tries that learn nothing leave most of a limited time to the search.
#[test]
fn tries_take_a_part_of_a_limited_time() {
    let case = hard_eights();
    let time = Duration::from_secs(6);
    let request = Request {
        limits: Limits {
            time: Some(time),
            memory: Some(64 * MIB),
            ..Limits::default()
        },
        ..case.request(&HeuristicSpec::Auto, 64 * MIB)
    };
    let first_try = 2e4;
    let given = Cell::new(Duration::ZERO);
    choose_after(first_try, &request, &|bounds| {
        let left = bounds.limits.time.expect("a limit");
        // The first try ends by itself.
        if bounds.estimate.patterns().is_none() {
            return Some(case.search_part(bounds));
        }
        given.set(given.get() + left);
        std::thread::sleep(left);
        None
    });
    assert!(
        given.get() > Duration::ZERO && given.get() <= time / 4,
        "{given:?}"
    );
}

#[test]
fn what_was_considered_is_listed_with_its_worth() {
    let case = hard_eights();
    let (chosen, _) = case.choose(2e4, 16 * MIB);
    let rows = &chosen.considered;
    let is_chosen = |row: &&Considered| row.fate == CandidateDecision::Chosen;
    let [row] = rows.iter().filter(is_chosen).collect::<Vec<_>>()[..] else {
        panic!("{rows:?}");
    };
    assert!(
        chosen.estimate.to_string().contains(&row.heuristic),
        "{rows:?}"
    );
    assert!(rows[0].bytes == 0 && rows.len() > 2, "{rows:?}");
    for row in rows {
        assert!(row.search_seconds.is_finite() && row.seconds() >= row.build_seconds);
    }
    // Short searches don't look for tables.
    let (chosen, _) = case.choose(1e12, 16 * MIB);
    assert!(chosen.considered.is_empty());
}

/// The work of `auto` after its first try is at most this many times that of the best candidate, in
/// steps. A first try without tables is always made: looking for tables takes about as long.
///
/// A search that builds only after it has searched for as long as building takes needs up to twice
/// the work of building at once. Smaller tables that were built on the way add to that.
const MOST_TIMES: f64 = 2.0;

#[allow(clippy::print_stdout, reason = "a long run says what it compared")]
fn assert_near_the_best(name: &str, case: &Case, first_try: Steps, memory: usize, most_times: f64) {
    let (auto, better) = case.auto_and_better(first_try, memory, 1.0 / most_times);
    let best = better.iter().min_by(|one, other| one.1.total_cmp(&other.1));
    let seconds = |steps: Steps| steps / SECOND;
    match best {
        None => println!(
            "{name}: auto {:.2} s, no candidate takes a part of it that matters",
            seconds(auto)
        ),
        Some((words, steps)) => println!(
            "{name}: auto {:.2} s, {words} {:.2} s",
            seconds(auto),
            seconds(*steps)
        ),
    }
    assert!(better.is_empty(), "{name}: {auto} steps, {better:?}");
}

#[test]
fn auto_is_not_far_from_the_best_candidate() {
    let near = |name: &str, case: &Case, first_try| {
        assert_near_the_best(name, case, first_try, MIB, MOST_TIMES);
    };
    near("8-puzzle", &hard_eights(), 2e4);
    near("9 pancakes", &Case::walks("pancake", &["9"], 20), 2e3);
    near("2x2x2", &Case::walks("rubik", &["2", "fixed"], 3), 1e6);
}

/// A search that takes far longer than what was searched so far builds larger tables at once, and
/// the blocks world has tables whose rules are shared.
#[test]
fn blocks_are_solved_by_tables_that_share_rules() {
    let case = Case::walks("blocks", &["6"], 4);
    let (chosen, _) = case.choose(1e4, 64 * MIB);
    assert_eq!(chosen.found.len(), 4);
    let alone = Combined::from(
        automatic(&case.game, &case.known, &case.starts, &Watch::default()).heuristic,
    );
    let cost = |report: &SolveReport| match &report.outcome {
        Outcome::Solved(solution) => solution.cost,
        other => panic!("{other:?}"),
    };
    for found in &chosen.found {
        let expected = case.search(&alone, &found.start, Limits::default());
        assert_eq!(cost(&found.report), cost(&expected));
    }
    assert!(chosen.estimate.to_string().contains("sum of tables"));
}

/// States that are reached again and again are searched once.
#[test]
fn a_transposition_table_is_used_where_it_pays() {
    let spec = HeuristicSpec::Auto;
    let choose = |case: &Case, transpositions| {
        let request = Request {
            transpositions,
            ..case.request(&spec, 0)
        };
        choose_after(1e8, &request, &|bounds| Some(case.search_part(bounds)))
    };
    let blocks = Case::new("blocks", &["7"], &["0 7 5 5 0 4 7 0 3 1 2 0 0 3 1"]);
    let (with, steps) = choose(&blocks, Some(64 * MIB));
    assert!(with.has_transpositions && !choose(&blocks, None).0.has_transpositions);
    assert!(steps < 1e8, "{steps}");
    assert!(with.choice.expect("a choice").table.is_some());
    let [found] = &with.found[..] else {
        panic!("{}", with.found.len());
    };
    let compiled = CompiledGame::new(&blocks.game);
    let mut a_star = Searcher::builder(&compiled).build().run();
    let same = a_star
        .a_star(&found.start, &with.estimate)
        .expect("a start of the game");
    let cost = |report: &SolveReport| report.solution().expect("a solution").cost;
    assert_eq!(cost(&found.report), cost(&same));
    // Few states of this start are reached again, and a node without a table is fast.
    let tiles = Case::new("sliding-tiles", &["3", "3"], &["8 6 7 2 5 4 3 0 1"]);
    assert!(!choose(&tiles, Some(64 * MIB)).0.has_transpositions);
}

/// What duals would say is weighed before anything is built for them, and it is what they say then.
#[test]
fn duals_are_looked_up_where_the_rest_of_a_search_pays_for_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = Case::walks("rubik", &["2", "fixed"], 3);
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    let spec: HeuristicSpec = "like U2 R2 F2".parse().expect("a table");
    let request = case.request(&spec, 64 * MIB);
    let estimate = prepare(&request, &|_| None).expect("a table");
    let estimate = estimate.estimate;
    let known: Vec<Candidate> = {
        let store = KeptTables::new(&case.host);
        let options = options(&request, None, &store, None);
        let families = named_tables::families(&case.game, &case.host, &options, &[]);
        families.into_iter().flat_map(|it| it.candidates).collect()
    };
    let [candidate] = &known[..] else {
        panic!("{known:?}");
    };
    let samples = sample_states(&case.game, &case.known, 60, 1);
    let table = estimate.patterns().and_then(Patterns::coordinates);
    let of_dual = |state| table.expect("coordinates").of_dual_by_path(state);
    let own = samples.iter().map(|state| estimate.of_state(state));
    let own: Vec<u64> = own.collect();
    let both = samples
        .iter()
        .zip(&own)
        .map(|(state, own)| of_dual(state).max(*own));
    let both: Vec<u64> = both.collect();
    assert!(both > own);
    let mut selection = Selection {
        request: &request,
        trial: &|_| None,
        deadline: None,
        for_tries: None,
        first_try: 1e6,
        spent: 1e6,
        seconds_per_step: 1.0 / SECOND,
        samples: Samples {
            starts: &case.starts,
            states: samples.clone(),
            least_costs: vec![0; case.starts.len()],
        },
        cheap: Named::new(&case.game, &case.known, &[]).expect("no name"),
        families: Vec::new(),
        fallback: None,
        incumbent: Incumbent {
            tables: Some(candidate.clone()),
            ..Incumbent::new(estimate, 0.0, 0.0)
        },
        growth: Growth::new(8.0),
        has_table: false,
        work_with_duals: 0.0,
        considered: Vec::new(),
        findings: Findings::default(),
        store: KeptTables::new(&case.host),
    };
    let duals = selection.duals_of(candidate, 7e8, &selection.incumbent.estimate);
    let needed = duals.as_ref().expect("duals").price;
    selection.incumbent.duals = duals;
    // It must be affordable, and save more than it takes.
    let mut advice = |spent, remaining| {
        selection.spent = spent;
        selection.incumbent.expected = remaining;
        advise(&selection)
    };
    assert_eq!(advice(needed, 1e12), Advice::Add);
    let later = Advice::Search {
        least_price: needed,
    };
    assert_eq!(advice(needed * 0.9, 1e12), later);
    assert_eq!(advice(needed, needed), later);
    selection.incumbent.expected = 1e12;
    let row = |selection: &Selection<'_>| selection.row_of_duals(|_| 1.0).expect("a row");
    assert_eq!(row(&selection).fate, CandidateDecision::NotBuilt);
    let before = selection.spent;
    assert_eq!(selection.add(), Ok(()));
    assert!((selection.spent - before - needed).abs() < 1.0);
    let estimates = samples
        .iter()
        .map(|state| selection.incumbent.estimate.of_state(state));
    assert_eq!(estimates.collect::<Vec<u64>>(), both);
    assert_eq!(advise(&selection), Advice::NothingLeft);
    let built = row(&selection);
    assert_eq!(built.fate, CandidateDecision::Chosen);
    assert!((built.build_seconds - 0.7 - needed / SECOND).abs() < 1e-9);
    let incumbent = &selection.incumbent;
    let words = incumbent.tables.as_ref().map_or("", Candidate::words);
    assert_eq!(built.heuristic, words);
    assert!(incumbent.estimate.to_string().contains(words));
    assert!(selection.choice().expect("tables with names").duals);
}

/// The same for searches that take longer. Run it by `--ignored --nocapture`; it prints a line for
/// each game.
#[test]
#[ignore = "takes 5 minutes: searches with each candidate"]
fn manual_auto_is_not_far_from_the_best_candidate_in_hard_games() {
    for (name, args, n) in [
        ("rubik", &["3"][..], 1),
        ("rubik", &["2"], 5),
        ("topspin", &["12", "4"], 6),
        ("hanoi", &["4", "6"], 3),
        ("blocks", &["7"], 4),
        ("blocks", &["9"], 3),
        ("pancake", &["16"], 6),
        ("topspin", &["14", "4"], 6),
        ("hanoi", &["4", "8"], 3),
    ] {
        let case = Case::walks(name, args, n);
        let name = format!("{name} {}", args.join(" "));
        assert_near_the_best(&name, &case, FIRST_TRY, 256 * MIB, MOST_TIMES);
    }
    for (name, args, length) in [
        ("rubik", &["3"][..], 12),
        ("rubik", &["3"], 14),
        ("sliding-tiles", &["4", "4"], 1000),
        ("topspin", &["16", "4"], 200),
        ("pancake", &["24"], 200),
        ("hanoi", &["4", "9"], 5000),
        ("blocks", &["10"], 200),
    ] {
        let case = Case::walk(name, args, length);
        let name = format!("{name} {}, walk of {length}", args.join(" "));
        assert_near_the_best(&name, &case, FIRST_TRY, 256 * MIB, MOST_TIMES);
    }
}
