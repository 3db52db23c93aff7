//! The selection of a heuristic: what the advisor decides about, and what is done as it says.

use std::time::{Duration, Instant};

use advisor::{
    Addition, Candidate, CandidateId, Ending, Family, Growth, Quality, Remaining, STEPS_OF_TABLE,
    Search, Standing, Steps, TrialState, invest,
};
use budget::{Limits, OnProgress, StopReason, Watch};
use heuristics::tables::families;
use heuristics::{Combined, Name, Named, tables};
use pattern_databases::{BuildError, Options, Patterns};
use psvn_ir::State;
use search::DEAD_END;

use crate::auto::considered::Considered;
use crate::auto::duals::DualsOfIncumbent;
use crate::auto::purchase::Purchase;
use crate::auto::steps::{format_steps, steps_of_node};
use crate::auto::trial::{
    Findings, Progress, Trial, TrialLimits, Try, n_tried, table_bytes, try_starts,
};
use crate::kept_tables::KeptTables;
use crate::specified::how_far;
use crate::{Choice, PreparedHeuristic, Request, is_zero, named_tables};
use budget::amounts::{count, format_bytes};
use host::HostExt;

/// The default limit on the bytes of tables.
pub const DEFAULT_MEMORY: usize = 256 << 20;
/// A heuristic with a name is taken beside tables if estimates become larger by this factor: it
/// takes time at every node, and a gain of two percent of the estimate is about what that costs.
const LEAST_GAIN_OF_NAMED: f64 = 1.02;
/// Building that takes less time than this doesn't show its speed: the clock and the caches matter.
const LEAST_TIME_MEASURED: Duration = Duration::from_millis(20);

/// Why nothing more may be done, in words.
const OUT_OF_TIME: &str = "the time for choosing is over";
const INTERRUPTED: &str = "the choice was interrupted";

/// States on which heuristics are compared.
pub(crate) struct Samples<'a> {
    pub(crate) starts: &'a [State],
    /// States from random walks.
    pub(crate) states: Vec<State>,
    /// By start: the greatest estimate so far, which is what a solution costs at least.
    pub(crate) least_costs: Vec<u64>,
}

impl Samples<'_> {
    /// The mean of the mean estimates of starts and of samples.
    fn score(&self, estimate: &Combined) -> f64 {
        let means = [self.starts, &self.states].map(|states| estimate.mean_of(states));
        let known: Vec<f64> = means.into_iter().flatten().collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    }

    /// The same, where the estimates of starts are noted as what solutions cost at least.
    pub(crate) fn score_and_note(&mut self, estimate: &Combined) -> f64 {
        if estimate.is_admissible() {
            for (least, start) in self.least_costs.iter_mut().zip(self.starts) {
                let cost = estimate.of_state(start);
                *least = (*least).max(if cost == DEAD_END { 0 } else { cost });
            }
        }
        self.score(estimate)
    }

    /// The least cost of a solution from a start, as far as estimates show.
    fn least_cost(&self, start: &State) -> u64 {
        let place = self.starts.iter().position(|other| other == start);
        place.map_or(0, |place| self.least_costs[place])
    }
}

/// The best heuristic so far.
pub(crate) struct Incumbent {
    pub(crate) estimate: Combined,
    /// Its tables, if it has any.
    pub(crate) tables: Option<tables::Candidate>,
    /// What duals would add to it.
    pub(crate) duals: Option<DualsOfIncumbent>,
    pub(crate) score: f64,
    pub(crate) steps_of_node: Steps,
    /// The last try with it.
    pub(crate) tried: Option<Try>,
    /// The progress of the searches with it.
    pub(crate) progress: Vec<Progress>,
    /// The expected rest of the search's work, until it is tried.
    pub(crate) expected: Steps,
}

impl Incumbent {
    /// A heuristic without tables that wasn't tried.
    pub(crate) fn new(estimate: Combined, score: f64, expected: Steps) -> Self {
        Self {
            score,
            expected,
            steps_of_node: steps_of_node(&estimate),
            estimate,
            tables: None,
            duals: None,
            tried: None,
            progress: Vec::new(),
        }
    }

