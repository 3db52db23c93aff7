//! The text of certificates.

use std::collections::BTreeMap;
use std::fmt::Write;

use psvn_ir::{Game, RuleId, State, Term, TermKind, Value, VarId};

use crate::closed::ClosedList;
use crate::error::{CertificateError, number};
use crate::evidence::Evidence;
use crate::pruned_search::PrunedSearch;

/// The digits of values in words.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The text of a certificate, which begins with a game and a start and gets claims with their
/// proofs. Nothing is checked here.
pub struct Text {
    text: String,
    sizes: Vec<usize>,
}

impl Text {
    /// Begin with a game and a start.
    ///
    /// # Errors
    /// When the cost of a rule is too large for the format.
    pub fn new(game: &Game, start: &State) -> Result<Self, CertificateError> {
        let sizes = (0..game.n_variables()).map(VarId::from_index);
        let mut text = format!("psvn-certificate 1\n{}start", game_lines(game)?);
        for value in start.values() {
            text.push_str(&format!(" {}", value.index()));
        }
        text.push('\n');
        Ok(Self {
            text,
            sizes: sizes.map(|var| game.domain_of(var).size()).collect(),
        })
    }

    /// Claim that a plan has this cost.
    ///
    /// # Errors
    /// When the cost is too large for the format.
    pub fn plan(&mut self, cost: u64, moves: &[RuleId]) -> Result<(), CertificateError> {
        let cost = number(cost, "the cost of the plan")?;
        self.text.push_str(&format!("claim plan {cost}\nmoves"));
        for rule in moves {
            self.text.push_str(&format!(" {}", rule.index() + 1));
        }
        self.text.push('\n');
        Ok(())
    }

    /// Claim that each plan costs at least `bound`, by a [closed list](crate::closed_list) for this
    /// bound and evidence.
    ///
    /// # Errors
    /// When a number is too large for the format.
    pub fn bound_by_list(
        &mut self,
        bound: u64,
        evidence: &Evidence,
        closed: &ClosedList,
    ) -> Result<(), CertificateError> {
        let bound = number(bound, "the bound")?;
        self.text
            .push_str(&format!("claim bound {bound} by list\n"));
        evidence.write(&mut self.text)?;
        self.text.push_str("closed\n");
        write_entries(&mut self.text, closed.entries())
    }

    /// Claim that each plan costs at least `bound`, by a depth-first search that the checker makes.
    ///
    /// # Errors
    /// When a number is too large for the format.
    pub fn bound_by_search(
        &mut self,
        bound: u64,
        evidence: &Evidence,
        search: &PrunedSearch,
    ) -> Result<(), CertificateError> {
        let bound = number(bound, "the bound")?;
        self.text
            .push_str(&format!("claim bound {bound} by search\n"));
        evidence.write(&mut self.text)?;
        search.write(&mut self.text);
        Ok(())
    }

    /// Claim that there is no plan, by the list of all states that can be reached.
    ///
    /// # Errors
    /// When a domain is too large for the format.
    pub fn no_plan(&mut self, reached: &ClosedList) -> Result<(), CertificateError> {
        self.text.push_str("claim none by list\n");
        let values = self
            .sizes
            .iter()
            .map(|size| (0..*size as u32).collect::<Vec<_>>());
        write_lists(&mut self.text, "keep", values.enumerate())?;
        self.text.push_str("closed\n");
        write_entries(
            &mut self.text,
            reached.entries().map(|(state, _)| (state, 0)),
        )
    }

    /// End the certificate.
    pub fn end(mut self) -> String {
        self.text.push_str("end\n");
        self.text
    }
}

/// Return the lines of a game: its domains, rules and goals.
///
/// # Errors
/// When the cost of a rule is too large for the format.
pub fn game_lines(game: &Game) -> Result<String, CertificateError> {
    let mut text = String::from("domains");
    for var in (0..game.n_variables()).map(VarId::from_index) {
        text.push_str(&format!(" {}", game.domain_of(var).size()));
    }
    for rule in game.rules() {
        let rule = &rule.canonical;
        let cost = number(rule.cost(), "the cost of a rule")?;
        text.push_str(&format!("\nrule {cost} :"));
        write_terms(&mut text, rule.preconditions());
        text.push_str(" =>");
        write_terms(&mut text, rule.actions());
    }
    for goal in game.goals() {
        text.push_str("\ngoal");
        write_terms(&mut text, goal.conditions());
    }
    text.push('\n');
    Ok(text)
}

/// Write a vector, with `-` for the unknown of its own position.
fn write_terms(text: &mut String, terms: &[Term]) {
    for (position, term) in terms.iter().enumerate() {
        text.push_str(&match term.kind() {
            TermKind::Constant(value) => format!(" {}", value.index()),
            TermKind::Variable(var) if var.index() == position => " -".to_owned(),
            TermKind::Variable(var) => format!(" x{}", var.index() + 1),
        });
    }
}

/// Write lists of numbers for variables or rules, which are numbered from 0: a line of the keyword
/// for all that have the same list.
pub(crate) fn write_lists<N: Copy + Into<u64>>(
    text: &mut String,
    keyword: &str,
    lists: impl Iterator<Item = (usize, Vec<N>)>,
) -> Result<(), CertificateError> {
    let mut with: BTreeMap<Vec<u64>, Vec<String>> = BTreeMap::new();
    for (position, list) in lists {
        let list = list.into_iter().map(Into::into).collect();
        with.entry(list)
            .or_default()
            .push((position + 1).to_string());
    }
    for (list, positions) in with {
        write!(text, "{keyword} {} :", positions.join(" ")).expect("a string takes all");
        for found in list {
            let found = number(found, "a cost, weight or value")?;
            write!(text, " {found}").expect("a string takes all");
        }
        text.push('\n');
    }
    Ok(())
}

/// Write a line for each state and its number, sorted by the last value first, without the last
/// values that it has in common with the line before.
pub(crate) fn write_entries<'a>(
    text: &mut String,
    entries: impl Iterator<Item = (&'a [Value], u64)>,
) -> Result<(), CertificateError> {
    let mut entries: Vec<(&[Value], u64)> = entries.collect();
    entries.sort_unstable_by(|(a, _), (b, _)| a.iter().rev().cmp(b.iter().rev()));
    let mut before: Option<&[Value]> = None;
    for (state, cost) in entries {
        let same = before.into_iter().flat_map(|before| before.iter().rev());
        let n_same = same
            .zip(state.iter().rev())
            .take_while(|(old, new)| old == new)
            .count()
            .min(state.len().saturating_sub(1));
        let given = &state[..state.len() - n_same];
        write!(text, "{}", number(cost, "the cost of a state")?).expect("a string takes all");
        if given.iter().all(|value| value.index() < DIGITS.len()) {
            text.push_str(" '");
            let digits = given.iter().map(|value| char::from(DIGITS[value.index()]));
            text.extend(digits);
        } else {
            for value in given {
                write!(text, " {}", value.index()).expect("a string takes all");
            }
        }
        text.push('\n');
        before = Some(state);
    }
    Ok(())
}
