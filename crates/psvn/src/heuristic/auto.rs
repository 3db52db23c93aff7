//! `--heuristic auto`: the choice of the heuristic that pays.
//!
//! First some starts are tried for a short time with the best heuristic that needs no tables. If
//! that isn't enough, tables are built if building and searching with them is expected to be less
//! work than searching without. The forecasts come from tries: these show how a search grows with
//! its bound (so how much work a greater estimate saves), and how much greater the estimates of
//! larger tables in a family are. The rest of an unfinished search is unknown. It is taken to be at
//! least as much as all work so far. So building takes at most about as much work as the search
//! before it, and wasted work is at most a fixed multiple of the best possible work. Kept tables
//! cost only the work of reading them.
//!
//! Work is [counted](work), not timed, so that the choice is the same on every machine and with any
//! number of threads; only a limit on time reads the clock. Answers that a try finds are kept.

mod considered;
mod duals;
mod forecast;
mod growing;
mod next;
mod rivals;
#[cfg(test)]
mod tests;
pub(super) mod transpositions;
mod trial;
mod work;

use std::time::{Duration, Instant};

use budget::{Limits, OnProgress, StopReason, Watch};
use heuristics::tables::{Candidate, families, sample_states_unless};
use heuristics::{Automatic, Combined, Named, automatic};
use pattern_databases::{BuildError, Options, Patterns};
use psvn_ir::State;
use search::DEAD_END;

pub use self::considered::{Considered, Fate};
use self::duals::DualsOfBest;
use self::forecast::Forecast;
pub(crate) use self::forecast::next_nodes;
use self::growing::{Growing, Place, doubted};
use self::next::{Next, Rest};
pub(crate) use self::trial::table_bytes;
use self::trial::{Effort, Findings, Progress, Try, tried_of, try_starts};
pub use self::trial::{Found, SomeBounds, Trial, TriedStart};
pub(crate) use self::work::of_node;
use self::work::{SECOND, Steps, in_words};
use super::kept_tables::KeptTables;
use super::named_tables;
use super::tables::how_far;
use super::{Heuristic, Request, is_zero};
use crate::text::units::{count, format_bytes, format_seconds};
use crate::text::{Parameter, Setting};

/// The work of the first try: about that of the first tables, which may be small and still estimate
/// much higher.
const FIRST_TRY: Steps = SECOND / 4.0;
/// The number of states from random walks, beside the starts, on which heuristics are compared.
const SAMPLES: usize = 300;
/// The part of the work so far that the first try with new tables may take. It takes less if it has
/// an answer sooner, or if less is expected to remain.
const TRY_SHARE: f64 = 0.1;
const MOST_OF_FIRST_TRY: f64 = 0.5;
/// The factor by which the work of a try may exceed the expected rest.
const ROOM: f64 = 1.2;
/// A heuristic with a name is taken beside tables if estimates become larger by this factor.
const WORTH_BOTH: f64 = 1.02;
/// Building that takes less time than this says nothing about its speed.
const TELLS_SPEED: Duration = Duration::from_millis(20);
/// The factor by which building may take longer than expected. Tables that aren't ready in time are
/// useless.
const MARGIN: f64 = 1.25;
/// The part of the time after the first try that all others may take, if time is limited: the
/// search needs the rest, and what they find is only of use to it.
const TRIES_SHARE: u32 = 4;
/// The default limit on the bytes of tables.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// States on which heuristics are compared.
struct Scale<'a> {
    starts: &'a [State],
    samples: Vec<State>,
    /// By start: the greatest estimate so far, which is what a solution costs at least.
    least_costs: Vec<u64>,
}

impl Scale<'_> {
    /// The mean of the mean estimates of starts and of samples.
    fn score(&self, estimate: &Combined) -> f64 {
        let means = [self.starts, &self.samples].map(|states| estimate.mean_of(states));
        let known: Vec<f64> = means.into_iter().flatten().collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    }

    /// The same, where the estimates of starts are noted as what solutions cost at least.
    fn score_and_note(&mut self, estimate: &Combined) -> f64 {
        if estimate.is_admissible() {
            for (least, start) in self.least_costs.iter_mut().zip(self.starts) {
                let said = estimate.of_state(start);
                *least = (*least).max(if said == DEAD_END { 0 } else { said });
            }
        }
        self.score(estimate)
    }

    /// The least cost of a solution from a start, as far as estimates say.
    fn least_cost(&self, start: &State) -> u64 {
        let place = self.starts.iter().position(|other| other == start);
        place.map_or(0, |place| self.least_costs[place])
    }
}

