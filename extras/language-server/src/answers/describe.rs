//! Parts of a text in words, as Markdown.

use std::time::Duration;

use budget::{count, group_digits};
use psvn::{GameDescription, Lints};
use psvn_ir::{Game, RuleId, RuleNames};
use psvn_syntax::ast::Item;

use crate::document::Document;
use crate::words::meaning::DomainIndex;

/// The most values of a domain, rules and invariants that are listed.
const MOST_VALUES: usize = 24;
const MOST_RULES: usize = 4;
const MOST_INVARIANTS: usize = 6;

/// The most entries of rules (their number times that of variables) of a game whose invariants are
/// looked for, and the time for that.
const MOST_ENTRIES: usize = 50_000;
const TIME_FOR_INVARIANTS: Duration = Duration::from_millis(300);

/// The most entries of rules of a game whose rules are compared with each other.
const MOST_COMPARED: usize = 1_000_000;

impl Document {
    /// Describe a domain: its values, and the variables that have it.
    pub(super) fn describe_domain(&self, index: DomainIndex) -> String {
        let named = &self.meaning.domains[index];
        let Some(domain) = &named.domain else {
            return format!("domain `{}`, which isn't valid", named.name);
        };
        let shown = domain.values().iter().take(MOST_VALUES);
        let mut values = shown.cloned().collect::<Vec<_>>().join(" ");
        if domain.size() > MOST_VALUES {
            values += " ...";
        }
        let declared = if named.declaration.is_some() {
            format!(
                "```psvn\nDOMAIN {} {} {values}\n```",
                named.name,
                domain.size()
            )
        } else {
            format!("built-in domain `{}`: {values}", named.name)
        };
        let variables = self.meaning.variables_of(index);
        let of = match variables.len() {
            0 => "no variable has it".to_owned(),
            1 => format!("the domain of variable {}", ranges(&variables)),
            _ => format!("the domain of variables {}", ranges(&variables)),
        };
        format!("{declared}\n{of}")
    }

    /// Describe a rule or goal, by the index of the item.
    pub(super) fn describe_item(&self, index: usize) -> Option<String> {
        match self.item(index)? {
            Item::Rule(_) => self.describe_rule(self.rules_before(index)),
            Item::Goal(goal) => {
                let game = self.game()?;
                let goal = game.goals().iter().find(|it| it.span == Some(goal.span))?;
                let terms = game.format_terms(goal.conditions());
                Some(format!("goal\n```psvn\n<{terms}>\n```"))
            }
            Item::Abstraction(_) => None,
        }
    }

    /// Describe a rule of the text by the rules that it stands for.
    fn describe_rule(&self, source: usize) -> Option<String> {
        let game = self.game()?;
        let instances = self.instances(game, source);
        let rule = game.source_rules().get(source)?;
        if instances.is_empty() {
            return Some("this row tests and changes nothing, so it isn't a rule".to_owned());
        }
        let mut text = format!(
            "{}, `{}`, cost {}",
            numbers(&instances),
            rule.label,
            rule.cost
        );
        if instances.len() > 1 {
            text += &format!(": expands to {}", count(instances.len(), "rule"));
        }
        let ids: Vec<RuleId> = instances.map(RuleId::from_index).collect();
        let lines = ids.iter().take(MOST_RULES);
        let lines = lines.map(|id| game.format_rule(&game.rule(*id).canonical));
        text += &format!("\n```psvn\n{}", lines.collect::<Vec<_>>().join("\n"));
        if ids.len() > MOST_RULES {
            text += "\n...";
        }
        text += "\n```\n";
        text += &self.describe_relations(game, &ids);
        Some(text)
    }

