//! The description of a game in canonical form.

use invariants::Description;
use psvn_ir::{Relations, RuleId, RuleNames};
use redundancy::macro_rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Game;
use super::instance::n_reachable;
use crate::environment::Environment;

/// The description of a game in canonical form as data: what `psvn show` prints as JSON.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct GameDescription {
    /// The name of the game.
    pub file: String,
    /// The hash of its content.
    pub hash: String,
    /// Its domains.
    pub domains: Vec<DomainDescription>,
    /// For each variable the name of its domain.
    pub variables: Vec<String>,
    /// The number of rules in the text, before unbound symbols are replaced by values.
    pub source_rules: usize,
    /// The rows among them that test and change nothing, and so don't count as rules.
    pub empty_rows: usize,
    /// Its rules.
    pub rules: Vec<RuleDescription>,
    /// Its goals.
    pub goals: Vec<GoalDescription>,
    /// The goal state, if there is exactly one.
    pub goal_state: Option<String>,
    /// The number of states that can be reached from it, in decimal digits, where the rules only
    /// move values and the group of the moves is found quickly.
    #[serde(default)]
    pub reachable_states: Option<String>,
    /// The invariants of all states that can be reached from a goal state.
    pub invariants: Vec<InvariantDescription>,
    /// The number of rules that lose no value.
    pub one_to_one: usize,
    /// The number of rules that no rule undoes.
    pub without_inverse: usize,
    /// The number of rules that an earlier rule equals.
    pub duplicates: usize,
}

/// A domain: a name, and the names of its values.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct DomainDescription {
    /// Its name.
    pub name: String,
    /// The number of its values.
    pub size: usize,
    /// The names of its values, in the order of their numbers, from 0.
    pub values: Vec<String>,
}

/// A rule in canonical form.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct RuleDescription {
    /// Its number, from 1, as in `rule_N`.
    pub number: usize,
    /// Its name, which no other rule has, such as `LABEL#2`.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The number of the rule of the text that it is an instance of, from 1.
    pub source_rule: usize,
    /// Its cost.
    pub cost: u64,
    /// The precondition on each variable: a value, or `xj`, the value that variable j has before.
    pub preconditions: Vec<String>,
    /// What each variable becomes: a value, or `xj`.
    pub actions: Vec<String>,
    /// The rule as text.
    pub rule: String,
    /// Whether different states lead to different states.
    pub one_to_one: bool,
    /// The name of the rule that undoes it; `None` if there is none.
    pub inverse: Option<String>,
    /// The name of the first rule that is the same; `None` if there is none.
    pub duplicate_of: Option<String>,
}

/// A goal.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct GoalDescription {
    /// Its conditions, position by position.
    pub conditions: Vec<String>,
}

/// An invariant.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct InvariantDescription {
    /// The statement.
    pub statement: String,
    /// The reason.
    pub reason: String,
}

/// The invariants of a game's goal states, as far as the time for finding them is enough.
fn invariants(game: &psvn_ir::Game, env: &Environment) -> Vec<InvariantDescription> {
    if game.goals().is_empty() {
        return Vec::new();
    }
    let known = env.invariants_of_goals(game);
    if env.is_over() {
        env.warning("the time ran out before all invariants were found");
    }
    let described = known.describe(game);
    let entry = |Description { statement, reason }| InvariantDescription { statement, reason };
    described.into_iter().map(entry).collect()
}

impl RuleDescription {
    /// Describe a rule, given how the rules of its game relate to each other.
    pub fn of(
        game: &psvn_ir::Game,
        names: &RuleNames<'_>,
        relations: &Relations,
        id: RuleId,
    ) -> Self {
        let rule = game.rule(id);
        let canonical = &rule.canonical;
        Self {
            number: id.index() + 1,
            name: names.name(id),
            label: rule.label.to_string(),
            source_rule: rule.source + 1,
            cost: canonical.cost(),
            preconditions: macro_rules::terms(game, canonical.preconditions()),
            actions: macro_rules::terms(game, canonical.actions()),
            rule: game.format_rule(canonical),
            one_to_one: canonical.is_one_to_one(),
            inverse: relations.inverse(id).map(|inverse| names.name(inverse)),
            duplicate_of: relations.duplicate_of(id).map(|first| names.name(first)),
        }
    }
}

impl GameDescription {
    /// Describe a game.
    pub fn of(named: &Game) -> Self {
        Self::within(named, &Environment::default())
    }

    /// Describe a game. Once the budget's time is over, no more invariants are looked for.
    pub fn within(named: &Game, env: &Environment) -> Self {
        let game = named.ir();
        let names = named.rule_names();
        let relations = Relations::of(game);
        let entry = |id: RuleId| RuleDescription::of(game, &names, &relations, id);
        let rules: Vec<RuleDescription> = game.rules_with_ids().map(|(id, _)| entry(id)).collect();
        let n_rules_with = |has: fn(&&RuleDescription) -> bool| rules.iter().filter(has).count();
        Self {
            file: named.name().to_owned(),
            hash: game.content_hash().to_string(),
            domains: game
                .domains()
                .iter()
                .map(|domain| DomainDescription {
                    name: domain.name().to_owned(),
                    size: domain.size(),
                    values: domain.values().to_vec(),
                })
                .collect(),
            variables: game
                .variables()
                .iter()
                .map(|id| game.domain(*id).name().to_owned())
                .collect(),
            source_rules: game.source_rules().len(),
            empty_rows: game
                .source_rules()
                .iter()
                .filter(|rule| rule.says_nothing())
                .count(),
            goals: game
                .goals()
                .iter()
                .map(|goal| GoalDescription {
                    conditions: macro_rules::terms(game, goal.conditions()),
                })
                .collect(),
            goal_state: game
                .goal_state()
                .map(|state| game.format_state(state.values())),
            reachable_states: game
                .goal_state()
                .and_then(|state| n_reachable(game, &state, &|| env.is_over())),
            invariants: invariants(game, env),
            one_to_one: n_rules_with(|rule| rule.one_to_one),
            without_inverse: n_rules_with(|rule| rule.inverse.is_none()),
            duplicates: n_rules_with(|rule| rule.duplicate_of.is_some()),
            rules,
        }
    }
}
