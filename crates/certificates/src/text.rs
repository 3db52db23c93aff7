//! The text of certificates.

use psvn_ir::{Game, RuleId, State, Term, TermKind, VarId};

use crate::closed::ClosedList;
use crate::costs_to_go::CostsToGo;
use crate::error::{CertificateError, number};
use crate::evidence::Evidence;
use crate::lines::{write_entries, write_lists, write_numbers};
use crate::pruned_search::PrunedSearch;

/// The first line: the format and its version.
pub(crate) const FIRST_LINE: &str = "psvn-certificate 1";

/// The text of a certificate, which begins with a game. Starts follow, each with claims about it
/// and their proofs. Nothing is checked here.
pub struct Text {
    text: String,
    sizes: Vec<usize>,
}

impl Text {
    /// Begin with a game.
    ///
    /// # Errors
    /// When the cost of a rule is too large for the format.
    pub fn new(game: &Game) -> Result<Self, CertificateError> {
        let sizes = (0..game.n_variables()).map(VarId::from_index);
        Ok(Self {
            text: format!("{FIRST_LINE}\n{}", game_lines(game)?),
            sizes: sizes.map(|var| game.domain_of(var).size()).collect(),
        })
    }

    /// Go on with claims about this start. There must be at least one.
    pub fn start(&mut self, start: &State) {
        self.text.push_str("start");
        write_numbers(&mut self.text, start.values().iter().map(|it| it.index()));
        self.text.push('\n');
    }

    /// Claim that a plan has this cost.
    ///
    /// # Errors
    /// When the cost is too large for the format.
    pub fn plan(&mut self, cost: u64, moves: &[RuleId]) -> Result<(), CertificateError> {
        let cost = number(cost, "the cost of the plan")?;
        self.text.push_str(&format!("claim plan {cost}\nmoves"));
        write_numbers(&mut self.text, moves.iter().map(|rule| rule.index() + 1));
        self.text.push('\n');
        Ok(())
    }

    /// Claim that each plan costs at least `bound`, by a [closed list](crate::closed_list) for this
    /// bound and evidence. Where the evidence is that of the bound before, it needn't be repeated:
    /// `None` stands for it.
    ///
    /// # Errors
    /// When a number is too large for the format.
    pub fn bound_by_list(
        &mut self,
        bound: u64,
        evidence: Option<&Evidence>,
        closed: &ClosedList,
    ) -> Result<(), CertificateError> {
        let bound = number(bound, "the bound")?;
        self.text
            .push_str(&format!("claim bound {bound} by list\n"));
        self.write_heuristic(evidence)?;
        self.text.push_str("closed\n");
        write_entries(&mut self.text, closed.entries())
    }

    /// Claim that each plan costs at least `bound`, by a depth-first search that the checker makes.
    /// For the evidence see [`bound_by_list`](Self::bound_by_list); likewise, `None` stands for the
    /// machine and the words of the search before.
    ///
    /// # Errors
    /// When a number is too large for the format.
    pub fn bound_by_search(
        &mut self,
        bound: u64,
        evidence: Option<&Evidence>,
        search: Option<&PrunedSearch>,
    ) -> Result<(), CertificateError> {
        let bound = number(bound, "the bound")?;
        self.text
            .push_str(&format!("claim bound {bound} by search\n"));
        self.write_heuristic(evidence)?;
        match search {
            Some(search) => search.write(&mut self.text),
            None => self.text.push_str("machine as before\n"),
        }
        Ok(())
    }

    /// Claim that from each state that can be reached some plan costs at most as much as the
    /// greatest of these costs, by the list of all of them.
    ///
    /// # Errors
    /// When a number is too large for the format.
    pub fn everywhere(&mut self, costs: &CostsToGo) -> Result<(), CertificateError> {
        let greatest = number(costs.greatest(), "the greatest cost")?;
        self.text
            .push_str(&format!("claim everywhere {greatest} by list\nclosed\n"));
        let entries = costs.entries();
        let entries = entries.iter().map(|(state, cost)| (state.values(), *cost));
        write_entries(&mut self.text, entries)
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

    fn write_heuristic(&mut self, evidence: Option<&Evidence>) -> Result<(), CertificateError> {
        match evidence {
            Some(evidence) => evidence.write(&mut self.text),
            None => {
                self.text.push_str("heuristic as before\n");
                Ok(())
            }
        }
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
    let order: Vec<RuleId> = game.rules_with_ids().map(|(rule, _)| rule).collect();
    let mut text = String::new();
    write_game(&mut text, game, &order)?;
    Ok(text)
}

/// Write the lines of a game, with its rules in an order.
pub(crate) fn write_game(
    text: &mut String,
    game: &Game,
    order: &[RuleId],
) -> Result<(), CertificateError> {
    text.push_str("domains");
    let sizes = (0..game.n_variables()).map(|var| game.domain_of(VarId::from_index(var)).size());
    write_numbers(text, sizes);
    for rule in order {
        let rule = &game.rule(*rule).canonical;
        let cost = number(rule.cost(), "the cost of a rule")?;
        text.push_str(&format!("\nrule {cost} :"));
        write_terms(text, rule.preconditions());
        text.push_str(" =>");
        write_terms(text, rule.actions());
    }
    for goal in game.goals() {
        text.push_str("\ngoal");
        write_terms(text, goal.conditions());
    }
    text.push('\n');
    Ok(())
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
