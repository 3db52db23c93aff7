//! Why one macro-rule replaces another in states with invariants: the facts that this needs, and
//! the invariants that imply them.

use std::cell::OnceCell;

use invariants::Invariants;
use psvn_ir::{CanonicalRule, Game};

use crate::Error;
use crate::ignored;
use crate::known::close_within;

/// The most assumed invariants among which those that imply a fact are searched.
const MOST_LINES: usize = 500;

/// The assumptions about states.
pub(super) struct Reasons<'g> {
    game: &'g Game,
    lines: Vec<String>,
    known: Invariants,
    /// Each line by itself.
    singles: OnceCell<Vec<Invariants>>,
}

/// What a replacement needs besides the preconditions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Needed {
    /// Values that hold, such as `x3 = 1`.
    pub(super) facts: Vec<String>,
    /// The invariants that imply them: a minimal set, not the only one.
    pub(super) lines: Vec<String>,
}

impl<'g> Reasons<'g> {
    pub(super) fn new(game: &'g Game, lines: &[String]) -> Result<Self, Error> {
        let lines = ignored::other_lines(lines);
        Ok(Self {
            game,
            known: invariants_of(game, &lines)?,
            lines,
            singles: OnceCell::new(),
        })
    }

    /// Return the facts by which `general` replaces `special`; `None` if it doesn't in some states
    /// that satisfy the assumptions.
    pub(super) fn needed(
        &self,
        general: &CanonicalRule,
        special: &CanonicalRule,
    ) -> Result<Option<Needed>, Error> {
        if general.makes_redundant(special) {
            return Ok(Some(Needed::default()));
        }
        let closed = |known: &Invariants| {
            let (matched, facts) = close_within(self.game, known, special)?;
            general.makes_redundant(&matched).then_some(facts)
        };
        let Some(facts) = closed(&self.known) else {
            return Ok(None);
        };
        let Some(mut used) = self.candidates(general, special)? else {
            let lines = Vec::new();
            return Ok(Some(Needed { facts, lines }));
        };
        let lines_of = |used: &[usize]| -> Vec<String> {
            used.iter().map(|line| self.lines[*line].clone()).collect()
        };
        for place in (0..used.len()).rev() {
            let line = used.remove(place);
            if closed(&invariants_of(self.game, &lines_of(&used))?).is_none() {
                used.insert(place, line);
            }
        }
        let lines = lines_of(&used);
        let facts = closed(&invariants_of(self.game, &lines)?).unwrap_or(facts);
        Ok(Some(Needed { facts, lines }))
    }

    /// Sorted lines that together imply the needed facts, found by applying one after the other;
    /// `None` where they are too many, or a step needs several at once.
    fn candidates(
        &self,
        general: &CanonicalRule,
        special: &CanonicalRule,
    ) -> Result<Option<Vec<usize>>, Error> {
        if self.lines.len() > MOST_LINES {
            return Ok(None);
        }
        let singles = match self.singles.get() {
            Some(singles) => singles,
            None => {
                let lines = self.lines.iter();
                let singles: Result<Vec<Invariants>, Error> = lines
                    .map(|line| invariants_of(self.game, std::slice::from_ref(line)))
                    .collect();
                let singles = singles?;
                self.singles.get_or_init(|| singles)
            }
        };
        let mut used = Vec::new();
        let mut rule = special.clone();
        loop {
            let before = used.len();
            for (line, single) in singles.iter().enumerate() {
                if let Some((closed, facts)) = close_within(self.game, single, &rule)
                    && !facts.is_empty()
                {
                    rule = closed;
                    used.push(line);
                    if general.makes_redundant(&rule) {
                        used.sort_unstable();
                        used.dedup();
                        return Ok(Some(used));
                    }
                }
            }
            if used.len() == before {
                return Ok(None);
            }
        }
    }
}

fn invariants_of(game: &Game, lines: &[String]) -> Result<Invariants, Error> {
    Invariants::from_lines(game, lines).map_err(|error| {
        Error::input(format!(
            "what the machine assumes can't be understood: {error}"
        ))
    })
}