/// The best choice so far.
struct Best {
    estimate: Combined,
    /// Its tables, if it has any.
    tables: Option<Candidate>,
    /// What duals would add to it.
    duals: Option<DualsOfBest>,
    score: f64,
    /// The steps of a node of the search.
    of_node: Steps,
    /// The last try with it.
    tried: Option<Try>,
    /// The progress of the searches with it.
    progress: Vec<Progress>,
    /// The expected rest of the search's work, until it is tried.
    expected: Steps,
}

impl Best {
    /// Whether searches with it use a transposition table.
    fn has_table(&self) -> bool {
        self.progress.iter().any(Progress::has_table)
    }
}

/// Choose a heuristic for the starts of a request.
pub(super) fn choose(request: &Request<'_>, trial: &Trial<'_>) -> Heuristic {
    choose_after(FIRST_TRY, request, trial).0
}

/// Choose a heuristic. The first try takes at most `first_try` steps. Also return the steps that
/// choosing took, tables included.
fn choose_after(first_try: Steps, request: &Request<'_>, trial: &Trial<'_>) -> (Heuristic, Steps) {
    let started = Instant::now();
    let limits = request.named_limits();
    let cheap = automatic(request.game, request.known, request.starts, &limits);
    if let Some(reason) = cheap.stopped {
        request.env.note(format!(
            "some heuristics were left out, because {}",
            reason.clause()
        ));
    }
    let simple = reason(&cheap, request.starts.len());
    let cheap = cheap.heuristic;
    let estimate = Combined::from(cheap.clone());
    let deadline = request
        .limits
        .time
        .and_then(|time| started.checked_add(time));
    let mut findings = Findings::default();
    // If time is short, leave some for tables.
    let quarter = request
        .limits
        .time
        .and_then(|time| started.checked_add(time / 4));
    let n_tried = trial::tried_of(request.starts.len());
    request
        .env
        .step(|| format!("trying {cheap} on {}", count(n_tried, "start")));
    let mut progress = Vec::new();
    let effort = Effort {
        request,
        trial,
        has_table: false,
        usual: Forecast::default(),
        budget: first_try,
        deadline: quarter,
    };
    let tried = try_starts(&estimate, &effort, None, &mut progress, &mut findings);
    let has_table = progress.iter().any(Progress::has_table);
    let mut search = Choice {
        request,
        trial,
        deadline,
        for_tries: deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()) / TRIES_SHARE),
        first_try,
        spent: tried.work,
        seconds_per_step: 1.0 / SECOND,
        scale: Scale {
            starts: request.starts,
            samples: Vec::new(),
            least_costs: vec![0; request.starts.len()],
        },
        former: None,
        best: Best {
            score: 0.0,
            of_node: work::of_node(&estimate),
            estimate,
            tables: None,
            duals: None,
            tried: Some(tried),
            progress,
            expected: 0.0,
        },
        forecast: tried.growth.map(Forecast::new).unwrap_or_default(),
        has_table,
        work_with_duals: 0.0,
        considered: Vec::new(),
        findings,
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
    let stop = || {
        let deadline = search.deadline;
        request.is_interrupted() || deadline.is_some_and(|it| Instant::now() >= it)
    };
    let seed = request.env.seed();
    search.scale.samples = sample_states_unless(request.game, request.known, SAMPLES, seed, &stop);
    let score = search.scale.score_and_note(&search.best.estimate);
    search.best.score = score;
    drop(looking);
    let mut why = search.grow(&cheap);
    if !search.rest().is_known {
        why.push_str(
            "; no start is solved yet, so searches take at least the times that are given",
        );
    }
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
    /// The deadline of the choice, if the user limits the time.
    deadline: Option<Instant>,
    /// The time that is left for tries, if the user limits the time.
    for_tries: Option<Duration>,
    /// The most work of the first try.
    first_try: Steps,
    /// The work so far.
    spent: Steps,
    /// The speed of building on this machine, as far as it is known. It doesn't matter without a
    /// deadline.
    seconds_per_step: f64,
    scale: Scale<'a>,
    best: Best,
    /// The best choice without tables before this one, and what was found with it.
    former: Option<Best>,
    /// The growth of searches, from the last try.
    forecast: Forecast,
    /// Whether a transposition table pays with the heuristic that was tried last.
    has_table: bool,
    /// The work to build the table that is looked up for duals, and what these need.
    work_with_duals: Steps,
    /// The choices that were compared, once the choice is made.
    considered: Vec<Considered>,
    findings: Findings,
    /// The tables that were built before.
    store: KeptTables<'a>,
}

