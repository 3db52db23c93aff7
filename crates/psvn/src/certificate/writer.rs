//! Certificates of what a search found.

use budget::{Limits, StopReason, Watch};
use certificates::{CertificateError, ClosedList, Evidence, PrunedSearch, Text, closed_list};
use checker::CostCertificate;
use pattern_databases::{PatternDatabase, Patterns};
use psvn_ir::State;
use search::{Heuristic as _, Solution};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::Heuristic;
use crate::solve::{Outcome, Searcher};

/// The states that a closed list has at most if a search would prove the bound as well. The list
/// then takes some megabytes, and a checker reads it in a second.
const LISTED_RATHER_THAN_SEARCHED: u64 = 300_000;

/// The most entries of a table of estimates: some 100 MB of text.
const MOST_TABLE_ENTRIES: usize = 8_000_000;

/// The most entries of a table that tracks the blank, where one that doesn't would be smaller.
const MOST_TRACKED_ENTRIES: u64 = 1_000_000;

/// The longest words that a checker's search leaves out. Longer ones leave out few more nodes, and
/// a checker proves each of them.
const LONGEST_WORD: usize = 4;

/// The words that are compared for it at most.
const MOST_WORDS: u64 = 100_000;

/// Writes a certificate of what a search proved from one start after the other: that its solutions
/// have the least cost, or that there are none.
///
/// A bound is proved by a list of the states from which a plan might cost less, or, where those
/// are many and the search was depth first, by a search that the checker makes again. Both leave
/// out what the search's heuristic puts beyond the bound, as far as a checker can prove it. That
/// there is no plan is proved by a list of all states that can be reached.
pub struct Writer<'g> {
    game: &'g Game,
    /// `None` until something was proved.
    text: Option<Text>,
    /// What proves the heuristic, once it is needed. It is written once.
    evidence: Option<Evidence>,
    /// Likewise, the words that the checker's search leaves out.
    search: Option<PrunedSearch>,
}

impl<'g> Writer<'g> {
    /// Begin a certificate for a game. All searches that it is about must have the same heuristic.
    pub fn new(game: &'g Game) -> Self {
        Self {
            game,
            text: None,
            evidence: None,
            search: None,
        }
    }

    /// Add what was proved from a start, and return whether anything was. Without a searcher, the
    /// start was refuted before.
    ///
    /// # Errors
    /// When a limit of the environment is reached, or the format can't express the game.
    pub fn add(
        &mut self,
        searcher: Option<&Searcher>,
        start: &State,
        outcome: &Outcome,
        env: &Environment,
    ) -> Result<bool, Error> {
        let watch = Watch::new(env.limits(&Limits::default()));
        let added = match (outcome, searcher) {
            (Outcome::Solved(solution), Some(searcher)) if searcher.is_optimal() => {
                self.add_least_cost(searcher, start, solution, &watch)
            }
            (Outcome::NoSolution { .. }, _) => self.add_no_plan(start, &watch),
            _ => return Ok(false),
        };
        added.map(|()| true).map_err(not_written)
    }

    /// Return the certificate, which was checked; `None` if nothing was proved.
    ///
    /// # Errors
    /// When a limit of the environment is reached before it is checked.
    pub fn finish(self, env: &Environment) -> Result<Option<String>, Error> {
        self.text.map(|text| checked(text.end(), env)).transpose()
    }

    /// The plan, and a lower bound that it meets.
    fn add_least_cost(
        &mut self,
        searcher: &Searcher,
        start: &State,
        solution: &Solution,
        watch: &Watch,
    ) -> Result<(), CertificateError> {
        let game = searcher.game();
        let bound = u64::try_from(solution.cost).unwrap_or(u64::MAX);
        let (known, known_search) = (self.evidence.is_some(), self.search.is_some());
        let evidence = match self.evidence.take() {
            Some(evidence) => evidence,
            None => evidence(game, searcher.heuristic(), start, watch)?,
        };
        let evidence = &*self.evidence.insert(evidence);
        let closed = closed(searcher, start, bound, evidence, watch)?;
        if closed.is_none() && !known_search {
            let few = watch.with_nodes(Some(MOST_WORDS));
            self.search = Some(PrunedSearch::up_to(game.ir(), LONGEST_WORD, &few)?);
        }
        let text = begin(&mut self.text, self.game, start)?;
        text.plan(bound, &solution.moves)?;
        let evidence = (!known).then_some(evidence);
        match closed {
            Some(closed) => text.bound_by_list(bound, evidence, &closed),
            None => {
                let search = self.search.as_ref().filter(|_| !known_search);
                text.bound_by_search(bound, evidence, search)
            }
        }
    }

