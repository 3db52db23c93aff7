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

/// The most entries of a table of estimates: some 20 MB of text.
const MOST_TABLE_ENTRIES: usize = 1_000_000;

/// The longest words that a checker's search leaves out. Longer ones leave out few more nodes, and
/// a checker proves each of them.
const LONGEST_WORD: usize = 4;

/// The words that are compared for it at most.
const MOST_WORDS: u64 = 100_000;

/// Return the certificate of what a search proved: that its solution has the least cost, or that
/// there is none. `None` if it proved neither. Without a searcher, the start was refuted before.
///
/// The bound is proved by a list of the states from which a plan might cost less, or, where those
/// are many and the search was depth first, by a search that the checker makes again. Both leave
/// out what the search's heuristic puts beyond the bound, as far as a checker can prove it. That
/// there is no plan is proved by a list of all states that can be reached.
///
/// The certificate is checked before it is returned.
///
/// # Errors
/// When a limit of the environment is reached, or the format can't express the game.
pub fn of_answer(
    game: &Game,
    searcher: Option<&Searcher>,
    start: &State,
    outcome: &Outcome,
    env: &Environment,
) -> Result<Option<String>, Error> {
    match (outcome, searcher) {
        (Outcome::Solved(solution), Some(searcher)) if searcher.is_optimal() => {
            of_least_cost(searcher, start, solution, env).map(Some)
        }
        (Outcome::NoSolution { .. }, _) => of_no_plan(game, start, env).map(Some),
        _ => Ok(None),
    }
}

/// The plan, and a lower bound that it meets.
fn of_least_cost(
    searcher: &Searcher,
    start: &State,
    solution: &Solution,
    env: &Environment,
) -> Result<String, Error> {
    let game = searcher.game();
    let watch = Watch::new(env.limits(&Limits::default()));
    let bound = u64::try_from(solution.cost).unwrap_or(u64::MAX);
    let write = || {
        let mut text = Text::new(game.ir(), start)?;
        text.plan(bound, &solution.moves)?;
        let evidence = evidence(game, searcher.heuristic(), start, &watch)?;
        match proof(searcher, start, bound, &evidence, &watch)? {
            Proof::List(closed) => text.bound_by_list(bound, &evidence, &closed)?,
            Proof::Search(search) => text.bound_by_search(bound, &evidence, &search)?,
        }
        Ok(text.end())
    };
    checked(write().map_err(not_written)?, env)
}

fn of_no_plan(game: &Game, start: &State, env: &Environment) -> Result<String, Error> {
    let watch = Watch::new(env.limits(&Limits::default()));
    let write = || {
        let mut text = Text::new(game.ir(), start)?;
        let reached = closed_list(game.ir(), start, u64::MAX, &Evidence::none(), &watch)?;
        text.no_plan(&reached)?;
        Ok(text.end())
    };
    checked(write().map_err(not_written)?, env)
}

/// How a lower bound is proved.
enum Proof {
    List(ClosedList),
    Search(PrunedSearch),
}

/// List the states if they are few. Else, if the search itself kept none of them, the checker
/// searches too.
fn proof(
    searcher: &Searcher,
    start: &State,
    bound: u64,
    evidence: &Evidence,
    watch: &Watch,
) -> Result<Proof, CertificateError> {
    let game = searcher.game().ir();
    let list = |watch: &Watch| closed_list(game, start, bound, evidence, watch);
    let has_free_rules = game.rules().iter().any(|rule| rule.canonical.cost() == 0);
    if searcher.options().algorithm.detects_duplicates() || has_free_rules {
        return Ok(Proof::List(list(watch)?));
    }
    match list(&watch.with_nodes(Some(LISTED_RATHER_THAN_SEARCHED))) {
        Ok(closed) => Ok(Proof::List(closed)),
        Err(CertificateError::Stopped(StopReason::Nodes | StopReason::Memory)) => {
            let few = watch.with_nodes(Some(MOST_WORDS));
            Ok(Proof::Search(PrunedSearch::up_to(
                game,
                LONGEST_WORD,
                &few,
            )?))
        }
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
        let are_small =
            |it: &PatternDatabase| it.n_entries() * n_places <= MOST_TABLE_ENTRIES as u64;
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
    let mut text = Text::new(game.ir(), start)?;
    text.bound_by_list(0, evidence, &nothing)?;
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