impl Choice<'_> {
    /// The choice, and the steps that it took.
    fn end(self, reason: Option<String>, started: Instant) -> (Heuristic, Steps) {
        let (spent, settings) = (self.spent, self.in_settings());
        let mut tried = self.findings.tried;
        for it in &mut tried {
            it.cost_at_least = it.cost_at_least.max(self.scale.least_cost(&it.start));
        }
        let chosen = Heuristic {
            settings,
            estimate: self.best.estimate,
            reason,
            considered: self.considered,
            found: self.findings.found,
            tried,
            has_transpositions: self.has_table,
            elapsed: started.elapsed(),
        };
        (chosen, spent)
    }

    /// The settings that repeat the choice without tries; `None` if tables can't be named.
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
            if candidate.has_duals() {
                others.push(Setting {
                    parameter: Parameter::Duals,
                    value: None,
                });
            }
            if candidate.peak_bytes() > DEFAULT_MEMORY as u128 {
                others.push(Parameter::HeuristicMemory.is(self.request.memory()));
            }
        }
        if self.has_table
            && let Some(bytes) = table_bytes(self.request.transpositions, &self.best.estimate)
        {
            others.push(Parameter::Table.is(bytes));
        }
        let names = names.into_iter().flat_map(Named::names);
        parts.extend(names.map(|name| name.as_str().to_owned()));
        let mut settings = vec![Parameter::Heuristic.is(parts.join(","))];
        settings.append(&mut others);
        Some(settings)
    }

    /// Report which step comes next.
    fn tell(&self, message: impl Fn() -> String) {
        self.request.env.step(message);
    }

    fn options<'o>(&'o self, progress: Option<&'o OnProgress<'o>>) -> Options<'o> {
        options(self.request, self.deadline, &self.store, progress)
    }

    /// The time that is left, if it is limited.
    fn left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Build tables as long as they pay. Return why it ended.
    fn grow(&mut self, cheap: &Named) -> String {
        let request = self.request;
        let memory = request.memory() as u128;
        let looking = request.env.begin();
        looking.show(|| "looking for tables that may pay".to_owned(), None);
        let options = self.options(None);
        let is_kept = |candidate: &Candidate| candidate.is_kept(request.game, &options);
        let mut found = families(
            request.game,
            request.known,
            &options,
            memory,
            &self.scale.samples,
        );
        found.extend(named_tables::families(
            request.game,
            request.env,
            &options,
            &found,
        ));
        let found = found.into_iter().map(|it| Growing::new(it, is_kept));
        let mut growing: Vec<Growing> = found.collect();
        drop(options);
        drop(looking);
        let without = self.best.score;
        self.consider_cuts(cheap);
        let why = self.grow_with(&mut growing, cheap);
        self.considered = self.considered(&growing, cheap, without);
        why
    }

    fn grow_with(&mut self, growing: &mut [Growing], cheap: &Named) -> String {
        let request = self.request;
        loop {
            if request.is_interrupted() {
                return "the choice was interrupted".to_owned();
            }
            if self.left() == Some(Duration::ZERO) {
                return "the time for choosing is over".to_owned();
            }
            let rest = self.rest();
            if rest.is_known && rest.steps <= 0.0 {
                return "a trial search with it solved all starts".to_owned();
            }
            let place = match self.next(growing, rest) {
                // A short try shows whether the forecast is right.
                Next::Nothing if self.best.tried.is_none() && self.former.is_some() => {
                    self.try_best(self.spent * MOST_OF_FIRST_TRY);
                    continue;
                }
                Next::Nothing => {
                    return format!(
                        "no larger table that may say more fits in {}",
                        format_bytes(request.memory() as u128)
                    );
                }
                Next::Search(least) if rest.is_known => {
                    return format!(
                        "the rest of the search takes {} with it, and building a larger one {}",
                        in_words(rest.steps),
                        in_words(least)
                    );
                }
                Next::Search(_) if self.best.tried.is_some_and(|it| it.was_limited) => {
                    match self.furthest(growing) {
                        Some(place) => place,
                        None => {
                            return "within the limits of the search, a larger one wouldn't help"
                                .to_owned();
                        }
                    }
                }
                Next::Search(least) => {
                    // At least the next bound, and until building may pay.
                    let ahead = self.best.tried.map_or(0.0, |tried| tried.ahead);
                    self.try_best(self.spent.max(least - self.spent).max(ahead * ROOM));
                    continue;
                }
                Next::Duals => {
                    if self.best.tried.is_none() {
                        self.try_briefly(rest);
                    } else if let Some(why) = self.add_duals(rest) {
                        return why;
                    }
                    continue;
                }
                Next::Build(place) => self.doubted(growing, place),
            };
            let (number, candidate) = place;
            let work = growing[number].work(candidate);
            let is_unknown = growing[number].built.is_empty();
            if self.best.tried.is_none() && (!is_unknown || work > rest.steps) {
                self.try_briefly(rest);
                continue;
            }
            let takes = Duration::try_from_secs_f64(work * self.seconds_per_step * MARGIN);
            if self
                .left()
                .is_some_and(|left| takes.is_ok_and(|takes| takes > left))
            {
                return "there is no time to build a larger one".to_owned();
            }
            if let Some(why) = self.build_next(growing, (number, candidate), rest, cheap) {
                return why;
            }
        }
    }

    /// What is built before a candidate, or the candidate itself.
    fn doubted(&self, growing: &[Growing], place: Place) -> Place {
        let first = doubted(growing, place).filter(|first| self.fits(growing, *first));
        first.unwrap_or(place)
    }

    /// Try new tables: only then is their worth known for certain.
    fn try_briefly(&mut self, rest: Rest) {
        let most = self.spent * MOST_OF_FIRST_TRY;
        self.try_best((rest.steps * ROOM).max(self.spent * TRY_SHARE).min(most));
    }

    /// Try the best heuristic with a budget of work.
    fn try_best(&mut self, budget: Steps) {
        let request = self.request;
        let estimate = &self.best.estimate;
        let n_tried = tried_of(request.starts.len());
        self.tell(|| format!("trying {estimate} on {}", count(n_tried, "start")));
        let started = Instant::now();
        // If time is short, leave some for tables.
        let left = self.left().map(|left| left / 2).min(self.for_tries);
        let effort = Effort {
            request,
            trial: self.trial,
            has_table: self.has_table,
            usual: self.forecast,
            budget,
            deadline: left.and_then(|left| started.checked_add(left)),
        };
        let best = &mut self.best;
        let tried = try_starts(
            &best.estimate,
            &effort,
            best.tried,
            &mut best.progress,
            &mut self.findings,
        );
        self.spent += tried.new;
        self.for_tries = self
            .for_tries
            .map(|left| left.saturating_sub(started.elapsed()));
        if let Some(growth) = tried.growth {
            self.forecast = Forecast::new(growth);
        }
        self.best.tried = Some(tried);
        // What pays with one heuristic is taken to pay with others too.
        self.has_table = self.best.has_table();
        self.compare_with_former();
    }

    /// Build a candidate, and take it if it leaves less work. If there is nothing more to do,
    /// return why.
    fn build_next(
        &mut self,
        growing: &mut [Growing],
        (number, candidate): Place,
        rest: Rest,
        cheap: &Named,
    ) -> Option<String> {
        let work = growing[number].work(candidate);
        growing[number].next = candidate + 1;
        let candidate = growing[number].family.candidates[candidate].clone();
        self.tell(|| {
            format!(
                "building {}, which takes {}",
                candidate.words(),
                in_words(work)
            )
        });
        let (before, kept) = (Instant::now(), self.store.n_opened());
        let built = self.build(&candidate);
        self.spent += work;
        if before.elapsed() > TELLS_SPEED && kept == self.store.n_opened() {
            self.seconds_per_step = before.elapsed().as_secs_f64() / work;
        }
        match built {
            Ok(patterns) => {
                let estimate = self.joined(patterns, candidate.words().to_owned(), cheap);
                let game = self.request.game;
                let holds = |start: &State| estimate.check_start(game, start).is_ok();
                if !self.request.starts.iter().all(holds) {
                    // Facts known about a start needn't hold for its images under symmetries.
                    growing[number].give_up();
                    return None;
                }
                let (score, of_node) = (
                    self.scale.score_and_note(&estimate),
                    work::of_node(&estimate),
                );
                growing
                    .iter_mut()
                    .for_each(|it| it.built(&candidate, score, of_node));
                let ratio = self.ratio(score, of_node);
                if ratio < 1.0 {
                    let duals = self.duals_of(&candidate, work, &estimate);
                    self.replace_best(Best {
                        duals,
                        estimate,
                        tables: Some(candidate),
                        score,
                        of_node,
                        tried: None,
                        progress: Vec::new(),
                        expected: rest.steps * ratio,
                    });
                }
                None
            }
            Err(BuildError::Stopped(StopReason::Time)) => {
                Some("the time for choosing is over".to_owned())
            }
            Err(BuildError::Stopped(_)) => Some("the choice was interrupted".to_owned()),
            // Larger tables need still more.
            Err(_) => {
                growing[number].give_up();
                None
            }
        }
    }

    /// The choices that were compared, each with its expected work.
    fn considered(&self, growing: &[Growing], cheap: &Named, without: f64) -> Vec<Considered> {
        // The whole search, as far as it is known.
        let all = match self.best.tried {
            Some(tried) if tried.is_complete() => tried.all(),
            _ => self.rest().steps,
        };
        let seconds = |steps: Steps| steps / SECOND;
        let search = |score: f64, of_node: Steps| seconds(all * self.ratio(score, of_node));
        let is_best = |candidate: &Candidate| {
            let best = self.best.tables.as_ref();
            best.is_some_and(|best| best.is_same(candidate))
        };
        let mut rows = vec![Considered {
            heuristic: cheap.to_string(),
            bytes: 0,
            build_seconds: 0.0,
            search_seconds: search(without, work::of_node(&Combined::from(cheap.clone()))),
            fate: match self.best.tables {
                None => Fate::Chosen,
                Some(_) => Fate::Tried,
            },
        }];
        for it in growing {
            let built = it.built.iter().map(|built| {
                let candidate = &it.family.candidates[built.number];
                let fate = match is_best(candidate) {
                    true => Fate::Chosen,
                    false => Fate::Tried,
                };
                (built.number, built.score, built.of_node, fate)
            });
            let next = (it.next..it.family.candidates.len()).map_while(|number| {
                let (score, of_node) = it.expected(number, &self.forecast)?;
                Some((number, score, of_node, Fate::NotBuilt))
            });
            for (number, score, of_node, fate) in built.chain(next.take(1)) {
                let candidate = &it.family.candidates[number];
                let row = Considered {
                    heuristic: candidate.words().to_owned(),
                    bytes: u64::try_from(candidate.bytes()).unwrap_or(u64::MAX),
                    build_seconds: seconds(it.work(number)),
                    search_seconds: search(score, of_node),
                    fate: match (fate, it.is_kept(number)) {
                        (Fate::Tried, true) => Fate::Read,
                        (fate, _) => fate,
                    },
                };
                // Several families may begin with the same tables.
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        rows.extend(self.row_of_duals(search));
        rows
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

    /// The tables, combined with the heuristic that needs none if that raises the estimates.
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

/// The options of all tables of a choice.
fn options<'o>(
    request: &Request<'_>,
    deadline: Option<Instant>,
    store: &'o KeptTables<'_>,
    progress: Option<&'o OnProgress<'o>>,
) -> Options<'o> {
    Options {
        budget: Watch::until(
            deadline,
            request.env.limits(&Limits {
                memory: request.limits.memory,
                ..Limits::default()
            }),
        ),
        progress,
        invariants: Some(request.known.clone()),
        store: Some(store),
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
