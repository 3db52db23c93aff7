//! `--heuristic auto`: what pays.
//!
//! First some starts are tried for a short time with the best heuristic that needs no tables. Where
//! that isn't enough, tables are built, from small to large: each may be about as much work as all
//! that was done before, so that what was done for nothing is at most a fixed multiple of what it
//! would have been best to do. It ends when building a larger table would not pay for itself: the
//! tries say how much work the search is without it. Or when none fits the memory.
//!
//! Work is [counted](work), not timed, so that the same is chosen on every machine and with any
//! number of threads; only a limit on time looks at the clock. What a try has found is an answer,
//! and is kept.

mod growing;
mod trial;
mod work;

use std::time::{Duration, Instant};

use budget::{Limits, OnProgress, StopReason, Watch};
use heuristics::tables::{Candidate, families, sample_states};
use heuristics::{Automatic, Combined, Named, automatic};
use pattern_databases::{BuildError, Options, Patterns};
use psvn_ir::State;
use search::DEAD_END;

use self::growing::{Growing, next};
pub use self::trial::{Found, Trial};
use self::trial::{Try, tried_of, try_starts};
pub(crate) use self::work::of_node;
use self::work::{SECOND, Steps, in_words};
use super::kept_tables::KeptTables;
use super::tables::how_far;
use super::{Heuristic, Request, is_zero};
use crate::text::units::{count, format_bytes, format_seconds};
use crate::text::{Parameter, Setting};

/// How much work the first try may be: about as much as the first tables, which may be small and
/// say much more all the same.
const FIRST_TRY: Steps = SECOND / 4.0;
/// How many states of random walks heuristics are compared on, beside the starts.
const SAMPLES: usize = 300;
/// The part of the work so far that a try may take, unless it has an answer sooner.
const TRY_SHARE: f64 = 0.1;
/// The part of the work of the search that building larger tables may take: they will still have to
/// be searched with.
const BUILD_SHARE: f64 = 0.65;
/// A try without an answer is made again if it may be longer by this factor.
const WORTH_ANOTHER_TRY: f64 = 1.5;
/// A heuristic with a name is taken beside tables if estimates become larger by this factor.
const WORTH_BOTH: f64 = 1.02;
/// Building that took less time than this doesn't show how fast it is.
const TELLS_SPEED: Duration = Duration::from_millis(20);
/// How much longer building may take than it is thought to. Tables that aren't ready in time are of
/// no use.
const MARGIN: f64 = 1.25;
/// The bytes that tables may take unless another number is given.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// States on which heuristics are compared.
struct Scale<'a> {
    starts: &'a [State],
    samples: Vec<State>,
}

impl Scale<'_> {
    /// The mean of the mean estimates of starts and of samples.
    fn score(&self, estimate: &Combined) -> f64 {
        let means = [self.starts, &self.samples].map(|states| estimate.mean_of(states));
        let known: Vec<f64> = means.into_iter().flatten().collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    }
}

/// What was found to be the best so far.
struct Best {
    estimate: Combined,
    /// What its tables are, if it has any.
    tables: Option<Candidate>,
    score: f64,
    /// The last try with it.
    tried: Option<Try>,
}

/// Chooses a heuristic for the starts of a request.
pub(super) fn choose(request: &Request<'_>, trial: &Trial<'_>) -> Heuristic {
    choose_after(FIRST_TRY, request, trial)
}

