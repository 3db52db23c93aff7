//! Certificates of what a search found.

use budget::{Limits, StopReason, Watch};
use certificates::{CertificateError, ClosedList, Evidence, PrunedSearch, Text, closed_list};
use checker::CostCertificate;
use pattern_databases::Patterns;
use psvn_ir::State;
use search::{Heuristic as _, Solution};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::heuristic::PreparedHeuristic;
use crate::solve::{Answer, Outcome, Solver};

/// The states that a closed list has at most if a search would prove the bound as well. The list
/// then takes some megabytes, and a checker reads it in a second.
const LISTED_RATHER_THAN_SEARCHED: u64 = 300_000;

/// The most entries of a table of estimates: some 100 MB of text.
const MOST_TABLE_ENTRIES: usize = 8_000_000;

/// The entries up to which a table may always track the blank, where one that doesn't would be
/// smaller.
const FEW_TRACKED_ENTRIES: u64 = 1_000_000;

/// The entries that such tables may have for each node that the search generated. Without the blank
/// a checker searches some ten times as many nodes, and checks an entry in about the same time.
const TRACKED_ENTRIES_FOR_NODE: u64 = 8;

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
    /// What proves the heuristic, once it is needed. It is written once, and again where a harder
    /// start needs a stronger one.
    evidence: Option<(Tracking, Evidence)>,
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

    /// Add what was proved from a start, and return whether anything was. Without a solver, the
    /// start was refuted before.
    ///
    /// # Errors
    /// When a limit of the environment is reached, or the format can't express the game.
    pub fn add(
        &mut self,
        solver: Option<&Solver>,
        start: &State,
        answer: &Answer,
        env: &Environment,
    ) -> Result<bool, Error> {
        let watch = Watch::new(env.limits(&Limits::default()));
        let added = match (&answer.outcome, solver) {
            (Outcome::Solved(solution), Some(solver)) if solver.is_optimal() => {
                self.add_least_cost(solver, start, solution, answer.generated, &watch)
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
        solver: &Solver,
        start: &State,
        solution: &Solution,
        generated: u128,
        watch: &Watch,
    ) -> Result<(), CertificateError> {
        let game = solver.game();
        let bound = u64::try_from(solution.cost).unwrap_or(u64::MAX);
        let tracking = Tracking::after(game, solver.heuristic(), generated);
        let before = self.evidence.take().filter(|(known, _)| *known >= tracking);
        let (known, known_search) = (before.is_some(), self.search.is_some());
        let evidence = match before {
            Some(evidence) => evidence,
            None => {
                let evidence = evidence(game, solver.heuristic(), tracking, start, watch)?;
                (tracking, evidence)
            }
        };
        let (_, evidence) = &*self.evidence.insert(evidence);
        let closed = closed(solver, start, bound, evidence, watch)?;
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
    solver: &Solver,
    start: &State,
    bound: u64,
    evidence: &Evidence,
    watch: &Watch,
) -> Result<Option<ClosedList>, CertificateError> {
    let game = solver.game().ir();
    let list = |watch: &Watch| closed_list(game, start, bound, evidence, watch);
    let has_free_rules = game.rules().iter().any(|rule| rule.canonical.cost() == 0);
    if solver.options().algorithm.detects_duplicates() || has_free_rules {
        return list(watch).map(Some);
    }
    match list(&watch.with_nodes(Some(LISTED_RATHER_THAN_SEARCHED))) {
        Ok(closed) => Ok(Some(closed)),
        Err(CertificateError::Stopped(StopReason::Nodes | StopReason::Memory)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What tables track beside the pieces of their pattern. Those that track the blank, or what else
/// the search's tables tracked while they were built, know more and have an entry for each of its
/// places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tracking {
    Nothing,
    Blank,
}

impl Tracking {
    /// Decide what the tables should track, by the number of nodes that the search generated.
    fn after(game: &Game, heuristic: &PreparedHeuristic, generated: u128) -> Self {
        let n_places = game.ir().n_variables() as u64;
        let sums = heuristic
            .estimate
            .patterns()
            .into_iter()
            .flat_map(Patterns::sums);
        let tables: Vec<u64> = sums.flatten().map(|it| it.n_entries() * n_places).collect();
        Self::of_tables(&tables, generated)
    }

    /// Likewise. `tables` has for each table the most entries that it can have with the blank.
    fn of_tables(tables: &[u64], generated: u128) -> Self {
        let are_few = tables.iter().all(|n| *n <= FEW_TRACKED_ENTRIES);
        let can_be_written = tables.iter().all(|n| *n <= 2 * MOST_TABLE_ENTRIES as u64);
        let paid_for = generated.saturating_mul(TRACKED_ENTRIES_FOR_NODE.into());
        let pays = tables.iter().map(|n| u128::from(*n)).sum::<u128>() <= paid_for;
        if are_few || (can_be_written && pays) {
            Self::Blank
        } else {
            Self::Nothing
        }
    }
}

/// What of a search's heuristic a checker can prove: sums of numbers for values, and pattern
/// databases, which are computed again.
fn evidence(
    game: &Game,
    heuristic: &PreparedHeuristic,
    tracking: Tracking,
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
        let tracked: Vec<_> = sum.iter().map(|it| it.abstraction().clone()).collect();
        let mut add =
            |patterns| evidence.add_tables(ir, patterns, start, MOST_TABLE_ENTRIES, watch);
        let is_added = match tracking {
            Tracking::Nothing => false,
            Tracking::Blank => match add(&tracked) {
                Err(CertificateError::Stopped(StopReason::Memory)) => false,
                added => added?,
            },
        };
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

pub(super) fn not_written(error: CertificateError) -> Error {
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
pub(super) fn checked(text: String, env: &Environment) -> Result<String, Error> {
    let certificate = CostCertificate::read(text.as_bytes())
        .map_err(|error| Error::wrong(format!("the certificate is unreadable: {error}")))?;
    match super::check(&certificate, env)? {
        None => Ok(text),
        Some(flaw) => Err(Error::wrong(format!("the certificate is wrong: {flaw}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tables_track_the_blank_after_long_searches() {
        let tracking = |n: u64, generated| Tracking::of_tables(&[n; 3], generated);
        assert_eq!(tracking(1_000_000, 0), Tracking::Blank);
        // 5-5-5 tiles.
        assert_eq!(tracking(16 * 524_160, 24_817), Tracking::Nothing);
        assert_eq!(tracking(16 * 524_160, 5_584_891), Tracking::Blank);
        // Six tiles and the blank are too many.
        assert_eq!(tracking(16 * 5_765_760, u128::MAX), Tracking::Nothing);
    }
}
