//! The rules of one direction, with their history.

use psvn_ir::{CanonicalRule, Game, Rule, VarId};

use crate::error::ExportError;
use crate::history::{Histories, History};
use crate::successors::{RuleList, max_children};

/// The names of the parts of a direction.
pub(crate) struct Names {
    /// In identifiers.
    pub(crate) id: &'static str,
    /// In identifiers that are macros of presence.
    pub(crate) upper: &'static str,
    /// In sentences.
    pub(crate) adjective: &'static str,
    pub(crate) title: &'static str,
}

pub(crate) static FORWARD: Names = Names {
    id: "fwd",
    upper: "FWD",
    adjective: "forward",
    title: "Forward rules",
};

pub(crate) static BACKWARD: Names = Names {
    id: "bwd",
    upper: "BWD",
    adjective: "backward",
    title: "Backward rules: they lead to the states before",
};

/// Rules over more variables are only named in comments: their vectors would fill more than a line.
const MOST_SHOWN: usize = 32;

/// The rules of one direction with their history.
pub(crate) struct Direction<'a> {
    pub(crate) names: &'static Names,
    pub(crate) game: &'a Game,
    /// The rules, to find those that apply.
    pub(crate) list: RuleList<'a>,
    pub(crate) costs: Vec<u64>,
    pub(crate) history: Option<History<'a>>,
}

impl<'a> Direction<'a> {
    /// The rules of a game, which are those of the machine.
    pub(crate) fn new(
        names: &'static Names,
        game: &'a Game,
        histories: Option<Histories<'a>>,
    ) -> Result<Self, ExportError> {
        let rules = game.rules();
        if let Some(histories) = histories {
            let letters = histories.machine.n_letters();
            if letters as usize != rules.len() {
                return Err(ExportError::Machine {
                    letters,
                    rules: rules.len(),
                });
            }
        }
        let size = |id: &psvn_ir::DomainId| game.domain(*id).size();
        Ok(Self {
            names,
            game,
            list: RuleList {
                id: names.id,
                rules: rules.iter().map(|rule| &rule.canonical).collect(),
                domain_sizes: game.variables().iter().map(size).collect(),
            },
            costs: rules.iter().map(|rule| rule.canonical.cost()).collect(),
            history: histories.map(History::new),
        })
    }

    pub(crate) fn n_rules(&self) -> usize {
        self.costs.len()
    }

    pub(crate) fn is_backward(&self) -> bool {
        self.names.id == BACKWARD.id
    }

    /// The costs of a cheapest and a costliest rule.
    pub(crate) fn range_of_costs(&self) -> (u64, u64) {
        let costs = || self.costs.iter().copied();
        (costs().min().unwrap_or(0), costs().max().unwrap_or(0))
    }

    pub(crate) fn max_children(&self) -> usize {
        max_children(&self.list.rules)
    }

    /// A rule in a comment.
    pub(crate) fn describe(&self, rule: &Rule) -> String {
        if self.game.n_variables() <= MOST_SHOWN {
            format!("{}: {}", rule.label, self.game.format_rule(&rule.canonical))
        } else {
            rule.label.to_string()
        }
    }

    /// The approximate bytes that the rules take: each has some lines, and one for each change.
    pub(crate) fn bytes_of_rules(&self) -> u128 {
        let rules = self.list.rules.iter();
        let changes: usize = rules.map(|rule| rule.changes().count()).sum();
        (150 * self.n_rules() + 50 * changes) as u128
    }
}

/// The variables whose old values a rule writes elsewhere, in order.
pub(crate) fn sources(rule: &CanonicalRule) -> Vec<VarId> {
    let mut sources: Vec<VarId> = rule
        .changes()
        .filter_map(|(_, action)| action.as_variable())
        .collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}