/// Chooses a heuristic. The first try takes at most `first_try` steps.
fn choose_after(first_try: Steps, request: &Request<'_>, trial: &Trial<'_>) -> Heuristic {
    let started = Instant::now();
    let cheap = automatic(request.game, request.known, request.starts);
    let simple = reason(&cheap, request.starts.len());
    let cheap = cheap.heuristic;
    let estimate = Combined::from(cheap.clone());
    let deadline = request.time.and_then(|time| started.checked_add(time));
    let mut found = Vec::new();
    // Where time is short, some is left for tables.
    let quarter = request.time.and_then(|time| started.checked_add(time / 4));
    let n_tried = trial::tried_of(request.starts.len());
    request
        .env
        .step(|| format!("trying {cheap} on {}", count(n_tried, "start")));
    let tried = try_starts(&estimate, request, first_try, quarter, trial, &mut found);
    let mut search = Choice {
        request,
        trial,
        deadline,
        first_try,
        spent: tried.work,
        seconds_per_step: 1.0 / SECOND,
        scale: Scale {
            starts: request.starts,
            samples: Vec::new(),
        },
        best: Best {
            score: 0.0,
            estimate,
            tables: None,
            tried: Some(tried),
        },
        found,
        store: KeptTables::new(request.env),
    };
    let is_short = tried.is_complete() && tried.all() <= first_try;
    if tried.was_all() || is_short || request.is_interrupted() {
        return search.end(Some(simple), started);
    }
    let first = format!(
        "{cheap} alone solves {} of {} in {}",
        tried.solved,
        count(tried.tried, "start"),
        in_words(tried.work)
    );
    search.tell(|| format!("{first}; looking for tables"));
    let looking = request.env.begin();
    looking.show(|| "comparing estimates on random walks".to_owned(), None);
    search.scale.samples = sample_states(request.game, request.known, SAMPLES, request.env.seed());
    let score = search.scale.score(&search.best.estimate);
    search.best.score = score;
    drop(looking);
    let why = search.grow(&cheap);
    let best = &search.best;
    let kept = match search.store.n_from_before() {
        0 => String::new(),
        n => format!(" with {} from the cache", count(n, "table")),
    };
    let reason = if best.estimate.patterns().is_some() {
        format!(
            "estimates at {:.1} on average where {cheap} says {score:.1}; {} of tables, made in {}{kept}, since {first}; {why}",
            best.score,
            format_bytes(u128::from(best.estimate.n_bytes())),
            format_seconds(started.elapsed()),
        )
    } else {
        format!("{simple}; {first}; {why}")
    };
    search.end(Some(reason), started)
}

struct Choice<'a> {
    request: &'a Request<'a>,
    trial: &'a Trial<'a>,
    /// When choosing is to end, if the user limits the time.
    deadline: Option<Instant>,
    /// How much work the first try may have been.
    first_try: Steps,
    /// The work so far.
    spent: Steps,
    /// How long building takes on this machine, as far as it is known. Of no matter without a
    /// deadline.
    seconds_per_step: f64,
    scale: Scale<'a>,
    best: Best,
    found: Vec<Found>,
    /// The tables that were built before.
    store: KeptTables<'a>,
}