    pub(crate) fn quality(&self) -> Quality {
        Quality {
            estimate: self.score,
            steps_of_node: self.steps_of_node,
        }
    }

    /// Whether it is what this makes.
    pub(crate) fn is(&self, made: &Purchase) -> bool {
        match made {
            Purchase::Tables { candidate, .. } => {
                let own = self.tables.as_ref();
                own.is_some_and(|own| own.is_same(candidate))
            }
            Purchase::Abstractions => {
                let named = self.estimate.named();
                named.is_some_and(|named| named.names().contains(&Name::Cartesian))
            }
        }
    }

    /// Whether searches with it use a transposition table.
    pub(crate) fn has_table(&self) -> bool {
        self.progress.iter().any(Progress::has_table)
    }
}

/// A selection that is under way.
pub(crate) struct Selection<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) trial: &'a Trial<'a>,
    /// The deadline of the choice, if the user limits the time.
    pub(crate) deadline: Option<Instant>,
    /// The time that is left for tries, if the user limits the time.
    pub(crate) for_tries: Option<Duration>,
    /// The most work of the first try.
    pub(crate) first_try: Steps,
    /// The work so far.
    pub(crate) spent: Steps,
    /// The speed of building on this machine, as far as it is known. It doesn't matter without a
    /// deadline.
    pub(crate) seconds_per_step: f64,
    pub(crate) samples: Samples<'a>,
    /// The best heuristic that needs no tables.
    pub(crate) cheap: Named,
    /// The tables that may be built.
    pub(crate) families: Vec<Family<Purchase>>,
    pub(crate) incumbent: Incumbent,
    /// The last incumbent without tables before this one, and what was found with it.
    pub(crate) fallback: Option<Incumbent>,
    /// The growth of searches, from the last try.
    pub(crate) growth: Growth,
    /// Whether a transposition table pays with the heuristic that was tried last.
    pub(crate) has_table: bool,
    /// The work to build the table that is looked up for duals, and what these need.
    pub(crate) work_with_duals: Steps,
    /// The heuristics that were compared, once the choice is made.
    pub(crate) considered: Vec<Considered>,
    pub(crate) findings: Findings,
    /// The tables that were built before.
    pub(crate) store: KeptTables<'a>,
}