    fn add_no_plan(&mut self, start: &State, watch: &Watch) -> Result<(), CertificateError> {
        let game = self.game.ir();
        let reached = closed_list(game, start, u64::MAX, &Evidence::none(), watch)?;
        begin(&mut self.text, self.game, start)?.no_plan(&reached)
    }
}

/// Begin the claims about a start, and the text if it is the first one.
fn begin<'t>(
    text: &'t mut Option<Text>,
    game: &Game,
    start: &State,
) -> Result<&'t mut Text, CertificateError> {
    if text.is_none() {
        *text = Some(Text::new(game.ir())?);
    }
    let text = text.as_mut().expect("it was just made");
    text.start(start);
    Ok(text)
}

/// List the states from which a plan might cost less than the bound. `None` if they are many and a
/// checker can search instead, as the search itself kept none of them.
fn closed(
    searcher: &Searcher,
    start: &State,
    bound: u64,
    evidence: &Evidence,
    watch: &Watch,
) -> Result<Option<ClosedList>, CertificateError> {
    let game = searcher.game().ir();
    let list = |watch: &Watch| closed_list(game, start, bound, evidence, watch);
    let has_free_rules = game.rules().iter().any(|rule| rule.canonical.cost() == 0);
    if searcher.options().algorithm.detects_duplicates() || has_free_rules {
        return list(watch).map(Some);
    }
    match list(&watch.with_nodes(Some(LISTED_RATHER_THAN_SEARCHED))) {
        Ok(closed) => Ok(Some(closed)),
        Err(CertificateError::Stopped(StopReason::Nodes | StopReason::Memory)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What of a search's heuristic a checker can prove: sums of numbers for values, and pattern
/// databases, which are computed again.
fn evidence(
    game: &Game,
    heuristic: &Heuristic,
    start: &State,
    watch: &Watch,
) -> Result<Evidence, CertificateError> {
    let ir = game.ir();
    let mut evidence = Evidence::none();
    let estimate = &heuristic.estimate;
    if let Some(sums) = estimate.properties().value_sums {
        evidence.add_value_sums(ir, sums);
        // Where sums fall too fast, in states that the start doesn't lead to, they prove nothing.
        if !is_proved(game, start, &evidence)? {
            evidence = Evidence::none();
        }
    }
    let mut seen = Vec::new();
    for sum in estimate.patterns().into_iter().flat_map(Patterns::sums) {
        let patterns: Vec<_> = sum.iter().map(|table| table.pattern(ir)).collect();
        // Tables are looked up for several images of a state.
        if seen.contains(&patterns) {
            continue;
        }
        // Tables that track the blank know more. They have an entry for each of its places.
        let tracked: Vec<_> = sum.iter().map(|it| it.abstraction().clone()).collect();
        let n_places = ir.n_variables() as u64;
        let are_small = |it: &PatternDatabase| it.n_entries() * n_places <= MOST_TRACKED_ENTRIES;
        let mut add =
            |patterns| evidence.add_tables(ir, patterns, start, MOST_TABLE_ENTRIES, watch);
        let is_added = sum.iter().all(are_small) && add(&tracked)?;
        if !is_added {
            add(&patterns)?;
        }
        seen.push(patterns);
    }
    Ok(evidence)
}

/// Whether a checker finds the evidence consistent.
fn is_proved(game: &Game, start: &State, evidence: &Evidence) -> Result<bool, CertificateError> {
    let nothing = closed_list(
        game.ir(),
        start,
        0,
        evidence,
        &Watch::new(Limits::default()),
    )?;
    let mut text = Text::new(game.ir())?;
    text.start(start);
    text.bound_by_list(0, Some(evidence), &nothing)?;
    let certificate = CostCertificate::read(text.end().as_bytes());
    Ok(certificate.is_ok_and(|it| it.check(&checker::Limits::default()).is_ok()))
}

fn not_written(error: CertificateError) -> Error {
    match error {
        CertificateError::Stopped(StopReason::Interrupted) => {
            Error::interrupted("interrupted before the certificate was complete")
        }
        CertificateError::Stopped(reason) => {
            Error::limit(format!("no certificate: {}", reason.clause()))
                .with_hint("a certificate has the states that might cost less than the solution")
        }
        error => Error::input(format!("no certificate: {error}")),
    }
}

/// Check the certificate before anyone else gets it.
fn checked(text: String, env: &Environment) -> Result<String, Error> {
    let certificate = CostCertificate::read(text.as_bytes())
        .map_err(|error| Error::wrong(format!("the certificate is unreadable: {error}")))?;
    match super::check(&certificate, env)? {
        None => Ok(text),
        Some(flaw) => Err(Error::wrong(format!("the certificate is wrong: {flaw}"))),
    }
}