impl Choice<'_> {
    /// What was chosen.
    fn end(self, reason: Option<String>, started: Instant) -> Heuristic {
        Heuristic {
            settings: self.in_settings(),
            estimate: self.best.estimate,
            reason,
            found: self.found,
            elapsed: started.elapsed(),
        }
    }

    /// The settings by which the choice is made again without trying; `None` if tables can't be
    /// named.
    fn in_settings(&self) -> Option<Vec<Setting>> {
        let names = self.best.estimate.named();
        let mut parts: Vec<String> = Vec::new();
        let mut others = Vec::new();
        if let Some(candidate) = &self.best.tables {
            let (tables, n_mirrored) = candidate.named(self.request.game)?;
            parts.push(tables);
            if n_mirrored > 0 {
                others.push(Parameter::Mirrored.is(n_mirrored));
            }
            if candidate.peak_bytes() > DEFAULT_MEMORY as u128 {
                others.push(Parameter::HeuristicMemory.is(self.request.memory));
            }
        }
        let names = names.into_iter().flat_map(Named::names);
        parts.extend(names.map(|name| name.as_str().to_owned()));
        let mut settings = vec![Parameter::Heuristic.is(parts.join(","))];
        settings.append(&mut others);
        Some(settings)
    }

    /// Reports which step comes next.
    fn tell(&self, message: impl Fn() -> String) {
        self.request.env.step(message);
    }

    fn options<'o>(&'o self, progress: Option<&'o OnProgress<'o>>) -> Options<'o> {
        Options {
            budget: Watch::until(
                self.deadline,
                Limits {
                    memory: Some(self.request.memory),
                    interrupt: Some(self.request.env.cancellation().clone()),
                    ..Limits::default()
                },
            ),
            progress,
            invariants: Some(self.request.known.clone()),
            store: Some(&self.store),
        }
    }

    /// The time that is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Builds larger and larger tables. Why it ended.
    fn grow(&mut self, cheap: &Named) -> String {
        let request = self.request;
        let memory = request.memory as u128;
        let looking = request.env.begin();
        looking.show(|| "looking for tables that may pay".to_owned(), None);
        let found = families(
            request.game,
            request.known,
            &self.options(None),
            memory,
            &self.scale.samples,
        );
        drop(looking);
        let mut growing: Vec<Growing> = found.into_iter().map(Growing::new).collect();
        loop {
            if request.is_interrupted() {
                return "it was interrupted".to_owned();
            }
            if self.left() == Some(Duration::ZERO) {
                return "the time for choosing is over".to_owned();
            }
            let spent = self.spent.max(self.first_try);
            let Some((number, candidate)) = next(&growing, spent) else {
                return format!(
                    "no larger table that may say more fits in {}",
                    format_bytes(memory)
                );
            };
            let work = growing[number].work(candidate);
            let takes = Duration::try_from_secs_f64(work * self.seconds_per_step * MARGIN);
            let takes = takes.unwrap_or(Duration::MAX);
            if self.left().is_some_and(|left| takes > left) {
                return "there is no time to build a larger one".to_owned();
            }
            if let Some(rest) = self.search_shorter_than(work / BUILD_SHARE, spent, takes) {
                if rest <= 0.0 {
                    return "it solves all starts in a try".to_owned();
                }
                return format!(
                    "the rest of the search is worth {} with it, and building a larger one {}",
                    in_words(rest),
                    in_words(work)
                );
            }
            growing[number].next = candidate + 1;
            let candidate = growing[number].family.candidates[candidate].clone();
            if candidate.peak_bytes() + u128::from(self.best.estimate.n_bytes()) > memory {
                growing[number].give_up();
                continue;
            }
            self.tell(|| format!("building {}, worth {}", candidate.words(), in_words(work)));
            let (before, kept) = (Instant::now(), self.store.n_opened());
            let built = self.build(&candidate);
            self.spent += work;
            if before.elapsed() > TELLS_SPEED && kept == self.store.n_opened() {
                self.seconds_per_step = before.elapsed().as_secs_f64() / work;
            }
            match built {
                Ok(patterns) => {
                    let estimate = self.joined(patterns, candidate.words().to_owned(), cheap);
                    let game = request.game;
                    let holds = |start: &State| estimate.check_start(game, start).is_ok();
                    if !request.starts.iter().all(holds) {
                        // An image of a start under a symmetry lacks what is known of the start.
                        growing[number].give_up();
                        continue;
                    }
                    let score = self.scale.score(&estimate);
                    growing
                        .iter_mut()
                        .for_each(|it| it.built(&candidate, score));
                    if score > self.best.score {
                        self.best = Best {
                            estimate,
                            tables: Some(candidate),
                            score,
                            tried: None,
                        };
                    }
                }
                Err(BuildError::Stopped(StopReason::Time)) => {
                    return "the time for choosing is over".to_owned();
                }
                Err(BuildError::Stopped(_)) => return "it was interrupted".to_owned(),
                // Whatever is larger needs still more.
                Err(_) => growing[number].give_up(),
            }
        }
    }

    /// How much work is left for the search with the best heuristic, if all of it is less than
    /// this. Tries are as long as it takes to tell, or a part of the work so far, and leave the
    /// time that building `takes`.
    fn search_shorter_than(&mut self, work: Steps, spent: Steps, takes: Duration) -> Option<Steps> {
        let known = self.best.tried;
        let all = self.request.starts.len();
        let to_tell = work * tried_of(all) as f64 / all.max(1) as f64;
        let budget = to_tell.max(spent * TRY_SHARE);
        let is_worth = |tried: Try| {
            let is_open = !tried.is_complete() && tried.all() < work;
            is_open && budget > tried.budget * WORTH_ANOTHER_TRY
        };
        if known.is_none_or(is_worth) {
            let (estimate, request) = (&self.best.estimate, self.request);
            self.tell(|| format!("trying {estimate} on {}", count(tried_of(all), "start")));
            let deadline = self.deadline.and_then(|it| it.checked_sub(takes));
            let tried = try_starts(
                estimate,
                request,
                budget,
                deadline,
                self.trial,
                &mut self.found,
            );
            self.spent += tried.work;
            self.best.tried = Some(tried);
        }
        self.best
            .tried
            .filter(|tried| tried.is_complete() && tried.all() < work)
            .map(Try::rest)
    }

    fn build(&self, table: &Candidate) -> Result<Patterns, BuildError> {
        let shown = self.request.env.begin();
        shown.show(|| format!("preparing {}", table.words()), None);
        let progress = |progress: &budget::Progress| {
            shown.show(|| how_far(progress, table.words()), None);
        };
        let (game, options) = (self.request.game, self.options(Some(&progress)));
        self.request.env.install(|| table.build(game, &options))
    }

    /// The tables, with the heuristic that needs none where that raises the estimates.
    fn joined(&self, patterns: Patterns, words: String, cheap: &Named) -> Combined {
        let alone = Combined::new(None, patterns, words);
        if is_zero(cheap) {
            return alone;
        }
        let score = self.scale.score(&alone);
        let both = alone.with_named(cheap.clone());
        if self.scale.score(&both) > score * WORTH_BOTH {
            both
        } else {
            both.without_named()
        }
    }
}