impl Selection<'_> {
    /// The heuristic, and the steps that selecting it took.
    pub(crate) fn end(
        self,
        reason: Option<String>,
        started: Instant,
    ) -> (PreparedHeuristic, Steps) {
        let (spent, choice) = (self.spent, self.choice());
        let mut tried = self.findings.tried;
        for it in &mut tried {
            it.cost_at_least = it.cost_at_least.max(self.samples.least_cost(&it.start));
        }
        let chosen = PreparedHeuristic {
            choice,
            estimate: self.incumbent.estimate,
            reason,
            considered: self.considered,
            found: self.findings.found,
            tried,
            has_transpositions: self.has_table,
            elapsed: started.elapsed(),
        };
        (chosen, spent)
    }

    /// What repeats the choice without tries; `None` if tables can't be named.
    pub(crate) fn choice(&self) -> Option<Choice> {
        let mut parts: Vec<String> = Vec::new();
        let mut choice = Choice::default();
        if let Some(candidate) = &self.incumbent.tables {
            let (tables, n_mirrored) = candidate.named(self.request.game)?;
            parts.push(tables);
            choice.mirrored = n_mirrored;
            choice.duals = candidate.has_duals();
            if candidate.peak_bytes() > DEFAULT_MEMORY as u128 {
                choice.memory = Some(self.request.memory());
            }
        }
        if self.has_table {
            choice.table = table_bytes(self.request.transpositions, &self.incumbent.estimate);
        }
        let names = self.incumbent.estimate.named();
        let names = names.into_iter().flat_map(Named::names);
        parts.extend(names.map(|name| name.as_str().to_owned()));
        choice.heuristic = parts.join(",");
        Some(choice)
    }

    pub(crate) fn options<'o>(&'o self, progress: Option<&'o OnProgress<'o>>) -> Options<'o> {
        options(self.request, self.deadline, &self.store, progress)
    }

    /// The time that is left, if it is limited.
    pub(crate) fn left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// Build tables as long as they pay. Return why it ended.
    pub(crate) fn build_what_pays(&mut self) -> String {
        self.families = self.find_families();
        let without = self.incumbent.score;
        self.consider_cuts();
        let ending = invest(self);
        self.considered = self.considered(without);
        match ending {
            Ending::Ended(why) => why.to_owned(),
            Ending::Solved => "a trial search with it solved all starts".to_owned(),
            Ending::NothingLeft => format!(
                "no larger table that may say more fits in {}",
                format_bytes(self.request.memory() as u128)
            ),
            Ending::NotWorth {
                remaining,
                least_price,
            } => format!(
                "the rest of the search takes {} with it, and building a larger one {}",
                format_steps(remaining),
                format_steps(least_price)
            ),
            Ending::Limited => {
                "within the limits of the search, a larger one wouldn't help".to_owned()
            }
            Ending::NoTime => "there is no time to build a larger one".to_owned(),
        }
    }

    fn find_families(&self) -> Vec<Family<Purchase>> {
        let request = self.request;
        let looking = request.host.begin();
        looking.show(&|| "looking for tables that may pay".to_owned(), None);
        let options = self.options(None);
        let memory = request.memory() as u128;
        let states = &self.samples.states;
        let mut found = families(request.game, request.known, &options, memory, states);
        found.extend(named_tables::families(
            request.game,
            request.host,
            &options,
            &found,
        ));
        let offered = |candidate: tables::Candidate| {
            let is_kept = candidate.is_kept(request.game, &options);
            Purchase::tables(candidate, is_kept)
        };
        let tables = found.into_iter();
        let tables = tables.map(|family| Family::new(family.candidates.into_iter().map(offered)));
        let abstractions = Purchase::abstractions();
        let fits = abstractions.option.peak_bytes() <= memory;
        let abstractions = fits.then(|| Family::new([abstractions]));
        tables.chain(abstractions).collect()
    }

    /// The rest of the search's work with the incumbent.
    pub(crate) fn remaining(&self) -> Remaining {
        match self.incumbent.tried {
            Some(tried) if tried.is_complete() => Remaining::known(tried.rest()),
            Some(tried) => {
                let least = [tried.all(), tried.ahead, self.least_ahead()];
                Remaining::of_unsolved(self.spent, &least, self.most())
            }
            None => Remaining::forecast(self.incumbent.expected),
        }
    }

    /// The work of the search with the incumbent until its bounds are what solutions cost at least,
    /// by the growth of its bounds so far.
    fn least_ahead(&self) -> Steps {
        let work = |progress: &Progress| {
            progress.work_until(self.samples.least_cost(progress.start()), self.growth)
        };
        let best = &self.incumbent;
        let work: Steps = best.progress.iter().map(work).sum();
        let tried = best.tried.map_or(1, |tried| tried.tried).max(1);
        work * self.request.starts.len() as f64 / tried as f64
    }

    /// The most work that the limits allow the search with the incumbent.
    fn most(&self) -> Steps {
        let limits = &self.request.limits;
        let nodes = limits.nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
        let steps = self.incumbent.steps_of_node + self.further_steps_of_node();
        nodes * self.request.starts.len() as f64 * steps
    }

    /// The steps of each node for a transposition table, if one is used.
    fn further_steps_of_node(&self) -> Steps {
        if self.has_table { STEPS_OF_TABLE } else { 0.0 }
    }

    /// The steps of a search with another heuristic, for each step of the search with the
    /// incumbent.
    pub(crate) fn ratio(&self, to: Quality) -> f64 {
        let further = self.further_steps_of_node();
        self.incumbent.quality().ratio_to(to, further, self.growth)
    }

    fn build(&self, tables: &tables::Candidate) -> Result<Patterns, BuildError> {
        let shown = self.request.host.begin();
        shown.show(&|| format!("preparing {}", tables.words()), None);
        let progress = |progress: &budget::Progress| {
            shown.show(&|| how_far(progress, tables.words()), None);
        };
        let (game, options) = (self.request.game, self.options(Some(&progress)));
        self.request.host.compute(|| tables.build(game, &options))
    }

    /// The tables, combined with the heuristic that needs none if that raises the estimates.
    fn joined(&self, patterns: Patterns, words: String) -> Combined {
        let alone = Combined::new(None, patterns, words);
        if is_zero(&self.cheap) {
            return alone;
        }
        let score = self.samples.score(&alone);
        let both = alone.with_named(self.cheap.clone());
        if self.samples.score(&both) > score * LEAST_GAIN_OF_NAMED {
            both
        } else {
            both.without_named()
        }
    }

    /// Build tables, and take them if they leave less work.
    fn buy_tables(
        &mut self,
        id: CandidateId,
        candidate: &tables::Candidate,
        price: Steps,
    ) -> Result<(), &'static str> {
        let (before, kept) = (Instant::now(), self.store.n_opened());
        let built = self.build(candidate);
        let expected = self.remaining().steps;
        self.spent += price;
        if before.elapsed() > LEAST_TIME_MEASURED && kept == self.store.n_opened() {
            self.seconds_per_step = before.elapsed().as_secs_f64() / price;
        }
        match built {
            Ok(patterns) => self.compare(id, patterns, expected),
            Err(error) => match end_after(&error) {
                Some(why) => return Err(why),
                // Larger tables need still more.
                None => self.families[id.family].give_up(),
            },
        }
        Ok(())
    }

    /// Compare tables that were built with the incumbent, and take them if they leave less work.
    /// `expected` is the work that remains with the incumbent.
    fn compare(&mut self, id: CandidateId, patterns: Patterns, expected: Steps) {
        let offered = &self.families[id.family].candidates()[id.member];
        let (Purchase::Tables { candidate, .. }, price) = (offered.option.clone(), offered.price)
        else {
            return;
        };
        let estimate = self.joined(patterns, candidate.words().to_owned());
        let game = self.request.game;
        let holds = |start: &State| estimate.check_start(game, start).is_ok();
        if !self.request.starts.iter().all(holds) {
            // Facts known about a start needn't hold for its images under symmetries.
            self.families[id.family].give_up();
            return;
        }
        let score = self.samples.score_and_note(&estimate);
        let built = Incumbent::new(estimate, score, expected);
        let quality = built.quality();
        // Several families may have the same tables.
        let is_same = |it: &Candidate<Purchase>| match &it.option {
            Purchase::Tables {
                candidate: other, ..
            } => other.is_same(&candidate),
            Purchase::Abstractions => false,
        };
        for family in &mut self.families {
            if let Some(member) = family.candidates().iter().position(is_same) {
                family.record(member, quality);
            }
        }
        let ratio = self.ratio(quality);
        if ratio < 1.0 {
            self.replace_incumbent(Incumbent {
                duals: self.duals_of(&candidate, price, &built.estimate),
                tables: Some(candidate),
                expected: expected * ratio,
                ..built
            });
        }
    }
}

