//! `--heuristic auto`: what pays.
//!
//! First some starts are tried for a short time with the best heuristic that needs no tables. Where that isn't enough, tables are
//! built, from small to large: each may take about as long as all that was done before, so that what was done for nothing is
//! at most a fixed multiple of what it would have been best to do. It ends when building a larger table would not pay for
//! itself: the tries say how long the search takes without it. Or when none fits the memory.

mod growing;
mod trial;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use heuristics::tables::{families, sample_states};
use heuristics::{Automatic, Combined, Named, automatic};
use pattern_databases::{BuildError, BuildProgress, Options, Patterns};
use psvn_ir::State;
use search::DEAD_END;

use self::growing::{Growing, next};
pub(crate) use self::trial::Trial;
use self::trial::{Try, tried_of, try_starts};
use super::{Heuristic, Request, is_zero};
use crate::progress::Progress;
use crate::units::{count, format_bytes, format_seconds};

/// How long the first try may take, and the most nodes of it.
const FIRST_TRY: Duration = Duration::from_secs(1);
const FIRST_NODES: u64 = 20_000_000;
/// How many states of random walks heuristics are compared on, beside the starts.
const SAMPLES: usize = 300;
/// Abstract states a second that building is thought to do, as long as nothing was built.
const FIRST_RATE: f64 = 2.0e6;
/// The part of the time spent so far that a try may take, if it tells nothing sooner.
const TRY_SHARE: f64 = 0.1;
/// The part of the time for the search that building larger tables may take: they will still have to be searched with.
const BUILD_SHARE: f64 = 0.65;
/// A heuristic with a name is taken beside tables if estimates become larger by this factor.
const WORTH_BOTH: f64 = 1.02;

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
    score: f64,
    /// The last try with it.
    tried: Option<Try>,
}

/// Chooses a heuristic for the starts of a request.
pub(super) fn choose(request: &Request<'_>, trial: &Trial<'_>) -> Heuristic {
    let started = Instant::now();
    let cheap = automatic(request.game, request.known, request.starts);
    let simple = reason(&cheap, request.starts.len());
    let cheap = cheap.heuristic;
    let estimate = Combined::from(cheap.clone());
    let tried = try_starts(&estimate, request, FIRST_TRY, Some(FIRST_NODES), trial);
    let mut search = Choice {
        request,
        trial,
        started,
        rate: FIRST_RATE,
        scale: Scale {
            starts: request.starts,
            samples: Vec::new(),
        },
        best: Best {
            score: 0.0,
            estimate,
            tried: Some(tried),
        },
    };
    let is_short = tried.is_complete() && tried.all() <= FIRST_TRY;
    if tried.was_all() || is_short || request.is_interrupted() {
        return Heuristic {
            estimate: search.best.estimate,
            reason: Some(simple),
            elapsed: started.elapsed(),
        };
    }
    search.scale.samples = sample_states(request.game, request.known, SAMPLES, request.seed);
    let score = search.scale.score(&search.best.estimate);
    search.best.score = score;
    let why = search.grow(&cheap);
    let best = search.best;
    let first = format!(
        "{cheap} alone solves {} of {} in {}",
        tried.solved,
        count(tried.tried, "start"),
        format_seconds(tried.elapsed)
    );
    let reason = if best.estimate.patterns().is_some() {
        format!(
            "estimates at {:.1} on average where {cheap} says {score:.1}; {} of tables, made in {}, since {first}; {why}",
            best.score,
            format_bytes(u128::from(best.estimate.n_bytes())),
            format_seconds(started.elapsed()),
        )
    } else {
        format!("{simple}; {first}; {why}")
    };
    Heuristic {
        estimate: best.estimate,
        reason: Some(reason),
        elapsed: started.elapsed(),
    }
}

struct Choice<'a> {
    request: &'a Request<'a>,
    trial: &'a Trial<'a>,
    started: Instant,
    /// Abstract states that are built in a second.
    rate: f64,
    scale: Scale<'a>,
    best: Best,
}