/// Why a heuristic with a name was chosen.
fn reason(chosen: &Automatic, n_starts: usize) -> String {
    let [(_, highest), others @ ..] = &chosen.estimates[..] else {
        return "no other one fits".to_owned();
    };
    let estimate = |sum: u128| match sum {
        sum if sum >= u128::from(DEAD_END) => "a dead end".to_owned(),
        sum => sum.to_string(),
    };
    let of = if n_starts == 1 { "start" } else { "starts" };
    let others: Vec<String> = others
        .iter()
        .map(|(name, sum)| format!("{name} {}", estimate(*sum)))
        .collect();
    format!(
        "estimates the {of} at {}; {}",
        estimate(*highest),
        others.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::Ordering;

    use invariants::Invariants;
    use search::{CompiledGame, Limits, Outcome, Searcher, SolveReport, StopReason};

    use super::*;
    use crate::environment::Environment;
    use crate::heuristic::HeuristicSpec;
    use crate::store::Cache;
    use crate::text::algorithm::Algorithm;

    /// A game, and some starts of it.
    struct Case {
        game: psvn_ir::Game,
        starts: Vec<State>,
        known: Invariants,
        env: Environment,
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
                env: Environment::default(),
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

        fn request<'a>(&'a self, spec: &'a HeuristicSpec, memory: usize) -> Request<'a> {
            Request {
                spec,
                memory,
                mirrored: 0,
                duals: false,
                algorithm: Algorithm::Ida,
                game: &self.game,
                starts: &self.starts,
                known: &self.known,
                nodes: None,
                time: None,
                deadline: None,
                env: &self.env,
            }
        }

        fn search(&self, estimate: &Combined, start: &State, limits: Limits) -> SolveReport {
            let compiled = CompiledGame::new(&self.game);
            let mut search = Searcher::builder(&compiled).build().run().limits(limits);
            search
                .ida_star(start, estimate)
                .expect("a start of the game")
        }

        /// What is chosen, and the nodes of each trial.
        fn choose(&self, first_try: Steps, memory: usize) -> (Heuristic, Vec<u128>) {
            let trials = RefCell::new(Vec::new());
            let request = self.request(&HeuristicSpec::Auto, memory);
            let chosen = choose_after(first_try, &request, &|estimate, start, limits| {
                let report = self.search(estimate, start, limits);
                trials.borrow_mut().push(report.totals.generated);
                Some(report)
            });
            (chosen, trials.into_inner())
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

    /// What was chosen, without the times that it took.
    fn facts(chosen: &(Heuristic, Vec<u128>)) -> (String, Option<Vec<Setting>>, Vec<u128>, usize) {
        let (heuristic, trials) = chosen;
        (
            heuristic.estimate.to_string(),
            heuristic.settings.clone(),
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
                case.env = Environment::default().with_pool_of(n);
                let again = facts(&case.choose(first_try, 16 * MIB));
                assert_eq!(again, facts(&once), "{n} threads");
            }
        }
    }

    #[test]
    fn tables_of_an_earlier_choice_come_from_the_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut case = hard_eights();
        let plain = facts(&case.choose(2e4, 16 * MIB));
        let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
        case.env = Environment::default().with_cache(cache);
        for is_kept in [false, true] {
            let chosen = case.choose(2e4, 16 * MIB);
            // What is there makes the choice quicker, and no other one.
            assert_eq!(facts(&chosen), plain);
            let reason = chosen.0.reason.expect("a reason");
            assert_eq!(reason.contains("from the cache"), is_kept, "{reason}");
        }
        let files = case.env.cache().files().expect("a folder");
        assert!(!files.is_empty() && files.iter().all(|file| file.is_table));
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
            let settings = chosen.settings.expect("settings");
            let value_of = |parameter| {
                let mut settings = settings.iter();
                let setting = settings.find(|it| it.parameter == parameter)?;
                setting.value.clone()
            };
            let spec = value_of(Parameter::Heuristic).expect("its setting");
            let spec: HeuristicSpec = spec.parse().expect("a heuristic");
            let request = Request {
                mirrored: value_of(Parameter::Mirrored).map_or(0, |n| n.parse().expect("a number")),
                ..case.request(&spec, memory)
            };
            let named = Heuristic::prepare(&request, &|_, _, _| None).expect("tables");
            assert!(named.settings.is_none() && named.found.is_empty());
            for start in &case.starts {
                let nodes = |estimate| case.search(estimate, start, Limits::default()).totals;
                assert_eq!(
                    nodes(&named.estimate),
                    nodes(&chosen.estimate),
                    "{settings:?}"
                );
            }
        }
    }

    #[test]
    fn answers_are_kept_and_tries_are_bounded() {
        let case = hard_eights();
        let (chosen, _) = case.choose(2e4, 16 * MIB);
        // All starts are tried, so nothing is left to be done.
        assert_eq!(chosen.found.len(), case.starts.len());
        let alone = automatic(&case.game, &case.known, &case.starts).heuristic;
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
            time: Some(Duration::ZERO),
            ..case.request(&HeuristicSpec::Auto, MIB)
        };
        let none = |_: &Combined, _: &State, _: Limits| panic!("no time for a try");
        let chosen = choose_after(2e4, &out_of_time, &none);
        assert!(chosen.estimate.patterns().is_none());
        assert!(
            chosen
                .reason
                .expect("a reason")
                .contains("the time for choosing is over")
        );

        let chosen = choose_after(
            2e4,
            &case.request(&HeuristicSpec::Auto, MIB),
            &|estimate, start, limits| {
                case.env.cancellation().store(true, Ordering::Relaxed);
                let report = case.search(estimate, start, limits);
                assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
                Some(report)
            },
        );
        assert!(chosen.estimate.patterns().is_none() && chosen.found.is_empty());
    }
}
