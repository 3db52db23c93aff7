//! Rules split by values, where pruning then finds more.

mod described;
mod parts;
mod request;

use budget::{Limits, StopReason, Watch};
use invariants::Invariants;
use move_prune::{Admits, Analysis};
use psvn_ir::{RuleId, Term};
use rule_splits::{ChoiceLimits, Setting, Split, SplitError, SplitGame};

pub(crate) use self::described::rules_of_file;
pub use self::described::{SplitPart, SplitRule, SplitWhy, Splits};
use self::described::{redundant_letters, rules_of};
pub(super) use self::parts::Parts;
pub use self::request::{SplitChoice, SplitRequest};
use super::AnalysisRequest;
use super::engine::Known;
use crate::game::Game;

/// Look for rules that are worth splitting, and analyze their parts, for an analysis that was made
/// for a request. If splits are requested, a description is returned in any case: where limits, or
/// too many parts, stand in the way, nothing is split.
pub(super) fn choose(
    named: &Game,
    request: &AnalysisRequest,
    of_rules: &Analysis,
    rule_order: Option<&[RuleId]>,
    limits: &Limits,
) -> (Option<Splits>, Option<Parts>) {
    let watch = Watch::new(Limits {
        nodes: None,
        ..limits.clone()
    });
    let game = named.ir();
    let choice = request.split.choice;
    // Where no sequences are compared, no part of a rule is redundant.
    let is_idle = choice == SplitChoice::Auto && of_rules.max_length == 0;
    if choice == SplitChoice::None || is_idle {
        return (None, None);
    }
    let nothing = Invariants::none(game);
    let known = request.assumptions.known.as_ref().unwrap_or(&nothing);
    let start = request.split.start.clone().or_else(|| game.goal_state());
    let start = start.filter(|start| known.check_state(game, start).is_ok());
    let n_rules = game.rules().len();
    let start_text = start.as_ref().map(|it| game.format_state(it.values()));
    let mut splits = Splits::none_yet(start_text, of_rules, n_rules);
    let known = Known(known);
    // About the work of the analysis, and enough for small games.
    let bounds = ChoiceLimits::for_rules(n_rules)
        .after(of_rules)
        .within(request.split.most_steps, limits);
    let (chosen, reasons) = match (choice, &start) {
        (SplitChoice::All, _) => (Split::all(game), Vec::new()),
        // A limit may have left out what a split would gain.
        (_, Some(start)) if of_rules.stopped.is_none() => {
            let setting = Setting {
                game,
                of_rules,
                rule_order,
                known: &known,
                start,
            };
            splits.note(rule_splits::choose_or_settle(setting, &bounds))
        }
        _ => (Vec::new(), Vec::new()),
    };
    let parts = if chosen.is_empty() {
        None
    } else {
        let admits = |terms: &[Term]| known.admits(terms);
        let most_letters = bounds.letters.max(n_rules);
        let split = SplitGame::within(game, &chosen, &admits, most_letters, &watch);
        let found = split.map_err(NotSplit::from).and_then(|split| {
            let rest = Limits {
                time: watch.time_left(),
                ..watch.limits().clone()
            };
            let found = rule_splits::analyze(game, &split, of_rules, rule_order, &known, &rest);
            Ok((split, found.map_err(NotSplit::Stopped)?))
        });
        match found {
            Ok((split, found)) => Some(Parts {
                split,
                found,
                reasons,
            }),
            Err(reason) => {
                splits.note_failure(reason);
                None
            }
        }
    };
    if let Some(parts) = &parts {
        splits.letters = parts.split.letters().len();
        splits.redundant_words = parts.found.redundant.len();
        splits.rules = rules_of(
            named,
            &known,
            &parts.split.parts(),
            &parts.reasons_in_file(),
            &redundant_letters(parts.words()),
        );
    }
    splits.seconds = watch.elapsed().as_secs_f64();
    (Some(splits), parts)
}

/// Why the chosen splits aren't made.
pub(super) enum NotSplit {
    Stopped(StopReason),
    /// There would be more letters than this.
    TooManyLetters(usize),
}

impl From<SplitError> for NotSplit {
    fn from(error: SplitError) -> Self {
        match error {
            SplitError::TooManyLetters { limit } => NotSplit::TooManyLetters(limit),
            SplitError::Stopped(reason) => NotSplit::Stopped(reason),
            // The splits are of the game's own rules and variables.
            _ => NotSplit::Stopped(StopReason::TooLarge),
        }
    }
}
