//! Which rules can never follow each other.

use psvn_ir::Game;
use rayon::prelude::*;

use crate::execution::{Ground, Unfolding};
use crate::invariants::ProvedInvariants;
use crate::invariants::assumptions::Assumptions;
use crate::invariants::closing::close;
use crate::limits::{Limits, StopReason};

/// The rules that can follow each rule: all that are not proved
/// impossible.
///
/// A succession is impossible if no state allows the one rule and then the other, or if
/// [proved](ProvedInvariants::prove) invariants exclude all states that do.
#[derive(Clone, Debug)]
pub struct Successions {
    n_letters: usize,
    /// Bits: the letters that can come first, and then for each letter those that can follow.
    rows: Vec<u64>,
}

/// In games with more rules, pairs are only compared with each invariant separately.
const MOST_LETTERS_CLOSED: usize = 512;

impl Successions {
    /// Test all pairs of rules, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// When a limit is reached.
    pub fn of_rules(
        game: &Game,
        known: &ProvedInvariants,
        limits: &Limits,
    ) -> Result<Self, StopReason> {
        let n_letters = game.rules().len();
        let n_words = n_letters.div_ceil(64);
        let n_variables = game.n_variables();
        let row = |assumptions: &mut Assumptions<'_>, first: Option<usize>| {
            limits.check()?;
            let mut row = vec![0_u64; n_words];
            let mut so_far = Unfolding::new(n_variables);
            if first.is_some_and(|first| !so_far.append(&game.rules()[first].canonical)) {
                return Ok(row);
            }
            let end = so_far.end();
            for (letter, rule) in game.rules().iter().enumerate() {
                let mut tests = rule.canonical.preconditions().iter().zip(&end);
                // Most pairs contradict each other in a constant.
                let contradicts =
                    tests.any(|(wanted, found)| match (wanted.as_constant(), found) {
                        (Some(wanted), Ground::Value(found)) => wanted != *found,
                        _ => false,
                    });
                if contradicts {
                    continue;
                }
                let mut both = so_far.clone();
                if !both.append(&rule.canonical) {
                    continue;
                }
                let start = both.start();
                let is_closed = n_letters <= MOST_LETTERS_CLOSED;
                if assumptions.admit(&start) && (!is_closed || close(known, &start).is_some()) {
                    row[letter / 64] |= 1 << (letter % 64);
                }
            }
            Ok(row)
        };
        let rows: Result<Vec<Vec<u64>>, StopReason> = (0..=n_letters)
            .into_par_iter()
            .map_init(
                || Assumptions::new(known, n_variables),
                |assumptions, number| row(assumptions, number.checked_sub(1)),
            )
            .collect();
        let rows = rows?.concat();
        Ok(Self { n_letters, rows })
    }

    /// Return the number of letters.
    pub fn n_letters(&self) -> usize {
        self.n_letters
    }

    /// Return whether the second letter may follow the first one, or come first if there is no
    /// first one. `false` is proved.
    ///
    /// # Panics
    /// If a letter doesn't exist.
    pub fn is_possible(&self, first: Option<u32>, second: u32) -> bool {
        let second = second as usize;
        assert!(second < self.n_letters, "no such letter");
        let row = first.map_or(0, |first| first as usize + 1) * self.n_letters.div_ceil(64);
        self.rows[row + second / 64] >> (second % 64) & 1 == 1
    }
}