impl Choice<'_> {
    fn options<'o>(&self, progress: Option<&'o pattern_databases::ProgressFn<'o>>) -> Options<'o> {
        Options {
            memory: Some(self.request.memory as u64),
            interrupt: Some(self.request.interrupt.clone()),
            deadline: self.request.time.map(|time| self.started + time),
            progress,
            invariants: Some(self.request.known.clone()),
        }
    }

    /// Builds larger and larger tables. Why it ended.
    fn grow(&mut self, cheap: &Named) -> String {
        let request = self.request;
        let memory = request.memory as u128;
        let found = families(
            request.game,
            request.known,
            &self.options(None),
            memory,
            &self.scale.samples,
        );
        let mut growing: Vec<Growing> = found.into_iter().map(Growing::new).collect();
        loop {
            let spent = self.started.elapsed().max(FIRST_TRY);
            let Some((number, candidate)) = next(&growing, spent.as_secs_f64(), self.rate) else {
                return format!("no larger table fits in {}", format_bytes(memory));
            };
            let seconds = Duration::from_secs_f64(growing[number].seconds(candidate, self.rate));
            if let Some(all) = self.search_shorter_than(seconds.div_f64(BUILD_SHARE), spent) {
                return format!(
                    "the search will take {} with it, and a larger one {} to build",
                    format_seconds(all),
                    format_seconds(seconds)
                );
            }
            growing[number].next = candidate + 1;
            let candidate = growing[number].family.candidates[candidate].clone();
            let table = &candidate;
            if table.peak_bytes() + u128::from(self.best.estimate.n_bytes()) > memory {
                growing[number].give_up();
                continue;
            }
            let before = Instant::now();
            let built = self.build(table);
            self.rate = match before.elapsed().as_secs_f64() {
                // Very small tables tell nothing.
                seconds if seconds > 0.02 => table.ranks() as f64 / seconds,
                _ => self.rate,
            };
            let words = table.words().to_owned();
            match built {
                Ok(patterns) => {
                    let estimate = self.joined(patterns, words, cheap);
                    let score = self.scale.score(&estimate);
                    growing
                        .iter_mut()
                        .for_each(|it| it.built(&candidate, score));
                    if score > self.best.score {
                        self.best = Best {
                            estimate,
                            score,
                            tried: None,
                        };
                    }
                }
                Err(BuildError::Time) => return "the time for building is over".to_owned(),
                Err(BuildError::Interrupted) => return "it was interrupted".to_owned(),
                // Whatever is larger needs still more.
                Err(_) => growing[number].give_up(),
            }
            if request.is_interrupted() {
                return "it was interrupted".to_owned();
            }
            if request
                .time
                .is_some_and(|time| self.started.elapsed() >= time)
            {
                return "the time for building is over".to_owned();
            }
        }
    }

    /// How long the search with the best heuristic takes, if it takes less than a given time. Tries are as long as it takes to tell, or
    /// a part of the time that was spent.
    fn search_shorter_than(&mut self, time: Duration, spent: Duration) -> Option<Duration> {
        let known = self.best.tried;
        if known.is_none_or(|tried| !tried.is_complete() && tried.all() < time) {
            let all = self.request.starts.len();
            let to_tell = time.mul_f64(tried_of(all) as f64 / all.max(1) as f64);
            let most = to_tell.max(spent.mul_f64(TRY_SHARE));
            let (estimate, request) = (&self.best.estimate, self.request);
            self.best.tried = Some(try_starts(estimate, request, most, None, self.trial));
        }
        self.best
            .tried
            .filter(|tried| tried.is_complete() && tried.all() < time)
            .map(Try::all)
    }

    fn build(&self, table: &heuristics::tables::Candidate) -> Result<Patterns, BuildError> {
        let shown = Mutex::new(Progress::new(self.request.progress));
        let progress = |progress: &BuildProgress| {
            let message = || {
                format!(
                    "{}: distance {}, {} of {} ranks",
                    table.words(),
                    progress.distance,
                    progress.reached,
                    progress.total
                )
            };
            if let Ok(mut shown) = shown.lock() {
                shown.show(message, None);
            }
        };
        table.build(self.request.game, &self.options(Some(&progress)))
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