/// The options of all tables of a choice.
pub(crate) fn options<'o>(
    request: &Request<'_>,
    deadline: Option<Instant>,
    store: &'o KeptTables<'_>,
    progress: Option<&'o OnProgress<'o>>,
) -> Options<'o> {
    Options {
        budget: Watch::until(
            deadline,
            request.host.limits(&Limits {
                memory: request.limits.memory,
                ..Limits::default()
            }),
        ),
        progress,
        invariants: Some(request.known.clone()),
        store: Some(store),
    }
}

/// Why an error of building ends a selection; `None` if it needn't.
pub(crate) fn end_after(error: &BuildError) -> Option<&'static str> {
    match error {
        BuildError::Stopped(StopReason::Time) => Some(OUT_OF_TIME),
        BuildError::Stopped(_) => Some(INTERRUPTED),
        _ => None,
    }
}

impl Search for Selection<'_> {
    type Option = Purchase;
    type End = &'static str;

    fn end(&self) -> Option<&'static str> {
        if self.request.is_interrupted() {
            return Some(INTERRUPTED);
        }
        (self.left() == Some(Duration::ZERO)).then_some(OUT_OF_TIME)
    }

    fn families(&self) -> &[Family<Purchase>] {
        &self.families
    }

    /// The incumbent's tables are there until others are built.
    fn fits(&self, id: CandidateId) -> bool {
        let taken = u128::from(self.incumbent.estimate.n_bytes());
        let offered = &self.families[id.family].candidates()[id.member].option;
        offered.peak_bytes() + taken <= self.request.memory() as u128
    }

    fn standing(&self) -> Standing {
        let tried = self.incumbent.tried;
        let left = self.left();
        Standing {
            spent: self.spent,
            least_spent: self.first_try,
            remaining: self.remaining(),
            next_iteration: tried.map_or(0.0, |tried| tried.ahead),
            trial: match tried {
                None => TrialState::None,
                Some(tried) if tried.was_limited => TrialState::Limited,
                Some(_) => TrialState::Made,
            },
            has_fallback: self.fallback.is_some(),
            growth: self.growth,
            quality: self.incumbent.quality(),
            further_steps_of_node: self.further_steps_of_node(),
            steps_left: left.map(|left| left.as_secs_f64() / self.seconds_per_step),
        }
    }

    fn addition(&self) -> Option<Addition> {
        let duals = self.incumbent.duals.as_ref()?;
        Some(Addition {
            price: duals.price,
            ratio: self.ratio_with_duals(duals),
        })
    }

    fn search(&mut self, budget: Steps) {
        let request = self.request;
        let n_tried = n_tried(request.starts.len());
        let estimate = &self.incumbent.estimate;
        request
            .host
            .step(&|| format!("trying {estimate} on {}", count(n_tried, "start")));
        let started = Instant::now();
        // If time is short, leave some for tables.
        let left = self.left().map(|left| left / 2).min(self.for_tries);
        let within = TrialLimits {
            request,
            trial: self.trial,
            has_table: self.has_table,
            usual: self.growth,
            budget,
            deadline: left.and_then(|left| started.checked_add(left)),
        };
        let best = &mut self.incumbent;
        let tried = try_starts(
            &best.estimate,
            &within,
            best.tried,
            &mut best.progress,
            &mut self.findings,
        );
        self.spent += tried.new;
        self.for_tries = self
            .for_tries
            .map(|left| left.saturating_sub(started.elapsed()));
        self.growth = tried.growth.unwrap_or(self.growth);
        self.incumbent.tried = Some(tried);
        // What pays with one heuristic is taken to pay with others too.
        self.has_table = self.incumbent.has_table();
        self.compare_with_fallback();
    }

    fn buy(&mut self, id: CandidateId) -> Result<(), &'static str> {
        let family = &mut self.families[id.family];
        family.pass(id.member);
        let offered = &family.candidates()[id.member];
        let (price, option) = (offered.price, offered.option.clone());
        self.request.host.step(&|| {
            let (words, time) = (option.words(), format_steps(price));
            format!("building {words}, which takes {time}")
        });
        match option {
            Purchase::Tables { candidate, .. } => self.buy_tables(id, &candidate, price),
            Purchase::Abstractions => {
                self.buy_abstractions(id, price);
                Ok(())
            }
        }
    }

    fn add(&mut self) -> Result<(), &'static str> {
        self.add_duals()
    }
}
