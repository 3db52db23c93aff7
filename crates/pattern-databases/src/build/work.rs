//! Estimates of the time to build a table, in steps of a nanosecond.

use psvn_ir::{CanonicalRule, Game};

use super::expand::tables;
use super::reach::{self, RANKS};
use crate::ranking::{Factor, Ranking};

/// Steps of a nanosecond for each rank up to symmetries and each of its rules, and for each byte of
/// the list of classes.
const SYMMETRIC_WORK: u128 = 30;
const SYMMETRIC_RULE_WORK: u128 = 12;
const CLASS_WORK: u128 = 20;
/// Steps of a nanosecond for each rank of a search by regions.
pub(crate) const REGION: u128 = 40;
/// Steps for each rank that is scanned and not reached, over all levels.
const RANK: f64 = 4.0;
/// Steps for each state that is reached, for each digit of its rank and each rule that applies, and
/// for each rule, whether it applies or not: as bits of a set, or tested one by one.
const STATE: f64 = 20.0;
const DIGIT: f64 = 5.0;
const APPLIED: f64 = 4.0;
const BIT: f64 = 1.0 / 16.0;
const TESTED: f64 = 3.0;
const MADE: f64 = 40.0;
/// The part of building that a random walk may take, in tests of rules, and the most of them.
const WALK_SHARE: u128 = 200;
const LONGEST_WALK: u128 = 20_000_000;

/// Estimate how long it takes to find the distances of all ranks with the backward rules of an
/// abstract game.
///
/// `admits` returns whether the game may have a state; `is_constrained` says that a search doesn't
/// reach many others.
pub(crate) fn of_rules(
    game: &Game,
    ranking: &Ranking,
    rules: &[&CanonicalRule],
    admits: impl FnMut(&[u32]) -> bool,
    is_constrained: bool,
) -> u128 {
    let is_free = |rule: &&&CanonicalRule| rule.tests().next().is_none();
    let n_free = rules.iter().filter(is_free).count() as u128;
    let most = of_number(ranking, rules.len() as u128, n_free);
    let walk = (most / WALK_SHARE).min(LONGEST_WALK);
    let n_looks = RANKS * rules.len() as u128;
    // Ranks have 64 bits; tables of more can't be built.
    let has_ranks = u64::try_from(ranking.size()).is_ok();
    if of_moves(ranking, 0, 0).is_some() || n_looks > walk || !has_ranks {
        return most;
    }
    let mut reach = reach::admitted(ranking, rules, admits);
    if !is_constrained {
        let walked = reach::walk(game, ranking, rules, walk);
        reach.applicable = walked.map_or(reach.applicable, |it| it.applicable);
        let walked = walked.and_then(|it| it.states);
        reach.states = walked.map(|n| n.max(reach.states.unwrap_or(0.0)));
    }
    let ranks = ranking.size() as f64;
    let n_rules = rules.len() as f64;
    let each = if tables::may_fit(ranking, rules) {
        DIGIT * ranking.factors.len() as f64 + APPLIED * reach.applicable + BIT * n_rules
    } else {
        TESTED * n_rules + MADE * reach.applicable
    };
    let states = reach.states.unwrap_or(ranks).min(ranks);
    (RANK * ranks + (STATE + each) * states) as u128
}

/// Estimate the same without the rules, for `n_rules` of them, of which `n_free` test no value and
/// so apply everywhere: too much where most ranks are never reached, or few rules apply.
pub(crate) fn of_number(ranking: &Ranking, n_rules: u128, n_free: u128) -> u128 {
    let each = of_moves(ranking, n_rules, n_free).unwrap_or(60 + 4 * n_rules);
    ranking.size().saturating_mul(each)
}

/// Return the steps for each rank where all ranks are places of values or pieces.
fn of_moves(ranking: &Ranking, n_rules: u128, n_free: u128) -> Option<u128> {
    match ranking.factors.as_slice() {
        // Places of values: rules are sorted by the place of the value that all of them move, if
        // there is one. Rules that apply everywhere are all carried out.
        [Factor::PartialPermutation(places)] => {
            let tested = n_rules.saturating_sub(n_free);
            Some(40 + 14 * n_free + 20 * tested / places.vars.len().max(1) as u128)
        }
        factors => {
            let mut factors = factors.iter();
            let are_pieces = factors.all(|it| matches!(it, Factor::OrientedPieces(_)));
            are_pieces.then_some(20 + 12 * n_rules)
        }
    }
}

/// Estimate the same for `n_ranks` ranks up to symmetries, with the bytes of their classes.
pub(crate) fn up_to_symmetries(n_ranks: u128, class_bytes: u128, n_rules: u128) -> u128 {
    let all = n_ranks.saturating_mul(SYMMETRIC_WORK + SYMMETRIC_RULE_WORK * n_rules);
    all.saturating_add(class_bytes.saturating_mul(CLASS_WORK))
}