    /// Say whether rules lose values, and which ones undo them.
    fn describe_relations(&self, game: &Game, ids: &[RuleId]) -> String {
        let n_one_to_one = ids
            .iter()
            .filter(|id| game.rule(**id).canonical.is_one_to_one())
            .count();
        let mut text = match n_one_to_one {
            0 => "not one-to-one: it loses a value, so no rule can undo it".to_owned(),
            n if n == ids.len() => "one-to-one".to_owned(),
            n => format!("{n} of {} one-to-one", ids.len()),
        };
        let is_too_large = game.rules().len().saturating_mul(game.n_variables()) > MOST_COMPARED;
        if is_too_large || n_one_to_one == 0 {
            return text;
        }
        let relations = self.relations(game);
        let names = RuleNames::new(game);
        let inverses: Vec<String> = ids
            .iter()
            .filter_map(|id| relations.inverse(*id))
            .take(MOST_RULES)
            .map(|inverse| format!("`{}`", names.name(inverse)))
            .collect();
        if inverses.is_empty() {
            text += "; no rule undoes it";
        } else {
            text += &format!("; undone by {}", inverses.join(", "));
        }
        if let Some(first) = ids.iter().find_map(|id| relations.duplicate_of(*id)) {
            text += &format!("; the same as `{}`", names.name(first));
        }
        text
    }

    /// Describe the states of the game: how many there are, and what holds in all that can be
    /// reached from the goals, as far as that is found quickly.
    pub(super) fn describe_states(&self) -> &str {
        self.states.get_or_init(|| {
            let sizes = (0..self.meaning.variables.len()).map(|variable| {
                let named = self.meaning.of_variable(variable)?;
                named.domain.as_ref().map(psvn_ir::Domain::size)
            });
            let mut sizes = sizes.map(|size| Some(size? as u128));
            let product = sizes.try_fold(1_u128, |product, size| product.checked_mul(size?));
            let n = count(self.meaning.variables.len(), "variable");
            let mut text = match product {
                Some(product) => format!("{n}, {} combinations of values", group_digits(product)),
                None => n,
            };
            if let Some(found) = self.describe_reachable() {
                text += &found;
            }
            text
        })
    }

    fn describe_reachable(&self) -> Option<String> {
        let game = self.game()?;
        if game.rules().len().saturating_mul(game.n_variables()) > MOST_ENTRIES {
            return None;
        }
        let env = self.within(TIME_FOR_INVARIANTS).with_lints(Lints::None);
        let named = psvn::Game::parse("", self.text(), &env).ok()?;
        let described = GameDescription::within(&named, &env);
        let mut text = String::new();
        if let Some(reachable) = &described.reachable_states {
            text += &format!(
                "\n\n{} states can be reached from the goal",
                grouped(reachable)
            );
        }
        if !described.invariants.is_empty() {
            text += "\n\nIn all states that can be reached from a goal:\n";
        }
        for invariant in described.invariants.iter().take(MOST_INVARIANTS) {
            text += &format!("\n- {}", invariant.statement);
        }
        let n_more = described.invariants.len().saturating_sub(MOST_INVARIANTS);
        if n_more > 0 {
            text += &format!("\n- and {n_more} more");
        }
        Some(text)
    }
}

/// The digits of a number in groups.
fn grouped(digits: &str) -> String {
    digits
        .parse::<u128>()
        .map_or_else(|_| digits.to_owned(), group_digits)
}

/// Numbers of rules, from 1: `rule 3`, `rules 3-5`.
pub(super) fn numbers(rules: &std::ops::Range<usize>) -> String {
    match rules.len() {
        1 => format!("rule {}", rules.start + 1),
        _ => format!("rules {}-{}", rules.start + 1, rules.end),
    }
}

/// Places in ascending order from 0, as numbers from 1: `1-3,5`.
fn ranges(places: &[usize]) -> String {
    let runs = places.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[usize]| match run {
        [one] => (one + 1).to_string(),
        _ => format!("{}-{}", run[0] + 1, run[run.len() - 1] + 1),
    };
    runs.map(run).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn places_are_grouped() {
        assert_eq!(ranges(&[0, 1, 2, 4]), "1-3,5");
        assert_eq!(ranges(&[]), "");
    }
}
