//! A game as a task.

use psvn_ir::{Game, Rule, State, TermKind, Value, VarId};
use psvn_syntax::Span;

use super::task::{Axiom, Effect, Fact, Operator, Task, Variable};

/// The most operators that the rules of a game may become.
pub const MOST_OPERATORS: usize = 1_000_000;

/// Why a game can't be written as a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The game has no goal.
    #[error("the game has no goal, and a SAS+ task needs one")]
    NoGoal,
    /// A symbol, or an equality test, makes too many operators.
    #[error(
        "rule `{label}` stands for {operators} operators with values in place of symbols, and the \
         limit is {limit} for the whole game"
    )]
    TooManyOperators {
        /// The rule's label.
        label: String,
        /// The number of operators of this rule.
        operators: u128,
        /// The limit.
        limit: usize,
    },
}

/// Write a game as a task that begins in `start`.
///
/// A rule that moves values or tests whether values are equal becomes an operator for each
/// combination of these values. A goal that only tests values becomes the task's goal. Other goals,
/// or several, become a derived variable with an axiom for each combination.
///
/// # Errors
/// When the game has no goal, or there would be more than `most` operators or axioms.
pub fn from_game(game: &Game, start: &State, most: usize) -> Result<Task, ExportError> {
    let mut task = Task {
        uses_costs: game.rules().iter().any(|rule| rule.canonical.cost() != 1),
        variables: variables(game),
        state: start.values().iter().map(|value| value.index()).collect(),
        ..Task::default()
    };
    let mut room = most;
    for rule in game.rules() {
        for_each_instance(game, rule, room, |condition| {
            task.operators.extend(operator(game, rule, condition));
        })?;
        room = most.saturating_sub(task.operators.len());
    }
    goal(game, most, &mut task)?;
    Ok(task)
}

fn variables(game: &Game) -> Vec<Variable> {
    let variable = |index: usize| {
        let domain = game.domain_of(VarId::from_index(index));
        let fact = |value: &String| format!("Atom v{index}({value})");
        Variable {
            name: format!("var{index}"),
            layer: None,
            facts: domain.values().iter().map(fact).collect(),
            span: Span::default(),
        }
    };
    (0..game.n_variables()).map(variable).collect()
}

/// The values that are known before a rule is used, for one choice of the values it needs.
type Condition = Vec<Option<Value>>;

/// Call `take` with the conditions of each instance of a rule.
fn for_each_instance(
    game: &Game,
    rule: &Rule,
    room: usize,
    mut take: impl FnMut(&Condition),
) -> Result<(), ExportError> {
    let rule_of = &rule.canonical;
    let n = rule_of.n_variables();
    let mut needed = vec![false; n];
    for (i, (p, a)) in rule_of
        .preconditions()
        .iter()
        .zip(rule_of.actions())
        .enumerate()
    {
        if let TermKind::Variable(source) = p.kind() {
            needed[source.index()] |= source.index() != i;
        }
        if let TermKind::Variable(source) = a.kind() {
            needed[source.index()] |= p != a;
        }
    }
    let sources: Vec<usize> = (0..n).filter(|i| needed[*i]).collect();
    let size = |i: &usize| game.domain_of(VarId::from_index(*i)).size();
    let operators = sources.iter().map(|i| size(i) as u128);
    let operators = operators.fold(1_u128, u128::saturating_mul);
    if operators > room as u128 {
        return Err(ExportError::TooManyOperators {
            label: rule.label.to_string(),
            operators,
            limit: room,
        });
    }
    let mut chosen = vec![0_usize; n];
    loop {
        let known = rule_of.preconditions().iter().map(|p| match p.kind() {
            TermKind::Constant(value) => Some(value),
            TermKind::Variable(source) => {
                let source = source.index();
                needed[source].then(|| Value::from_index(chosen[source]))
            }
        });
        take(&known.collect());
        // The next combination; the last source changes fastest.
        let Some(place) = sources.iter().rev().find(|i| chosen[**i] + 1 < size(i)) else {
            return Ok(());
        };
        chosen[*place] += 1;
        for behind in sources.iter().filter(|i| *i > place) {
            chosen[*behind] = 0;
        }
    }
}

/// The operator of an instance; `None` if it changes nothing.
fn operator(game: &Game, rule: &Rule, condition: &Condition) -> Option<Operator> {
    let mut prevail = Vec::new();
    let mut effects = Vec::new();
    for (variable, action) in rule.canonical.actions().iter().enumerate() {
        let before = condition[variable].map(Value::index);
        let after = match action.kind() {
            TermKind::Constant(value) => Some(value.index()),
            TermKind::Variable(source) => condition[source.index()].map(Value::index),
        };
        match (before, after) {
            (before, Some(after)) if before != Some(after) => effects.push(Effect {
                conditions: Vec::new(),
                variable,
                before,
                after,
            }),
            (Some(value), _) => prevail.push(Fact { variable, value }),
            _ => {}
        }
    }
    let mut name = rule.label.to_string();
    let preconditions = rule.canonical.preconditions().iter().enumerate();
    for (place, _) in preconditions.filter(|(place, term)| term.is_own_variable(*place)) {
        let variable = VarId::from_index(place);
        if let Some(value) = condition[place] {
            name.push(' ');
            name.push_str(game.domain_of(variable).value_name(value));
        }
    }
    (!effects.is_empty()).then(|| Operator {
        name,
        prevail,
        effects,
        cost: rule.canonical.cost(),
        span: Span::default(),
    })
}

fn goal(game: &Game, most: usize, task: &mut Task) -> Result<(), ExportError> {
    let mut alternatives: Vec<Vec<Fact>> = Vec::new();
    for goal in game.goals() {
        let terms = goal.conditions();
        let rule = Rule {
            label: "GOAL".into(),
            source: 0,
            canonical: psvn_ir::CanonicalRule::canonicalize(terms, terms, 0),
        };
        let room = most.saturating_sub(alternatives.len());
        for_each_instance(game, &rule, room, |condition| {
            let facts = condition.iter().enumerate();
            let facts = facts.filter_map(|(variable, value)| {
                value.map(|value| Fact {
                    variable,
                    value: value.index(),
                })
            });
            alternatives.push(facts.collect());
        })?;
    }
    match alternatives.len() {
        0 => return Err(ExportError::NoGoal),
        1 => task.goal = alternatives.swap_remove(0),
        _ => {
            let variable = task.variables.len();
            task.variables.push(Variable {
                name: format!("var{variable}"),
                layer: Some(0),
                facts: vec!["NegatedAtom goal()".to_owned(), "Atom goal()".to_owned()],
                span: Span::default(),
            });
            task.state.push(0);
            task.goal = vec![Fact { variable, value: 1 }];
            task.axioms = alternatives
                .into_iter()
                .map(|conditions| Axiom {
                    conditions,
                    variable,
                    before: 0,
                    after: 1,
                    span: Span::default(),
                })
                .collect();
        }
    }
    Ok(())
}
